// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular value decompositions of many small matrices by one-sided Jacobi rotations, a block for each:
//
//   M := M J,  V := V J     until the columns of M are orthogonal; then they are U diag(s)
//
// Or of those alone that other kernels have left to it, which then goes on with their M and V, if they say so.
#pragma once

#include "kernels/lapack/batched/batch_matrix.hpp"
#include "kernels/lapack/batched/batch_refine_args.hpp"
#include "kernels/lapack/batched/batch_svd_results.hpp"
#include "kernels/lapack/batched/batch_svd_sweeps.hpp"

namespace onepass::kernels {

// whole: M and V are one matrix, in shared memory.
template <class A, int slots, bool whole>
struct BatchSvd {
  using R = RealOf<A>;
  using Shape = BatchSvdShape<A, slots, whole>;
  static constexpr int pairs = Shape::pairs;
  static constexpr int max_threads = 32 * batch_svd_warps(Shape::most_columns, pairs);
  // 64 registers of a thread beside those of its columns.
  static constexpr int min_blocks = 65536 / (max_threads * (2 * pairs * slots * static_cast<int>(sizeof(A)) / 4 + 64));

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BatchSvdArgs& g) {
    for (std::int64_t index = ex.block_x(); index < g.count; index += ex.grid_x()) {
      const int state = g.state == nullptr ? static_cast<int>(refine_restart) : ex.load_cached(g.state + index);
      if (refine_kind(state) < refine_rotate) continue;
      Block<Ex>{ex, g, index, state}.solve();
      ex.sync();  // shared memory is free again
    }
  }

 private:
  template <class Ex>
  struct Block {
    template <class T>
    using Shared = typename Ex::template Shared<T>;

    Ex ex;
    const BatchSvdArgs& g;
    std::int64_t index;
    int state;
    bool wide = g.m < g.n;
    int p = wide ? g.n : g.m, q = wide ? g.m : g.n;
    int thread = ex.thread(), lane = thread & 31, warp = thread >> 5, warps = ex.threads() / 32;

    static ONEPASS_DEVICE int after(int elements, int reals = 0) {
      return elements * static_cast<int>(sizeof(A)) + reals * static_cast<int>(sizeof(R));
    }
    // The row of a column where that of V begins, and where that ends.
    const int v_row = slots == 1 ? p : (p + 31) / 32 * 32, length = whole && g.vectors ? v_row + q : p;
    const int of_v = g.m_on_chip * length, of_log = of_v + (whole ? 0 : g.v_on_chip * q),
              log = whole ? 0 : 2 * pairs * pairs;
    const int all = of_log + warps * log;
    Shared<A> on_chip = ex.template shared<A>(0);
    Shared<A> noted = ex.template shared<A>(after(of_log + warp * log));
    Shared<R> sigma = ex.template shared<R>(after(all));
    Shared<R> sums = ex.template shared<R>(after(all, q));
    Shared<int> order = ex.template shared<int>(after(all, q + 2 * warps));  // rank of each column
    Shared<int> flags = ex.template shared<int>(after(all, q + 2 * warps) + q * 4);
    A* const off_chip =
        static_cast<A*>(g.off_chip) +
        ex.block_x() * (std::int64_t{p} * (q - g.m_on_chip) + (g.vectors ? std::int64_t{q} * (q - g.v_on_chip) : 0));

    // ---- Columns of M and V -------------------------------------------------------------------

    ONEPASS_DEVICE A get(bool v, int r, int c) const {
      if constexpr (whole) return on_chip.get(c * length + (v ? v_row : 0) + r);
      const int here = v ? g.v_on_chip : g.m_on_chip, rows = v ? q : p;
      if (c < here) return on_chip.get((v ? of_v : 0) + c * rows + r);
      return ex.load_matrix(outside(v, c - here, rows) + r);
    }
    ONEPASS_DEVICE void put(bool v, int r, int c, A value) const {
      if constexpr (whole) return on_chip.put(c * length + (v ? v_row : 0) + r, value);
      const int here = v ? g.v_on_chip : g.m_on_chip, rows = v ? q : p;
      if (c < here)
        on_chip.put((v ? of_v : 0) + c * rows + r, value);
      else
        ex.store(outside(v, c - here, rows) + r, value);
    }
    ONEPASS_DEVICE A* outside(bool v, int c, int rows) const {
      return off_chip + (v ? p * (q - g.m_on_chip) : 0) + c * rows;
    }

