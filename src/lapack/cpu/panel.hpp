// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How many columns a panel has, and how many reflectors are applied together.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lapack/cpu/packed.hpp"
#include "lapack/problem.hpp"

namespace onepass::lapack {

// A panel reads what it keeps of its own columns three times per column, and A once: narrow ones for small matrices.
// Never narrower for a larger matrix. Measured on a Neoverse V1 with OpenBLAS, d: sytrd of order 64 takes 47, 52 and
// 65 us with panels of 8, 16 and 32, of order 1024 83 ms with 16 and 24 and 94 with 32; gehrd of order 512 44, 39, 37
// and 26 ms with 8, 16, 24 and 48. Where products with few terms are the library's own, and about as fast as those with
// many, panels stay narrow for longer. On a Xeon with AVX-512, order 512 with 8, 16, 24 and 32: d
// gebrd 20.7, 23.3, 24.1 and 24.6 ms, sytrd 8.6, 9.2, 9.5 and 9.9, gehrd 20.2, 19.8, 19.0 and 19.9.
inline std::int64_t widest_panel(LapackRoutine routine, std::int64_t order) {
  const bool own = multiplies_by_packed_kernels(), hessenberg = routine == LapackRoutine::gehrd;
  if (order <= (own && !hessenberg ? 640 : 96)) return 8;
  if (order <= 384) return 16;
  if (!own) return hessenberg ? 32 : 24;
  return hessenberg && order > 1280 ? 48 : 24;
}

// That of a matrix of which so many columns are left.
inline std::int64_t panel_width(LapackRoutine routine, std::int64_t left) {
  return std::min(widest_panel(routine, left), left);
}

// That of geqrf, which halves its panels down to a few columns: all but those are products of level 3, so that wide
// ones cost nothing.
constexpr std::int64_t qr_panel(std::int64_t count) { return std::clamp<std::int64_t>(count, 1, 32); }

// Of `count` reflectors. Their T and products with it cost more the more they are, products of level 3 gain: orgtr of
// order 32 takes 10, 19 and 27 us with 8, 16 and 32; ormtr of order 1024 168, 145 and 136 ms with 16, 32 and 64.
// Complex numbers make more of the products than of what surrounds them.
constexpr std::int64_t block_width(Type type, std::int64_t count) {
  if (count <= 48) return std::min<std::int64_t>(count, 8);
  if (count <= 256) return 16;
  return count <= 768 || is_complex_type(type) ? 32 : 64;
}

}  // namespace onepass::lapack
