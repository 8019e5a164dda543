// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_t_canonical: gemv_t in the canonical order (problem/canonical_order.hpp): the bits of an output are those of any
// other backend.
//
//             c0  c1  c2  c3            The lanes of a warp are the partial sums of a chunk of 256 rows: lane l has
//             rows
//            +---+---+---+---+          l, l + 32, ..., whatever the alignment. A warp takes the chunks of a bundle of
//     lane 0 | 0 | 0 | 0 | 0 |          2, 4, 8 or 16 columns, 2^k neighbours of the tree; `lanes` / 32 warps have the
//     next lane 1 | 1 | 1 | 1 | 1 |          ones, and blockIdx.y those behind. A lane gives half of its columns to its
//     partner
//      ...   |   |   |   |   |          in each of the first shuffles, and ends with the sum of one.
//     lane 0 |32 |32 |32 |32 |
//      ...   |   |   |   |   |          Few loads: columns of one chunk, up to 16 of a warp, and nothing to combine.
//      Those
//            +---+---+---+---+          of at most 16 rows are half a warp's.
#pragma once

#include "kernels/blocks/canonical.hpp"

namespace onepass::kernels {

template <class E, Form F, Loads L>
struct GemvTCanonical {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  static constexpr int max_threads = gemv_max_threads;
  static constexpr int min_blocks = sizeof(A) > 8 ? 2 : 3;  // on an SM: 80 registers a thread, or 128

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GemvArgs& g) {
    if constexpr (F == Form::plain) open_first(ex, g);
    each_product<F>(ex, g, [&](std::int64_t b) { product(ex, g, b); });
  }

 private:
  template <class Ex>
  static ONEPASS_DEVICE void product(Ex ex, const GemvArgs& g, std::int64_t b) {
    const std::int64_t column0 = ex.block_x() * g.tile;
    const auto index = [&](int o) { return column0 + o < g.cols ? column0 + o : std::int64_t{-1}; };
    const S alpha = alpha_of<S, F>(ex, g);
    if (alpha == S{}) {
      wait_for_previous_launch(ex);
      return scale_canonical<E, F>(ex, g, b, g.tile, index);
    }
    const Operands<E> operands = operands_of<E, F>(ex, g, b);
    const int log2_warps = g.log2_lanes < 5 ? 0 : g.log2_lanes - 5, group = ex.thread() >> g.log2_lanes;
    const int log2_width = g.log2_lanes < 5 ? g.log2_lanes : 5, lane = ex.thread() & ((1 << log2_width) - 1);
    const int warp = (ex.thread() >> 5) & ((1 << log2_warps) - 1), columns = g.tile >> g.log2_groups;
    const std::int64_t chunks = (g.rows + canonical::chunk - 1) / canonical::chunk;
    const std::int64_t chunk0 = ((ex.block_y() << log2_warps) + warp) * g.chunk;
    const std::int64_t column = column0 + group * columns;
    const Share share{.at = operands.a + (lane + column * g.lda),
                      .x = operands.x + lane * g.incx,
                      .chunk0 = chunk0,
                      .lane = lane,
                      .log2_width = log2_width,
                      .count = chunk0 < chunks ? at_most(chunks - chunk0, static_cast<int>(g.chunk)) : 0,
                      .columns = column < g.cols ? at_most(g.cols - column, columns) : 0};
    if constexpr (F == Form::plain) {
      if (prefetches(ex, g) && !g.settled_x) prefetch(ex, g, share, group);
    }
    wait_to_read_canonical<F>(ex, g);
    S sum{};
    if (columns == 2)
      sum = walk<2>(ex, g, share);
    else if (columns == 4)
      sum = walk<4>(ex, g, share);
    if constexpr (L == Loads::few) {
      if (columns == 8) sum = walk<8>(ex, g, share);
      if constexpr (sizeof(A) <= 8) {
        if (columns == 16) sum = walk<16>(ex, g, share);
      }
    }

    // Several lanes end with the same column.
    const int log2_columns = columns == 2   ? 1
                             : columns == 4 ? 2
                             : columns == 8 ? 3
                                            : 4,
              same = log2_width - log2_columns;
    const int q = (lane & ((1 << same) - 1)) == 0 ? lane >> same : columns;
    if (L == Loads::few || (log2_warps == 0 && g.splits == 1)) {
      wait_to_write_canonical<F>(ex, g);
      if (q < share.columns) write_canonical<E, F>(ex, g, operands.target, column + q, alpha, sum);
      return;
    }
    const int log2_outputs = g.log2_groups + log2_columns;
    const auto shared = ex.template shared<S>(0);
    if (q < columns) shared.put((warp << log2_outputs) + group * columns + q, sum);
    ex.sync();
    S total{};
    if (ex.thread() >> log2_outputs == 0)
      total = tree_of_eight<S>(1 << log2_warps, [&](int w) { return shared.get((w << log2_outputs) + ex.thread()); });
    const auto scratch = ex.template shared<S>((ex.threads() >> 5) * columns * static_cast<int>(sizeof(S)));
    wait_to_write_canonical<F>(ex, g);
    combine_canonical<E, F>(ex, g, operands.target, alpha, scratch, log2_outputs, total, index);
  }

