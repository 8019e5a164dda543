// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The second step: row by row, in the order of the memory.
#pragma once

#include <cstdint>

namespace onepass::tools::ladder {

inline void by_rows(const float* a, const float* x, float* y, std::int64_t rows, std::int64_t cols) {
  for (std::int64_t row = 0; row < rows; ++row) {
    float sum = 0;
    for (std::int64_t col = 0; col < cols; ++col) sum += a[row * cols + col] * x[col];
    y[row] = sum;
  }
}

}  // namespace onepass::tools::ladder
