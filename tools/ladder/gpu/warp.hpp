// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The second step: a warp per row, so that its lanes read neighbours.
#pragma once

#include "ladder/gpu/args.hpp"

namespace onepass::tools::ladder {

struct Warp {
  static constexpr int max_threads = 32, min_blocks = 1;

  template <class X>
  static ONEPASS_DEVICE void run(X ex, const Args& g) {
    ex.grid_dependency_wait();
    const std::int64_t row = ex.block_x();
    float sum = 0;
    for (std::int64_t col = ex.thread(); col < g.cols; col += X::warp)
      sum += ex.load_once_if(true, g.a + row * g.cols + col) * ex.load_cached(g.x + col);
    sum = sum_of_warp(ex, sum);
    if (ex.thread() == 0) ex.store(g.y + row, sum);
  }
};

}  // namespace onepass::tools::ladder
