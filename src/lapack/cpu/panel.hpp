// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How many columns a panel has.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lapack/problem.hpp"

namespace onepass::lapack {

// A panel reads what it keeps of its own columns three times per column, and A once: narrow ones for small matrices.
// Never narrower for a larger matrix. Measured on a Neoverse V1 with OpenBLAS, d: sytrd of order 64 takes 47, 52 and
// 65 us with panels of 8, 16 and 32, of order 1024 83 ms with 16 and 24 and 94 with 32; gehrd of order 512 44, 39, 37
// and 26 ms with 8, 16, 24 and 48.
constexpr std::int64_t widest_panel(LapackRoutine routine, std::int64_t order) {
  if (order <= 96) return 8;
  if (order <= 384) return 16;
  return routine == LapackRoutine::gehrd ? 32 : 24;
}

// That of a matrix of which so many columns are left.
constexpr std::int64_t panel_width(LapackRoutine routine, std::int64_t left) {
  return std::min(widest_panel(routine, left), left);
}

}  // namespace onepass::lapack
