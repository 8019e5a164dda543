// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_n_canonical: gemv_n in the canonical order (problem/canonical_order.hpp): the bits of a row are those of any
// other backend.
//
//              units of a block
//            g0 g0 g1 g1 g2 g2 g3 g3          A block owns a tile of rows. `lanes` threads side by side, a group, cover
//           +--+--+--+--+--+--+--+--+         its rows in one column, each with as many rows as fit 16 bytes. A unit
//    lane 0 |  |  |  |  |  |  |  |  |         is eight columns: a partial sum p of a chunk, columns p, p + 32, ...; or
//    lane 1 |  |  |  |  |  |  |  |  |         of a matrix with few columns 2, 4 or 8 partial sums that are neighbours
//     ...   |  |  |  |  |  |  |  |  |         in the tree. A group has 2^k neighbouring units, a block those of its
//           +--+--+--+--+--+--+--+--+         groups, blockIdx.y the next ones: each is a node of the tree.
//
// Any alignment: A is loaded in whole vectors on 16-byte boundaries, wherever its columns start. The columns of a unit,
// and those of 8 neighbouring units, lie multiples of four apart and start at the same offset from such a boundary (the
// plan gives a thread no more of them where offsets differ), so that all vectors of a thread cover the same rows.
#pragma once

#include "kernels/blocks/canonical.hpp"

