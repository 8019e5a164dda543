// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// y = A x of a symmetric A: panels of columns, each element used for its row and its column, and three ways to bring
// the two halves of the sums together.
#pragma once

#include "ladder/seeds/gpu/args.hpp"

namespace onepass::tools::ladder {

// How the rows of a panel reach y: stored, for another launch to add; added atomically; or handed from panel to panel.
enum class Halves { temporary_set, atomics, ticket };

// y[i] is the sum of what the panels that have row i left for it, in their order.
template <class T, int panel_columns>
struct AddSet {
  static constexpr int max_threads = 128, min_blocks = 1;
  static constexpr Touches touches = Touches::adds_set;

  template <class X>
  static ONEPASS_DEVICE void run(X ex, const SeedArgs<T>& g) {
    ex.grid_dependency_wait();
    const std::int64_t row = ex.block_x() * ex.threads() + ex.thread();
    if (row >= g.rows) return;
    T sum{};
#pragma unroll 8
    for (std::int64_t panel = 0; panel <= row / panel_columns; ++panel)
      sum += ex.load_once_if(true, g.partial + panel * g.rows + row);
    ex.store(g.y + row, sum);
  }
};

//   panel 0   1   2        A panel has u columns. Its block of tx x ty threads takes tx rows of it in a step, a thread
//   u / ty
//        \ |   |   |       columns of a row. Steps are double buffered in registers.
//        | \   |   |
//        |   \ |   |       y[rows of the step] += A x[panel]       added over the ty groups, then as `halves` says
//        |   | \   |       y[panel]            += A^T x[rows]      in registers, until the panel ends
template <class T, int tx, int ty, int u, Halves halves>
struct Triangle {
  static_assert(tx % 32 == 0 && u % ty == 0 && u <= tx * ty);
  static constexpr int width = u / ty, max_threads = tx * ty, min_blocks = 1;
  static constexpr Touches touches = halves == Halves::temporary_set ? Touches::makes_set : Touches::product;
  // Rows of two steps by group, the own rows of the panel, and the columns by warp.
  static constexpr int own_at = 2 * tx * ty, columns_at = own_at + u;
  static constexpr int shared_numbers = columns_at + tx / 32 * u;

  struct Step {
    T a[width];
    T x;
  };

  template <class X>
  static ONEPASS_DEVICE void run(X ex, const SeedArgs<T>& g) {
    ex.grid_dependency_wait();
    const auto shared = ex.template shared<T>(0);
    const std::int64_t first = ex.block_x() * u, steps = (g.rows - first + tx - 1) / tx;
    const int lane = ex.thread() % tx, group = ex.thread() / tx;
    T x[width], sums[width] = {};
    for (int k = 0; k < width; ++k) {
      const std::int64_t col = first + group * width + k;
      x[k] = ex.load_cached_if(col < g.rows, g.x + lesser(col, g.rows - 1));
    }
    Step even{}, odd{};
    load(ex, g, top_of(ex, g, steps, 0), even);
#pragma unroll 1
    for (std::int64_t s = 0; s < steps; s += 2) {
      if (s + 1 < steps) load(ex, g, top_of(ex, g, steps, s + 1), odd);
      use(ex, g, shared, top_of(ex, g, steps, s), 0, even, x, sums);
      if (s + 2 < steps) load(ex, g, top_of(ex, g, steps, s + 2), even);
      if (s + 1 < steps) use(ex, g, shared, top_of(ex, g, steps, s + 1), 1, odd, x, sums);
    }
    for (int k = 0; k < width; ++k) {
      for (int mask = 16; mask > 0; mask /= 2) sums[k] += ex.shuffle_xor(sums[k], mask);
      if (lane % 32 == 0) shared.put(columns_at + lane / 32 * u + group * width + k, sums[k]);
    }
    ex.sync();
    const std::int64_t row = first + ex.thread();
    if (ex.thread() >= u || row >= g.rows) return;
    T own = shared.get(own_at + ex.thread());
    for (int warp = 0; warp < tx / 32; ++warp) own += shared.get(columns_at + warp * u + ex.thread());
    if constexpr (halves == Halves::temporary_set) ex.store(g.partial + ex.block_x() * g.rows + row, own);
    if constexpr (halves == Halves::atomics) ex.add(g.y + row, own);
    if constexpr (halves == Halves::ticket) ex.store(g.y + row, earlier(ex, g, row) + own);
  }

