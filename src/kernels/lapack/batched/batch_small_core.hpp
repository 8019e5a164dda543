// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Eigenproblems of up to 32 rows in a part of a warp, from the rows of a matrix in registers to columns of V there:
//
//   A = Q T Q^H          rows in registers; after a column all of them move on by one, so that the next is the first
//   T = Z diag(w) Z^T    implicit QL: all lanes compute the same rotations, and each rotates its own row of Z; lane i
//                        keeps d_i and e_i (batch_small_values.hpp)
//   V = Q Z              a lane has a column
#pragma once

#include "kernels/lapack/batched/batch_matrix.hpp"
#include "kernels/lapack/batched/batch_small_values.hpp"

namespace onepass::kernels {

// N: lanes of a matrix.
template <class A, int N, class Ex>
struct BatchSmallCore {
  using R = RealOf<A>;
  using SmallValues = BatchSmallValues<R, N, Ex>;
  static constexpr int stride = batch_small_stride, chunk = 8;
  Ex ex;
  int n;
  int lane = ex.thread(), row = lane % N, base = lane - row;
  typename Ex::template Shared<A> lines = ex.template shared<A>(0);  // of the matrix, then of the reflectors
  typename Ex::template Shared<A> shared_w = ex.template shared<A>(N * stride * static_cast<int>(sizeof(A)));
  typename Ex::template Shared<R> z = ex.template shared<R>((N * stride + 32) * static_cast<int>(sizeof(A)));
  typename Ex::template Shared<int> order = ex.template shared<int>((N * stride + 32) * static_cast<int>(sizeof(A)) +
                                                                    N * stride * static_cast<int>(sizeof(R)));

  A line[N] = {};  // of A, from the column on that is reduced next; then a column of V
  R d = 0, e = 0;  // of row `row`
  A tau{};         // of column `row`

  // Column k is the first of `line`; reflector k goes to line k of shared memory.
  ONEPASS_DEVICE void reduce() {
    for (int k = 0; k + 1 < n; ++k) {
      const A x = line[0];
      if (row == k) d = real_part(x);
      const R norm2 = group_sum<N>(ex, row > k + 1 ? abs2(x) : R{0});
      const Reflector<A> h = reflector_of_scaled(ex, ex.shuffle_each(x, base + k + 1), norm2);
      const A v = row == k + 1 ? from_real<A>(1) : row > k + 1 ? x * h.scale : A{};
      if (row == k) {
        e = h.beta;
        tau = h.tau;
      }
      lines.put(k * stride + lane, v);
      ex.sync();
      // w = y - tau / 2 (y^H v) v,  y = tau A v
      A y{};
      for_columns(k, [&](int j, int column) { y = multiply_add(y, line[j], lines.get(k * stride + column)); });
      y = h.tau * y;
      const A w = multiply_add(y, times_real(R{-0.5}, h.tau) * group_sum<N>(ex, conjugate(y) * v), v);
      shared_w.put(lane, w);
      ex.sync();
      // A := A - v w^H - w v^H, moved on by one column
#pragma unroll
      for (int first = 0; first < N; first += chunk) {
        if (k + first >= n) continue;
#pragma unroll
        for (int j = first + 1; j <= first + chunk; ++j) {
          if (j == N || k + j >= n) {
            line[j - 1] = A{};
            continue;
          }
          const A of_w = conjugate(shared_w.get(base + k + j)), of_v = conjugate(lines.get(k * stride + base + k + j));
          line[j - 1] = subtract_product(subtract_product(line[j], v, of_w), w, of_v);
        }
      }
    }
    if (row == n - 1) d = real_part(line[0]);
  }
  // f(j, its place in a line of shared memory) of the columns behind k.
  template <class F>
  ONEPASS_DEVICE void for_columns(int k, F f) const {
#pragma unroll
    for (int first = 0; first < N; first += chunk) {
      if (k + first >= n) continue;
#pragma unroll
      for (int j = first; j < first + chunk; ++j)
        if (j > 0 && k + j < n) f(j, base + k + j);
    }
  }

  // line := Q times column `from` of Z
  ONEPASS_DEVICE void multiply_by_q(int from) {
#pragma unroll
    for (int r = 0; r < N; ++r) line[r] = r < n && row < n ? from_real<A>(z.get(from * stride + base + r)) : A{};
    for (int k = n - 2; k >= 0; --k) {
      A dot{};
      for_rows(k, [&](int r, A v) { dot = multiply_add(dot, conjugate(v), line[r]); });
      const A factor = ex.shuffle_each(tau, base + k) * dot;
      for_rows(k, [&](int r, A v) { line[r] = subtract_product(line[r], v, factor); });
    }
  }
  // f(r, element r of reflector k); those up to k are zero.
  template <class F>
  ONEPASS_DEVICE void for_rows(int k, F f) const {
#pragma unroll
    for (int first = 0; first < N; first += chunk) {
      if (first + chunk <= k + 1 || first >= n) continue;
#pragma unroll
      for (int r = first; r < first + chunk; ++r) f(r, lines.get(k * stride + base + r));
    }
  }
};

}  // namespace onepass::kernels
