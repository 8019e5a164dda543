// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// V = Q Z and w of many matrices, the last launch: a warp has a few columns in registers, and a block brings the
// reflectors through shared memory, the last ones first, and the next ones while it works with these. Two at a time:
//
//   H_0 H_1 x = x - f_0 v_0 - f_1 v_1,   f_1 = tau_1 v_1^H x,   f_0 = tau_0 (v_0^H x - f_1 v_0^H v_1)
//
// so that sums over the lanes are waited for half as often; v_0^H v_1 comes from the reduction.
#pragma once

#include "kernels/lapack/batched/batch_matrix.hpp"

namespace onepass::kernels {

// A lane has `slots` elements of a column, every 32nd row.
template <class A, int slots>
struct BatchBack {
  using R = RealOf<A>;
  static constexpr int panel = batch_back_reflectors, buffer = batch_back_buffer(slots);
  static constexpr int width = batch_back_columns(slots, sizeof(A)), line = 32 * slots;
  static constexpr int step = (slots + 3) / 4;  // slots that are skipped together
  static constexpr int max_threads = batch_back_threads, min_blocks = width * slots * sizeof(A) <= 256 ? 2 : 1;

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
    static_assert(panel == batch_back_warps, "a warp copies a reflector");
    const int n = g.batch.n, thread = ex.thread(), lane = thread & 31, warp = thread >> 5;
    const auto shared = ex.template shared<A>(0);
    const A* const v = static_cast<const A*>(g.v) + index * n * n;
    const A* const of_pairs = static_cast<const A*>(thread < panel ? g.tau : g.coupling) + index * n;
    const auto copy = [&](int begin, int at) {
      const int k = begin + warp;
      for (int r = begin / (32 * step) * (32 * step) + lane; r < line; r += 32) {
        const bool there = k + 1 < n && r > k && r < n;
        ex.copy_element_if(there, shared, at + warp * line + r, v + (there ? r + static_cast<std::int64_t>(k) * n : 0));
      }
      const int which = begin + thread % panel;
      if (thread < 2 * panel)
        ex.copy_element_if(which + 1 < n, shared, at + panel * line + thread, of_pairs + (which + 1 < n ? which : 0));
    };
    int at = 0;
    copy((n - 2) / panel * panel, at);
    for (int begin = (n - 2) / panel * panel; begin >= 0; begin -= panel) {
      ex.wait_for_copies();
      ex.sync();  // and those before are done with
      if (begin > 0) copy(begin - panel, buffer - at);
      apply_panel<0>(ex, begin, at, value);
      at = buffer - at;
    }
  }

  // The reflectors have no rows up to `begin`: slots before `first` are skipped.
  template <int first, class Ex>
  static ONEPASS_DEVICE void apply_panel(Ex ex, int begin, int at, A (&value)[width][slots]) {
    if constexpr (first + step < slots)
      if (begin >= 32 * (first + step)) return apply_panel<first + step>(ex, begin, at, value);
    const auto shared = ex.template shared<A>(0);
    const int lane = ex.thread() & 31;
#pragma unroll 1
    for (int j = panel - 2; j >= 0; j -= 2) {
      const auto of_v = [&](int which, int i) { return shared.get(at + (j + which) * line + 32 * i + lane); };
      A dot[2 * width] = {};
#pragma unroll
      for (int i = first; i < slots; ++i) {
        const A v[2] = {conjugate(of_v(0, i)), conjugate(of_v(1, i))};
#pragma unroll
        for (int c = 0; c < width; ++c)
#pragma unroll
          for (int which = 0; which < 2; ++which)
            dot[which * width + c] = multiply_add(dot[which * width + c], v[which], value[c][i]);
      }
      const A total = transposed_sum<2 * width>(ex, dot);
      const A tau[2] = {shared.get(at + panel * line + j), shared.get(at + panel * line + j + 1)};
      const A coupling = shared.get(at + panel * line + panel + j + 1);
      A factor[2][width];
#pragma unroll
      for (int c = 0; c < width; ++c) {
        factor[1][c] = tau[1] * ex.shuffle_from(total, (width + c) * (16 / width));
        factor[0][c] = tau[0] * subtract_product(ex.shuffle_from(total, c * (16 / width)), coupling, factor[1][c]);
      }
#pragma unroll
      for (int i = first; i < slots; ++i) {
        const A v[2] = {of_v(0, i), of_v(1, i)};
#pragma unroll
        for (int c = 0; c < width; ++c)
          value[c][i] = subtract_product(subtract_product(value[c][i], v[1], factor[1][c]), v[0], factor[0][c]);
      }
    }
  }
};

}  // namespace onepass::kernels
