// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_n_canonical: gemv_n in the canonical order (problem/canonical_order.hpp): the bits of a row are those of any other
// backend.
//
//              units of a block
//            g0 g0 g1 g1 g2 g2 g3 g3          A block owns a tile of rows. `lanes` threads side by side, a group, cover
//           +--+--+--+--+--+--+--+--+         its rows in one column, each with as many rows as fit 16 bytes. A unit is
//    lane 0 |  |  |  |  |  |  |  |  |         eight columns: a partial sum p of a chunk, columns p, p + 32, ...; or, of a
//    lane 1 |  |  |  |  |  |  |  |  |         matrix with few columns, 2, 4 or 8 partial sums that are neighbours in the
//     ...   |  |  |  |  |  |  |  |  |         tree. A group has 2^k neighbouring units, a block those of its groups, and
//           +--+--+--+--+--+--+--+--+         blockIdx.y the next ones: every one of these is a node of the tree.
//
// Where columns start on 16-byte boundaries and are whole vectors, a thread loads vectors; else elements, `lanes` rows
// apart, of any alignment.
#pragma once

#include "kernels/blocks/canonical.hpp"

namespace onepass::kernels {

template <class E, Form F>
struct GemvNCanonical {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  static constexpr int V = vector_length<A>, log2_v = log2_vector_length<A>;
  static constexpr int in_flight = canonical::depth;
  static constexpr int max_threads = gemv_max_threads;
  static constexpr int min_blocks = 2;  // on an SM: 128 registers a thread

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GemvArgs& g) {
    each_product<F>(ex, g, [&](std::int64_t b) { product(ex, g, b); });
  }

 private:
  // The sums of a thread's rows.
  struct Sums {
    S row[V] = {};
    friend ONEPASS_DEVICE Sums operator+(const Sums& a, const Sums& b) {
      Sums sum;
#pragma unroll
      for (int v = 0; v < V; ++v) sum.row[v] = a.row[v] + b.row[v];
      return sum;
    }
  };

  template <class Ex>
  static ONEPASS_DEVICE void product(Ex ex, const GemvArgs& g, std::int64_t b) {
    const int log2_outputs = g.log2_lanes + log2_v, outputs = 1 << log2_outputs;
    const std::int64_t row0 = ex.block_x() << log2_outputs;
    const auto index = [&](int o) { return row0 + o < g.rows ? row0 + o : std::int64_t{-1}; };
    const S alpha = alpha_of<S, F>(ex, g);
    if (alpha == S{}) {
      wait_for_previous_launch(ex);
      return scale_canonical<E, F>(ex, g, b, outputs, index);
    }
    const Operands<E> operands = operands_of<E, F>(ex, g, b);
    const int lane = ex.thread() & ((1 << g.log2_lanes) - 1), group = ex.thread() >> g.log2_lanes;
    const std::int64_t unit0 = ((ex.block_y() << g.log2_groups) + group) * g.chunk;
    const bool vectors =
        V == 1 || ((reinterpret_cast<std::uintptr_t>(operands.a) / sizeof(A) | static_cast<std::uintptr_t>(g.lda) |
                    static_cast<std::uintptr_t>(g.rows)) &
                   (V - 1)) == 0;
    wait_for_previous_launch(ex);
    const int log2_terms = canonical_log2_terms(g.cols);
    Sums sums;
    if (vectors) {
      sums = log2_terms == 3 ? walk<3, true>(ex, g, operands, row0, lane, unit0)
                             : walk_few<true>(ex, g, operands, row0, lane, unit0, log2_terms);
    } else {
      sums = log2_terms == 3 ? walk<3, false>(ex, g, operands, row0, lane, unit0)
                             : walk_few<false>(ex, g, operands, row0, lane, unit0, log2_terms);
    }

    // Groups of a warp by shuffles, warps through shared memory: the sum of row r in part p stands at p outputs + r.
#pragma unroll 1
    for (int mask = 1 << g.log2_lanes; mask < Ex::warp; mask *= 2) {
      Sums other;
#pragma unroll
      for (int v = 0; v < V; ++v) other.row[v] = ex.shuffle_xor(sums.row[v], mask);
      sums = sums + other;
    }
    const auto shared = ex.template shared<S>(0);
    const int log2_width = g.log2_lanes > 5 ? g.log2_lanes : 5, parts = ex.threads() >> log2_width;
    const int place = ex.thread() & ((1 << log2_width) - 1), part = ex.thread() >> log2_width;
    if (place >> g.log2_lanes == 0) {
#pragma unroll
      for (int v = 0; v < V; ++v)
        shared.put((part << log2_outputs) + (vectors ? (lane << log2_v) + v : (v << g.log2_lanes) + lane), sums.row[v]);
    }
    ex.sync();
    const auto total = [&](int r) {
      return tree_of_eight<S>(parts, [&](int p) { return shared.get((p << log2_outputs) + r); });
    };
    if (outputs > ex.threads()) {  // no split
#pragma unroll 1
      for (int r = ex.thread(); r < outputs; r += ex.threads())
        if (index(r) >= 0) write_canonical<E, F>(ex, g, operands.target, row0 + r, alpha, total(r));
      return;
    }
    const S sum = ex.thread() < outputs ? total(ex.thread()) : S{};
    const auto scratch = ex.template shared<S>((parts << log2_outputs) * static_cast<int>(sizeof(S)));
    combine_canonical<E, F>(ex, g, operands.target, alpha, scratch, log2_outputs, sum, index);
  }

