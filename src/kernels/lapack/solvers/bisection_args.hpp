// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the launch that finds eigenvalues by bisection is given, and what the host must know of it.
#pragma once

#include <cstddef>

namespace onepass::kernels {

inline constexpr int bisection_threads = 128, bisection_warps = bisection_threads / 32;

// Eigenvalues of a symmetric tridiagonal matrix, ascending: those with indices first to first + count - 1, or, by
// value, those in (lower, upper], of which `count` fit into w. One warp for each. Or singular values of a bidiagonal
// matrix, descending, by index alone.
struct BisectionArgs {
  const void* d = nullptr;
  const void* e = nullptr;
  void* w = nullptr;
  int n = 0, first = 0, count = 0;
  bool by_value = false;
  double lower = 0, upper = 0;
  int* found = nullptr;  // how many there are; may be null
  int* info = nullptr;   // 0; n if d or e has an element that is not finite, and w is NaN then
};

// Rows that are in shared memory at a time, 16 bytes each, or twice as many of 8 bytes; and as much again as two
// numbers of each warp take.
inline constexpr int bisection_rows = 512;
constexpr std::size_t bisection_shared_bytes() { return bisection_rows * 16 + 2 * bisection_warps * sizeof(double); }

}  // namespace onepass::kernels
