// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks of 64 x 64 elements that a thread block marches through, with a register double buffer: each half of a block
// is on its way while the other is used.
#pragma once

#include "ladder/seeds/gpu/args.hpp"

namespace onepass::tools::ladder {

//   y = A x:  march ->           y = A^T x:  march down
//   +----+----+----+             +----+----+
//   | u  | u  | u' |             | u  | u' |      u: the upper 32 rows, then the lower ones; 32 x 16 threads, four
//   | l  | l  | l' |             | l  | l' |      columns of a half each
//   +----+----+----+             +----+----+      ': blocks at the edge, whose loads are predicated; all others' are
//   not
template <class T, bool transposed>
struct March {
  static constexpr int side = 64, half = side / 2, groups = 16, width = side / groups;
  static constexpr int max_threads = half * groups, min_blocks = 1;
  static constexpr Touches touches = Touches::product;
  static constexpr int shared_numbers = transposed ? 0 : 2 * half * groups;

  struct Half {
    T a[width];
    T x[transposed ? 1 : width];
  };

  template <class X>
  static ONEPASS_DEVICE void run(X ex, const SeedArgs<T>& g) {
    ex.grid_dependency_wait();
    const int lane = ex.thread() % half, group = ex.thread() / half;
    const std::int64_t steps = 2 * (((transposed ? g.rows : g.cols) + side - 1) / side);
    T sums[transposed ? width : 2] = {};
    Half upper, lower;
    load(ex, g, 0, upper);
#pragma unroll 1
    for (std::int64_t step = 0; step < steps; step += 2) {
      load(ex, g, step + 1, lower);
      use<0>(upper, sums);
      if (step + 2 < steps) load(ex, g, step + 2, upper);
      use<1>(lower, sums);
    }
    if constexpr (transposed) {
      for (int k = 0; k < width; ++k) {
        for (int mask = half / 2; mask > 0; mask /= 2) sums[k] += ex.shuffle_xor(sums[k], mask);
        const std::int64_t col = side * ex.block_x() + width * group + k;
        if (lane == 0 && col < g.cols) ex.store(g.y + col, sums[k]);
      }
    } else {
      const auto shared = ex.template shared<T>(0);
      for (int h = 0; h < 2; ++h) shared.put(side * group + half * h + lane, sums[h]);
      ex.sync();
      const std::int64_t row = side * ex.block_x() + ex.thread();
      if (ex.thread() >= side || row >= g.rows) return;
      T sum = shared.get(ex.thread());
      for (int other = 1; other < groups; ++other) sum += shared.get(side * other + ex.thread());
      ex.store(g.y + row, sum);
    }
  }

 private:
  template <class X>
  static ONEPASS_DEVICE void load(X ex, const SeedArgs<T>& g, std::int64_t step, Half& to) {
    const int lane = ex.thread() % half, group = ex.thread() / half;
    const std::int64_t top = transposed ? half * step : side * ex.block_x() + half * (step % 2);
    const std::int64_t left = side * (transposed ? ex.block_x() : step / 2);
    const std::int64_t row = top + lane, col = left + width * group;
    if (top + half <= g.rows && left + side <= g.cols) {
      for (int k = 0; k < width; ++k) {
        to.a[k] = ex.load_once_if(true, g.a + (col + k) * g.rows + row);
        if (!transposed || k == 0) to.x[k] = ex.load_cached(g.x + (transposed ? row : col + k));
      }
    } else {
      const std::int64_t safe_row = lesser(row, g.rows - 1);
      for (int k = 0; k < width; ++k) {
        const std::int64_t safe_col = lesser(col + k, g.cols - 1);
        const bool inside = row < g.rows && col + k < g.cols;
        to.a[k] = ex.load_once_if(inside, g.a + safe_col * g.rows + safe_row);
        if (!transposed || k == 0)
          to.x[k] =
              ex.load_cached_if(transposed ? row < g.rows : col + k < g.cols, g.x + (transposed ? safe_row : safe_col));
      }
    }
  }

  template <int h>
  static ONEPASS_DEVICE void use(const Half& from, T (&sums)[transposed ? width : 2]) {
    for (int k = 0; k < width; ++k) sums[transposed ? k : h] += from.a[k] * from.x[transposed ? 0 : k];
  }
};

}  // namespace onepass::tools::ladder
