// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_n_small_canonical: gemv_n_small in the canonical order (problem/canonical_order.hpp). A block owns whole sums,
// so that no partial sum leaves it.
//
//            columns c
//          g0 g1 g2 g3 g0 g1 g2 g3 ...        A block owns a tile of rows. `lanes` threads side by side, a group,
//         +--+--+--+--+--+--+--+--+--         cover its rows in one column. Few loads, one chunk: of 8, 16 or 32 groups
//  lane 0 |  |  |  |  |  |  |  |  |           group p has partial sum p, and p + groups, ..., which are its neighbours
//  lane 1 |  |  |  |  |  |  |  |  |           in the tree. Many loads: 32 groups are the partial sums of a few chunks
//   ...   |  |  |  |  |  |  |  |  |           that are neighbours, and further groups of 32 have the next ones.
//         +--+--+--+--+--+--+--+--+--
//
// The groups meet in shared memory behind one barrier: the threads that add up an output are neighbours, and shuffle,
// as the tree has it. Single elements are loaded, so that any alignment will do.
#pragma once

#include "kernels/blocks/canonical.hpp"

namespace onepass::kernels {

// Single products (the plain form), no split.
template <class E, Loads L>
struct GemvNSmallCanonical {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  static constexpr Form F = Form::plain;
  static constexpr int in_flight = gemv_n_small_in_flight(L, sizeof(A));
  static constexpr int terms = canonical::depth, partial_sums = canonical::partial_sums;
  static constexpr int chunks = gemv_n_small_canonical_chunks;  // of a thread, at most
  static constexpr int max_threads = gemv_small_max_threads;
  static constexpr int min_blocks = 1;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GemvArgs& g) {
    const int row0 = static_cast<int>(ex.block_x()) * g.tile, rows = at_most(g.rows - row0, g.tile);
    open_first(ex, g);
    const S alpha = alpha_of<S, F>(ex, g);
    if (alpha == S{}) {
      wait_for_previous_launch(ex);
      return scale_canonical<E, F>(ex, g, 0, rows, [&](int o) { return row0 + o; });
    }
    const int row = ex.thread() & ((1 << g.log2_lanes) - 1), group = ex.thread() >> g.log2_lanes;
    const int p = L == Loads::few ? group : group & (partial_sums - 1);
    const int first = L == Loads::few ? p : (group / partial_sums) * static_cast<int>(g.chunk) * canonical::chunk + p;
    const int log2_step = L == Loads::few ? g.log2_groups : 5;  // from column to column
    const Share share{.at = static_cast<const A*>(g.a) + (row0 + row + first * g.lda),
                      .x = static_cast<const X*>(g.x) + first * g.incx,
                      .left = row < rows ? static_cast<int>(g.cols) - first : 0};
    if (prefetches(ex, g) && !g.settled_x) prefetch(ex, g, share, row, log2_step);
    wait_to_read(ex, g);

    // The sum of row r in group q stands at q pitch + r, those of the next chunks of the groups behind them. A place
    // more than rows, so that neighbours read from different banks.
    const auto shared = ex.template shared<S>(0);
    const int pitch = (1 << g.log2_lanes) + 1, groups = 1 << g.log2_groups;
    if constexpr (L == Loads::few) {
      shared.put(group * pitch + row, groups == 8    ? sum_of_chunk<4>(ex, g, share)
                                      : groups == 16 ? sum_of_chunk<2>(ex, g, share)
                                                     : sum_of_chunk<1>(ex, g, share));
    } else {
      sums_of_chunks(ex, g, share, [&](int k, S sum) { shared.put((k * groups + group) * pitch + row, sum); });
    }
    ex.sync();
    const int output = ex.thread() >> g.log2_groups, part = ex.thread() & (groups - 1);
    if constexpr (L == Loads::few) {
      const S total = over_lanes(ex, g.log2_groups, shared.get(part * pitch + output));
      wait_to_write(ex, g);
      if (part == 0 && output < rows) write_canonical<E, F>(ex, g, {}, row0 + output, alpha, total);
    } else {
      const S total = tree_of_eight<S>(chunks, [&](int k) {
        return k < g.chunk ? over_lanes(ex, 5, shared.get((k * groups + part) * pitch + output)) : S{};
      });
      if (groups == partial_sums) {
        wait_to_write(ex, g);
        if (part == 0 && output < rows) write_canonical<E, F>(ex, g, {}, row0 + output, alpha, total);
        return;
      }
      // Each output has several warps.
      const auto parts =
          ex.template shared<S>((pitch << g.log2_groups) * static_cast<int>(g.chunk) * static_cast<int>(sizeof(S)));
      if (ex.thread() % Ex::warp == 0) parts.put(ex.thread() / Ex::warp, total);
      ex.sync();
      wait_to_write(ex, g);
      const int log2_warps = g.log2_groups - 5, o = ex.thread();
      if (o < rows)
        write_canonical<E, F>(ex, g, {}, row0 + o, alpha, tree_of_eight<S>(1 << log2_warps, [&](int w) {
                                return parts.get((o << log2_warps) + w);
                              }));
    }
  }

