// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// One merge of divide and conquer, as its kernels see it: its rows, its arrays, and sums over a warp.
//
// Of a tridiagonal matrix    T = T1 + T2 + |e| v v^T, v^T = (0 ... 0 1 sign(e) 0 ... 0); z = Q^T v / sqrt(2) has norm 1
//
// Of a bidiagonal matrix     B1      . .                  neighbours have half - 1 rows and half columns (the last as
//                              a b                        many as rows); row half - 1 is between them. With
//                                B2                       B1 = U1 (D1 0) V1^T and B2 = U2 (D2 0) V2^T
//
//   B = diag(U1, 1, U2) M diag(V1, V2)^T,   M = D1                  l: last row of V1, with that of its null vector,
//                                               a l   a l0  b f  b f0     the last column of V1, at the end
//                                                           D2      f: first row of V2, likewise
//
// A rotation makes one column of the null vectors: (l0, f0) becomes (r, 0), and what is left is the null vector of B.
// Then M^T M = D^2 + z z^T, with d = 0 and z = r at row half - 1: D + rho z z^T with the squares of values. Differences
// of squares are products (a - b) (a + b), so that nothing is lost by squaring. A right vector is z / (d^2 - s^2) over
// its norm, and the left one d z / (d^2 - s^2), at row half - 1 -1, over its norm. U of a node has the row behind it,
// too, as a unit vector beside it: so U and V are of one shape.
#pragma once

#include <cstdint>
#include <limits>

#include "kernels/lapack/divide_args.hpp"
#include "kernels/lapack/form.hpp"
#include "kernels/lapack/reflector.hpp"

namespace onepass::kernels {

// What is negligible beside T or B, whose bound |d| + 2 |e| is 0.5 to 1.
template <class R>
ONEPASS_DEVICE constexpr R divide_tolerance() {
  return 2 * std::numeric_limits<R>::epsilon();
}

// How far two poles are apart.
template <Form form, class R>
ONEPASS_DEVICE R pole_distance(R a, R b) {
  if constexpr (form == Form::bidiagonal)
    return (a - b) * (a + b);
  else
    return a - b;
}

template <class R, Form form = Form::tridiagonal>
struct Merge {
  static constexpr bool bidiagonal = form == Form::bidiagonal;
  const DivideLevelArgs& g;
  std::int64_t index, base;  // its number; its first row
  int left, rows;            // values of the first neighbour, and of the merge
  int columns;               // of its vectors: one more than `rows` where B has a column behind its last row

  ONEPASS_DEVICE Merge(const DivideLevelArgs& args, std::int64_t merge)
      : g(args), index(merge), base(2 * merge * args.half) {
    const std::int64_t there = g.n - base, both = 2 * static_cast<std::int64_t>(g.half);
    columns = static_cast<int>(there < both ? there : both);
    if constexpr (bidiagonal) {
      left = static_cast<int>(there < g.half ? there : g.half - 1);
      rows = static_cast<int>(there < both ? there : both - 1);
    } else {
      left = static_cast<int>(there < g.half ? there : g.half);
      rows = columns;
    }
  }
  // Of an array of n elements.
  ONEPASS_DEVICE R* at(void* array) const { return static_cast<R*>(array) + base; }
  ONEPASS_DEVICE int* at(int* array) const { return array + base; }

  // Both neighbours are there, or of B the first and the row behind it.
  ONEPASS_DEVICE bool coupled() const { return rows > left; }
  template <class Ex>
  ONEPASS_DEVICE R coupling(Ex ex) const {
    return coupled() ? ex.load_cached(static_cast<const R*>(g.e) + base + left - 1) : R{0};
  }
  template <class Ex>
  ONEPASS_DEVICE R rho(Ex ex) const {
    if constexpr (bidiagonal)
      return R{1};
    else
      return 2 * absolute(coupling(ex));
  }
};

template <class R, class Ex>
ONEPASS_DEVICE R warp_sum(Ex ex, R value) {
  for (int mask = 16; mask > 0; mask /= 2) value += ex.shuffle_xor(value, mask);
  return value;
}

template <class R, class Ex>
ONEPASS_DEVICE R square_root(Ex ex, R value) {
  return value > 0 ? value * ex.reciprocal_sqrt(value) : R{0};
}

}  // namespace onepass::kernels
