/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * y = alpha A x + beta y with a symmetric (symv) or Hermitian (hemv) A of n rows and columns, of which one triangle is
 * stored and read; onepass.h includes this.
 *
 *   onepassDsymv(handle, ONEPASS_FILL_MODE_LOWER, n, &alpha, A, lda, x, 1, &beta, y, 1);
 *
 * The imaginary parts of the diagonal of a Hermitian matrix are taken as zero, whatever they hold. */
#ifndef ONEPASS_SYMV_H
#define ONEPASS_SYMV_H

#include "onepass/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A product as data. Fill it from onepassSymvProblemDefault() and change what differs. */
typedef struct onepassSymvProblem {
  onepassType_t type_a, type_x, type_y; /* s s s, d d d, c c c, z z z, h h h, h h s, b b b, b b s */
  int hermitian;                        /* not zero: A is Hermitian, of type c or z; else symmetric */
  onepassFillMode_t uplo;               /* the triangle that is stored */
  onepassLayout_t layout;
  int64_t n;                            /* rows and columns of A */
  int64_t lda;                          /* distance of two columns (column major) or two rows (row major) */
  int64_t incx, incy;                   /* not zero; negative as in BLAS */
  int64_t batch;                        /* number of products; 1 for a single one */
  int pointer_array;                    /* not zero: a, x, y are arrays of `batch` pointers */
  int64_t stride_a, stride_x, stride_y; /* elements between two products, if no pointer arrays */
  onepassPointerMode_t scalars;
  int64_t alignment_a; /* as in onepassGemvProblem_t: each matrix lies on a multiple of so many bytes; 0: any */
  onepassAccumulate_t accumulate;
  onepassOrder_t order;
} onepassSymvProblem_t;

/** A single column-major product with a symmetric matrix, increments 1, scalars on the host. */
ONEPASS_API onepassSymvProblem_t onepassSymvProblemDefault(onepassType_t type, onepassFillMode_t uplo, int64_t n);

/** Any product. alpha and beta are float for s, h and b, else of the type of A. */
ONEPASS_API onepassStatus_t onepassSymv(onepassHandle_t handle, const onepassSymvProblem_t* problem, const void* alpha,
                                        const void* a, const void* x, const void* beta, void* y);

/** Likewise with x as head and tail, and y if y_tail is not null (onepass/tails.h): a single product of type s, d, c or
 * z, summed twice. Its `accumulate` may be DEFAULT or TWICE. */
ONEPASS_API onepassStatus_t onepassSymv2(onepassHandle_t handle, const onepassSymvProblem_t* problem, const void* alpha,
                                         const void* a, const void* x, const void* x_tail, const void* beta, void* y,
                                         void* y_tail);

/* The typed calls, column major. HSH, HSS: half A and x, half or float y. TST, TSS: bfloat16.
 * Sums of half types are kept in float. */

/* One product. */
ONEPASS_API onepassStatus_t onepassSsymv(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n, const float* alpha,
                                         const float* A, int64_t lda, const float* x, int64_t incx, const float* beta,
                                         float* y, int64_t incy);
ONEPASS_API onepassStatus_t onepassDsymv(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n, const double* alpha,
                                         const double* A, int64_t lda, const double* x, int64_t incx,
                                         const double* beta, double* y, int64_t incy);
ONEPASS_API onepassStatus_t onepassCsymv(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                         const onepassComplex_t* alpha, const onepassComplex_t* A, int64_t lda,
                                         const onepassComplex_t* x, int64_t incx, const onepassComplex_t* beta,
                                         onepassComplex_t* y, int64_t incy);
ONEPASS_API onepassStatus_t onepassZsymv(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                         const onepassDoubleComplex_t* alpha, const onepassDoubleComplex_t* A,
                                         int64_t lda, const onepassDoubleComplex_t* x, int64_t incx,
                                         const onepassDoubleComplex_t* beta, onepassDoubleComplex_t* y, int64_t incy);
