/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank-1 updates, A = alpha x y^T + A and A = alpha x y^H + A; onepass.h includes this.
 *
 *   double alpha = -1;
 *   onepassDger(handle, m, n, &alpha, x, 1, y, 1, A, lda);  // A -= x y^T
 *
 * ger and geru take y^T, gerc y^H. */
#ifndef ONEPASS_GER_H
#define ONEPASS_GER_H

#include "onepass/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An update as data. Fill it from onepassGerProblemDefault() and change what differs. */
typedef struct onepassGerProblem {
  onepassType_t type; /* of A, x and y: s, d, c or z */
  int conjugate;      /* y^H instead of y^T: c and z */
  onepassLayout_t layout;
  int64_t m, n;                 /* rows and columns of A; x has m elements, y has n */
  int64_t lda;                  /* distance of two columns (column major) or two rows (row major) */
  int64_t incx, incy;           /* not zero; negative as in BLAS */
  int64_t batch;                /* number of updates; 1 for a single one */
  int pointer_array;            /* A, x and y are arrays of `batch` pointers */
  int64_t stride_a;             /* else: distance of two matrices in elements; not 0 in a batch */
  int64_t stride_x, stride_y;   /* likewise of two vectors; 0: all updates share one */
  onepassPointerMode_t scalars; /* where alpha lives */
  int64_t alignment_a;          /* every matrix is a multiple of so many bytes; 0: not known */
} onepassGerProblem_t;

/** Column major, lda = m, increments 1, one update, alpha on the host, y^T. */
ONEPASS_API onepassGerProblem_t onepassGerProblemDefault(onepassType_t type, int64_t m, int64_t n);

/** A = alpha x y^T + A, or with y^H. Neither x nor y may overlap A. alpha == 0: A, x and y are not touched. */
ONEPASS_API onepassStatus_t onepassGer(onepassHandle_t handle, const onepassGerProblem_t* problem, const void* alpha,
                                       const void* x, const void* y, void* A);

/** The plan of an update. onepassPlanRun takes A as `a`, writes to it, and ignores beta. */
ONEPASS_API onepassStatus_t onepassPlanGer(onepassHandle_t handle, const onepassGerProblem_t* problem,
                                           onepassPlan_t* plan);

ONEPASS_API onepassStatus_t onepassSger(onepassHandle_t handle, int64_t m, int64_t n, const float* alpha,
                                        const float* x, int64_t incx, const float* y, int64_t incy, float* A,
                                        int64_t lda);
