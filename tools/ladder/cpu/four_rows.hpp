// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The fourth step: four rows at a time.
#pragma once

#include "ladder/cpu/many_sums.hpp"

namespace onepass::tools::ladder {

inline void four_rows(const float* a, const float* x, float* y, std::int64_t rows, std::int64_t cols) {
  if (rows < 4) return many_sums(a, x, y, rows, cols);
  constexpr std::int64_t count = 16;
  for (std::int64_t row = 0; row < rows; row += 4) {
    const std::int64_t first = row + 4 <= rows ? row : rows - 4;  // the last rows may be computed twice
    const float* const at = a + first * cols;
    float sums[4][count] = {};
    std::int64_t col = 0;
    for (; col + count <= cols; col += count)
      for (std::int64_t r = 0; r < 4; ++r)
        for (std::int64_t i = 0; i < count; ++i) sums[r][i] += at[r * cols + col + i] * x[col + i];
    for (std::int64_t r = 0; r < 4; ++r) {
      float sum = 0;
      for (const float part : sums[r]) sum += part;
      for (std::int64_t i = col; i < cols; ++i) sum += at[r * cols + i] * x[i];
      y[first + r] = sum;
    }
  }
}

}  // namespace onepass::tools::ladder
