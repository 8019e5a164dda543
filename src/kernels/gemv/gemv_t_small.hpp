// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_t_small: y = A^T x for one small or middling matrix, dot products along its contiguous dimension. A group of
// lanes owns whole sums, so that no partial sum leaves the block: no mailbox, no second round.
//
//             columns of a group              `lanes` threads side by side, a group, walk down their columns: lane l
//             c0    c1                        has elements l, l + lanes, ... of each, many of them in flight, and
//           +-----+-----+                     those of x at the same rows on their way with them. Single elements are
//  lane 0   |     |     |                     loaded, so that any alignment will do; neighbouring lanes load
//  lane 1   |     |     |                     neighbouring elements. The lanes of a warp meet by shuffles; where a
//   ...     |     |     |                     group has several warps, these meet in shared memory.
//           +-----+-----+
#pragma once

#include "kernels/blocks/anchored.hpp"
#include "kernels/blocks/cluster_sum.hpp"
#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/operand.hpp"

namespace onepass::kernels {

// in_flight: elements of a column that a thread has in flight; early: before the grid-dependency wait. Single products
// (the plain form). At least as many lanes as columns of a group. clustered: the blocks of a cluster have parts of the
// rows, in groups of several warps, where sums are too few for the device.
template <class E, int in_flight, int log2_columns, bool early, bool clustered>
struct GemvTSmall {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Factor = typename E::Factor;
  using Scalar = typename E::Scalar;
  static constexpr Form F = Form::plain;
  static constexpr int columns = 1 << log2_columns;
  static constexpr int max_threads = gemv_small_max_threads;
  static constexpr int min_blocks = 1;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GemvArgs& g) {
    const int lanes = 1 << g.log2_lanes, log2_tile = g.log2_groups + log2_columns;
    const int lane = ex.thread() & (lanes - 1), group = ex.thread() >> g.log2_lanes;
    const int block = static_cast<int>(ex.block_x()), rank = clustered ? block & ((1 << g.log2_cluster) - 1) : 0;
    const std::int64_t row0 = clustered ? rank * g.chunk : 0;
    const int rows = clustered ? at_most(g.rows - row0, static_cast<int>(g.chunk)) : static_cast<int>(g.rows);
    const int cols = static_cast<int>(g.cols), tile = (clustered ? block >> g.log2_cluster : block) << log2_tile;
    const Scalar alpha = alpha_of<Scalar, F>(ex, g);
    if (alpha == Scalar{}) {
      wait_for_previous_launch(ex);
      if (rank != 0) return;
      return scale_y<E, F>(ex, g, 0, at_most(cols - tile, 1 << log2_tile), [&](int o) { return tile + o; });
    }
    // Column q of this group, at `first` + q.
    const int first = tile + (group << log2_columns), count = at_most(cols - first, columns);
    const A* at = static_cast<const A*>(g.a) + first * g.lda + lane;
    const X* x = static_cast<const X*>(g.x) + lane * g.incx;
    if constexpr (clustered) {
      at += row0;
      x += row0 * g.incx;
    }
    int r = lane;
    std::conditional_t<clustered, ClusterSum<S, Ex>, NoClusterSum> cluster(ex, g, 1 << log2_tile,
                                                                           at_most(cols - tile, 1 << log2_tile));
    if (prefetches(ex, g)) prefetch(ex, g, at, x, r, rows, count, group);
    WaitForPreviousLaunch<early, Ex> wait(ex, g);

    // sum[q] += A[r, first + q] x[r]; all loads are issued before the first is used.
    S sum[columns] = {};
#pragma unroll 1
    do {
      A element[in_flight][columns];
      X xs[in_flight];
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
#pragma unroll
        for (int q = 0; q < columns; ++q)
          element[u][q] = ex.load_once_predicated(r + u * lanes < rows && q < count, at + (u * lanes + q * g.lda));
      }
      wait.loads_issued(r - lane + (in_flight << g.log2_lanes) >= rows);
#pragma unroll
      for (int u = 0; u < in_flight; ++u)
        xs[u] = ex.load_cached_predicated(r + u * lanes < rows && count > 0, x + u * (g.incx << g.log2_lanes));
      if constexpr (has_anchor<E>) {
#pragma unroll
        for (int q = 0; q < columns; ++q) {
          sum[q] = add_terms<in_flight, false>(
              sum[q], g.rows >= least_anchored, [&](int u) { return element[u][q]; },
              [&](int u) { return conjugate_if(g.conjugate, xs[u]); }, [&](int u) { return high_word(xs[u]); });
        }
      } else {
#pragma unroll
        for (int u = 0; u < in_flight; ++u) {
          const Factor x_r = conjugate_if(g.conjugate, as<Factor>(xs[u]));
#pragma unroll
          for (int q = 0; q < columns; ++q) sum[q] = multiply_add(sum[q], as<Factor>(element[u][q]), x_r);
        }
      }
      at += in_flight << g.log2_lanes;
      x += in_flight * (g.incx << g.log2_lanes);
      r += in_flight << g.log2_lanes;
    } while (r - lane < rows);

