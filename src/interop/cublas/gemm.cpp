// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The symbols of GEMM in cuBLAS, for those calls that are a GEMV. All others are passed on.
#include "interop/cublas/gemm_as_gemv.hpp"
#include "interop/cublas/serve.hpp"
#include "interop/cublas/types.hpp"

namespace onepass::cublas {
namespace {

bool take_gemm(const char* name, cublasHandle_t handle, const Gemm& g, const void* alpha, const void* a, const void* b,
               const void* beta, void* c) {
  const AsGemv as = gemm_as_gemv(g);
  if (as.declined != nullptr) {
    pass_on(name, as.declined);
    return false;
  }
  return take(name, handle, as.problem, {alpha, as.swapped ? b : a, as.swapped ? a : b, beta, c});
}

bool take_ex(const char* name, cublasHandle_t handle, Gemm g, cudaDataType a_type, cudaDataType b_type,
             cudaDataType c_type, cublasComputeType_t compute, const void* alpha, const void* a, const void* b,
             const void* beta, void* c) {
  const auto type = type_of(a_type), type_c = type_of(c_type);
  if (!type || !type_c || a_type != b_type || !sums_fit(*type, compute)) {
    pass_on(name, "types that Onepass does not have");
    return false;
  }
  g.type = *type, g.type_c = *type_c;
  return take_gemm(name, handle, g, alpha, a, b, beta, c);
}

}  // namespace
}  // namespace onepass::cublas

using namespace onepass::cublas;  // NOLINT: what follows are functions of C

extern "C" {

// The names below are all alike; one macro per form spells them.
#define ONEPASS_GEMM(NAME, INT, T, TYPE)                                                                               \
  ONEPASS_API cublasStatus_t NAME(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, INT m, INT n, \
                                  INT k, const T* alpha, const T* a, INT lda, const T* b, INT ldb, const T* beta,      \
                                  T* c, INT ldc) {                                                                     \
    const Gemm g{.type = TYPE,                                                                                         \
                 .type_c = TYPE,                                                                                       \
                 .op_a = op_of(op_a),                                                                                  \
                 .op_b = op_of(op_b),                                                                                  \
                 .m = m,                                                                                               \
                 .n = n,                                                                                               \
                 .k = k,                                                                                               \
                 .lda = lda,                                                                                           \
                 .ldb = ldb,                                                                                           \
                 .ldc = ldc};                                                                                          \
    if (take_gemm(#NAME, handle, g, alpha, a, b, beta, c)) return CUBLAS_STATUS_SUCCESS;                               \
    static void* const real = next_symbol(#NAME);                                                                      \
    return forward(real, &NAME, handle, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                     \
  }
#define ONEPASS_GEMM_EX(NAME, INT)                                                                                     \
  ONEPASS_API cublasStatus_t NAME(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, INT m, INT n, \
                                  INT k, const void* alpha, const void* a, cudaDataType a_type, INT lda,               \
                                  const void* b, cudaDataType b_type, INT ldb, const void* beta, void* c,              \
                                  cudaDataType c_type, INT ldc, cublasComputeType_t compute, cublasGemmAlgo_t algo) {  \
    const Gemm g{                                                                                                      \
        .op_a = op_of(op_a), .op_b = op_of(op_b), .m = m, .n = n, .k = k, .lda = lda, .ldb = ldb, .ldc = ldc};         \
    if (take_ex(#NAME, handle, g, a_type, b_type, c_type, compute, alpha, a, b, beta, c))                              \
      return CUBLAS_STATUS_SUCCESS;                                                                                    \
    using Real = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, INT, INT, INT, const void*,      \
                                const void*, cudaDataType, INT, const void*, cudaDataType, INT, const void*, void*,    \
                                cudaDataType, INT, cublasComputeType_t, cublasGemmAlgo_t);                             \
    static void* const real = next_symbol(#NAME);                                                                      \
    return forward(real, static_cast<Real*>(nullptr), handle, op_a, op_b, m, n, k, alpha, a, a_type, lda, b, b_type,   \
                   ldb, beta, c, c_type, ldc, compute, algo);                                                          \
  }
#define ONEPASS_GEMM_STRIDED_EX(NAME, INT)                                                                             \
  ONEPASS_API cublasStatus_t NAME(                                                                                     \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, INT m, INT n, INT k, const void* alpha,   \
      const void* a, cudaDataType a_type, INT lda, long long int stride_a, const void* b, cudaDataType b_type,         \
      INT ldb, long long int stride_b, const void* beta, void* c, cudaDataType c_type, INT ldc,                        \
      long long int stride_c, INT batch, cublasComputeType_t compute, cublasGemmAlgo_t algo) {                         \
    const Gemm g{.op_a = op_of(op_a),                                                                                  \
                 .op_b = op_of(op_b),                                                                                  \
                 .m = m,                                                                                               \
                 .n = n,                                                                                               \
                 .k = k,                                                                                               \
                 .lda = lda,                                                                                           \
                 .ldb = ldb,                                                                                           \
                 .ldc = ldc,                                                                                           \
                 .batch = batch,                                                                                       \
                 .stride_a = stride_a,                                                                                 \
                 .stride_b = stride_b,                                                                                 \
                 .stride_c = stride_c};                                                                                \
    if (take_ex(#NAME, handle, g, a_type, b_type, c_type, compute, alpha, a, b, beta, c))                              \
      return CUBLAS_STATUS_SUCCESS;                                                                                    \
    using Real =                                                                                                       \
        cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, INT, INT, INT, const void*, const void*,  \
                       cudaDataType, INT, long long int, const void*, cudaDataType, INT, long long int, const void*,   \
                       void*, cudaDataType, INT, long long int, INT, cublasComputeType_t, cublasGemmAlgo_t);           \
    static void* const real = next_symbol(#NAME);                                                                      \
    return forward(real, static_cast<Real*>(nullptr), handle, op_a, op_b, m, n, k, alpha, a, a_type, lda, stride_a, b, \
                   b_type, ldb, stride_b, beta, c, c_type, ldc, stride_c, batch, compute, algo);                       \
  }

ONEPASS_GEMM(cublasSgemm_v2, int, float, ONEPASS_TYPE_S)
ONEPASS_GEMM(cublasSgemm_v2_64, int64_t, float, ONEPASS_TYPE_S)
ONEPASS_GEMM(cublasDgemm_v2, int, double, ONEPASS_TYPE_D)
ONEPASS_GEMM(cublasDgemm_v2_64, int64_t, double, ONEPASS_TYPE_D)
ONEPASS_GEMM(cublasCgemm_v2, int, cuComplex, ONEPASS_TYPE_C)
ONEPASS_GEMM(cublasCgemm_v2_64, int64_t, cuComplex, ONEPASS_TYPE_C)
ONEPASS_GEMM(cublasZgemm_v2, int, cuDoubleComplex, ONEPASS_TYPE_Z)
ONEPASS_GEMM(cublasZgemm_v2_64, int64_t, cuDoubleComplex, ONEPASS_TYPE_Z)
ONEPASS_GEMM_EX(cublasGemmEx, int)
ONEPASS_GEMM_EX(cublasGemmEx_64, int64_t)
ONEPASS_GEMM_STRIDED_EX(cublasGemmStridedBatchedEx, int)
ONEPASS_GEMM_STRIDED_EX(cublasGemmStridedBatchedEx_64, int64_t)

#undef ONEPASS_GEMM_STRIDED_EX
#undef ONEPASS_GEMM_EX
#undef ONEPASS_GEMM

}  // extern "C"