ONEPASS_API onepassStatus_t onepassHSHsymv(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                           const float* alpha, const onepassHalf_t* A, int64_t lda,
                                           const onepassHalf_t* x, int64_t incx, const float* beta, onepassHalf_t* y,
                                           int64_t incy);
ONEPASS_API onepassStatus_t onepassHSSsymv(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                           const float* alpha, const onepassHalf_t* A, int64_t lda,
                                           const onepassHalf_t* x, int64_t incx, const float* beta, float* y,
                                           int64_t incy);
ONEPASS_API onepassStatus_t onepassTSTsymv(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                           const float* alpha, const onepassBfloat16_t* A, int64_t lda,
                                           const onepassBfloat16_t* x, int64_t incx, const float* beta,
                                           onepassBfloat16_t* y, int64_t incy);
ONEPASS_API onepassStatus_t onepassTSSsymv(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                           const float* alpha, const onepassBfloat16_t* A, int64_t lda,
                                           const onepassBfloat16_t* x, int64_t incx, const float* beta, float* y,
                                           int64_t incy);
ONEPASS_API onepassStatus_t onepassChemv(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                         const onepassComplex_t* alpha, const onepassComplex_t* A, int64_t lda,
                                         const onepassComplex_t* x, int64_t incx, const onepassComplex_t* beta,
                                         onepassComplex_t* y, int64_t incy);
ONEPASS_API onepassStatus_t onepassZhemv(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                         const onepassDoubleComplex_t* alpha, const onepassDoubleComplex_t* A,
                                         int64_t lda, const onepassDoubleComplex_t* x, int64_t incx,
                                         const onepassDoubleComplex_t* beta, onepassDoubleComplex_t* y, int64_t incy);

/* Many products at a fixed distance of each other. */
ONEPASS_API onepassStatus_t onepassSsymvStridedBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                       const float* alpha, const float* A, int64_t lda, int64_t strideA,
                                                       const float* x, int64_t incx, int64_t stridex, const float* beta,
                                                       float* y, int64_t incy, int64_t stridey, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassDsymvStridedBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                       const double* alpha, const double* A, int64_t lda,
                                                       int64_t strideA, const double* x, int64_t incx, int64_t stridex,
                                                       const double* beta, double* y, int64_t incy, int64_t stridey,
                                                       int64_t batchCount);
ONEPASS_API onepassStatus_t onepassCsymvStridedBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                       const onepassComplex_t* alpha, const onepassComplex_t* A,
                                                       int64_t lda, int64_t strideA, const onepassComplex_t* x,
                                                       int64_t incx, int64_t stridex, const onepassComplex_t* beta,
                                                       onepassComplex_t* y, int64_t incy, int64_t stridey,
                                                       int64_t batchCount);
ONEPASS_API onepassStatus_t onepassZsymvStridedBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                       const onepassDoubleComplex_t* alpha,
                                                       const onepassDoubleComplex_t* A, int64_t lda, int64_t strideA,
                                                       const onepassDoubleComplex_t* x, int64_t incx, int64_t stridex,
                                                       const onepassDoubleComplex_t* beta, onepassDoubleComplex_t* y,
                                                       int64_t incy, int64_t stridey, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassHSHsymvStridedBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                         const float* alpha, const onepassHalf_t* A, int64_t lda,
                                                         int64_t strideA, const onepassHalf_t* x, int64_t incx,
                                                         int64_t stridex, const float* beta, onepassHalf_t* y,
                                                         int64_t incy, int64_t stridey, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassHSSsymvStridedBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                         const float* alpha, const onepassHalf_t* A, int64_t lda,
                                                         int64_t strideA, const onepassHalf_t* x, int64_t incx,
                                                         int64_t stridex, const float* beta, float* y, int64_t incy,
                                                         int64_t stridey, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassTSTsymvStridedBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                         const float* alpha, const onepassBfloat16_t* A, int64_t lda,
                                                         int64_t strideA, const onepassBfloat16_t* x, int64_t incx,
                                                         int64_t stridex, const float* beta, onepassBfloat16_t* y,
                                                         int64_t incy, int64_t stridey, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassTSSsymvStridedBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                         const float* alpha, const onepassBfloat16_t* A, int64_t lda,
                                                         int64_t strideA, const onepassBfloat16_t* x, int64_t incx,
                                                         int64_t stridex, const float* beta, float* y, int64_t incy,
                                                         int64_t stridey, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassChemvStridedBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                       const onepassComplex_t* alpha, const onepassComplex_t* A,
                                                       int64_t lda, int64_t strideA, const onepassComplex_t* x,
                                                       int64_t incx, int64_t stridex, const onepassComplex_t* beta,
                                                       onepassComplex_t* y, int64_t incy, int64_t stridey,
                                                       int64_t batchCount);
