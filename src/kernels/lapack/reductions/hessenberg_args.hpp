// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a launch of the on-chip Hessenberg reduction is given.
#pragma once

#include <cstdint>

namespace onepass::kernels {

struct HessenbergArgs {
  void* a = nullptr;  // n x n; becomes H and the vectors, as LAPACK stores them
  std::int64_t lda = 0;
  int n = 0;  // at least 2
  void* tau = nullptr;
  int lines = 0;                     // columns, and rows, of a block, at most
  void* exchange = nullptr;          // 6 rows of the kernel
  std::uint32_t* barrier = nullptr;  // zero
  std::uint32_t* timed_out = nullptr;
};

}  // namespace onepass::kernels