 private:
  // Orders of the steps: down, up, or down from another place in each panel.
  template <class X>
  static ONEPASS_DEVICE std::int64_t top_of(X ex, const SeedArgs<T>& g, std::int64_t steps, std::int64_t step) {
    const std::int64_t place = g.order == 0 ? step : g.order == 1 ? steps - 1 - step : (step + ex.block_x()) % steps;
    return ex.block_x() * u + place * tx;
  }

  template <class X>
  static ONEPASS_DEVICE void load(X ex, const SeedArgs<T>& g, std::int64_t top, Step& to) {
    const std::int64_t first = ex.block_x() * u, row = top + ex.thread() % tx;
    const std::int64_t col = first + ex.thread() / tx * width;
    if (top >= first + u && top + tx <= g.rows) {
      for (int k = 0; k < width; ++k) to.a[k] = ex.load_once_if(true, g.a + (col + k) * g.rows + row);
      to.x = ex.load_cached(g.x + row);
      return;
    }
    const std::int64_t safe_row = lesser(row, g.rows - 1);
    for (int k = 0; k < width; ++k) {
      const bool stored = row < g.rows && col + k <= row;
      to.a[k] = ex.load_once_if(stored, g.a + (stored ? col + k : 0) * g.rows + safe_row);
    }
    to.x = ex.load_cached_if(row < g.rows, g.x + safe_row);
  }

  template <class X, class Shared>
  static ONEPASS_DEVICE void use(X ex, const SeedArgs<T>& g, Shared shared, std::int64_t top, int buffer,
                                 const Step& from, const T (&x)[width], T (&sums)[width]) {
    const int lane = ex.thread() % tx, group = ex.thread() / tx;
    const std::int64_t first = ex.block_x() * u, row = top + lane, col = first + group * width;
    T sum{};
    for (int k = 0; k < width; ++k) sum += from.a[k] * x[k];
    if (top >= first + u) {
      for (int k = 0; k < width; ++k) sums[k] += from.a[k] * from.x;
    } else {  // the diagonal is used once
      for (int k = 0; k < width; ++k) sums[k] += row == col + k ? T{} : from.a[k] * from.x;
    }
    if constexpr (ty > 1) {
      // Two buffers in turn, so that a step has one barrier.
      shared.put((buffer * ty + group) * tx + lane, sum);
      ex.sync();
      if (group != 0) return;
      for (int other = 1; other < ty; ++other) sum += shared.get((buffer * ty + other) * tx + lane);
    }
    if (row >= g.rows) return;
    if (row < first + u) {
      shared.put(own_at + static_cast<int>(row - first), sum);
      return;
    }
    if constexpr (halves == Halves::temporary_set) ex.store(g.partial + ex.block_x() * g.rows + row, sum);
    if constexpr (halves == Halves::atomics) ex.add(g.y + row, sum);
    if constexpr (halves == Halves::ticket)
      ex.publish(g.partial + ex.block_x() * g.rows + row, earlier(ex, g, row) + sum);
  }

  // The ticket of a row is its sum so far, which a panel gets from the one before it.
  template <class X>
  static ONEPASS_DEVICE T earlier(X ex, const SeedArgs<T>& g, std::int64_t row) {
    if (ex.block_x() == 0) return T{};
    T* const mailbox = g.partial + (ex.block_x() - 1) * g.rows + row;
    int polls = exec::most_polls;
    auto polled = ex.poll(mailbox);
    while (ex.poll_again(!polled.arrived, polls)) polled = ex.poll(mailbox);
    ex.reset(mailbox);
    return polled.value;
  }
};

}  // namespace onepass::tools::ladder
