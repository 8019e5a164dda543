// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// ger: A += alpha x y^T for columns with gaps between them.
//
//              lanes ->                       A block takes a tile of rows in a run of columns; lanes lie along a
//   column 0   | slot | slot | slot |         column, groups of lanes take columns one after the other. Slots are
//   column 1      | slot | slot | slot |      counted from the cache line in which a column begins, so that a warp
//   ...                                       loads and stores whole lines of each, whatever lda is. A thread has one
//                                             slot of several columns in flight.
#pragma once

#include "kernels/blocks/ger_slot.hpp"

namespace onepass::kernels {

template <class E, Form F>
struct Ger {
  using A = typename E::A;
  using S = typename E::Sum;
  using Slot = GerSlot<A>;
  static constexpr int width = Slot::width;
  static constexpr int in_flight = ger_in_flight(sizeof(A));
  static constexpr int max_threads = ger_threads;
  static constexpr int min_blocks = F == Form::plain ? 8 : 6;  // on an SM: 64 or 80 registers a thread

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GerArgs& g) {
    wait_for_previous_launch(ex);
    const S alpha = scalar<S, F>(ex, g.alpha, g.alpha_pointer);
    if (alpha == S{}) return;
    if constexpr (F == Form::plain) {
      update(ex, g, ger_operands<E, F>(ex, g, 0, alpha));
    } else {
#pragma unroll 1
      for (std::int64_t b = ex.block_z(); b < g.batch; b += ex.grid_z())
        update(ex, g, ger_operands<E, F>(ex, g, b, alpha));
    }
  }

  template <class Ex>
  static ONEPASS_DEVICE void update(Ex ex, const GerArgs& g, const GerOperands<E>& o) {
    const int lanes = 1 << g.log2_lanes, groups = ex.threads() >> g.log2_lanes;
    const int lane = ex.thread() & (lanes - 1), group = ex.thread() >> g.log2_lanes;
    const std::int64_t first_row = (ex.block_x() * lanes + lane) * width;  // from the line in which a column begins
    const std::int64_t end =
        ex.block_y() * g.columns + at_most(g.cols - ex.block_y() * g.columns, static_cast<int>(g.columns));
#pragma unroll 1
    for (std::int64_t c0 = ex.block_y() * g.columns + group; c0 < end; c0 += in_flight * groups) {
      Slot slot[in_flight];
      S term[in_flight][width], factor[in_flight];
      std::int64_t row[in_flight];
      bool whole[in_flight];
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
        const std::int64_t c = c0 + u * groups;
        A* const column = o.a + c * g.lda;
        row[u] = first_row - offset_in_line(column);
        whole[u] = c < end && row[u] >= 0 && row[u] + width <= g.rows;
        if (!whole[u]) continue;
        slot[u] = ex.load_own(reinterpret_cast<const Slot*>(column + row[u]));
        factor[u] = o.factor(ex, g, c);
#pragma unroll
        for (int v = 0; v < width; ++v) term[u][v] = o.term(ex, g, row[u] + v);
      }
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
        if (!whole[u]) continue;
#pragma unroll
        for (int v = 0; v < width; ++v) slot[u].element[v] = updated<E>(slot[u].element[v], term[u][v], factor[u]);
        ex.store_streaming(reinterpret_cast<Slot*>(o.a + (c0 + u * groups) * g.lda + row[u]), slot[u]);
      }
      if constexpr (width > 1) {
        // Where a column begins or ends in the middle of a slot.
#pragma unroll
        for (int u = 0; u < in_flight; ++u) {
          const std::int64_t c = c0 + u * groups;
          if (whole[u] || c >= end) continue;
#pragma unroll 1
          for (int v = 0; v < width; ++v) {
            const std::int64_t r = row[u] + v;
            if (r < 0 || r >= g.rows) continue;
            A* const p = o.a + c * g.lda + r;
            ex.store(p, updated<E>(ex.load_own(p), o.term(ex, g, r), o.factor(ex, g, c)));
          }
        }
      }
    }
  }
};

}  // namespace onepass::kernels
