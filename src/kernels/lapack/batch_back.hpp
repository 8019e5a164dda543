// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// V = Q Z and w of many matrices, the last launch: a warp has a few columns in registers, and a block brings the
// reflectors through shared memory, the last one first.
#pragma once

#include "kernels/lapack/batch_matrix.hpp"

namespace onepass::kernels {

// A lane has `slots` elements of a column, every 32nd row.
template <class A, int slots>
struct BatchBack {
  using R = RealOf<A>;
  static constexpr int max_threads = batch_back_threads, min_blocks = slots * sizeof(A) < 256 ? 2 : 1;
  static constexpr int panel = batch_back_reflectors;
  static constexpr int width = batch_back_columns(slots, sizeof(A)), line = 32 * slots;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BatchBackArgs& g) {
    const int n = g.batch.n, tiles = (n + batch_back_warps * width - 1) / (batch_back_warps * width);
    const std::int64_t index = ex.block_x() / tiles;
    const int tile = static_cast<int>(ex.block_x() % tiles), lane = ex.thread() & 31;
    const int first = (tile * batch_back_warps + (ex.thread() >> 5)) * width;
    int bad = ex.load_cached(g.not_finite + index);
    for (int i = 0; i < g.leaves; ++i) bad |= ex.load_cached(g.failed + index * g.leaves + i);
    if (tile == 0 && ex.thread() == 0) ex.store(g.batch.info + index, bad != 0 ? g.batch.info_of_failure : 0);

    A value[width][slots];
    const R* const z = static_cast<const R*>(g.z) + index * g.rows * g.rows;
    const auto is_there = [&](int c, int i) { return first + c < n && 32 * i + lane < n; };
    for_all([&](int c, int i) {
      const bool there = is_there(c, i);
      const std::int64_t at = static_cast<std::int64_t>(first + c) * g.rows + 32 * i + lane;
      value[c][i] = from_real<A>(ex.load_cached_if(there, z + (there ? at : 0)));
    });
    apply(ex, g, index, value);

    A* const a = matrix_of<A>(ex, g.batch, index);
    const R none = std::numeric_limits<R>::quiet_NaN();
    for_all([&](int c, int i) {
      if (is_there(c, i))
        ex.store(a + 32 * i + lane + (first + c) * g.batch.lda, bad != 0 ? from_real<A>(none) : value[c][i]);
    });
    if (lane >= width || first + lane >= n) return;
    const R *const back = static_cast<const R*>(g.back) + 2 * index,
                   found = ex.load_cached(static_cast<const R*>(g.values) + index * g.rows + first + lane);
    ex.store(static_cast<R*>(g.batch.w) + index * g.batch.stride_w + first + lane,
             bad != 0 ? none : found * ex.load_cached(back) * ex.load_cached(back + 1));
  }

 private:
  template <class F>
  static ONEPASS_DEVICE void for_all(F f) {
#pragma unroll
    for (int c = 0; c < width; ++c)
#pragma unroll
      for (int i = 0; i < slots; ++i) f(c, i);
  }

  template <class Ex>
  static ONEPASS_DEVICE void apply(Ex ex, const BatchBackArgs& g, std::int64_t index, A (&value)[width][slots]) {
    const int n = g.batch.n, lane = ex.thread() & 31;
    const auto reflectors = ex.template shared<A>(0);
    const A *const v = static_cast<const A*>(g.v) + index * n * n, *const tau =
                                                                       static_cast<const A*>(g.tau) + index * n;
    for (int begin = (n - 2) / panel * panel; begin >= 0; begin -= panel) {
      ex.sync();  // those before are done with
      for (int i = ex.thread(); i < panel * line; i += max_threads) {
        const int k = begin + i / line, r = i % line;
        const bool there = k + 1 < n && r > k && r < n;
        reflectors.put(i, ex.load_cached_if(there, v + (there ? r + static_cast<std::int64_t>(k) * n : 0)));
      }
      ex.sync();
      for (int j = panel - 1; j >= 0; --j) {
        const int k = begin + j;
        if (k + 1 >= n) continue;
        A of_v[slots], dot[width] = {};
#pragma unroll
        for (int i = 0; i < slots; ++i) {
          of_v[i] = A{};
          if (32 * i + 31 <= k) continue;
          of_v[i] = reflectors.get(j * line + 32 * i + lane);
#pragma unroll
          for (int c = 0; c < width; ++c) dot[c] = multiply_add(dot[c], conjugate(of_v[i]), value[c][i]);
        }
        const A total = ex.load_cached(tau + k) * transposed_sum<width>(ex, dot);
#pragma unroll
        for (int c = 0; c < width; ++c) {
          const A factor = ex.shuffle_from(total, c * (32 / width));
#pragma unroll
          for (int i = 0; i < slots; ++i) value[c][i] = subtract_product(value[c][i], of_v[i], factor);
        }
      }
    }
  }
};

}  // namespace onepass::kernels