ONEPASS_API onepassStatus_t onepassSgerStridedBatched(onepassHandle_t handle, int64_t m, int64_t n, const float* alpha,
                                                      const float* x, int64_t incx, int64_t strideX, const float* y,
                                                      int64_t incy, int64_t strideY, float* A, int64_t lda,
                                                      int64_t strideA, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassSgerBatched(onepassHandle_t handle, int64_t m, int64_t n, const float* alpha,
                                               const float* const x[], int64_t incx, const float* const y[],
                                               int64_t incy, float* const A[], int64_t lda, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassDger(onepassHandle_t handle, int64_t m, int64_t n, const double* alpha,
                                        const double* x, int64_t incx, const double* y, int64_t incy, double* A,
                                        int64_t lda);
ONEPASS_API onepassStatus_t onepassDgerStridedBatched(onepassHandle_t handle, int64_t m, int64_t n, const double* alpha,
                                                      const double* x, int64_t incx, int64_t strideX, const double* y,
                                                      int64_t incy, int64_t strideY, double* A, int64_t lda,
                                                      int64_t strideA, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassDgerBatched(onepassHandle_t handle, int64_t m, int64_t n, const double* alpha,
                                               const double* const x[], int64_t incx, const double* const y[],
                                               int64_t incy, double* const A[], int64_t lda, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassCgeru(onepassHandle_t handle, int64_t m, int64_t n, const onepassComplex_t* alpha,
                                         const onepassComplex_t* x, int64_t incx, const onepassComplex_t* y,
                                         int64_t incy, onepassComplex_t* A, int64_t lda);
ONEPASS_API onepassStatus_t onepassCgeruStridedBatched(onepassHandle_t handle, int64_t m, int64_t n,
                                                       const onepassComplex_t* alpha, const onepassComplex_t* x,
                                                       int64_t incx, int64_t strideX, const onepassComplex_t* y,
                                                       int64_t incy, int64_t strideY, onepassComplex_t* A, int64_t lda,
                                                       int64_t strideA, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassCgeruBatched(onepassHandle_t handle, int64_t m, int64_t n,
                                                const onepassComplex_t* alpha, const onepassComplex_t* const x[],
                                                int64_t incx, const onepassComplex_t* const y[], int64_t incy,
                                                onepassComplex_t* const A[], int64_t lda, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassCgerc(onepassHandle_t handle, int64_t m, int64_t n, const onepassComplex_t* alpha,
                                         const onepassComplex_t* x, int64_t incx, const onepassComplex_t* y,
                                         int64_t incy, onepassComplex_t* A, int64_t lda);
ONEPASS_API onepassStatus_t onepassCgercStridedBatched(onepassHandle_t handle, int64_t m, int64_t n,
                                                       const onepassComplex_t* alpha, const onepassComplex_t* x,
                                                       int64_t incx, int64_t strideX, const onepassComplex_t* y,
                                                       int64_t incy, int64_t strideY, onepassComplex_t* A, int64_t lda,
                                                       int64_t strideA, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassCgercBatched(onepassHandle_t handle, int64_t m, int64_t n,
                                                const onepassComplex_t* alpha, const onepassComplex_t* const x[],
                                                int64_t incx, const onepassComplex_t* const y[], int64_t incy,
                                                onepassComplex_t* const A[], int64_t lda, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassZgeru(onepassHandle_t handle, int64_t m, int64_t n,
                                         const onepassDoubleComplex_t* alpha, const onepassDoubleComplex_t* x,
                                         int64_t incx, const onepassDoubleComplex_t* y, int64_t incy,
                                         onepassDoubleComplex_t* A, int64_t lda);
ONEPASS_API onepassStatus_t onepassZgeruStridedBatched(onepassHandle_t handle, int64_t m, int64_t n,
                                                       const onepassDoubleComplex_t* alpha,
                                                       const onepassDoubleComplex_t* x, int64_t incx, int64_t strideX,
                                                       const onepassDoubleComplex_t* y, int64_t incy, int64_t strideY,
                                                       onepassDoubleComplex_t* A, int64_t lda, int64_t strideA,
                                                       int64_t batchCount);
ONEPASS_API onepassStatus_t onepassZgeruBatched(onepassHandle_t handle, int64_t m, int64_t n,
                                                const onepassDoubleComplex_t* alpha,
                                                const onepassDoubleComplex_t* const x[], int64_t incx,
                                                const onepassDoubleComplex_t* const y[], int64_t incy,
                                                onepassDoubleComplex_t* const A[], int64_t lda, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassZgerc(onepassHandle_t handle, int64_t m, int64_t n,
                                         const onepassDoubleComplex_t* alpha, const onepassDoubleComplex_t* x,
                                         int64_t incx, const onepassDoubleComplex_t* y, int64_t incy,
                                         onepassDoubleComplex_t* A, int64_t lda);
ONEPASS_API onepassStatus_t onepassZgercStridedBatched(onepassHandle_t handle, int64_t m, int64_t n,
                                                       const onepassDoubleComplex_t* alpha,
                                                       const onepassDoubleComplex_t* x, int64_t incx, int64_t strideX,
                                                       const onepassDoubleComplex_t* y, int64_t incy, int64_t strideY,
                                                       onepassDoubleComplex_t* A, int64_t lda, int64_t strideA,
                                                       int64_t batchCount);
ONEPASS_API onepassStatus_t onepassZgercBatched(onepassHandle_t handle, int64_t m, int64_t n,
                                                const onepassDoubleComplex_t* alpha,
                                                const onepassDoubleComplex_t* const x[], int64_t incx,
                                                const onepassDoubleComplex_t* const y[], int64_t incy,
                                                onepassDoubleComplex_t* const A[], int64_t lda, int64_t batchCount);

#ifdef __cplusplus
}
#endif

#endif /* ONEPASS_GER_H */
