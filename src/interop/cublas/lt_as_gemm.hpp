// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A call of cublasLtMatmul, read out of its descriptors: a GEMM whose D has one row or column, or the reason why not.
#pragma once

#include <cublasLt.h>

#include "interop/cublas/gemm_as_gemv.hpp"

namespace onepass::cublas {

// The questions to the cublasLt behind; both are null where there is none. An answer takes about 7 ns.
struct LtQuestions {
  decltype(&cublasLtMatmulDescGetAttribute) of_matmul = nullptr;
  decltype(&cublasLtMatrixLayoutGetAttribute) of_layout = nullptr;
};

// D = alpha op(A) op(B) + beta C.
struct LtCall {
  cublasLtMatmulDesc_t matmul = nullptr;
  cublasLtMatrixLayout_t layout_a = nullptr, layout_b = nullptr, layout_c = nullptr, layout_d = nullptr;
  const void* beta = nullptr;
  const void* c = nullptr;
  void* d = nullptr;
};

struct AsGemm {
  const char* declined = nullptr;
  Gemm gemm{};
  onepassPointerMode_t scalars = ONEPASS_POINTER_MODE_HOST;
};

// Two questions decide for most calls, which are no GEMV.
AsGemm lt_as_gemm(const LtQuestions& ask, const LtCall& call);

}  // namespace onepass::cublas
