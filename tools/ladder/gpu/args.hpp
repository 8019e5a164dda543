// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of the ladder are told, and the sum of a warp. A kernel speaks to `ex` alone, which is CUDA or the
// simulator; one of the headers of kernels/exec must have been included before.
#pragma once

#include <cstdint>

namespace onepass::tools::ladder {

// y = A x with a row-major A without gaps.
struct Args {
  const float* a = nullptr;
  const float* x = nullptr;
  float* y = nullptr;
  std::int64_t rows = 0, cols = 0;
};

// Of all 32 lanes, in every lane.
template <class X>
ONEPASS_DEVICE float sum_of_warp(X ex, float value) {
  for (int mask = 16; mask > 0; mask /= 2) value += ex.shuffle_xor(value, mask);
  return value;
}

}  // namespace onepass::tools::ladder
