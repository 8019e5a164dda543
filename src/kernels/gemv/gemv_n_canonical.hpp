// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_n_canonical: gemv_n in the canonical order (numbers/canonical_order.hpp): the bits of a row are those of any
// other backend.
//
//              units of a block
//            g0 g0 g1 g1 g2 g2 g3 g3          A block owns a tile of rows. `lanes` threads side by side, a group, cover
//           +--+--+--+--+--+--+--+--+         its rows in one column, each with as many rows as fit 16 bytes, or one. A
//    lane 0 |  |  |  |  |  |  |  |  |         unit is as many columns as a thread has loads in flight: a partial sum p
//    of lane 1 |  |  |  |  |  |  |  |  |         a chunk, columns p, p + 32, ...; or 2, 4, ... partial sums that are
//     ...   |  |  |  |  |  |  |  |  |         neighbours in the tree. A group has 2^k neighbouring units, a block those
//           +--+--+--+--+--+--+--+--+         of its groups, blockIdx.y the next ones: each is a node of the tree.
//
// Any alignment: A is loaded in whole vectors on 16-byte boundaries, wherever its columns start. The columns of a unit,
// and those of 8 neighbouring units, lie multiples of four apart and start at the same offset from such a boundary (the
// plan gives a thread no more of them where offsets differ), so that all vectors of a thread cover the same rows.
// gemv_n_small_canonical is the same with loads of single elements: more blocks, each with whole sums.
#pragma once

#include <type_traits>

#include "kernels/blocks/canonical.hpp"

namespace onepass::kernels {

// Few loads: no split; in vectors at most 128 columns.
template <class E, Form F, Loads L, bool vectors>
struct GemvNCanonical {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Loaded = std::conditional_t<vectors, exec::Vector16, A>;
  static constexpr int V = vectors ? vector_length<A> : 1, log2_v = vectors ? log2_vector_length<A> : 0;
  static constexpr int log2_in_flight = canonical_n_log2_in_flight(vectors, L, sizeof(A)),
                       in_flight = 1 << log2_in_flight;
  static constexpr int max_threads = vectors ? gemv_max_threads : gemv_small_max_threads;
  // On an SM: 128 registers a thread; with 80 sums of d take 1.2 times as long.
  static constexpr int min_blocks = vectors ? 2 : 1;

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
    const int log2_terms = vectors && L == Loads::many ? 3 : canonical_log2_terms(g.cols);
    const int log2_units = canonical_log2_units(log2_terms, log2_in_flight);
    const std::int64_t column = column_of(unit0, log2_units);
    const int offset = vectors ? offset_in_vector(operands.a + (row0 + column * g.lda)) : 0;
    const Rows rows{.row0 = row0, .count = count, .slot = (lane << log2_v) - offset};

    // While the previous launch ends, the vectors of the first unit travel to the L2, a lane for each sector, and x.
    if constexpr (F == Form::plain) {
      if (prefetches(ex, g) && !g.settled_x) {
        constexpr int in_sector = 32 / static_cast<int>(sizeof(Loaded)), x_in_sector = 32 / static_cast<int>(sizeof(X));
        const A* const at = operands.a + (row0 + rows.slot + column * g.lda);
        const bool wanted = lane % in_sector == 0 && rows.have(rows.slot);
#pragma unroll
        for (int u = 0; u < in_flight; ++u) {
          const std::int64_t ahead = u << log2_units;
          ex.prefetch_if(wanted && column + ahead < g.cols, at + ahead * g.lda);
        }
        const int k = ex.thread() * x_in_sector;
        if constexpr (!vectors) ex.prefetch_if(g.incx == 1 && k < g.cols, operands.x + k);
      }
    }
    wait_to_read_canonical<F>(ex, g);
    Sums sums;
    if (vectors && L == Loads::many)
      sums = walk<3>(ex, g, operands, rows, unit0);
    else if (!vectors && log2_terms == 3)
      sums = walk<3>(ex, g, operands, rows, unit0);
    else
      sums = log2_terms == 2   ? walk<2>(ex, g, operands, rows, unit0)
             : log2_terms == 1 ? walk<1>(ex, g, operands, rows, unit0)
                               : walk<0>(ex, g, operands, rows, unit0);

    // A team: as many threads as the tile has outputs, each with one of them.
    const int log2_outputs = g.log2_lanes + log2_v, log2_teams = g.log2_groups - log2_v;
    const int r = ex.thread() & ((1 << log2_outputs) - 1), team = ex.thread() >> log2_outputs;
    S total = sums.row[0];
    if constexpr (V > 1) {
      // The sum of row r in group p stands at p outputs + r. A team adds V neighbouring groups' sums.
      const auto shared = ex.template shared<S>(0);
#pragma unroll
      for (int v = 0; v < V; ++v)
        if (rows.have(rows.slot + v)) shared.put((group << log2_outputs) + rows.slot + v, sums.row[v]);
      ex.sync();
      if (log2_teams < 0) {  // more outputs than threads, and no split
        wait_to_write_canonical<F>(ex, g);
#pragma unroll 1
        for (int o = ex.thread(); o < count; o += ex.threads())
          write_canonical<E, F>(ex, g, operands.target, row0 + o, alpha, tree_of<S, V>(1 << g.log2_groups, [&](int p) {
                                  return shared.get((p << log2_outputs) + o);
                                }));
        return;
      }
      total = tree_of<S, V>(r < count ? V : 0,
                            [&](int p) { return shared.get((((team << log2_v) + p) << log2_outputs) + r); });
    }
    const auto scratch = ex.template shared<S>(V > 1 ? ex.threads() * V * static_cast<int>(sizeof(S)) : 0);
    total = tree_of_teams<S, max_threads>(ex, scratch, log2_outputs, total);
    wait_to_write_canonical<F>(ex, g);
    if constexpr (vectors && L == Loads::many) {
      combine_canonical<E, F>(ex, g, operands.target, alpha, scratch, log2_outputs, total, index);
    } else {
      if (team == 0 && r < count) write_canonical<E, F>(ex, g, operands.target, row0 + r, alpha, total);
    }
  }

