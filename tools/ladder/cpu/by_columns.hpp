// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The first step: column by column, as the formula may be read.
#pragma once

#include <cstdint>

namespace onepass::tools::ladder {

inline void by_columns(const float* a, const float* x, float* y, std::int64_t rows, std::int64_t cols) {
  for (std::int64_t row = 0; row < rows; ++row) y[row] = 0;
  for (std::int64_t col = 0; col < cols; ++col)
    for (std::int64_t row = 0; row < rows; ++row) y[row] += a[row * cols + col] * x[col];
}

}  // namespace onepass::tools::ladder
