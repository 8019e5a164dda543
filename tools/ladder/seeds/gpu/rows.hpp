// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A thread per row and what follows from it: several rows per thread, threads that share the columns of a row within a
// block, and blocks that share them by atomic additions.
#pragma once

#include "ladder/seeds/gpu/args.hpp"

namespace onepass::tools::ladder {

// y = 0, for the launches that add to it.
template <class T>
struct Clear {
  static constexpr int max_threads = 256, min_blocks = 1;
  static constexpr Touches touches = Touches::output;

  template <class X>
  static ONEPASS_DEVICE void run(X ex, const SeedArgs<T>& g) {
    ex.grid_dependency_wait();
    const std::int64_t row = ex.block_x() * ex.threads() + ex.thread();
    if (row < g.rows) ex.store(g.y + row, T{});
  }
};

//            columns ->  block (0, 0)      block (0, 1)         A block: `lanes` threads along the rows, each with
//   rows 0 .. lanes - 1  g0 g1 g0 g1 ...  g0 g1 g0 g1 ...       `rows_per_thread` of them. Its groups take columns one
//                                                               after the other.
template <class T, int rows_per_thread, bool adds>
struct Rows {
  static constexpr int max_threads = 256, min_blocks = 1;
  static constexpr Touches touches = Touches::product;
  static constexpr int in_flight = rows_per_thread == 1 ? 8 : 4;  // columns that are loaded before the first is used

  template <class X>
  static ONEPASS_DEVICE void run(X ex, const SeedArgs<T>& g) {
    ex.grid_dependency_wait();
    const auto shared = ex.template shared<T>(0);
    const int thread = ex.thread(), threads = ex.threads();
    const int lane = thread % g.lanes, group = thread / g.lanes, groups = threads / g.lanes;
    const std::int64_t top = ex.block_x() * g.lanes * rows_per_thread + lane;
    const std::int64_t first = ex.block_y() * g.columns, end = lesser(first + g.columns, g.cols);
    T sums[rows_per_thread] = {};
    // x comes through shared memory, a chunk of as many elements as the block has threads.
    for (std::int64_t chunk = first; chunk < end; chunk += threads) {
      const int count = static_cast<int>(lesser<std::int64_t>(threads, end - chunk));
      ex.sync();
      if (thread < count) shared.put(thread, ex.load_cached(g.x + chunk + thread));
      ex.sync();
      for (int c = group; c < count; c += in_flight * groups) {
        T a[in_flight][rows_per_thread];
#pragma unroll
        for (int k = 0; k < in_flight; ++k)
#pragma unroll
          for (int r = 0; r < rows_per_thread; ++r) {
            const std::int64_t row = top + r * g.lanes, col = chunk + lesser(c + k * groups, count - 1);
            const bool wanted = row < g.rows && c + k * groups < count;
            a[k][r] = ex.load_once_predicated(wanted, g.a + col * g.rows + lesser(row, g.rows - 1));
          }
#pragma unroll
        for (int k = 0; k < in_flight; ++k)
#pragma unroll
          for (int r = 0; r < rows_per_thread; ++r) sums[r] += a[k][r] * shared.get(lesser(c + k * groups, count - 1));
      }
    }
    if (groups > 1) add_groups(ex, shared, sums, groups);
    if (group != 0) return;
#pragma unroll
    for (int r = 0; r < rows_per_thread; ++r) {
      const std::int64_t row = top + r * g.lanes;
      if (row >= g.rows) continue;
      if constexpr (adds)
        ex.add(g.y + row, sums[r]);
      else
        ex.store(g.y + row, sums[r]);
    }
  }

 private:
  // The sums of the groups into those of the first.
  template <class X, class Shared>
  static ONEPASS_DEVICE void add_groups(X ex, Shared shared, T (&sums)[rows_per_thread], int groups) {
    const int thread = ex.thread(), lanes = ex.threads() / groups;
    ex.sync();
    for (int r = 0; r < rows_per_thread; ++r) shared.put(r * ex.threads() + thread, sums[r]);
    ex.sync();
    if (thread >= lanes) return;
    for (int r = 0; r < rows_per_thread; ++r)
      for (int other = 1; other < groups; ++other) sums[r] += shared.get(r * ex.threads() + other * lanes + thread);
  }
};

}  // namespace onepass::tools::ladder