    // ---- From A to S, U and V -----------------------------------------------------------------

    ONEPASS_DEVICE void solve() const {
      const BatchSvdResults<A, slots, whole, Block> results{*this};
      const bool goes_on = refine_kind(state) == refine_rotate;
      R scale = 0;
      bool good = goes_on;
      if (goes_on)
        scale = take_over();
      else
        scale = load(good);
      if (good) {
        if (whole && g.vectors)
          for (int c = warp; c < q; c += warps)
            if (p + lane < v_row) put(false, p + lane, c, A{});
        ex.sync();
        good = BatchSvdSweeps<A, slots, whole, Block>{*this}.orthogonalize();
        results.find_values();
      }
      results.store(good, ex.power_of_two_near_reciprocal(scale));
    }
    // M of A, and what A was multiplied by, if all of it is finite; V = 1.
    ONEPASS_DEVICE R load(bool& finite) const {
      const A* const a = matrix(static_cast<const A*>(g.a), g.stride_a);
      R largest = 0;
      for_stored([&](int r, int c) { largest = larger(largest, magnitude(ex.load_matrix(a + r + c * g.lda))); });
      largest = block_largest(largest);
      finite = largest <= std::numeric_limits<R>::max();
      const R scale = ex.power_of_two_near_reciprocal(largest);
      if (!finite) return scale;
      for_stored([&](int r, int c) {
        const A value = times_real(Shape::more, times_real(scale, ex.load_matrix(a + r + c * g.lda)));
        put(false, wide ? c : r, wide ? r : c, conjugate_if(wide, value));
      });
      if (g.vectors)
        for (int c = warp; c < q; c += warps)
          for (int r = lane; r < q; r += 32) put(true, r, c, from_real<A>(r == c ? R{1} : R{0}));
      return scale;
    }
    // M and V as others left them.
    ONEPASS_DEVICE R take_over() const {
      const RefineShape of(g.m, g.n, sizeof(A));
      const std::int64_t ld = of.ld;
      const A* const x = static_cast<const A*>(g.begun[refine_round(state) % 2]) + index * of.of_x();
      for (int c = warp; c < q; c += warps) {
        for (int r = lane; r < p; r += 32) put(false, r, c, times_real(Shape::more, ex.load_cached(x + r + c * ld)));
        if (g.vectors)
          for (int r = lane; r < q; r += 32) put(true, r, c, ex.load_cached(x + of.of_v + r + c * ld));
      }
      return ex.load_cached(static_cast<const R*>(g.scale) + index);
    }

    template <class T>
    ONEPASS_DEVICE T* matrix(T* first, std::int64_t stride) const {
      using Pointer = T* const*;
      return g.pointer_arrays ? ex.load_cached(reinterpret_cast<Pointer>(first) + index) : first + index * stride;
    }
    // f(r, c) of the elements of A.
    template <class F>
    ONEPASS_DEVICE void for_stored(F f) const {
      for (int c = warp; c < g.n; c += warps)
        for (int r = lane; r < g.m; r += 32) f(r, c);
    }
    ONEPASS_DEVICE R block_largest(R value) const {
      for (int mask = 16; mask > 0; mask /= 2) value = larger(value, ex.shuffle_xor(value, mask));
      if (lane == 0) sums.put(warp, value);
      ex.sync();
      for (int i = 0; i < warps; ++i) value = larger(value, sums.get(i));
      return value;
    }
  };
};

}  // namespace onepass::kernels
