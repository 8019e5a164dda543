// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the launches that scale a matrix are given.
#pragma once

#include <cstdint>

namespace onepass::kernels {

inline constexpr int largest_element_shared_bytes = 256;  // a number of each warp

struct ScaleArgs {
  void* a = nullptr;  // element (0, 0); of a lower triangle as in TridiagonalOperands
  std::int64_t row_step = 1, col_step = 0;
  int m = 0, n = 0;
  bool lower = false;       // the lower triangle alone is read and written, and its diagonal is real
  void* largest = nullptr;  // of each block
  void* scale = nullptr;    // the factor and its reciprocal
  std::uint32_t* counters = nullptr;
  int counter_count = 0;
};

}  // namespace onepass::kernels
