// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The level-2 symbols of cuBLAS: gemv with its batched forms, symv, hemv; with 32-bit and 64-bit integers.
#include "interop/cublas/serve.hpp"
#include "interop/cublas/types.hpp"

namespace onepass::cublas {
namespace {

onepassGemvProblem_t gemv_problem(onepassType_t a, onepassType_t y, cublasOperation_t op, int64_t m, int64_t n,
                                  int64_t lda, int64_t incx, int64_t incy) {
  onepassGemvProblem_t p = onepassGemvProblemDefault(a, m, n);
  p.type_y = y;
  p.op = op_of(op);
  p.lda = lda, p.incx = incx, p.incy = incy;
  return p;
}

onepassGemvProblem_t strided(onepassGemvProblem_t p, int64_t a, int64_t x, int64_t y, int64_t batch) {
  p.stride_a = a, p.stride_x = x, p.stride_y = y;
  p.batch = batch;
  return p;
}

onepassGemvProblem_t pointers(onepassGemvProblem_t p, int64_t batch) {
  p.pointer_array = 1;
  p.batch = batch;
  return p;
}

onepassSymvProblem_t symv_problem(onepassType_t type, bool hermitian, cublasFillMode_t uplo, int64_t n, int64_t lda,
                                  int64_t incx, int64_t incy) {
  onepassSymvProblem_t p = onepassSymvProblemDefault(type, static_cast<onepassFillMode_t>(uplo), n);
  p.hermitian = hermitian ? 1 : 0;
  p.lda = lda, p.incx = incx, p.incy = incy;
  return p;
}

}  // namespace
}  // namespace onepass::cublas

using namespace onepass::cublas;  // NOLINT: what follows are functions of C