  // What a warp has: `count` chunks of `columns` columns; the places of its lane in the first column.
  struct Share {
    const A* at;
    const X* x;
    std::int64_t chunk0;
    int lane, log2_width, count, columns;
  };

  // The first chunk, a sector of 32 bytes by each lane that begins one.
  template <class Ex>
  static ONEPASS_DEVICE void prefetch(Ex ex, const GemvArgs& g, const Share& share, int group) {
    constexpr int in_sector = 32 / static_cast<int>(sizeof(A));
    const std::int64_t row = share.chunk0 * canonical::chunk;
    const int rows =
        share.count > 0 && share.lane % in_sector == 0 ? at_most(g.rows - row - share.lane, canonical::chunk) : 0;
#pragma unroll 1
    for (int q = 0; q < share.columns && q < 4; ++q) {
      const A* const at = share.at + (row + q * g.lda);
#pragma unroll
      for (int t = 0; t < canonical::depth; ++t) ex.prefetch_if(32 * t < rows, at + 32 * t);
    }
    if (group == 0 && g.incx == 1) {
#pragma unroll
      for (int t = 0; t < canonical::depth; ++t) ex.prefetch_if(32 * t < rows, share.x + row + 32 * t);
    }
  }

  // The tree over the chunks; a lane ends with the sum of one column.
  template <int columns, class Ex>
  static ONEPASS_DEVICE S walk(Ex ex, const GemvArgs& g, const Share& share) {
    constexpr int in_flight = canonical_t_in_flight(sizeof(A), columns);
    // `node`: the sum of chunk i.
    const auto node = [&](int i) {
      const std::int64_t row = (share.chunk0 + i) * canonical::chunk;
      const A* at = share.at + row;
      const X* x_at = share.x + row * g.incx;
      const int rows = at_most(g.rows - row, canonical::chunk);
      S sum[columns] = {};
#pragma unroll 1
      for (int first = 0; first < rows; first += in_flight * 32) {
        add_terms<columns, in_flight>(ex, g, at, x_at, rows - first - share.lane, share.columns, sum);
        at += in_flight * 32;
        x_at += in_flight * 32 * g.incx;
      }
      int mask = 1 << share.log2_width >> 1;
      halve(ex, sum, share.lane, mask);
      for (; mask > 0; mask >>= 1) sum[0] = sum[0] + ex.shuffle_xor(sum[0], mask);
      return sum[0];
    };
    if constexpr (L == Loads::few) {
      return node(0);
    } else {
      canonical::Tree<S, canonical_unit_levels> tree;
#pragma unroll 1
      for (int i = 0; i < share.count; ++i) tree.push(node(i), static_cast<std::uint32_t>(i));
      return tree.sum(static_cast<std::uint32_t>(share.count));
    }
  }

  // sum[q] += A[32 t, q] x[32 t] for t < terms; `rows` of them exist from here on, and `exist` columns.
  template <int columns, int terms, class Ex>
  static ONEPASS_DEVICE void add_terms(Ex ex, const GemvArgs& g, const A* at, const X* x_at, int rows, int exist,
                                       S (&sum)[columns]) {
    A element[columns][terms];
    X xs[terms];
#pragma unroll
    for (int q = 0; q < columns; ++q) {
#pragma unroll
      for (int t = 0; t < terms; ++t) element[q][t] = ex.load_once_predicated(q < exist && 32 * t < rows, at + 32 * t);
      at += g.lda;
    }
#pragma unroll
    for (int t = 0; t < terms; ++t) xs[t] = ex.load_cached_predicated(32 * t < rows, x_at + 32 * t * g.incx);
#pragma unroll
    for (int t = 0; t < terms; ++t) {
      const S x_r = conjugate_if(g.conjugate, as<S>(xs[t]));
#pragma unroll
      for (int q = 0; q < columns; ++q) sum[q] = canonical::add_product(sum[q], element[q][t], x_r);
    }
  }

  // A lane gives half of its columns to its partner, until it has one.
  template <int columns, class Ex>
  static ONEPASS_DEVICE void halve(Ex ex, S (&sum)[columns], int lane, int& mask) {
    if constexpr (columns > 1) {
      constexpr int left = columns / 2;
      const bool upper = (lane & mask) != 0;
      S half[left];
#pragma unroll
      for (int i = 0; i < left; ++i) {
        const S low = sum[i], high = sum[i + left];
        half[i] = (upper ? high : low) + ex.shuffle_xor(upper ? low : high, mask);
      }
      mask >>= 1;
      halve(ex, half, lane, mask);
      sum[0] = half[0];
    }
  }
};

}  // namespace onepass::kernels
