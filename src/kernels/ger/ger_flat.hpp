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

// rows and cols below 2^31, increments too.
template <class E, Form F>
struct GerFlat {
  using A = typename E::A;
  using S = typename E::Sum;
  using Slot = GerSlot<A>;
  static constexpr int width = Slot::width;
  static constexpr int in_flight = ger_in_flight(sizeof(A));
  static constexpr int max_threads = ger_threads;
  static constexpr int min_blocks = F == Form::plain ? 8 : 6;  // on an SM: 64 or 80 registers a thread

  struct Place {
    std::uint32_t row, column;
  };

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GerArgs& g) {
    if constexpr (F == Form::plain) {
      const S alpha = scalar<S, F>(ex, g.alpha, nullptr);
      update(ex, g, ger_operands<E, F>(ex, g, 0, alpha), [&] { wait_for_previous_launch(ex); });
    } else {
      wait_for_previous_launch(ex);
      const S alpha = scalar<S, F>(ex, g.alpha, g.alpha_pointer);
      if (alpha == S{}) return;
#pragma unroll 1
      for (std::int64_t b = ex.block_z(); b < g.batch; b += ex.grid_z())
        update(ex, g, ger_operands<E, F>(ex, g, b, alpha), [] {});
    }
  }

  template <class Ex, class Wait>
  static ONEPASS_DEVICE void update(Ex ex, const GerArgs& g, const GerOperands<E>& o, Wait wait) {
    // The share of this block, from element `first` on, counted from the first line of A.
    const int share = ex.threads() * in_flight * width;
    const std::int64_t elements = g.rows * g.cols;
    const std::int64_t first = ex.block_x() * share - offset_in_line(o.a);
    if (first < 0 || first + share > elements) {
      wait();
      return update_ends(ex, g, o, first, elements);
    }
    const Place origin = place_of(g, elements, first);
    A* const mine = o.a + first + ex.thread() * width;
    const int step = ex.threads() * width;
    if (g.prefetch) {
#pragma unroll
      for (int u = 0; u < in_flight; ++u) ex.prefetch_if(ex.thread() % 4 == 0, mine + u * step);
    }
    wait();

    Slot slot[in_flight];
#pragma unroll
    for (int u = 0; u < in_flight; ++u) slot[u] = ex.load_own(reinterpret_cast<const Slot*>(mine + u * step));
    if (g.rows >= share) {
      add_in_two_columns(ex, g, o, origin, slot);
    } else {
      add_in_many_columns(ex, g, o, origin, slot);
    }
#pragma unroll
    for (int u = 0; u < in_flight; ++u) ex.store_streaming(reinterpret_cast<Slot*>(mine + u * step), slot[u]);
  }

 private:
  // At most one column ends in the share.
  template <class Ex>
  static ONEPASS_DEVICE void add_in_two_columns(Ex ex, const GerArgs& g, const GerOperands<E>& o, Place origin,
                                                Slot (&slot)[in_flight]) {
    const auto rows = static_cast<std::uint32_t>(g.rows);
    const bool ends = origin.row + static_cast<std::uint32_t>(ex.threads() * in_flight * width) > rows;
    const S factor = o.near_factor(ex, g, origin.column);
    const S next_factor = ends ? o.near_factor(ex, g, origin.column + 1) : factor;
    S term[in_flight][width];
    bool is_next[in_flight][width];
#pragma unroll
    for (int u = 0; u < in_flight; ++u)
#pragma unroll
      for (int v = 0; v < width; ++v) {
        const std::uint32_t row = origin.row + static_cast<std::uint32_t>((u * ex.threads() + ex.thread()) * width + v);
        is_next[u][v] = row >= rows;
        term[u][v] = o.near_term(ex, g, is_next[u][v] ? row - rows : row);
      }
#pragma unroll
    for (int u = 0; u < in_flight; ++u)
#pragma unroll
      for (int v = 0; v < width; ++v)
        slot[u].element[v] = updated<E>(slot[u].element[v], term[u][v], is_next[u][v] ? next_factor : factor);
  }

  // Columns are short, and so are all numbers: quotients are products.
  template <class Ex>
  static ONEPASS_DEVICE void add_in_many_columns(Ex ex, const GerArgs& g, const GerOperands<E>& o, Place origin,
                                                 Slot (&slot)[in_flight]) {
    S term[in_flight][width], factor[in_flight][width];
#pragma unroll
    for (int u = 0; u < in_flight; ++u)
#pragma unroll
      for (int v = 0; v < width; ++v) {
        const Place place = behind(g, origin, (u * ex.threads() + ex.thread()) * width + v);
        term[u][v] = o.near_term(ex, g, place.row);
        factor[u][v] = o.near_factor(ex, g, place.column);
      }
#pragma unroll
    for (int u = 0; u < in_flight; ++u)
#pragma unroll
      for (int v = 0; v < width; ++v) slot[u].element[v] = updated<E>(slot[u].element[v], term[u][v], factor[u][v]);
  }

  // The first share of an A that begins within a line, and the last one: element by element, all loads before a store.
  template <class Ex>
  static ONEPASS_DEVICE void update_ends(Ex ex, const GerArgs& g, const GerOperands<E>& o, std::int64_t first,
                                         std::int64_t elements) {
    constexpr int each = in_flight * width;
    A old[each] = {};
    S term[each] = {}, factor[each] = {};
    bool is_ours[each];
#pragma unroll
    for (int i = 0; i < each; ++i) {
      const std::int64_t at = first + i * ex.threads() + ex.thread();
      is_ours[i] = at >= 0 && at < elements;
      if (!is_ours[i]) continue;
      const Place place = place_of(g, elements, at);
      old[i] = ex.load_own(o.a + at);
      term[i] = o.near_term(ex, g, place.row);
      factor[i] = o.near_factor(ex, g, place.column);
    }
#pragma unroll
    for (int i = 0; i < each; ++i)
      if (is_ours[i]) ex.store(o.a + first + i * ex.threads() + ex.thread(), updated<E>(old[i], term[i], factor[i]));
  }

  static ONEPASS_DEVICE Place place_of(const GerArgs& g, std::int64_t elements, std::int64_t index) {
    const auto rows = static_cast<std::uint32_t>(g.rows);
    if (elements <= 0xffffffff) {
      const std::uint32_t column = static_cast<std::uint32_t>(index) / rows;
      return {static_cast<std::uint32_t>(index) - column * rows, column};
    }
    const std::int64_t column = index / g.rows;
    return {static_cast<std::uint32_t>(index - column * g.rows), static_cast<std::uint32_t>(column)};
  }
  // Less than a share behind, in columns shorter than that.
  static ONEPASS_DEVICE Place behind(const GerArgs& g, Place place, int offset) {
    const std::uint32_t row = place.row + static_cast<std::uint32_t>(offset);
    const std::uint32_t columns =
        g.by_rows == 0 ? row : static_cast<std::uint32_t>(static_cast<std::uint64_t>(row) * g.by_rows >> 32);
    return {row - columns * static_cast<std::uint32_t>(g.rows), place.column + columns};
  }
};

}  // namespace onepass::kernels
