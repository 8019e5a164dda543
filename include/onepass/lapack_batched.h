/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Many small eigenproblems or singular value decompositions in one call, in the order of arguments of syevd and gesvd;
 * onepass/lapack.h includes this.
 *
 *   onepassZheevdStridedBatched(handle, ONEPASS_JOB_VECTORS, ONEPASS_FILL_MODE_LOWER, n, A, lda, lda * n, W, n, NULL,
 * 0, info, batchCount);  // each A := V
 *
 * Matrix i lies at A + i strideA, or at A[i] of an array of pointers; its eigenvalues at W + i strideW, and info[i] is
 * its own: a matrix with NaN or infinity spoils no other. All matrices, A[], W and info live where the backend's memory
 * is. What is computed of a matrix has the same bits whatever its place and the size of the batch. On cuda n of
 * syevd is 512 at most, m and n of gesvd 256. Workspaces as in lapack_reductions.h; small
 * matrices of syevd need none on cuda.
 */
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

/** A = U diag(S) V^H of each: as onepass?gesvd of lapack_solvers.h, with ONEPASS_JOB_VALUES or ONEPASS_JOB_VECTORS.
 * Matrices U and V^H of each lie as those A do. On cuda A stays as it is. */
ONEPASS_API onepassStatus_t onepassSgesvdStridedBatched(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m,
                                                        int64_t n, float* A, int64_t lda, int64_t strideA, float* S,
                                                        int64_t strideS, float* U, int64_t ldu, int64_t strideU,
                                                        float* VT, int64_t ldvt, int64_t strideVT, void* workspace,
                                                        size_t bytes, int* info, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassSgesvdBatched(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m, int64_t n,
                                                 float* const A[], int64_t lda, float* S, int64_t strideS,
                                                 float* const U[], int64_t ldu, float* const VT[], int64_t ldvt,
                                                 void* workspace, size_t bytes, int* info, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassDgesvdStridedBatched(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m,
                                                        int64_t n, double* A, int64_t lda, int64_t strideA, double* S,
                                                        int64_t strideS, double* U, int64_t ldu, int64_t strideU,
                                                        double* VT, int64_t ldvt, int64_t strideVT, void* workspace,
                                                        size_t bytes, int* info, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassDgesvdBatched(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m, int64_t n,
                                                 double* const A[], int64_t lda, double* S, int64_t strideS,
                                                 double* const U[], int64_t ldu, double* const VT[], int64_t ldvt,
                                                 void* workspace, size_t bytes, int* info, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassCgesvdStridedBatched(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m,
                                                        int64_t n, onepassComplex_t* A, int64_t lda, int64_t strideA,
                                                        float* S, int64_t strideS, onepassComplex_t* U, int64_t ldu,
                                                        int64_t strideU, onepassComplex_t* VT, int64_t ldvt,
                                                        int64_t strideVT, void* workspace, size_t bytes, int* info,
                                                        int64_t batchCount);
ONEPASS_API onepassStatus_t onepassCgesvdBatched(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m, int64_t n,
                                                 onepassComplex_t* const A[], int64_t lda, float* S, int64_t strideS,
                                                 onepassComplex_t* const U[], int64_t ldu, onepassComplex_t* const VT[],
                                                 int64_t ldvt, void* workspace, size_t bytes, int* info,
                                                 int64_t batchCount);
ONEPASS_API onepassStatus_t onepassZgesvdStridedBatched(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m,
                                                        int64_t n, onepassDoubleComplex_t* A, int64_t lda,
                                                        int64_t strideA, double* S, int64_t strideS,
                                                        onepassDoubleComplex_t* U, int64_t ldu, int64_t strideU,
                                                        onepassDoubleComplex_t* VT, int64_t ldvt, int64_t strideVT,
                                                        void* workspace, size_t bytes, int* info, int64_t batchCount);
ONEPASS_API onepassStatus_t onepassZgesvdBatched(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m, int64_t n,
                                                 onepassDoubleComplex_t* const A[], int64_t lda, double* S,
                                                 int64_t strideS, onepassDoubleComplex_t* const U[], int64_t ldu,
                                                 onepassDoubleComplex_t* const VT[], int64_t ldvt, void* workspace,
                                                 size_t bytes, int* info, int64_t batchCount);
/** Bytes of workspace. */
ONEPASS_API onepassStatus_t onepassSgesvdStridedBatchedBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                                  int64_t m, int64_t n, int64_t lda, int64_t strideA,
                                                                  int64_t strideS, int64_t ldu, int64_t strideU,
                                                                  int64_t ldvt, int64_t strideVT, int64_t batchCount,
                                                                  size_t* bytes);
ONEPASS_API onepassStatus_t onepassSgesvdBatchedBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m,
                                                           int64_t n, int64_t lda, int64_t strideS, int64_t ldu,
                                                           int64_t ldvt, int64_t batchCount, size_t* bytes);
ONEPASS_API onepassStatus_t onepassDgesvdStridedBatchedBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                                  int64_t m, int64_t n, int64_t lda, int64_t strideA,
                                                                  int64_t strideS, int64_t ldu, int64_t strideU,
                                                                  int64_t ldvt, int64_t strideVT, int64_t batchCount,
                                                                  size_t* bytes);
ONEPASS_API onepassStatus_t onepassDgesvdBatchedBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m,
                                                           int64_t n, int64_t lda, int64_t strideS, int64_t ldu,
                                                           int64_t ldvt, int64_t batchCount, size_t* bytes);
ONEPASS_API onepassStatus_t onepassCgesvdStridedBatchedBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                                  int64_t m, int64_t n, int64_t lda, int64_t strideA,
                                                                  int64_t strideS, int64_t ldu, int64_t strideU,
                                                                  int64_t ldvt, int64_t strideVT, int64_t batchCount,
                                                                  size_t* bytes);
ONEPASS_API onepassStatus_t onepassCgesvdBatchedBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m,
                                                           int64_t n, int64_t lda, int64_t strideS, int64_t ldu,
                                                           int64_t ldvt, int64_t batchCount, size_t* bytes);
ONEPASS_API onepassStatus_t onepassZgesvdStridedBatchedBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                                  int64_t m, int64_t n, int64_t lda, int64_t strideA,
                                                                  int64_t strideS, int64_t ldu, int64_t strideU,
                                                                  int64_t ldvt, int64_t strideVT, int64_t batchCount,
                                                                  size_t* bytes);
ONEPASS_API onepassStatus_t onepassZgesvdBatchedBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m,
                                                           int64_t n, int64_t lda, int64_t strideS, int64_t ldu,
                                                           int64_t ldvt, int64_t batchCount, size_t* bytes);

#ifdef __cplusplus
}
#endif

#endif /* ONEPASS_LAPACK_BATCHED_H */
