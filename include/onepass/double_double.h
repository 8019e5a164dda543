/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Typed calls of type w: double-doubles, pairs of doubles whose sum is meant; onepass.h includes this. A, x, y, alpha
 * and beta are pairs, and products are summed in pairs. Elements need not be settled: a tail may be larger than half a
 * unit in the last place of its head, and then has the digits of a double alone. docs/accuracy.md has the error bound.
 */
#ifndef ONEPASS_DOUBLE_DOUBLE_H
#define ONEPASS_DOUBLE_DOUBLE_H

#include "onepass/types.h"

#ifdef __cplusplus
extern "C" {
#endif

ONEPASS_API onepassStatus_t onepassWgemv(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                         const onepassDoubleDouble_t* alpha, const onepassDoubleDouble_t* A,
                                         int64_t lda, const onepassDoubleDouble_t* x, int64_t incx,
                                         const onepassDoubleDouble_t* beta, onepassDoubleDouble_t* y, int64_t incy);
ONEPASS_API onepassStatus_t onepassWgemvStridedBatched(onepassHandle_t handle, onepassOperation_t op, int64_t m,
                                                       int64_t n, const onepassDoubleDouble_t* alpha,
                                                       const onepassDoubleDouble_t* A, int64_t lda, int64_t strideA,
                                                       const onepassDoubleDouble_t* x, int64_t incx, int64_t stridex,
                                                       const onepassDoubleDouble_t* beta, onepassDoubleDouble_t* y,
                                                       int64_t incy, int64_t stridey, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassWgemvBatched(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,
                                                const onepassDoubleDouble_t* alpha,
                                                const onepassDoubleDouble_t* const A[], int64_t lda,
                                                const onepassDoubleDouble_t* const x[], int64_t incx,
                                                const onepassDoubleDouble_t* beta, onepassDoubleDouble_t* const y[],
                                                int64_t incy, int64_t batchCount);

ONEPASS_API onepassStatus_t onepassWsymv(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                         const onepassDoubleDouble_t* alpha, const onepassDoubleDouble_t* A,
                                         int64_t lda, const onepassDoubleDouble_t* x, int64_t incx,
                                         const onepassDoubleDouble_t* beta, onepassDoubleDouble_t* y, int64_t incy);
ONEPASS_API onepassStatus_t onepassWsymvStridedBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                       const onepassDoubleDouble_t* alpha,
                                                       const onepassDoubleDouble_t* A, int64_t lda, int64_t strideA,
                                                       const onepassDoubleDouble_t* x, int64_t incx, int64_t stridex,
                                                       const onepassDoubleDouble_t* beta, onepassDoubleDouble_t* y,
                                                       int64_t incy, int64_t stridey, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassWsymvBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                const onepassDoubleDouble_t* alpha,
                                                const onepassDoubleDouble_t* const A[], int64_t lda,
                                                const onepassDoubleDouble_t* const x[], int64_t incx,
                                                const onepassDoubleDouble_t* beta, onepassDoubleDouble_t* const y[],
                                                int64_t incy, int64_t batchCount);

#ifdef __cplusplus
}
#endif

#endif /* ONEPASS_DOUBLE_DOUBLE_H */
