// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From orthogonal columns of M, and V, to S, U and V^H of many singular value decompositions, by a block with the
// columns of one of them: singular values are the lengths of columns, and columns without a length are completed.
#pragma once

#include "kernels/lapack/batched/batch_matrix.hpp"
#include "kernels/lapack/batched/batch_svd_args.hpp"

namespace onepass::kernels {

// Block: of a BatchSvd.
template <class A, int slots, bool whole, class Block>
struct BatchSvdResults {
  using R = RealOf<A>;
  using Shape = BatchSvdShape<A, slots, whole>;

  const Block& b;
  decltype(b.ex) ex = b.ex;
  const BatchSvdArgs& g = b.g;
  bool wide = b.wide;
  int p = b.p, q = b.q, thread = b.thread, lane = b.lane, warp = b.warp, warps = b.warps;

  // Columns of M become those of U.
  ONEPASS_DEVICE void find_values() const {
    for (int c = warp; c < q; c += warps) {
      R sum = 0;
      for (int r = lane; r < p; r += 32) sum += abs2(b.get(false, r, c));
      sum = warp_sum(ex, sum);
      const R inverse = sum >= Shape::nothing ? ex.reciprocal_sqrt(sum) : R{0};
      if (lane == 0) b.sigma.put(c, sum * inverse);
      if (g.vectors)
        for (int r = lane; r < p; r += 32) b.put(false, r, c, times_real(inverse, b.get(false, r, c)));
      if (!g.vectors) continue;
      sum = 0;
      for (int r = lane; r < q; r += 32) sum += abs2(b.get(true, r, c));
      const R of_v = ex.reciprocal_sqrt(warp_sum(ex, sum));
      for (int r = lane; r < q; r += 32) b.put(true, r, c, times_real(of_v, b.get(true, r, c)));
    }
    ex.sync();
    for (int c = thread; c < q; c += ex.threads()) {
      const R mine = b.sigma.get(c);
      int rank = 0;
      for (int i = 0; i < q; ++i) {
        const R other = b.sigma.get(i);
        if (other > mine || (other == mine && i < c)) ++rank;
      }
      b.order.put(c, rank);
    }
    int nulls = 0;
    for (int c = 0; c < q; ++c) nulls += b.sigma.get(c) > 0 ? 0 : 1;
    ex.sync();
    if (g.vectors && nulls > 0) complete(nulls);
  }

  // A null column becomes the unit vector that the columns so far have least of, less what they have of it.
  ONEPASS_DEVICE void complete(int nulls) const {
    if (warp == 0) {
      R taken[slots] = {};  // of the lane's rows, by columns that are there
      for (int c = 0; c < q; ++c) for_rows([&](int k, int r) { taken[k] += abs2(b.get(false, r, c)); });
      int there = q - nulls;  // columns of the first ranks
      for (; there < q; ++there) {
        const int best = least_taken(taken);
        A x[slots] = {};
        for_rows([&](int k, int r) { x[k] = from_real<A>(r == best ? R{1} : R{0}); });
        subtract(x);
        subtract(x);
        R sum = 0;
        for_rows([&](int k, int) { sum += abs2(x[k]); });
        const R inverse = ex.reciprocal_sqrt(warp_sum(ex, sum));
        const int c = column_of(there);
        for_rows([&](int k, int r) {
          const A value = times_real(inverse, x[k]);
          b.put(false, r, c, value);
          taken[k] += abs2(value);
        });
      }
    }
    ex.sync();
  }
  template <class F>
  ONEPASS_DEVICE void for_rows(F f) const {
#pragma unroll
    for (int k = 0; k < slots; ++k)
      if (32 * k + lane < p) f(k, 32 * k + lane);
  }
  ONEPASS_DEVICE int column_of(int rank) const {
    int c = 0;
    while (b.order.get(c) != rank) ++c;
    return c;
  }
  ONEPASS_DEVICE int least_taken(const R (&taken)[slots]) const {
    R least = std::numeric_limits<R>::max();
    int best = p;
    for_rows([&](int k, int r) {
      if (taken[k] < least) {
        least = taken[k];
        best = r;
      }
    });
    for (int mask = 16; mask > 0; mask /= 2) {
      const R other = ex.shuffle_xor(least, mask);
      const int there = ex.shuffle_xor(best, mask);
      if (other < least || (other == least && there < best)) {
        least = other;
        best = there;
      }
    }
    return best;
  }
  // x := x less what all columns have of it, eight at a time. Columns that are still null have nothing.
  ONEPASS_DEVICE void subtract(A (&x)[slots]) const {
    constexpr int width = 8;
    for (int first = 0; first < q; first += width) {
      const auto column = [&](int c, int r) { return first + c < q ? b.get(false, r, first + c) : A{}; };
      A dot[width] = {};
#pragma unroll
      for (int c = 0; c < width; ++c)
        for_rows([&](int k, int r) { dot[c] = multiply_add(dot[c], conjugate(column(c, r)), x[k]); });
      const A total = transposed_sum<width>(ex, dot);
#pragma unroll
      for (int c = 0; c < width; ++c) {
        const A factor = ex.shuffle_from(total, c * (32 / width));
        for_rows([&](int k, int r) { x[k] = subtract_product(x[k], factor, column(c, r)); });
      }
    }
  }

  // ---- Results ------------------------------------------------------------------------------

  ONEPASS_DEVICE void store(bool good, R back) const {
    const R none = std::numeric_limits<R>::quiet_NaN();
    if (thread == 0) ex.store(g.info + b.index, good ? 0 : g.info_of_failure);
    for (int c = thread; c < q; c += ex.threads())
      ex.store(static_cast<R*>(g.s) + b.index * g.stride_s + (good ? b.order.get(c) : c),
               good ? b.sigma.get(c) * (R{1} / Shape::more) * back : none);
    if (!g.vectors) return;
    A* const u = b.matrix(static_cast<A*>(g.u), g.stride_u);
    A* const vt = b.matrix(static_cast<A*>(g.vt), g.stride_vt);
    for (int c = warp; c < q; c += warps) {
      const int rank = good ? b.order.get(c) : c;
      for (int r = lane; r < p; r += 32)
        store_one(!wide, wide ? vt : u, r, rank, good ? b.get(false, r, c) : from_real<A>(none));
      for (int r = lane; r < q; r += 32)
        store_one(wide, wide ? u : vt, r, rank, good ? b.get(true, r, c) : from_real<A>(none));
    }
  }
  ONEPASS_DEVICE void store_one(bool of_u, A* to, int r, int rank, A value) const {
    if (of_u || g.plain_v)
      ex.store(to + r + rank * (of_u ? g.ldu : g.ldvt), value);
    else
      ex.store(to + rank + r * g.ldvt, conjugate(value));
  }
};

}  // namespace onepass::kernels
