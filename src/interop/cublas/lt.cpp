// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The symbol cublasLtMatmul, for those calls that are a GEMV. All others are passed on.
#include "interop/cublas/lt_as_gemm.hpp"
#include "interop/cublas/serve.hpp"

namespace onepass::cublas {
namespace {

constexpr const char* name = "cublasLtMatmul";

const LtQuestions& questions() {
  static const LtQuestions found{
      reinterpret_cast<decltype(&cublasLtMatmulDescGetAttribute)>(next_symbol("cublasLtMatmulDescGetAttribute")),
      reinterpret_cast<decltype(&cublasLtMatrixLayoutGetAttribute)>(next_symbol("cublasLtMatrixLayoutGetAttribute"))};
  return found;
}

bool take_matmul(const LtCall& call, const void* alpha, const void* a, const void* b, cudaStream_t stream) {
  if (mode == Mode::off) return false;
  const Stopwatch all;
  const AsGemm gemm = lt_as_gemm(questions(), call);
  const AsGemv gemv = gemm.declined != nullptr ? AsGemv{.declined = gemm.declined} : gemm_as_gemv(gemm.gemm);
  if (gemv.declined != nullptr) {
    pass_on(name, gemv.declined);
    return false;
  }
  return take(name, all, Settings{.stream = stream, .scalars = gemm.scalars}, gemv.problem,
              {alpha, gemv.swapped ? b : a, gemv.swapped ? a : b, call.beta, call.d});
}

}  // namespace
}  // namespace onepass::cublas

using namespace onepass::cublas;  // NOLINT: what follows is a function of C

extern "C" ONEPASS_API cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t matmul,
                                                     const void* alpha, const void* a, cublasLtMatrixLayout_t layout_a,
                                                     const void* b, cublasLtMatrixLayout_t layout_b, const void* beta,
                                                     const void* c, cublasLtMatrixLayout_t layout_c, void* d,
                                                     cublasLtMatrixLayout_t layout_d, const cublasLtMatmulAlgo_t* algo,
                                                     void* workspace, size_t workspace_bytes, cudaStream_t stream) {
  const LtCall call{.matmul = matmul,
                    .layout_a = layout_a,
                    .layout_b = layout_b,
                    .layout_c = layout_c,
                    .layout_d = layout_d,
                    .beta = beta,
                    .c = c,
                    .d = d};
  if (handle != nullptr && take_matmul(call, alpha, a, b, stream)) return CUBLAS_STATUS_SUCCESS;
  static void* const real = next_symbol(name);
  return forward(real, &cublasLtMatmul, handle, matmul, alpha, a, layout_a, b, layout_b, beta, c, layout_c, d, layout_d,
                 algo, workspace, workspace_bytes, stream);
}
