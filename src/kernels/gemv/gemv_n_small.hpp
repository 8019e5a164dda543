// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_n_small: y = A x for one small or middling matrix, outputs along its contiguous dimension. A block owns whole
// sums, so that no partial sum leaves it: no mailbox, no second round.
//
//            columns c
//          g0 g1 g2 g3 g0 g1 g2 g3 ...        A block owns a tile of rows. `lanes` threads side by side, a group,
//         +--+--+--+--+--+--+--+--+--         cover its rows in one column, and groups take the columns in turn.
//  lane 0 |  |  |  |  |  |  |  |  |           Each thread has a column's load of many of them in flight, and x on its
//  lane 1 |  |  |  |  |  |  |  |  |           way with them. The groups meet in shared memory behind one barrier:
//   ...   |  |  |  |  |  |  |  |  |           the threads that add up an output are neighbours, and shuffle.
//         +--+--+--+--+--+--+--+--+--
//
// A launch so small is made of instructions and of latency. Single elements are loaded, so that any alignment will do:
// up to 12 MB of elements of eight bytes that was faster on an H200 than vectors of 16, which need twice the trips. A
// group that is alone in its block loads two-byte elements in packs of four where columns begin on eight bytes: its
// lanes have as many rows, and write them from registers.
#pragma once

#include "kernels/blocks/anchored.hpp"
#include "kernels/blocks/cluster_sum.hpp"
#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/operand.hpp"