extern "C" {

// The names below are all alike; one macro per form spells them.
#define ONEPASS_GEMV(NAME, INT, A, TYPE)                                                                      \
  ONEPASS_API cublasStatus_t NAME(cublasHandle_t handle, cublasOperation_t op, INT m, INT n, const A* alpha,  \
                                  const A* a, INT lda, const A* x, INT incx, const A* beta, A* y, INT incy) { \
    if (take(#NAME, handle, gemv_problem(TYPE, TYPE, op, m, n, lda, incx, incy), {alpha, a, x, beta, y}))     \
      return CUBLAS_STATUS_SUCCESS;                                                                           \
    static void* const real = next_symbol(#NAME);                                                             \
    return forward(real, &NAME, handle, op, m, n, alpha, a, lda, x, incx, beta, y, incy);                     \
  }
#define ONEPASS_SYMV(NAME, INT, A, TYPE, HERMITIAN)                                                                \
  ONEPASS_API cublasStatus_t NAME(cublasHandle_t handle, cublasFillMode_t uplo, INT n, const A* alpha, const A* a, \
                                  INT lda, const A* x, INT incx, const A* beta, A* y, INT incy) {                  \
    if (take(#NAME, handle, symv_problem(TYPE, HERMITIAN, uplo, n, lda, incx, incy), {alpha, a, x, beta, y}))      \
      return CUBLAS_STATUS_SUCCESS;                                                                                \
    static void* const real = next_symbol(#NAME);                                                                  \
    return forward(real, &NAME, handle, uplo, n, alpha, a, lda, x, incx, beta, y, incy);                           \
  }
#define ONEPASS_STRIDED(NAME, INT, A, Y, S, TYPE_A, TYPE_Y)                                                            \
  ONEPASS_API cublasStatus_t NAME(cublasHandle_t handle, cublasOperation_t op, INT m, INT n, const S* alpha,           \
                                  const A* a, INT lda, long long int stride_a, const A* x, INT incx,                   \
                                  long long int stride_x, const S* beta, Y* y, INT incy, long long int stride_y,       \
                                  INT batch) {                                                                         \
    if (take(#NAME, handle,                                                                                            \
             strided(gemv_problem(TYPE_A, TYPE_Y, op, m, n, lda, incx, incy), stride_a, stride_x, stride_y, batch),    \
             {alpha, a, x, beta, y}))                                                                                  \
      return CUBLAS_STATUS_SUCCESS;                                                                                    \
    static void* const real = next_symbol(#NAME);                                                                      \
    return forward(real, &NAME, handle, op, m, n, alpha, a, lda, stride_a, x, incx, stride_x, beta, y, incy, stride_y, \
                   batch);                                                                                             \
  }
#define ONEPASS_BATCHED(NAME, INT, A, Y, S, TYPE_A, TYPE_Y)                                                  \
  ONEPASS_API cublasStatus_t NAME(cublasHandle_t handle, cublasOperation_t op, INT m, INT n, const S* alpha, \
                                  const A* const a[], INT lda, const A* const x[], INT incx, const S* beta,  \
                                  Y* const y[], INT incy, INT batch) {                                       \
    if (take(#NAME, handle, pointers(gemv_problem(TYPE_A, TYPE_Y, op, m, n, lda, incx, incy), batch),        \
             {alpha, a, x, beta, const_cast<Y**>(y)}))                                                       \
      return CUBLAS_STATUS_SUCCESS;                                                                          \
    static void* const real = next_symbol(#NAME);                                                            \
    return forward(real, &NAME, handle, op, m, n, alpha, a, lda, x, incx, beta, y, incy, batch);             \
  }
#define ONEPASS_MANY(T, A, Y, S, TYPE_A, TYPE_Y)                                      \
  ONEPASS_STRIDED(cublas##T##gemvStridedBatched, int, A, Y, S, TYPE_A, TYPE_Y)        \
  ONEPASS_STRIDED(cublas##T##gemvStridedBatched_64, int64_t, A, Y, S, TYPE_A, TYPE_Y) \
  ONEPASS_BATCHED(cublas##T##gemvBatched, int, A, Y, S, TYPE_A, TYPE_Y)               \
  ONEPASS_BATCHED(cublas##T##gemvBatched_64, int64_t, A, Y, S, TYPE_A, TYPE_Y)
#define ONEPASS_TYPE(T, A, TYPE)                               \
  ONEPASS_GEMV(cublas##T##gemv_v2, int, A, TYPE)               \
  ONEPASS_GEMV(cublas##T##gemv_v2_64, int64_t, A, TYPE)        \
  ONEPASS_SYMV(cublas##T##symv_v2, int, A, TYPE, false)        \
  ONEPASS_SYMV(cublas##T##symv_v2_64, int64_t, A, TYPE, false) \
  ONEPASS_MANY(T, A, A, A, TYPE, TYPE)

ONEPASS_TYPE(S, float, ONEPASS_TYPE_S)
ONEPASS_TYPE(D, double, ONEPASS_TYPE_D)
ONEPASS_TYPE(C, cuComplex, ONEPASS_TYPE_C)
ONEPASS_TYPE(Z, cuDoubleComplex, ONEPASS_TYPE_Z)
ONEPASS_SYMV(cublasChemv_v2, int, cuComplex, ONEPASS_TYPE_C, true)
ONEPASS_SYMV(cublasChemv_v2_64, int64_t, cuComplex, ONEPASS_TYPE_C, true)
ONEPASS_SYMV(cublasZhemv_v2, int, cuDoubleComplex, ONEPASS_TYPE_Z, true)
ONEPASS_SYMV(cublasZhemv_v2_64, int64_t, cuDoubleComplex, ONEPASS_TYPE_Z, true)
ONEPASS_MANY(HSH, __half, __half, float, ONEPASS_TYPE_H, ONEPASS_TYPE_H)
ONEPASS_MANY(HSS, __half, float, float, ONEPASS_TYPE_H, ONEPASS_TYPE_S)
ONEPASS_MANY(TST, __nv_bfloat16, __nv_bfloat16, float, ONEPASS_TYPE_B, ONEPASS_TYPE_B)
ONEPASS_MANY(TSS, __nv_bfloat16, float, float, ONEPASS_TYPE_B, ONEPASS_TYPE_S)

#undef ONEPASS_TYPE
#undef ONEPASS_MANY
#undef ONEPASS_BATCHED
#undef ONEPASS_STRIDED
#undef ONEPASS_SYMV
#undef ONEPASS_GEMV

}  // extern "C"
