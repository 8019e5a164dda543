// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Some of the eigenvalues, of a host that has found all of them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lapack/problem.hpp"

namespace onepass::lapack {

// w: n ascending ones, of which those wanted come to its beginning. The index of the first of them, counted from 0; how
// many they are goes to `found`, if they are wanted by value.
template <class R>
std::int64_t keep_wanted(const LapackProblem& p, R* w, int* found) {
  std::int64_t first = first_wanted(p), last = first + count_wanted(p);
  if (p.wanted == Wanted::by_value) {
    first = std::upper_bound(w, w + p.n, p.vl) - w;
    last = std::upper_bound(w, w + p.n, p.vu) - w;
    *found = static_cast<int>(last - first);
  }
  std::copy(w + first, w + last, w);
  return first;
}

}  // namespace onepass::lapack