namespace onepass::kernels {

// in_flight: columns whose loads a thread has in flight; rows_of_lane: that one load brings; early: before the
// grid-dependency wait. Single products (the plain form). clustered: the blocks of a cluster have parts of the columns,
// where sums are too long for one block and too few for the device.
template <class E, int in_flight, int rows_of_lane, bool early, bool clustered>
struct GemvNSmall {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Factor = typename E::Factor;
  using Scalar = typename E::Scalar;
  static constexpr Form F = Form::plain;
  static constexpr int max_threads = gemv_small_max_threads;
  static constexpr int min_blocks = 1;
  struct alignas(rows_of_lane * sizeof(A)) Pack {
    A element[rows_of_lane];
  };

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GemvArgs& g) {
    const int block = static_cast<int>(ex.block_x()), rank = clustered ? block & ((1 << g.log2_cluster) - 1) : 0;
    const int row0 = (clustered ? block >> g.log2_cluster : block) * g.tile, rows = at_most(g.rows - row0, g.tile);
    const std::int64_t col0 = clustered ? rank * g.chunk : 0;
    const int cols = clustered ? at_most(g.cols - col0, static_cast<int>(g.chunk)) : static_cast<int>(g.cols);
    const int groups = 1 << g.log2_groups;
    const Scalar alpha = alpha_of<Scalar, F>(ex, g);
    if (alpha == Scalar{}) {
      wait_for_previous_launch(ex);
      if (rank != 0) return;
      return scale_y<E, F>(ex, g, 0, rows, [&](int o) { return row0 + o; });
    }

    // This thread's elements: its rows of columns c, c + groups, ...
    const int row = (ex.thread() & ((1 << g.log2_lanes) - 1)) * rows_of_lane, group = ex.thread() >> g.log2_lanes;
    const std::int64_t step = g.lda << g.log2_groups, step_x = g.incx << g.log2_groups;
    const A* at = static_cast<const A*>(g.a) + (row0 + row + group * g.lda);
    const X* x = static_cast<const X*>(g.x) + group * g.incx;
    if constexpr (clustered) {
      at += col0 * g.lda;
      x += col0 * g.incx;
    }
    const int end = row < rows ? cols : 0;
    int c = group;
    std::conditional_t<clustered, ClusterSum<S, Ex>, NoClusterSum> cluster(ex, g, 1 << g.log2_lanes, rows);
    if (prefetches(ex, g)) prefetch(ex, g, at, c, end, row);
    WaitForPreviousLaunch<early, Ex> wait(ex, g);

    // sum[i] += A[row + i, c] x[c] for the next columns; all loads are issued before the first is used.
    S sum[rows_of_lane] = {};
#pragma unroll 1
    do {
      Pack packs[in_flight];
      X xs[in_flight];
#pragma unroll
      for (int u = 0; u < in_flight; ++u)
        packs[u] = ex.load_once_predicated(c + u * groups < end, reinterpret_cast<const Pack*>(at + u * step));
      wait.loads_issued(c - group + (in_flight << g.log2_groups) >= cols);
#pragma unroll
      for (int u = 0; u < in_flight; ++u) xs[u] = ex.load_cached_predicated(c + u * groups < end, x + u * step_x);
      const auto x_of = [&](int u) { return conjugate_if(g.conjugate, as<Factor>(xs[u])); };
      if constexpr (has_anchor<E>) {
        sum[0] = add_terms<in_flight, false>(
            sum[0], g.cols >= least_anchored, [&](int u) { return packs[u].element[0]; }, x_of,
            [&](int u) { return high_word(xs[u]); });
      } else {
#pragma unroll
        for (int u = 0; u < in_flight; ++u)
#pragma unroll
          for (int i = 0; i < rows_of_lane; ++i)
            sum[i] = multiply_add(sum[i], as<Factor>(packs[u].element[i]), x_of(u));
      }
      at += in_flight * step;
      x += in_flight * step_x;
      c += in_flight << g.log2_groups;
    } while (c - group < cols);

    if (rows_of_lane > 1 || groups == 1) {
      wait.before_result();
#pragma unroll
      for (int i = 0; i < rows_of_lane; ++i)
        if (row + i < rows) write_y<E, F>(ex, g, {}, row0 + row + i, alpha, sum[i]);
      return;
    }
    // As many neighbours as groups have the parts of an output. A group's part of shared memory has a place more than
    // rows, so that they read from different banks.
    const int base = clustered ? cluster_sum_bytes<S>(g.log2_cluster, 1 << g.log2_lanes) : 0;
    const auto shared = ex.template shared<S>(base);
    const int pitch = (1 << g.log2_lanes) + 1;
    shared.put(group * pitch + row, sum[0]);
    ex.sync();
    const int output = ex.thread() >> g.log2_groups, part = ex.thread() & (groups - 1);
    S total = shared.get(part * pitch + output);
#pragma unroll
    for (int mask = 1; mask < Ex::warp; mask *= 2)
      if (mask < groups) total = total + ex.shuffle_xor(total, mask);
    // Where groups are more than a warp has lanes, each output has several warps.
    if (g.log2_groups > 5) {
      const auto parts = ex.template shared<S>(base + (pitch << g.log2_groups) * static_cast<int>(sizeof(S)));
      if (ex.thread() % Ex::warp == 0) parts.put(ex.thread() / Ex::warp, total);
      ex.sync();
      const int log2_warps = g.log2_groups - 5, o = ex.thread();
      if (!clustered && o >= rows) return;
      total = S{};
      if (!clustered || o < rows) {
#pragma unroll 1
        for (int w = 0; w < 1 << log2_warps; ++w) total = total + parts.get((o << log2_warps) + w);
      }
      if constexpr (clustered) {
        if (!cluster.gather(o < rows, o, total)) return;
      }
      wait.before_result();
      if (!clustered || o < rows) write_y<E, F>(ex, g, {}, row0 + o, alpha, total);
      return;
    }
    if constexpr (clustered) {
      if (!cluster.gather(part == 0 && output < rows, output, total)) return;
    }
    wait.before_result();
    if (part == 0 && output < rows) write_y<E, F>(ex, g, {}, row0 + output, alpha, total);
  }

 private:
  // Into the L2: the first loads, a lane for each sector, and x.
  template <class Ex>
  static ONEPASS_DEVICE void prefetch(Ex ex, const GemvArgs& g, const A* at, int c, int end, int row) {
    constexpr int sector = 32 / static_cast<int>(sizeof(A)), sector_of_x = 32 / static_cast<int>(sizeof(X));
#pragma unroll
    for (int u = 0; u < in_flight; ++u)
      ex.prefetch_if(row % sector == 0 && c + (u << g.log2_groups) < end, at + u * (g.lda << g.log2_groups));
    const int k = ex.thread() * sector_of_x;
    ex.prefetch_if(g.incx == 1 && k < g.cols, static_cast<const X*>(g.x) + k);
  }
};

}  // namespace onepass::kernels