    // Over the lanes of a warp: each gives half of its columns to a neighbour, until it has one.
    int mine = 0;
#pragma unroll
    for (int half = columns / 2, mask = 1; half > 0; half /= 2, mask *= 2) {
      const bool upper = (lane & mask) != 0;
#pragma unroll
      for (int q = 0; q < half; ++q) {
        const S kept = upper ? sum[q + half] : sum[q], given = upper ? sum[q] : sum[q + half];
        sum[q] = kept + ex.shuffle_xor(given, mask);
      }
      mine += upper ? half : 0;
    }
    S total = sum[0];
#pragma unroll
    for (int mask = columns; mask < Ex::warp; mask *= 2)
      if (mask >> g.log2_lanes == 0) total = total + ex.shuffle_xor(total, mask);

    if (!clustered && g.log2_lanes <= 5) {
      wait.before_result();
      if (lane < columns && mine < count) write_y<E, F>(ex, g, {}, first + mine, alpha, total);
      return;
    }
    // The part of the group's warp w for output o of the block stands at w outputs + o.
    const auto shared = ex.template shared<S>(clustered ? cluster_sum_bytes<S>(g.log2_cluster, 1 << log2_tile) : 0);
    if (lane % Ex::warp < columns) shared.put((lane / Ex::warp << log2_tile) + (group << log2_columns) + mine, total);
    ex.sync();
    const int o = ex.thread();
    const bool has_output = o >> log2_tile == 0 && tile + o < cols;
    if (!clustered && !has_output) return;
    total = S{};
    if (!clustered || has_output) {
#pragma unroll 4
      for (int w = 0; w < lanes / Ex::warp; ++w) total = total + shared.get((w << log2_tile) + o);
    }
    if constexpr (clustered) {
      if (!cluster.gather(has_output, o, total)) return;
    }
    wait.before_result();
    if (!clustered || has_output) write_y<E, F>(ex, g, {}, tile + o, alpha, total);
  }

 private:
  // Into the L2: the first loads, a lane for each sector, and x.
  template <class Ex>
  static ONEPASS_DEVICE void prefetch(Ex ex, const GemvArgs& g, const A* at, const X* x, int r, int rows, int count,
                                      int group) {
    constexpr int sector = 32 / static_cast<int>(sizeof(A)), sector_of_x = 32 / static_cast<int>(sizeof(X));
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      const int ahead = u << g.log2_lanes;
      const bool inside = r + ahead < rows;
#pragma unroll
      for (int q = 0; q < columns; ++q)
        ex.prefetch_if(inside && r % sector == 0 && q < count, at + (ahead + q * g.lda));
      ex.prefetch_if(inside && group == 0 && r % sector_of_x == 0 && g.incx == 1 && count > 0, x + ahead);
    }
  }
};

}  // namespace onepass::kernels
