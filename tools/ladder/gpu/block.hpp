// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The third step: a block per row, whose warps meet in shared memory.
#pragma once

#include "ladder/gpu/args.hpp"

namespace onepass::tools::ladder {

// The sum of a block, in its first thread; `shared` has room for a number per warp.
template <class X, class Shared>
ONEPASS_DEVICE float sum_of_block(X ex, Shared shared, float value) {
  const int warp = ex.thread() / X::warp, lane = ex.thread() % X::warp;
  const float part = sum_of_warp(ex, value);
  if (lane == 0) shared.put(warp, part);
  ex.sync();
  if (warp != 0) return 0;
  return sum_of_warp(ex, lane < ex.threads() / X::warp ? shared.get(lane) : 0.0f);
}

struct Block {
  static constexpr int max_threads = 256, min_blocks = 1;

  template <class X>
  static ONEPASS_DEVICE void run(X ex, const Args& g) {
    ex.grid_dependency_wait();
    const std::int64_t row = ex.block_x();
    float sum = 0;
    for (std::int64_t col = ex.thread(); col < g.cols; col += ex.threads())
      sum += ex.load_once_if(true, g.a + row * g.cols + col) * ex.load_cached(g.x + col);
    sum = sum_of_block(ex, ex.template shared<float>(0), sum);
    if (ex.thread() == 0) ex.store(g.y + row, sum);
  }
};

}  // namespace onepass::tools::ladder
