// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_t_small_canonical: gemv_t_small in the canonical order (problem/canonical_order.hpp). A group of warps owns
// whole sums, so that no partial sum leaves the block.
//
//             columns of a group
//             c0    c1                        A warp has a chunk of 256 rows of each column of its group, or a few that
//           +-----+-----+                     are neighbours in the tree: lane l has rows l, l + 32, ..., partial sum
//  warp 0   |     |     |  chunk 0            l, all of them in flight. Lanes add up by shuffles, as the tree has it,
//  warp 1   |     |     |  chunk 1            and the warps of a group in shared memory.
//   ...     |     |     |
//           +-----+-----+                     Single elements are loaded, so that any alignment will do.
#pragma once

#include "kernels/blocks/canonical.hpp"

namespace onepass::kernels {

// Single products (the plain form), no split.
template <class E, Loads L>
struct GemvTSmallCanonical {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  static constexpr Form F = Form::plain;
  static constexpr int columns = gemv_t_small_canonical_columns(L), depth = canonical::depth;
  static constexpr int max_threads = gemv_small_max_threads;
  static constexpr int min_blocks = 1;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GemvArgs& g) {
    const int warps = 1 << g.log2_lanes >> 5, lane = ex.thread() % Ex::warp;
    const int warp = (ex.thread() / Ex::warp) & (warps - 1), group = ex.thread() >> g.log2_lanes;
    const int cols = static_cast<int>(g.cols), rows = static_cast<int>(g.rows);
    const int tile = static_cast<int>(ex.block_x()) * g.tile;
    open_first(ex, g);
    const S alpha = alpha_of<S, F>(ex, g);
    if (alpha == S{}) {
      wait_for_previous_launch(ex);
      return scale_canonical<E, F>(ex, g, 0, at_most(cols - tile, g.tile), [&](int o) { return tile + o; });
    }
    const int first = tile + group * columns, count = at_most(cols - first, columns);
    const int row = warp * static_cast<int>(g.chunk) * canonical::chunk + lane;
    const A* at = static_cast<const A*>(g.a) + (first * g.lda + row);
    const X* x = static_cast<const X*>(g.x) + row * g.incx;
    int left = count > 0 ? rows - row : 0;
    if (prefetches(ex, g) && !g.settled_x) prefetch(ex, g, at, x, left, lane, count, group);
    wait_to_read(ex, g);

    canonical::Tree<Sums, canonical_unit_levels> tree;
#pragma unroll 1
    for (int i = 0; i < g.chunk; ++i) {
      tree.push(chunk(ex, g, at, x, left, count), static_cast<std::uint32_t>(i));
      at += canonical::chunk;
      x += canonical::chunk * g.incx;
      left -= canonical::chunk;
    }
    Sums sums = tree.sum(static_cast<std::uint32_t>(g.chunk));
    if (warps == 1) {
      wait_to_write(ex, g);
      if (lane == 0) {
#pragma unroll
        for (int q = 0; q < columns; ++q)
          if (q < count) write_canonical<E, F>(ex, g, {}, first + q, alpha, sums.column[q]);
      }
      return;
    }
    // The part of the group's warp w for output o of the block stands at w outputs + o.
    const auto shared = ex.template shared<S>(0);
    if (lane == 0) {
#pragma unroll
      for (int q = 0; q < columns; ++q) shared.put(warp * g.tile + group * columns + q, sums.column[q]);
    }
    ex.sync();
    wait_to_write(ex, g);
    const int o = ex.thread();
    if (o >= g.tile || tile + o >= cols) return;
    const auto eight = [&](int from) {
      return tree_of_eight<S>(warps - from, [&](int w) { return shared.get((from + w) * g.tile + o); });
    };
    S total = eight(0);
    if (warps > 8) total = total + eight(8);
    write_canonical<E, F>(ex, g, {}, tile + o, alpha, total);
  }

 private:
  struct Sums {
    S column[columns] = {};
    friend ONEPASS_DEVICE Sums operator+(const Sums& a, const Sums& b) {
      Sums sum;
#pragma unroll
      for (int q = 0; q < columns; ++q) sum.column[q] = a.column[q] + b.column[q];
      return sum;
    }
  };

  // The sums of a chunk, in all lanes. `left`: rows from that of this lane on.
  template <class Ex>
  static ONEPASS_DEVICE Sums chunk(Ex ex, const GemvArgs& g, const A* at, const X* x, int left, int count) {
    A element[columns][depth];
    X xs[depth];
#pragma unroll
    for (int q = 0; q < columns; ++q) {
#pragma unroll
      for (int t = 0; t < depth; ++t)
        element[q][t] = ex.load_once_predicated(32 * t < left && q < count, at + (32 * t + q * g.lda));
    }
#pragma unroll
    for (int t = 0; t < depth; ++t) xs[t] = ex.load_cached_predicated(32 * t < left, x + 32 * t * g.incx);
    Sums sums;
#pragma unroll
    for (int t = 0; t < depth; ++t) {
      const S x_r = conjugate_if(g.conjugate, as<S>(xs[t]));
#pragma unroll
      for (int q = 0; q < columns; ++q) sums.column[q] = canonical::add_product(sums.column[q], element[q][t], x_r);
    }
#pragma unroll
    for (int mask = Ex::warp / 2; mask > 0; mask /= 2) {
#pragma unroll
      for (int q = 0; q < columns; ++q) sums.column[q] = sums.column[q] + ex.shuffle_xor(sums.column[q], mask);
    }
    return sums;
  }

  // Into the L2: the first loads, a lane for each sector, and x.
  template <class Ex>
  static ONEPASS_DEVICE void prefetch(Ex ex, const GemvArgs& g, const A* at, const X* x, int left, int lane, int count,
                                      int group) {
    constexpr int sector = 32 / static_cast<int>(sizeof(A)), sector_of_x = 32 / static_cast<int>(sizeof(X));
#pragma unroll
    for (int t = 0; t < depth; ++t) {
      const bool inside = 32 * t < left;
#pragma unroll
      for (int q = 0; q < columns; ++q)
        ex.prefetch_if(inside && lane % sector == 0 && q < count, at + (32 * t + q * g.lda));
      ex.prefetch_if(inside && group == 0 && lane % sector_of_x == 0 && g.incx == 1, x + 32 * t);
    }
  }
};

}  // namespace onepass::kernels
