// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_t_canonical: gemv_t in the canonical order (numbers/canonical_order.hpp): the bits of an output are those of any
// other backend.
//
//             c0  c1  c2  c3       The lanes of a warp are the partial sums of a chunk of 256 rows: lane l has rows l,
//            +---+---+---+---+     l + 32, ..., whatever the alignment. A warp takes the chunks of a bundle of 2, 4, 8
//     lane 0 | 0 | 0 | 0 | 0 |     or 16 columns, 2^k neighbours of the tree; `lanes` / 32 warps have the next ones,
//     and lane 1 | 1 | 1 | 1 | 1 |     blockIdx.y those behind. A lane gives half of its columns to its partner in each
//     of
//      ...   |   |   |   |   |     the first shuffles, and ends with the sum of one.
//     lane 0 |32 |32 |32 |32 |
//      ...   |   |   |   |   |     Few loads: columns of one chunk, up to 16 of a warp, and nothing to combine. Those
//      of
//            +---+---+---+---+     at most 16 rows are half a warp's.
//
// gemv_t_small_canonical is the same with up to sixteen warps for a bundle of one column (few loads) or two: blocks
// that own whole sums of several chunks.
#pragma once

#include "kernels/blocks/canonical.hpp"

namespace onepass::kernels {

template <class E, Form F, Loads L, bool small>
struct GemvTCanonical {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  static constexpr int max_threads = small ? gemv_small_max_threads : gemv_max_threads;
  // On an SM: 80 registers a thread, or 128; of small matrices as few as leave room for three or two blocks of 512.
  static constexpr int min_blocks = !small             ? (sizeof(A) > 8 ? 2 : 3)
                                    : L == Loads::many ? (sizeof(A) > 4 ? 1 : 2)
                                    : sizeof(A) > 8    ? 1
                                                       : (sizeof(A) > 4 ? 2 : 3);
  static constexpr bool one_chunk = L == Loads::few && !small;

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
    const int warp = (ex.thread() >> 5) & ((1 << log2_warps) - 1);
    const int columns = small ? canonical_t_small_columns(L) : g.tile >> g.log2_groups;
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
    if constexpr (small) {
      sum = walk<canonical_t_small_columns(L)>(ex, g, share);
    } else {
      constexpr int most = canonical_t_most_columns(one_chunk, sizeof(A));
      if (columns == 2) sum = walk<2>(ex, g, share);
      if constexpr (most >= 4)
        if (columns == 4) sum = walk<4>(ex, g, share);
      if constexpr (most >= 8)
        if (columns == 8) sum = walk<8>(ex, g, share);
      if constexpr (most >= 16)
        if (columns == 16) sum = walk<16>(ex, g, share);
    }

    // Several lanes end with the same column.
    const int log2_columns = (columns > 1) + (columns > 2) + (columns > 4) + (columns > 8);
    const int same = log2_width - log2_columns, q = (lane & ((1 << same) - 1)) == 0 ? lane >> same : columns;
    if (one_chunk || (log2_warps == 0 && g.splits == 1)) {
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
      total = tree_of<S, max_threads / 32>(1 << log2_warps,
                                           [&](int w) { return shared.get((w << log2_outputs) + ex.thread()); });
    wait_to_write_canonical<F>(ex, g);
    if constexpr (small) {
      if (const int o = ex.thread(); o < g.tile && index(o) >= 0)
        write_canonical<E, F>(ex, g, operands.target, index(o), alpha, total);
    } else {
      const auto scratch = ex.template shared<S>((ex.threads() >> 5) * columns * static_cast<int>(sizeof(S)));
      combine_canonical<E, F>(ex, g, operands.target, alpha, scratch, log2_outputs, total, index);
    }
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
      return tree_of_lanes(ex, sum, 1 << share.log2_width);
    };
    if constexpr (one_chunk) {
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
};

}  // namespace onepass::kernels
