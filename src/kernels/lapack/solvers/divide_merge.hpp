// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// One merge of divide and conquer, as its kernels see it: its rows, its arrays, and sums over a warp.
//
// T is tridiagonal: T = diag(T1, T2) + |e| v v^T, v^T = (0 ... 0 1 sign(e) 0 ... 0), and z = Q^T v / sqrt(2) has
// norm 1.
//
// B is bidiagonal:    B1       neighbours have half - 1 rows and half columns, the last as many columns as rows;
//                       a b    row half - 1 is between them. B1 = U1 (D1 0) V1^T, B2 = U2 (D2 0) V2^T: the last
//                         B2   columns of V1 and V2 are null vectors
//
//                                                ( D1                    )
//   B = diag(U1, 1, U2) M diag(V1, V2)^T,   M =  ( a l   a l0   b f  b f0 )   (l l0): last row of V1
//                                                (              D2       )   (f f0): first row of V2
//
// A rotation of the two null vectors makes (r, 0) of (a l0, b f0), and the vector with 0 is the null vector of the
// merge. Without its column M^T M = D^2 + z z^T, with d = 0 and z = r at row half - 1. This is the other merge with
// rho = 1 and squares of values, whose differences are products (a - b) (a + b), so that nothing is lost by squaring.
// The right vector of s is z / (d^2 - s^2) over its norm, and the left one d z / (d^2 - s^2), with -1 at row half - 1,
// over its norm. U of a node has the row behind it, too, with a one on the diagonal: so U and V are of one shape.
#pragma once

#include <cstdint>
#include <limits>

#include "kernels/lapack/reflector.hpp"
#include "kernels/lapack/solvers/divide_args.hpp"
#include "kernels/lapack/solvers/form.hpp"

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

// Over N neighbouring lanes; all of them get it.
template <int N, class T, class Ex>
ONEPASS_DEVICE T group_sum(Ex ex, T value) {
  for (int mask = N / 2; mask > 0; mask /= 2) value = value + ex.shuffle_xor(value, mask);
  return value;
}
template <int N, class T, class Ex>
ONEPASS_DEVICE T group_largest(Ex ex, T value) {
  for (int mask = N / 2; mask > 0; mask /= 2) value = larger(value, ex.shuffle_xor(value, mask));
  return value;
}

// The eigenvalue or column of `lanes` neighbouring lanes, of all merges of a level. Some lanes of a warp may have none,
// or one that is done, and go on with the others: sums take all of them.
template <int lanes>
struct DivideShare {
  std::int64_t number;
  bool there;

  template <class Ex>
  ONEPASS_DEVICE DivideShare(Ex ex, std::int64_t count)
      : number(ex.block_x() * (divide_threads / lanes) + ex.thread() / lanes), there(number < count) {
    if (!there) number = 0;
  }
};

template <class R, class Ex>
ONEPASS_DEVICE R square_root(Ex ex, R value) {
  return value > 0 ? value * ex.reciprocal_sqrt(value) : R{0};
}

}  // namespace onepass::kernels