  template <bool vectors, class Ex>
  static ONEPASS_DEVICE Sums walk_few(Ex ex, const GemvArgs& g, const Operands<E>& operands, std::int64_t row0, int lane,
                                      std::int64_t unit0, int log2_terms) {
    if (log2_terms == 0) return walk<0, vectors>(ex, g, operands, row0, lane, unit0);
    if (log2_terms == 1) return walk<1, vectors>(ex, g, operands, row0, lane, unit0);
    return walk<2, vectors>(ex, g, operands, row0, lane, unit0);
  }

  // The tree over this thread's units. A unit: 2^log2_terms terms of each of 8 / 2^log2_terms partial sums.
  template <int log2_terms, bool vectors, class Ex>
  static ONEPASS_DEVICE Sums walk(Ex ex, const GemvArgs& g, const Operands<E>& operands, std::int64_t row0, int lane,
                                  std::int64_t unit0) {
    constexpr int terms = 1 << log2_terms, leaves = in_flight / terms, log2_units = 2 + log2_terms;
    const std::int64_t units = ((g.cols + canonical::chunk - 1) / canonical::chunk) << log2_units;
    const int count = unit0 < units ? at_most(units - unit0, static_cast<int>(g.chunk)) : 0;
    const int stride = vectors ? 1 : 1 << g.log2_lanes;
    const std::int64_t row = row0 + (vectors ? lane << log2_v : lane);
    const int rows = row < g.rows ? at_most((g.rows - row + stride - 1) >> (vectors ? 0 : g.log2_lanes), V) : 0;
    const std::int64_t step_a = g.lda * canonical::partial_sums, step_x = g.incx * canonical::partial_sums;

    canonical::Tree<Sums, canonical_unit_levels> tree;
#pragma unroll 1
    for (int i = 0; i < count; ++i) {
      const std::int64_t unit = unit0 + i;
      const int p = reversed(static_cast<int>(unit) & ((1 << log2_units) - 1), log2_units);
      const std::int64_t c = (unit >> log2_units) * canonical::chunk + p;
      const A* const a = operands.a + (row + c * g.lda);
      const X* const x = operands.x + c * g.incx;
      const std::int64_t left = g.cols - c;
      A element[in_flight][V];
      X xs[in_flight];
      // Place u leaves: leaf u has the columns beyond 16, 8, 4 times the bits of u.
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
        const int leaf = u / terms, t = u % terms, ahead = 16 * (leaf & 1) + 4 * (leaf & 2) + (leaf & 4);
        const bool wanted = rows > 0 && ahead + t * canonical::partial_sums < left;
        const A* const at = a + (t * step_a + ahead * g.lda);
        if constexpr (vectors) {
          unpack(ex.load_vector_if(wanted, at, 0, V), element[u]);
        } else {
#pragma unroll
          for (int v = 0; v < V; ++v)
            element[u][v] = ex.load_once_predicated(wanted && v < rows, at + (static_cast<std::int64_t>(v) << g.log2_lanes));
        }
        xs[u] = ex.load_cached_if(wanted, x + (t * step_x + ahead * g.incx));
      }
      Sums leaf_sums[leaves];
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
        const S x_c = conjugate_if(g.conjugate, xs[u]);
#pragma unroll
        for (int v = 0; v < V; ++v)
          leaf_sums[u / terms].row[v] = canonical::add_product(leaf_sums[u / terms].row[v], element[u][v], x_c);
      }
#pragma unroll
      for (int width = 1; width < leaves; width *= 2) {
#pragma unroll
        for (int u = 0; u < leaves; u += 2 * width) leaf_sums[u] = leaf_sums[u] + leaf_sums[u + width];
      }
      tree.push(leaf_sums[0], static_cast<std::uint32_t>(i));
    }
    return tree.sum(static_cast<std::uint32_t>(count));
  }

  // The lowest `bits` bits in the opposite order.
  static ONEPASS_DEVICE int reversed(int value, int bits) {
    int result = 0;
#pragma unroll
    for (int bit = 0; bit < 5; ++bit) result |= bit < bits ? (value >> bit & 1) << (bits - 1 - bit) : 0;
    return result;
  }
};

}  // namespace onepass::kernels
