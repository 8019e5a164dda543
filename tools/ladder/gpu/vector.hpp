// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The fourth step: vectors of 16 bytes.
#pragma once

#include <cstring>

#include "ladder/gpu/block.hpp"

namespace onepass::tools::ladder {

struct Vector {
  static constexpr int max_threads = 256, min_blocks = 1;

  template <class X>
  static ONEPASS_DEVICE void run(X ex, const Args& g) {
    ex.grid_dependency_wait();
    // head elements | vectors of four | tail elements: a row starts on a boundary of 16 bytes by luck alone.
    const float* const row = g.a + ex.block_x() * g.cols;
    const auto misplaced = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(row) / 4 % 4);
    const std::int64_t head = misplaced == 0 ? 0 : (4 - misplaced < g.cols ? 4 - misplaced : g.cols);
    const std::int64_t vectors = (g.cols - head) / 4, tail = head + 4 * vectors;
    const int thread = ex.thread();
    float sum = 0;
    if (thread < head) sum += ex.load_once_if(true, row + thread) * ex.load_cached(g.x + thread);
    if (thread < g.cols - tail) sum += ex.load_once_if(true, row + tail + thread) * ex.load_cached(g.x + tail + thread);
    for (std::int64_t w = thread; w < vectors; w += ex.threads()) {
      float a[4];
      const auto vector = ex.load_vector_if(true, row + head + 4 * w, 0, 4);
      std::memcpy(a, &vector, sizeof(a));
      for (int i = 0; i < 4; ++i) sum += a[i] * ex.load_cached(g.x + head + 4 * w + i);
    }
    sum = sum_of_block(ex, ex.template shared<float>(0), sum);
    if (thread == 0) ex.store(g.y + ex.block_x(), sum);
  }
};

}  // namespace onepass::tools::ladder
