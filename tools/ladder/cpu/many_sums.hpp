// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The third step: many sums at a time.
#pragma once

#include <cstdint>

namespace onepass::tools::ladder {

inline void many_sums(const float* a, const float* x, float* y, std::int64_t rows, std::int64_t cols) {
  constexpr std::int64_t count = 32;
  for (std::int64_t row = 0; row < rows; ++row) {
    const float* const at = a + row * cols;
    float sums[count] = {}, sum = 0;
    std::int64_t col = 0;
    for (; col + count <= cols; col += count)
      for (std::int64_t i = 0; i < count; ++i) sums[i] += at[col + i] * x[col + i];
    for (; col < cols; ++col) sum += at[col] * x[col];
    for (const float part : sums) sum += part;
    y[row] = sum;
  }
}

}  // namespace onepass::tools::ladder
