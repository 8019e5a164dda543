/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Products with vectors that are given as head and tail, two vectors whose sum is meant: what extra-precise iterative
 * refinement calls.
 *
 *   onepassDgemv2(handle, ONEPASS_OP_N, n, n, &alpha, A, lda, x, x_tail, 1, &beta, y, y_tail, 1);
 */
#ifndef ONEPASS_TAILS_H
#define ONEPASS_TAILS_H

#include "onepass/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* y + y_tail = alpha op(A) (x + x_tail) + beta (y + y_tail), summed as ONEPASS_ACCUMULATE_TWICE says whatever the
 * handle's setting is. y_tail may be null: then y alone is read and written, rounded once. x and x_tail have one
 * increment, and so have y and y_tail. Head and tail may overlap; the tail of the result is at most half a unit in the
 * last place of its head. Column major. */
ONEPASS_API onepassStatus_t onepassSgemv2(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                          const float* alpha, const float* A, int64_t lda, const float* x,
                                          const float* x_tail, int64_t incx, const float* beta, float* y, float* y_tail,
                                          int64_t incy);
ONEPASS_API onepassStatus_t onepassDgemv2(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                          const double* alpha, const double* A, int64_t lda, const double* x,
                                          const double* x_tail, int64_t incx, const double* beta, double* y,
                                          double* y_tail, int64_t incy);
ONEPASS_API onepassStatus_t onepassCgemv2(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                          const onepassComplex_t* alpha, const onepassComplex_t* A, int64_t lda,
                                          const onepassComplex_t* x, const onepassComplex_t* x_tail, int64_t incx,
                                          const onepassComplex_t* beta, onepassComplex_t* y, onepassComplex_t* y_tail,
                                          int64_t incy);
ONEPASS_API onepassStatus_t onepassZgemv2(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                          const onepassDoubleComplex_t* alpha, const onepassDoubleComplex_t* A,
                                          int64_t lda, const onepassDoubleComplex_t* x,
                                          const onepassDoubleComplex_t* x_tail, int64_t incx,
                                          const onepassDoubleComplex_t* beta, onepassDoubleComplex_t* y,
                                          onepassDoubleComplex_t* y_tail, int64_t incy);

/* Likewise with a symmetric or Hermitian matrix. */
ONEPASS_API onepassStatus_t onepassSsymv2(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n, const float* alpha,
                                          const float* A, int64_t lda, const float* x, const float* x_tail,
                                          int64_t incx, const float* beta, float* y, float* y_tail, int64_t incy);
ONEPASS_API onepassStatus_t onepassDsymv2(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                          const double* alpha, const double* A, int64_t lda, const double* x,
                                          const double* x_tail, int64_t incx, const double* beta, double* y,
                                          double* y_tail, int64_t incy);
ONEPASS_API onepassStatus_t onepassCsymv2(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                          const onepassComplex_t* alpha, const onepassComplex_t* A, int64_t lda,
                                          const onepassComplex_t* x, const onepassComplex_t* x_tail, int64_t incx,
                                          const onepassComplex_t* beta, onepassComplex_t* y, onepassComplex_t* y_tail,
                                          int64_t incy);
ONEPASS_API onepassStatus_t onepassZsymv2(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                          const onepassDoubleComplex_t* alpha, const onepassDoubleComplex_t* A,
                                          int64_t lda, const onepassDoubleComplex_t* x,
                                          const onepassDoubleComplex_t* x_tail, int64_t incx,
                                          const onepassDoubleComplex_t* beta, onepassDoubleComplex_t* y,
                                          onepassDoubleComplex_t* y_tail, int64_t incy);
ONEPASS_API onepassStatus_t onepassChemv2(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                          const onepassComplex_t* alpha, const onepassComplex_t* A, int64_t lda,
                                          const onepassComplex_t* x, const onepassComplex_t* x_tail, int64_t incx,
                                          const onepassComplex_t* beta, onepassComplex_t* y, onepassComplex_t* y_tail,
                                          int64_t incy);
ONEPASS_API onepassStatus_t onepassZhemv2(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                          const onepassDoubleComplex_t* alpha, const onepassDoubleComplex_t* A,
                                          int64_t lda, const onepassDoubleComplex_t* x,
                                          const onepassDoubleComplex_t* x_tail, int64_t incx,
                                          const onepassDoubleComplex_t* beta, onepassDoubleComplex_t* y,
                                          onepassDoubleComplex_t* y_tail, int64_t incy);

#ifdef __cplusplus
}
#endif

#endif /* ONEPASS_TAILS_H */
