// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the launches that scale a triangle are given.
#pragma once

#include <cstdint>

namespace onepass::kernels {

struct ScaleArgs {
  void* a = nullptr;  // element (0, 0) of the lower triangle, as in TridiagonalOperands
  std::int64_t row_step = 1, col_step = 0;
  int n = 0;
  void* largest = nullptr;  // of each block
  void* scale = nullptr;    // the factor and its reciprocal
  std::uint32_t* counters = nullptr;
  int counter_count = 0;
};

}  // namespace onepass::kernels
