// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The first step: a thread per row.
#pragma once

#include "ladder/gpu/args.hpp"

namespace onepass::tools::ladder {

struct Naive {
  static constexpr int max_threads = 128, min_blocks = 1;

  template <class X>
  static ONEPASS_DEVICE void run(X ex, const Args& g) {
    ex.grid_dependency_wait();
    const std::int64_t row = ex.block_x() * ex.threads() + ex.thread();
    if (row >= g.rows) return;
    float sum = 0;
    for (std::int64_t col = 0; col < g.cols; ++col)
      sum += ex.load_once_if(true, g.a + row * g.cols + col) * ex.load_cached(g.x + col);
    ex.store(g.y + row, sum);
  }
};

}  // namespace onepass::tools::ladder
