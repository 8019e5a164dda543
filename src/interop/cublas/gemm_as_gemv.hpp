// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A GEMM of cuBLAS whose C has one row or one column is a GEMV. Pure: knows neither cuBLAS nor a device.
#pragma once

#include <cstdint>

#include "onepass/onepass.h"

namespace onepass::cublas {

// C = alpha op(A) op(B) + beta C, column major, as cuBLAS has it: op(A) is m x k, op(B) is k x n.
struct Gemm {
  onepassType_t type = ONEPASS_TYPE_S, type_c = ONEPASS_TYPE_S;
  onepassOperation_t op_a = ONEPASS_OP_N, op_b = ONEPASS_OP_N;
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t lda = 1, ldb = 1, ldc = 1;
  std::int64_t batch = 1;
  std::int64_t stride_a = 0, stride_b = 0, stride_c = 0;
};

// `declined` is null where there is such a GEMV, else the reason why not. y is C; the matrix is A and x is B, or, where
// `swapped`, the other way round.
struct AsGemv {
  const char* declined = nullptr;
  bool swapped = false;
  onepassGemvProblem_t problem{};
};

AsGemv gemm_as_gemv(const Gemm& g);

}  // namespace onepass::cublas
