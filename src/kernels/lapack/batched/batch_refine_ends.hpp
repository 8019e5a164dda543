// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The first and the last step of singular value decompositions from eigenvectors of M^H M, a block for each matrix:
// M from A, and S, U and V^H from W and V.
#pragma once

#include "kernels/lapack/batched/batch_matrix.hpp"
#include "kernels/lapack/batched/batch_refine_args.hpp"

namespace onepass::kernels {

// What both are told of a matrix.
template <class A, class Ex>
struct RefinedMatrix {
  using R = RealOf<A>;
  Ex ex;
  const RefineArgs& g;
  std::int64_t index = ex.block_x();
  bool wide = g.svd.m < g.svd.n;
  RefineShape shape = {g.svd.m, g.svd.n, sizeof(A)};
  int p = shape.p, q = shape.q;
  std::int64_t ld = shape.ld;
  int thread = ex.thread(), lane = thread & 31, warp = thread >> 5;

  template <class T>
  ONEPASS_DEVICE T* matrix(T* first, std::int64_t stride) const {
    using Pointer = T* const*;
    return g.svd.pointer_arrays ? ex.load_cached(reinterpret_cast<Pointer>(first) + index) : first + index * stride;
  }
  ONEPASS_DEVICE A* x(int which) const { return static_cast<A*>(g.x[which]) + index * shape.of_x(); }
};

// M = A, or A^H if that is wide, times a power of two: its largest element is between 1 and 2.
template <class A>
struct BatchRefineBegin {
  using R = RealOf<A>;
  static constexpr int max_threads = refine_threads, min_blocks = 4, warps = max_threads / 32;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const RefineArgs& g) {
    const RefinedMatrix<A, Ex> of = {ex, g};
    const A* const a = of.matrix(static_cast<const A*>(g.svd.a), g.svd.stride_a);
    const auto for_elements = [&](auto f) {
      constexpr int at_once = 4;  // loads in flight
      for (int c = of.warp; c < g.svd.n; c += warps)
        for (int first = of.lane; first < g.svd.m; first += 32 * at_once) {
          A value[at_once];
#pragma unroll
          for (int i = 0; i < at_once; ++i) {
            const int r = first + 32 * i;
            value[i] = ex.load_cached_predicated(r < g.svd.m, a + (r < g.svd.m ? r : 0) + c * g.svd.lda);
          }
#pragma unroll
          for (int i = 0; i < at_once; ++i)
            if (first + 32 * i < g.svd.m) f(first + 32 * i, c, value[i]);
        }
    };
    R largest = 0;
    for_elements([&](int, int, A value) { largest = larger(largest, magnitude(value)); });
    for (int mask = 16; mask > 0; mask /= 2) largest = larger(largest, ex.shuffle_xor(largest, mask));
    const auto of_warps = ex.template shared<R>(0);
    if (of.lane == 0) of_warps.put(of.warp, largest);
    ex.sync();
    for (int i = 0; i < warps; ++i) largest = larger(largest, of_warps.get(i));
    const bool finite = largest <= std::numeric_limits<R>::max();
    const R scale = finite ? ex.power_of_two_near_reciprocal(largest) : R{0};
    A* const m = of.x(1);
    for_elements([&](int r, int c, A value) {
      ex.store(m + (of.wide ? c + r * of.ld : r + c * of.ld),
               finite ? conjugate_if(of.wide, times_real(scale, value)) : A{});
    });
    if (of.thread != 0) return;
    ex.store(static_cast<R*>(g.scale) + of.index, scale);
    ex.store(g.state + of.index, refine_state(finite ? refine_active : refine_restart, false, false, 0));
  }
};

