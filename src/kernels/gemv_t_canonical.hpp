// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_t_canonical: gemv_t in the canonical order (problem/canonical_order.hpp): the bits of an output are those of any
// other backend.
//
//             c0  c1  c2  c3
//            +---+---+---+---+            The lanes of a warp are the partial sums of a chunk of 256 rows: lane l has rows
//     lane 0 | 0 | 0 | 0 | 0 |            l, l + 32, ..., whatever the alignment. A warp takes the chunks of a bundle of
//     lane 1 | 1 | 1 | 1 | 1 |            four columns, 2^k neighbours of the tree; `lanes` / 32 warps have the next ones,
//      ...   |   |   |   |   |            and blockIdx.y those behind.
//     lane 0 |32 |32 |32 |32 |
//      ...   |   |   |   |   |            Columns of at most 128 rows are one chunk that is not full: then a warp, or half
//            +---+---+---+---+            a warp, has 4, 8 or 16 columns in flight at once.
#pragma once

#include "kernels/blocks/bundle.hpp"
#include "kernels/blocks/canonical.hpp"

namespace onepass::kernels {

template <class E, Form F>
struct GemvTCanonical {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  static constexpr int bundle = gemv_t_bundle;
  static constexpr int in_flight = canonical_t_in_flight(sizeof(A));
  static constexpr int max_threads = gemv_max_threads;
  static constexpr int min_blocks = sizeof(A) > 8 ? 2 : 3;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GemvArgs& g) {
    each_product<F>(ex, g, [&](std::int64_t b) { product(ex, g, b); });
  }