  // The lowest `bits` bits in the opposite order.
  static constexpr ONEPASS_HOST_DEVICE int reversed(int value, int bits) {
    int result = 0;
    for (int bit = 0; bit < 5; ++bit) result |= bit < bits ? (value >> bit & 1) << (bits - 1 - bit) : 0;
    return result;
  }
  // The first column of a unit.
  static ONEPASS_DEVICE std::int64_t column_of(std::int64_t unit, int log2_units) {
    return (unit >> log2_units) * canonical::chunk +
           reversed(static_cast<int>(unit) & ((1 << log2_units) - 1), log2_units);
  }

  // The tree over this thread's units. A unit: 2^log2_terms terms of each of its partial sums, its leaves.
  template <int log2_terms, class Ex>
  static ONEPASS_DEVICE Sums walk(Ex ex, const GemvArgs& g, const Operands<E>& operands, const Rows& rows,
                                  std::int64_t unit0) {
    constexpr int terms = 1 << log2_terms, leaves = in_flight / terms;
    constexpr int log2_units = canonical_log2_units(log2_terms, log2_in_flight);
    const std::int64_t units = ((g.cols + canonical::chunk - 1) / canonical::chunk) << log2_units;
    const int count = unit0 < units && rows.slot < rows.count ? at_most(units - unit0, static_cast<int>(g.chunk)) : 0;
    const Span<A> span(g, operands.a);

    canonical::Tree<Sums, canonical_unit_levels> tree;
#pragma unroll 1
    for (int i = 0; i < count; ++i) {
      const std::int64_t c = column_of(unit0 + i, log2_units), left = g.cols - c;
      const A* const a = operands.a + (rows.row0 + rows.slot + c * g.lda);
      const X* const x = operands.x + c * g.incx;
      Loaded loaded[in_flight];
      X xs[in_flight];
      // visit(u, ahead, its place in A, in x) for the columns in their order. Column u is term u mod terms of its leaf.
      const auto each = [&](auto visit) {
        const A* at = a;
        const X* x_at = x;
#pragma unroll
        for (int ahead = 0; ahead < in_flight << log2_units; ahead += 1 << log2_units) {
          const int leaf = reversed(ahead % canonical::partial_sums, 5);
          visit(leaf * terms + ahead / canonical::partial_sums, ahead, at, x_at);
          at += g.lda << log2_units;
          x_at += g.incx << log2_units;
        }
      };
      const auto load = [&](int u, bool wanted, const A* at) {
        if constexpr (vectors)
          loaded[u] = ex.load_vector_if(wanted, at, -rows.slot, rows.count - rows.slot);
        else
          loaded[u] = ex.load_once_predicated(wanted, at);
      };
      // Only the first and the last column can have vectors that stick out of the matrix, where lda < V others too.
      if (vectors && c > 0 && left > in_flight << log2_units && g.lda >= V) {
        each([&](int u, int, const A* at, const X*) { load(u, true, at); });
        each([&](int u, int, const A*, const X* x_at) { xs[u] = ex.load_cached(x_at); });
      } else {
        const auto cuts = [&](int ahead, const A* at) { return V > 1 && ahead < left && span.cuts(at); };
        bool cut = false;
        each([&](int u, int ahead, const A* at, const X*) {
          cut = cut || cuts(ahead, at);
          load(u, ahead < left && !cuts(ahead, at), at);
        });
        each([&](int u, int ahead, const A*, const X* x_at) { xs[u] = ex.load_cached_predicated(ahead < left, x_at); });
        if constexpr (V > 1) {
          if (cut) {
            each([&](int u, int ahead, const A* at, const X*) {
              if (!cuts(ahead, at)) return;
              A element[V];
#pragma unroll
              for (int v = 0; v < V; ++v) element[v] = ex.load_once_if(rows.have(rows.slot + v), at + v);
              std::memcpy(&loaded[u], static_cast<const void*>(element), sizeof(element));
            });
          }
        }
      }
      Sums sums[leaves];
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
        const S x_c = conjugate_if(g.conjugate, as<S>(xs[u]));
        A element[V];
        std::memcpy(static_cast<void*>(element), &loaded[u], sizeof(element));
#pragma unroll
        for (int v = 0; v < V; ++v)
          sums[u / terms].row[v] = canonical::add_product(sums[u / terms].row[v], element[v], x_c);
      }
      tree.push(tree_of(sums), static_cast<std::uint32_t>(i));
    }
    return tree.sum(static_cast<std::uint32_t>(count));
  }
};

}  // namespace onepass::kernels