// Singular values are the lengths of columns of W.
template <class A>
struct BatchRefineEnd {
  using R = RealOf<A>;
  static constexpr int max_threads = refine_threads, min_blocks = 4, warps = max_threads / 32;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const RefineArgs& g) {
    Block<Ex>{{ex, g}}.finish();
  }

 private:
  template <class Ex>
  struct Block : RefinedMatrix<A, Ex> {
    using Base = RefinedMatrix<A, Ex>;
    using Base::ex, Base::g, Base::index, Base::wide, Base::p, Base::q, Base::ld, Base::thread, Base::lane, Base::warp;
    static constexpr int tile = 32, pitch = tile + 1;

    ONEPASS_DEVICE void finish() const {
      const int state = ex.load_cached(g.state + index), kind = refine_kind(state);
      if (kind == refine_rotate || kind == refine_restart) return;
      const A* const x = this->x(refine_applied(state) % 2);
      const int after = tile * pitch * static_cast<int>(sizeof(A)), real = static_cast<int>(sizeof(R));
      const auto sigma = ex.template shared<R>(after), inverse = ex.template shared<R>(after + q * real);
      const auto rank = ex.template shared<int>(after + 2 * q * real);
      const auto column = ex.template shared<int>(after + 2 * q * real + q * 4);
      for (int c = warp; c < q; c += warps) {
        R sum = 0;
        for_column(x + c * ld, p, [&](int, A value) { sum += abs2(value); });
        sum = warp_sum(ex, sum);
        const R over = ex.reciprocal_sqrt(sum);
        if (lane == 0) {
          sigma.put(c, sum * over);
          inverse.put(c, over);
        }
      }
      ex.sync();
      for (int c = thread; c < q; c += max_threads) {
        const R mine = sigma.get(c);
        int before = 0;
        for (int i = 0; i < q; ++i) {
          const R other = sigma.get(i);
          if (other > mine || (other == mine && i < c)) ++before;
        }
        rank.put(c, before);
        column.put(before, c);
        const R back = ex.power_of_two_near_reciprocal(ex.load_cached(static_cast<const R*>(g.scale) + index));
        ex.store(static_cast<R*>(g.svd.s) + index * g.svd.stride_s + before, mine * back);
      }
      if (thread == 0) ex.store(g.svd.info + index, 0);
      if (!g.svd.vectors) return;
      ex.sync();
      A* const u = this->matrix(static_cast<A*>(g.svd.u), g.svd.stride_u);
      A* const vt = this->matrix(static_cast<A*>(g.svd.vt), g.svd.stride_vt);
      put(!wide, wide ? vt : u, x, p, rank, column, [&](int c) { return inverse.get(c); });
      put(wide, wide ? u : vt, x + this->shape.of_v, q, rank, column, [](int) { return R{1}; });
    }
    // f(row, element) of a column, by a warp with some loads in flight.
    template <class F>
    ONEPASS_DEVICE void for_column(const A* from, int rows, F f) const {
      constexpr int at_once = 4;
      for (int first = lane; first < rows; first += 32 * at_once) {
        A value[at_once];
#pragma unroll
        for (int i = 0; i < at_once; ++i) {
          const int r = first + 32 * i;
          value[i] = ex.load_cached_predicated(r < rows, from + (r < rows ? r : 0));
        }
#pragma unroll
        for (int i = 0; i < at_once; ++i)
          if (first + 32 * i < rows) f(first + 32 * i, value[i]);
      }
    }
    template <class Factor>
    ONEPASS_DEVICE void put(bool of_u, A* to, const A* from, int rows, const typename Ex::template Shared<int>& rank,
                            const typename Ex::template Shared<int>& column, Factor factor) const {
      const std::int64_t ld_to = of_u ? g.svd.ldu : g.svd.ldvt;
      if (of_u || g.svd.plain_v) {
        for (int c = warp; c < q; c += warps) {
          const R by = factor(c);
          A* const column_to = to + rank.get(c) * ld_to;
          for_column(from + c * ld, rows, [&](int r, A value) { ex.store(column_to + r, times_real(by, value)); });
        }
        return;
      }
      // Across, through shared memory.
      const auto turned = ex.template shared<A>(0);
      for (int first_rank = 0; first_rank < q; first_rank += tile)
        for (int first_row = 0; first_row < rows; first_row += tile) {
          ex.sync();
          constexpr int each = tile / warps;
          A value[each];
#pragma unroll
          for (int i = 0; i < each; ++i) {
            const int r = first_row + lane, k = first_rank + warp + i * warps;
            const bool there = k < q && r < rows;
            value[i] = ex.load_cached_predicated(there, from + (there ? r + column.get(k) * ld : 0));
          }
#pragma unroll
          for (int i = 0; i < each; ++i) {
            const int k = first_rank + warp + i * warps;
            if (k < q) turned.put((k - first_rank) * pitch + lane, times_real(factor(column.get(k)), value[i]));
          }
          ex.sync();
          for (int i = warp; i < tile; i += warps)
            if (first_row + i < rows && first_rank + lane < q)
              ex.store(to + first_rank + lane + (first_row + i) * ld_to, conjugate(turned.get(lane * pitch + i)));
        }
    }
  };
};

}  // namespace onepass::kernels
