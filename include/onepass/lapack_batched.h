/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Many small eigenproblems in one call, in the order of arguments of syevd; onepass/lapack.h includes this.
 *
 *   onepassZheevdStridedBatched(handle, ONEPASS_JOB_VECTORS, ONEPASS_FILL_MODE_LOWER, n, A, lda, lda * n, W, n, NULL,
 * 0, info, batchCount);  // each A := V
 *
 * Matrix i lies at A + i strideA, or at A[i] of an array of pointers; its eigenvalues at W + i strideW, and info[i] is
 * its own: a matrix with NaN or infinity spoils no other. All matrices, A[], W and info live where the backend's memory
 * is. What is computed of a matrix has the same bits whatever its place and the size of the batch. On cuda n is 512 at
 * most. Workspaces as in lapack_reductions.h; up to n = 32 none is needed on cuda. */
#ifndef ONEPASS_LAPACK_BATCHED_H
#define ONEPASS_LAPACK_BATCHED_H

#include "onepass/lapack.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A = V diag(W) V^T of each: as onepass?syevd of lapack_solvers.h. */
ONEPASS_API onepassStatus_t onepassSsyevdStridedBatched(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                        onepassFillMode_t uplo, int64_t n, float* A, int64_t lda,
                                                        int64_t strideA, float* W, int64_t strideW, void* workspace,
                                                        size_t bytes, int* info, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassSsyevdBatched(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                 onepassFillMode_t uplo, int64_t n, float* const A[], int64_t lda,
                                                 float* W, int64_t strideW, void* workspace, size_t bytes, int* info,
                                                 int64_t batchCount);
ONEPASS_API onepassStatus_t onepassDsyevdStridedBatched(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                        onepassFillMode_t uplo, int64_t n, double* A, int64_t lda,
                                                        int64_t strideA, double* W, int64_t strideW, void* workspace,
                                                        size_t bytes, int* info, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassDsyevdBatched(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                 onepassFillMode_t uplo, int64_t n, double* const A[], int64_t lda,
                                                 double* W, int64_t strideW, void* workspace, size_t bytes, int* info,
                                                 int64_t batchCount);
/** A = V diag(W) V^H, W real. */
ONEPASS_API onepassStatus_t onepassCheevdStridedBatched(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                        onepassFillMode_t uplo, int64_t n, onepassComplex_t* A,
                                                        int64_t lda, int64_t strideA, float* W, int64_t strideW,
                                                        void* workspace, size_t bytes, int* info, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassCheevdBatched(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                 onepassFillMode_t uplo, int64_t n, onepassComplex_t* const A[],
                                                 int64_t lda, float* W, int64_t strideW, void* workspace, size_t bytes,
                                                 int* info, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassZheevdStridedBatched(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                        onepassFillMode_t uplo, int64_t n, onepassDoubleComplex_t* A,
                                                        int64_t lda, int64_t strideA, double* W, int64_t strideW,
                                                        void* workspace, size_t bytes, int* info, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassZheevdBatched(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                 onepassFillMode_t uplo, int64_t n, onepassDoubleComplex_t* const A[],
                                                 int64_t lda, double* W, int64_t strideW, void* workspace, size_t bytes,
                                                 int* info, int64_t batchCount);
/** Bytes of workspace. */
ONEPASS_API onepassStatus_t onepassSsyevdStridedBatchedBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                                  onepassFillMode_t uplo, int64_t n, int64_t lda,
                                                                  int64_t strideA, int64_t strideW, int64_t batchCount,
                                                                  size_t* bytes);
ONEPASS_API onepassStatus_t onepassSsyevdBatchedBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                           onepassFillMode_t uplo, int64_t n, int64_t lda,
                                                           int64_t strideW, int64_t batchCount, size_t* bytes);
ONEPASS_API onepassStatus_t onepassDsyevdStridedBatchedBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                                  onepassFillMode_t uplo, int64_t n, int64_t lda,
                                                                  int64_t strideA, int64_t strideW, int64_t batchCount,
                                                                  size_t* bytes);
ONEPASS_API onepassStatus_t onepassDsyevdBatchedBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                           onepassFillMode_t uplo, int64_t n, int64_t lda,
                                                           int64_t strideW, int64_t batchCount, size_t* bytes);
ONEPASS_API onepassStatus_t onepassCheevdStridedBatchedBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                                  onepassFillMode_t uplo, int64_t n, int64_t lda,
                                                                  int64_t strideA, int64_t strideW, int64_t batchCount,
                                                                  size_t* bytes);
ONEPASS_API onepassStatus_t onepassCheevdBatchedBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                           onepassFillMode_t uplo, int64_t n, int64_t lda,
                                                           int64_t strideW, int64_t batchCount, size_t* bytes);
ONEPASS_API onepassStatus_t onepassZheevdStridedBatchedBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                                  onepassFillMode_t uplo, int64_t n, int64_t lda,
                                                                  int64_t strideA, int64_t strideW, int64_t batchCount,
                                                                  size_t* bytes);
ONEPASS_API onepassStatus_t onepassZheevdBatchedBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                           onepassFillMode_t uplo, int64_t n, int64_t lda,
                                                           int64_t strideW, int64_t batchCount, size_t* bytes);

#ifdef __cplusplus
}
#endif

#endif /* ONEPASS_LAPACK_BATCHED_H */
