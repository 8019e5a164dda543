// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// ger_flat: A += alpha x y^T for a matrix without gaps (lda = rows), as one flat array.
//
//   | column 0   | column 1   | column 2   |   Blocks take equal shares of the array, from its first cache line on,
//   +----+----+----+----+----+----+----+---    wherever columns begin and end; neighbouring threads have neighbouring
//   | block 0 | block 1 | block 2 | ...        slots, so that every load and store of a warp is whole cache lines,
//                                              whatever the number of rows.
//
// A thread loads all its slots before it stores the first. What it needs of x and y comes from the caches.
#pragma once

#include "kernels/blocks/ger_slot.hpp"

namespace onepass::kernels {

template <class E, Form F>
struct GerFlat {
  using A = typename E::A;
  using S = typename E::Sum;
  using Slot = GerSlot<A>;
  static constexpr int width = Slot::width;
  static constexpr int in_flight = ger_in_flight(sizeof(A));
  static constexpr int max_threads = ger_threads;
  static constexpr int min_blocks = F == Form::plain ? 8 : 6;  // on an SM: 64 or 80 registers a thread

  // Element (row, column) and its way to the next.
  struct Place {
    std::int64_t row, column;
    ONEPASS_DEVICE void next(const GerArgs& g) {
      if (++row < g.rows) return;
      row = 0;
      ++column;
    }
  };

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GerArgs& g) {
    const int share = ex.threads() * in_flight * width;
    if constexpr (F == Form::plain) {
      const S alpha = scalar<S, F>(ex, g.alpha, nullptr);
      update(ex, g, ger_operands<E, F>(ex, g, 0, alpha), share, [&] { wait_for_previous_launch(ex); });
    } else {
      wait_for_previous_launch(ex);
      const S alpha = scalar<S, F>(ex, g.alpha, g.alpha_pointer);
      if (alpha == S{}) return;
#pragma unroll 1
      for (std::int64_t b = ex.block_z(); b < g.batch; b += ex.grid_z())
        update(ex, g, ger_operands<E, F>(ex, g, b, alpha), share, [] {});
    }
  }

  template <class Ex, class Wait>
  static ONEPASS_DEVICE void update(Ex ex, const GerArgs& g, const GerOperands<E>& o, int share, Wait wait) {
    // The share of this block, from the element `begin` on; in front of it may be elements of its first line that are
    // not A's.
    const std::int64_t elements = g.rows * g.cols;
    const std::int64_t first = ex.block_x() * share - offset_in_line(o.a);
    const std::int64_t begin = first < 0 ? 0 : first;
    const int skipped = static_cast<int>(begin - first);
    const Place origin = place_of(g, elements, begin);

    int offset[in_flight];  // from `begin`
    bool whole[in_flight];
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      offset[u] = (u * ex.threads() + ex.thread()) * width - skipped;
      whole[u] = offset[u] >= 0 && begin + offset[u] + width <= elements;
    }
    if (g.prefetch) {
#pragma unroll
      for (int u = 0; u < in_flight; ++u) ex.prefetch_if(whole[u] && ex.thread() % 4 == 0, o.a + begin + offset[u]);
    }
    wait();

    Slot slot[in_flight];
    S term[in_flight][width], factor[in_flight][width];
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      if (!whole[u]) continue;
      slot[u] = ex.load_own(reinterpret_cast<const Slot*>(o.a + begin + offset[u]));
      Place place = behind(g, origin, offset[u], share);
#pragma unroll
      for (int v = 0; v < width; ++v) {
        term[u][v] = o.term(ex, g, place.row);
        factor[u][v] = o.factor(ex, g, place.column);
        place.next(g);
      }
    }
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      if (!whole[u]) continue;
#pragma unroll
      for (int v = 0; v < width; ++v) slot[u].element[v] = updated<E>(slot[u].element[v], term[u][v], factor[u][v]);
      ex.store_streaming(reinterpret_cast<Slot*>(o.a + begin + offset[u]), slot[u]);
    }
    if constexpr (width > 1) {
      // The first and the last slot of A, where it is cut.
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
        if (whole[u]) continue;
#pragma unroll 1
        for (int v = 0; v < width; ++v) {
          const int at = offset[u] + v;
          if (at < 0 || begin + at >= elements) continue;
          const Place place = behind(g, origin, at, share);
          A* const p = o.a + begin + at;
          ex.store(p, updated<E>(ex.load_own(p), o.term(ex, g, place.row), o.factor(ex, g, place.column)));
        }
      }
    }
  }

 private:
  static ONEPASS_DEVICE Place place_of(const GerArgs& g, std::int64_t elements, std::int64_t index) {
    if (elements <= 0xffffffff) {
      const auto column = static_cast<std::uint32_t>(index) / static_cast<std::uint32_t>(g.rows);
      return {static_cast<std::uint32_t>(index) - column * static_cast<std::uint32_t>(g.rows), column};
    }
    const std::int64_t column = index / g.rows;
    return {index - column * g.rows, column};
  }
  // So many elements behind, less than a share. Where a column is longer than that, at most one ends in between; else
  // both numbers are small, and the quotient is a product.
  static ONEPASS_DEVICE Place behind(const GerArgs& g, Place place, int offset, int share) {
    place.row += offset;
    if (g.rows >= share) {
      if (place.row >= g.rows) {
        place.row -= g.rows;
        ++place.column;
      }
    } else {
      const auto row = static_cast<std::uint32_t>(place.row);
      const std::uint32_t columns =
          g.by_rows == 0 ? row : static_cast<std::uint32_t>(static_cast<std::uint64_t>(row) * g.by_rows >> 32);
      place.column += columns;
      place.row = row - columns * static_cast<std::uint32_t>(g.rows);
    }
    return place;
  }
};

}  // namespace onepass::kernels