ONEPASS_API onepassStatus_t onepassZhemvStridedBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                       const onepassDoubleComplex_t* alpha,
                                                       const onepassDoubleComplex_t* A, int64_t lda, int64_t strideA,
                                                       const onepassDoubleComplex_t* x, int64_t incx, int64_t stridex,
                                                       const onepassDoubleComplex_t* beta, onepassDoubleComplex_t* y,
                                                       int64_t incy, int64_t stridey, int64_t batchCount);

/* Many products; A, x and y are arrays of pointers, themselves where the matrices live. */
ONEPASS_API onepassStatus_t onepassSsymvBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                const float* alpha, const float* const A[], int64_t lda,
                                                const float* const x[], int64_t incx, const float* beta,
                                                float* const y[], int64_t incy, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassDsymvBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                const double* alpha, const double* const A[], int64_t lda,
                                                const double* const x[], int64_t incx, const double* beta,
                                                double* const y[], int64_t incy, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassCsymvBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                const onepassComplex_t* alpha, const onepassComplex_t* const A[],
                                                int64_t lda, const onepassComplex_t* const x[], int64_t incx,
                                                const onepassComplex_t* beta, onepassComplex_t* const y[], int64_t incy,
                                                int64_t batchCount);
ONEPASS_API onepassStatus_t onepassZsymvBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                const onepassDoubleComplex_t* alpha,
                                                const onepassDoubleComplex_t* const A[], int64_t lda,
                                                const onepassDoubleComplex_t* const x[], int64_t incx,
                                                const onepassDoubleComplex_t* beta, onepassDoubleComplex_t* const y[],
                                                int64_t incy, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassHSHsymvBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                  const float* alpha, const onepassHalf_t* const A[], int64_t lda,
                                                  const onepassHalf_t* const x[], int64_t incx, const float* beta,
                                                  onepassHalf_t* const y[], int64_t incy, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassHSSsymvBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                  const float* alpha, const onepassHalf_t* const A[], int64_t lda,
                                                  const onepassHalf_t* const x[], int64_t incx, const float* beta,
                                                  float* const y[], int64_t incy, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassTSTsymvBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                  const float* alpha, const onepassBfloat16_t* const A[], int64_t lda,
                                                  const onepassBfloat16_t* const x[], int64_t incx, const float* beta,
                                                  onepassBfloat16_t* const y[], int64_t incy, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassTSSsymvBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                  const float* alpha, const onepassBfloat16_t* const A[], int64_t lda,
                                                  const onepassBfloat16_t* const x[], int64_t incx, const float* beta,
                                                  float* const y[], int64_t incy, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassChemvBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                const onepassComplex_t* alpha, const onepassComplex_t* const A[],
                                                int64_t lda, const onepassComplex_t* const x[], int64_t incx,
                                                const onepassComplex_t* beta, onepassComplex_t* const y[], int64_t incy,
                                                int64_t batchCount);
ONEPASS_API onepassStatus_t onepassZhemvBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                const onepassDoubleComplex_t* alpha,
                                                const onepassDoubleComplex_t* const A[], int64_t lda,
                                                const onepassDoubleComplex_t* const x[], int64_t incx,
                                                const onepassDoubleComplex_t* beta, onepassDoubleComplex_t* const y[],
                                                int64_t incy, int64_t batchCount);

#ifdef __cplusplus
}
#endif

#endif /* ONEPASS_SYMV_H */