 private:
  // The first element of a thread, and how many columns there are from it on.
  struct Share {
    const A* at;
    const X* x;
    int left;
  };

  // element[u], xs[u]: of the column `from` + u step. All loads are issued before the first is used.
  template <class Ex>
  static ONEPASS_DEVICE void load(Ex ex, const GemvArgs& g, const Share& share, int from, int log2_step,
                                  A (&element)[in_flight], X (&xs)[in_flight]) {
    const A* const at = share.at + from * g.lda;
    const X* const x = share.x + from * g.incx;
#pragma unroll
    for (int u = 0; u < in_flight; ++u)
      element[u] = ex.load_once_predicated(from + (u << log2_step) < share.left, at + u * (g.lda << log2_step));
#pragma unroll
    for (int u = 0; u < in_flight; ++u)
      xs[u] = ex.load_cached_predicated(from + (u << log2_step) < share.left, x + u * (g.incx << log2_step));
  }

  // The tree over the partial sums of this thread, `leaves` of one chunk.
  template <int leaves, class Ex>
  static ONEPASS_DEVICE S sum_of_chunk(Ex ex, const GemvArgs& g, const Share& share) {
    S leaf[leaves] = {};
#pragma unroll 1
    for (int from = 0; from < g.cols; from += in_flight << g.log2_groups) {
      A element[in_flight];
      X xs[in_flight];
      load(ex, g, share, from, g.log2_groups, element, xs);
#pragma unroll
      for (int u = 0; u < in_flight; ++u)
        leaf[u % leaves] =
            canonical::add_product(leaf[u % leaves], element[u], conjugate_if(g.conjugate, as<S>(xs[u])));
    }
#pragma unroll
    for (int width = leaves / 2; width > 0; width /= 2) {
#pragma unroll
      for (int i = 0; i < width; ++i) leaf[i] = leaf[i] + leaf[i + width];
    }
    return leaf[0];
  }

  // put(k, sum) for partial sum p of each chunk.
  template <class Ex, class Put>
  static ONEPASS_DEVICE void sums_of_chunks(Ex ex, const GemvArgs& g, const Share& share, Put put) {
    constexpr int at_once = in_flight / terms;
#pragma unroll 1
    for (int k0 = 0; k0 < g.chunk; k0 += at_once) {
      A element[in_flight];
      X xs[in_flight];
      load(ex, g, share, k0 * canonical::chunk, 5, element, xs);
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        S sum{};
#pragma unroll
        for (int u = k * terms; u < (k + 1) * terms; ++u)
          sum = canonical::add_product(sum, element[u], conjugate_if(g.conjugate, as<S>(xs[u])));
        if (k0 + k < g.chunk) put(k0 + k, sum);
      }
    }
  }

  // Over as many neighbours as a power of two: those at the largest distance first.
  template <class Ex>
  static ONEPASS_DEVICE S over_lanes(Ex ex, int log2_lanes, S sum) {
#pragma unroll
    for (int mask = Ex::warp / 2; mask > 0; mask /= 2)
      if (mask >> log2_lanes == 0) sum = sum + ex.shuffle_xor(sum, mask);
    return sum;
  }

  // Into the L2: the first loads, a lane for each sector, and x.
  template <class Ex>
  static ONEPASS_DEVICE void prefetch(Ex ex, const GemvArgs& g, const Share& share, int row, int log2_step) {
    constexpr int sector = 32 / static_cast<int>(sizeof(A)), sector_of_x = 32 / static_cast<int>(sizeof(X));
#pragma unroll
    for (int u = 0; u < in_flight; ++u)
      ex.prefetch_if(row % sector == 0 && (u << log2_step) < share.left, share.at + u * (g.lda << log2_step));
    const int k = ex.thread() * sector_of_x;
    ex.prefetch_if(g.incx == 1 && k < g.cols, static_cast<const X*>(g.x) + k);
  }
};

}  // namespace onepass::kernels