namespace onepass::kernels {

// Few loads: at most 128 columns, which no split shares.
template <class E, Form F, Loads L>
struct GemvNCanonical {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  static constexpr int V = vector_length<A>, log2_v = log2_vector_length<A>;
  static constexpr int in_flight = canonical::depth;
  static constexpr int max_threads = gemv_max_threads;
  static constexpr int min_blocks = 2;  // on an SM: 128 registers a thread; with 80 sums of d take 1.2 times as long

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GemvArgs& g) {
    if constexpr (F == Form::plain) open_first(ex, g);
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

  // The rows of a block, and the place of a thread's vectors: rows slot to slot + V - 1 of the tile.
  struct Rows {
    std::int64_t row0;
    int count, slot;
    ONEPASS_DEVICE bool have(int r) const { return r >= 0 && r < count; }
  };

  template <class Ex>
  static ONEPASS_DEVICE void product(Ex ex, const GemvArgs& g, std::int64_t b) {
    const std::int64_t row0 = ex.block_x() * g.tile;
    const int count = at_most(g.rows - row0, g.tile);
    const auto index = [&](int o) { return o < count ? row0 + o : std::int64_t{-1}; };
    const S alpha = alpha_of<S, F>(ex, g);
    if (alpha == S{}) {
      wait_for_previous_launch(ex);
      return scale_canonical<E, F>(ex, g, b, count, index);
    }
    const Operands<E> operands = operands_of<E, F>(ex, g, b);
    const int lane = ex.thread() & ((1 << g.log2_lanes) - 1), group = ex.thread() >> g.log2_lanes;
    const std::int64_t unit0 = ((ex.block_y() << g.log2_groups) + group) * g.chunk;
    const int log2_terms = L == Loads::many ? 3 : canonical_log2_terms(g.cols), log2_units = 2 + log2_terms;
    const std::int64_t column = column_of(unit0, log2_units);
    const Rows rows{.row0 = row0,
                    .count = count,
                    .slot = (lane << log2_v) - offset_in_vector(operands.a + (row0 + column * g.lda))};

    // While the previous launch ends, the vectors of the first unit travel to the L2. Two of them share a sector.
    if constexpr (F == Form::plain) {
      if (prefetches(ex, g) && !g.settled_x) {
        const A* const vector = operands.a + (row0 + rows.slot + column * g.lda);
        const bool wanted = (lane & 1) == 0 && rows.slot < count && rows.slot >= 0;
#pragma unroll
        for (int u = 0; u < in_flight; ++u) {
          const int ahead = log2_terms == 3 ? u * 32 : 4 * u;  // of few columns all units are prefetched by some thread
          ex.prefetch_if(wanted && column + ahead < g.cols, vector + ahead * g.lda);
        }
      }
    }
    wait_to_read_canonical<F>(ex, g);
    Sums sums;
    if constexpr (L == Loads::many)
      sums = walk<3>(ex, g, operands, rows, unit0);
    else
      sums = log2_terms == 2   ? walk<2>(ex, g, operands, rows, unit0)
             : log2_terms == 1 ? walk<1>(ex, g, operands, rows, unit0)
                               : walk<0>(ex, g, operands, rows, unit0);

    // The sum of row r in group p stands at p outputs + r.
    const int log2_outputs = g.log2_lanes + log2_v, log2_teams = g.log2_groups - log2_v;
    const auto shared = ex.template shared<S>(0);
#pragma unroll
    for (int v = 0; v < V; ++v)
      if (rows.have(rows.slot + v)) shared.put((group << log2_outputs) + rows.slot + v, sums.row[v]);
    ex.sync();
    if (log2_teams < 0) {  // more outputs than threads, and no split
      wait_to_write_canonical<F>(ex, g);
#pragma unroll 1
      for (int r = ex.thread(); r < count; r += ex.threads())
        write_canonical<E, F>(ex, g, operands.target, row0 + r, alpha, tree_of_eight<S>(1 << g.log2_groups, [&](int p) {
                                return shared.get((p << log2_outputs) + r);
                              }));
      return;
    }
    // A team: as many threads as the tile has outputs. Each team adds V neighbouring groups' sums of every output.
    const int r = ex.thread() & ((1 << log2_outputs) - 1), team = ex.thread() >> log2_outputs;
    S total{};
    if (r < count)
      total = tree_of_eight<S>(V, [&](int p) { return shared.get((((team << log2_v) + p) << log2_outputs) + r); });
    const auto scratch = ex.template shared<S>(ex.threads() * V * static_cast<int>(sizeof(S)));
    total = tree_of_teams<S>(ex, scratch, log2_outputs, total);
    wait_to_write_canonical<F>(ex, g);
    if constexpr (L == Loads::many) {
      combine_canonical<E, F>(ex, g, operands.target, alpha, scratch, log2_outputs, total, index);
    } else {
      if (team == 0 && r < count) write_canonical<E, F>(ex, g, operands.target, row0 + r, alpha, total);
    }
  }

  // The first column of a unit.
  static ONEPASS_DEVICE std::int64_t column_of(std::int64_t unit, int log2_units) {
    return (unit >> log2_units) * canonical::chunk +
           reversed(static_cast<int>(unit) & ((1 << log2_units) - 1), log2_units);
  }

  // The tree over this thread's units. A unit: 2^log2_terms terms of each of 8 / 2^log2_terms partial sums.
  template <int log2_terms, class Ex>
  static ONEPASS_DEVICE Sums walk(Ex ex, const GemvArgs& g, const Operands<E>& operands, const Rows& rows,
                                  std::int64_t unit0) {
    constexpr int terms = 1 << log2_terms, leaves = in_flight / terms, log2_units = 2 + log2_terms;
    const std::int64_t units = ((g.cols + canonical::chunk - 1) / canonical::chunk) << log2_units;
    const int count = unit0 < units && rows.slot < rows.count ? at_most(units - unit0, static_cast<int>(g.chunk)) : 0;
    const Span<A> span(g, operands.a);
    const std::int64_t step_a = g.lda * canonical::partial_sums, step_x = g.incx * canonical::partial_sums;

    canonical::Tree<Sums, canonical_unit_levels> tree;
#pragma unroll 1
    for (int i = 0; i < count; ++i) {
      const std::int64_t c = column_of(unit0 + i, log2_units);
      const A* const a = operands.a + (rows.row0 + rows.slot + c * g.lda);
      const X* const x = operands.x + c * g.incx;
      const std::int64_t left = g.cols - c;
      // Column u lies ahead by 32 for each term, and by 16, 8 and 4 for the bits of its partial sum.
      const auto partial = [](int u) {
        const int leaf = u / terms;
        return 16 * (leaf & 1) + 4 * (leaf & 2) + (leaf & 4);
      };
      const auto wanted = [&](int u) { return partial(u) + u % terms * canonical::partial_sums < left; };
      const auto at = [&](int u) { return a + (u % terms * step_a + partial(u) * g.lda); };
      exec::Vector16 vectors[in_flight];
      X xs[in_flight];
      // Only the first and the last column can have vectors that stick out of the matrix, where lda < V others too.
      constexpr int reach = terms > 1 ? (terms - 1) * canonical::partial_sums + 29 : 29;
      if (c > 0 && left > reach && g.lda >= V) {
        const A* vector = a;
#pragma unroll
        for (int t = 0; t < terms; ++t) {
#pragma unroll
          for (int leaf = 0; leaf < leaves; ++leaf)
            vectors[leaf * terms + t] =
                ex.load_vector_if(true, vector + partial(leaf * terms) * g.lda, -rows.slot, rows.count - rows.slot);
          vector += step_a;
        }
        const X* x_at = x;
#pragma unroll
        for (int t = 0; t < terms; ++t) {
#pragma unroll
          for (int leaf = 0; leaf < leaves; ++leaf)
            xs[leaf * terms + t] = ex.load_cached(x_at + partial(leaf * terms) * g.incx);
          x_at += step_x;
        }
      } else {
        bool cut = false;
#pragma unroll
        for (int u = 0; u < in_flight; ++u) {
          const bool cuts = wanted(u) && span.cuts(at(u));
          cut = cut || cuts;
          vectors[u] = ex.load_vector_if(wanted(u) && !cuts, at(u), -rows.slot, rows.count - rows.slot);
        }
#pragma unroll
        for (int u = 0; u < in_flight; ++u)
          xs[u] = ex.load_cached_predicated(wanted(u), x + (u % terms * step_x + partial(u) * g.incx));
        if constexpr (V > 1) {
          if (cut) {
#pragma unroll
            for (int u = 0; u < in_flight; ++u) {
              if (wanted(u) && span.cuts(at(u))) {
                A element[V];
#pragma unroll
                for (int v = 0; v < V; ++v) element[v] = ex.load_once_if(rows.have(rows.slot + v), at(u) + v);
                std::memcpy(&vectors[u], static_cast<const void*>(element), sizeof(element));
              }
            }
          }
        }
      }
      Sums leaf_sums[leaves];
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
        const S x_c = conjugate_if(g.conjugate, as<S>(xs[u]));
        A element[V];
        unpack(vectors[u], element);
#pragma unroll
        for (int v = 0; v < V; ++v)
          leaf_sums[u / terms].row[v] = canonical::add_product(leaf_sums[u / terms].row[v], element[v], x_c);
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