 private:
  template <class Ex>
  static ONEPASS_DEVICE void product(Ex ex, const GemvArgs& g, std::int64_t b) {
    const std::int64_t column0 = ex.block_x() * g.tile;
    const auto index = [&](int o) { return o < g.tile && column0 + o < g.cols ? column0 + o : std::int64_t{-1}; };
    const S alpha = alpha_of<S, F>(ex, g);
    if (alpha == S{}) {
      wait_for_previous_launch(ex);
      return scale_canonical<E, F>(ex, g, b, g.tile, index);
    }
    const Operands<E> operands = operands_of<E, F>(ex, g, b);
    wait_for_previous_launch(ex);
    const int columns = canonical_t_columns(g.rows, sizeof(A));
    if constexpr (sizeof(A) <= 8) {
      if (columns == 16) return short_columns<16>(ex, g, operands, alpha, column0);
    }
    if (columns == 8) return short_columns<8>(ex, g, operands, alpha, column0);

    const int lane = ex.thread() & 31, group = ex.thread() >> g.log2_lanes;
    const int log2_warps = g.log2_lanes - 5, warp = (ex.thread() >> 5) & ((1 << log2_warps) - 1);
    const std::int64_t chunks = (g.rows + canonical::chunk - 1) / canonical::chunk;
    const std::int64_t chunk0 = ((ex.block_y() << log2_warps) + warp) * g.chunk;
    const int count = chunk0 < chunks ? at_most(chunks - chunk0, static_cast<int>(g.chunk)) : 0;
    const std::int64_t column = column0 + group * bundle;
    const int exist = column < g.cols ? at_most(g.cols - column, bundle) : 0;
    canonical::Tree<S, canonical_unit_levels> tree;
#pragma unroll 1
    for (int i = 0; i < count; ++i) {
      const std::int64_t row = (chunk0 + i) * canonical::chunk + lane;
      const A* at = operands.a + (row + column * g.lda);
      const X* x_at = operands.x + row * g.incx;
      const int rows = at_most(g.rows - row, canonical::chunk);
      const int terms = (rows + lane + 31) >> 5;  // the same in all lanes
      S sum[bundle] = {};
#pragma unroll 1
      for (int t0 = 0; t0 < canonical::depth; t0 += in_flight) {
        if (t0 >= terms) break;
        add_terms<bundle, in_flight>(ex, g, at, x_at, rows - t0 * 32, exist, sum);
        at += in_flight * 32;
        x_at += in_flight * 32 * g.incx;
      }
      tree.push(sum_bundle<S>(ex, 5, sum), static_cast<std::uint32_t>(i));
    }
    const S sum = tree.sum(static_cast<std::uint32_t>(count));
    const int q = column_of_lane(lane, 5);
    if (log2_warps == 0 && g.splits == 1) {
      if (q >= 0 && q < exist) write_canonical<E, F>(ex, g, operands.target, column + q, alpha, sum);
      return;
    }
    const int log2_outputs = g.log2_groups + gemv_t_log2_bundle;
    const auto shared = ex.template shared<S>(0);
    if (q >= 0) shared.put((warp << log2_outputs) + group * bundle + q, sum);
    ex.sync();
    S total{};
    if (ex.thread() >> log2_outputs == 0)
      total = tree_of_eight<S>(1 << log2_warps, [&](int w) { return shared.get((w << log2_outputs) + ex.thread()); });
    const auto scratch = ex.template shared<S>((ex.threads() >> 5) * bundle * static_cast<int>(sizeof(S)));
    combine_canonical<E, F>(ex, g, operands.target, alpha, scratch, log2_outputs, total, index);
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
      const S x_r = conjugate_if(g.conjugate, xs[t]);
#pragma unroll
      for (int q = 0; q < columns; ++q) sum[q] = canonical::add_product(sum[q], element[q][t], x_r);
    }
  }

  // A lane gives half of its columns to its partner, until it has one: column q.
  template <int columns, class Ex>
  static ONEPASS_DEVICE void halve(Ex ex, S (&sum)[columns], int lane, int& q, int& mask) {
    if constexpr (columns > 1) {
      constexpr int left = columns / 2;
      const bool upper = (lane & mask) != 0;
      S half[left];
#pragma unroll
      for (int i = 0; i < left; ++i) {
        const S low = sum[i], high = sum[i + left];
        half[i] = (upper ? high : low) + ex.shuffle_xor(upper ? low : high, mask);
      }
      q = 2 * q + (upper ? 1 : 0);
      mask >>= 1;
      halve(ex, half, lane, q, mask);
      sum[0] = half[0];
    }
  }

  // Columns of one chunk, of which a lane has one term or a few.
  template <int columns, class Ex>
  static ONEPASS_DEVICE void short_columns(Ex ex, const GemvArgs& g, const Operands<E>& operands, S alpha,
                                           std::int64_t column0) {
    const int lane = ex.thread() & ((1 << g.log2_lanes) - 1), group = ex.thread() >> g.log2_lanes;
    const std::int64_t column = column0 + group * columns;
    const int exist = column < g.cols ? at_most(g.cols - column, columns) : 0;
    const A* const at = operands.a + (lane + column * g.lda);
    const X* const x_at = operands.x + lane * g.incx;
    const int rows = static_cast<int>(g.rows) - lane;
    S sum[columns] = {};
    constexpr int most = 128 / static_cast<int>(sizeof(A)) / columns;  // loads of a column, in flight
    if (most >= 4 && g.rows > 64)
      add_terms<columns, most >= 4 ? 4 : 1>(ex, g, at, x_at, rows, exist, sum);
    else if (most >= 2 && g.rows > 32)
      add_terms<columns, most >= 2 ? 2 : 1>(ex, g, at, x_at, rows, exist, sum);
    else
      add_terms<columns, 1>(ex, g, at, x_at, rows, exist, sum);

    int q = 0, mask = 1 << g.log2_lanes >> 1;
    halve(ex, sum, lane, q, mask);
    const int duplicates = mask;  // lanes beyond the first that end with the same column
    for (; mask > 0; mask >>= 1) sum[0] = sum[0] + ex.shuffle_xor(sum[0], mask);
    const bool writes = duplicates == 0 || (lane & (2 * duplicates - 1)) == 0;
    if (writes && q < exist) write_canonical<E, F>(ex, g, operands.target, column + q, alpha, sum[0]);
  }
};

}  // namespace onepass::kernels
