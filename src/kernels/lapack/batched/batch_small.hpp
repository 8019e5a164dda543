// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Eigenproblems of up to 32 rows, one, two or four in a warp: a lane has a row of the matrix, and no matrix leaves the
// chip between its load and its store.
//
//   load    rows into registers
//   solve   batch_small_core.hpp, a lane having a column of V, sorted
//   store   through shared memory
//
// Matrices of one warp go through the same steps, those that have converged without effect.
#pragma once

#include "kernels/lapack/batched/batch_small_core.hpp"

namespace onepass::kernels {

// N: lanes of a matrix.
template <class A, int N>
struct BatchSmall {
  using R = RealOf<A>;
  static constexpr int max_threads = 32, min_blocks = 8, together = 32 / N, stride = batch_small_stride;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BatchArgs& g) {
    for (std::int64_t first = ex.block_x() * together; first < g.count; first += ex.grid_x() * together) {
      const int in_warp = ex.thread() / N;
      const bool there = first + in_warp < g.count;
      Group<Ex> group{ex, g, there, there ? first + in_warp : first};
      group.solve();
      ex.sync();  // shared memory is free again
    }
  }

 private:
  template <class Ex>
  struct Group {
    using Core = BatchSmallCore<A, N, Ex>;
    Ex ex;
    const BatchArgs& g;
    bool there;  // else the lanes work with another's matrix, and store nothing
    std::int64_t index;
    Core core = {ex, g.n};
    int lane = core.lane, row = core.row, base = core.base;

    ONEPASS_DEVICE void solve() {
      A* const a = matrix_of<A>(ex, g, index);
      load(a);
      R largest = 0;
#pragma unroll
      for (int c = 0; c < N; ++c) largest = larger(largest, magnitude(core.line[c]));
      largest = group_largest<N>(ex, largest);
      const bool finite = largest <= std::numeric_limits<R>::max();
      const R scale = finite ? ex.power_of_two_near_reciprocal(largest) : R{0};
#pragma unroll
      for (int c = 0; c < N; ++c) core.line[c] = finite ? times_real(scale, core.line[c]) : A{};
      core.reduce();

      typename Core::SmallValues values{ex, g.n, g.vectors, core.d, core.e, core.z};
      const bool converged = values.solve();
      const int rank = values.rank();
      const bool good = finite && converged;
      const R none = std::numeric_limits<R>::quiet_NaN();
      const bool mine = there && row < g.n;
      if (mine)
        ex.store(static_cast<R*>(g.w) + index * g.stride_w + rank,
                 good ? values.d * ex.power_of_two_near_reciprocal(scale) : none);
      if (there && row == 0) ex.store(g.info + index, good ? 0 : g.info_of_failure);
      if (!g.vectors) return;
      core.order.put(base + rank, row);
      ex.sync();
      core.multiply_by_q(core.order.get(lane));
      ex.sync();
#pragma unroll
      for (int r = 0; r < N; ++r) core.lines.put(row * stride + base + r, core.line[r]);
      ex.sync();
      for (int c = 0; c < g.n; ++c)
        if (mine) ex.store(a + row + c * g.lda, good ? core.lines.get(c * stride + lane) : from_real<A>(none));
    }

    // Whole rows from the triangle that is stored; all loads are in flight at once.
    ONEPASS_DEVICE void load(const A* a) {
      const auto stored = [&](int c) { return row < g.n && c < g.n && (g.lower ? row >= c : row <= c); };
#pragma unroll
      for (int c = 0; c < N; ++c) core.line[c] = ex.load_fresh_if(stored(c), a + (stored(c) ? row + c * g.lda : 0));
#pragma unroll
      for (int c = 0; c < N; ++c) {
        if (row == c) core.line[c] = from_real<A>(real_part(core.line[c]));
        if (stored(c)) core.lines.put(c * stride + lane, core.line[c]);
      }
      ex.sync();
#pragma unroll
      for (int c = 0; c < N; ++c)
        if (row < g.n && c < g.n && !stored(c)) core.line[c] = conjugate(core.lines.get(row * stride + base + c));
      ex.sync();
    }
  };
};

}  // namespace onepass::kernels
