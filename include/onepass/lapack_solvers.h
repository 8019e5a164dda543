/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Eigenproblems and singular value decompositions by the names of their types, in LAPACK's order of arguments;
 * onepass/lapack.h includes this.
 *
 *   onepassDsyevd(handle, ONEPASS_JOB_VECTORS, ONEPASS_FILL_MODE_LOWER, n, A, lda, W, NULL, 0, info);  // A := V
 *   onepassDgesvd(handle, ONEPASS_JOB_VECTORS, m, n, A, lda, S, U, ldu, VT, ldvt, NULL, 0, info);
 *
 * Workspaces as in lapack_reductions.h. `info` is an int where the matrices live: on cuda it is written when the work
 * that was queued is done. */
#ifndef ONEPASS_LAPACK_SOLVERS_H
#define ONEPASS_LAPACK_SOLVERS_H

#include "onepass/lapack.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A = V diag(W) V^T, with the triangle `uplo` of A: W has n elements, ascending. JOB_VECTORS: A := V, column i belongs
 * to W[i]; JOB_VALUES: the triangle is lost. info: 0; positive where A has NaN or infinity, and then W (and V) are NaN,
 * or where the iteration did not converge. */
ONEPASS_API onepassStatus_t onepassSsyevd(onepassLapackHandle_t handle, onepassJob_t jobz, onepassFillMode_t uplo,
                                          int64_t n, float* A, int64_t lda, float* W, void* workspace, size_t bytes,
                                          int* info);
ONEPASS_API onepassStatus_t onepassDsyevd(onepassLapackHandle_t handle, onepassJob_t jobz, onepassFillMode_t uplo,
                                          int64_t n, double* A, int64_t lda, double* W, void* workspace, size_t bytes,
                                          int* info);
/** A = V diag(W) V^H, W real. */
ONEPASS_API onepassStatus_t onepassCheevd(onepassLapackHandle_t handle, onepassJob_t jobz, onepassFillMode_t uplo,
                                          int64_t n, onepassComplex_t* A, int64_t lda, float* W, void* workspace,
                                          size_t bytes, int* info);
ONEPASS_API onepassStatus_t onepassZheevd(onepassLapackHandle_t handle, onepassJob_t jobz, onepassFillMode_t uplo,
                                          int64_t n, onepassDoubleComplex_t* A, int64_t lda, double* W, void* workspace,
                                          size_t bytes, int* info);
ONEPASS_API onepassStatus_t onepassSsyevdBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                    onepassFillMode_t uplo, int64_t n, int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassDsyevdBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                    onepassFillMode_t uplo, int64_t n, int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassCheevdBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                    onepassFillMode_t uplo, int64_t n, int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassZheevdBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                    onepassFillMode_t uplo, int64_t n, int64_t lda, size_t* bytes);

/** Some of the eigenvalues: those il..iu of the ascending ones, counted from 1 (RANGE_INDEX), or those in (vl, vu]
 * (RANGE_VALUE, with JOB_VALUES alone); RANGE_ALL: all of them. They are the first of W, which has n elements, and
 * their eigenvectors the first columns of A; whatever else is there is lost. `found` is an int where the matrices live,
 * which says how many there are by value; it may be NULL otherwise. */
ONEPASS_API onepassStatus_t onepassSsyevdx(onepassLapackHandle_t handle, onepassJob_t jobz, onepassRange_t range,
                                           onepassFillMode_t uplo, int64_t n, float* A, int64_t lda, float vl, float vu,
                                           int64_t il, int64_t iu, int* found, float* W, void* workspace, size_t bytes,
                                           int* info);
ONEPASS_API onepassStatus_t onepassDsyevdx(onepassLapackHandle_t handle, onepassJob_t jobz, onepassRange_t range,
                                           onepassFillMode_t uplo, int64_t n, double* A, int64_t lda, double vl,
                                           double vu, int64_t il, int64_t iu, int* found, double* W, void* workspace,
                                           size_t bytes, int* info);
ONEPASS_API onepassStatus_t onepassCheevdx(onepassLapackHandle_t handle, onepassJob_t jobz, onepassRange_t range,
                                           onepassFillMode_t uplo, int64_t n, onepassComplex_t* A, int64_t lda,
                                           float vl, float vu, int64_t il, int64_t iu, int* found, float* W,
                                           void* workspace, size_t bytes, int* info);
ONEPASS_API onepassStatus_t onepassZheevdx(onepassLapackHandle_t handle, onepassJob_t jobz, onepassRange_t range,
                                           onepassFillMode_t uplo, int64_t n, onepassDoubleComplex_t* A, int64_t lda,
                                           double vl, double vu, int64_t il, int64_t iu, int* found, double* W,
                                           void* workspace, size_t bytes, int* info);
ONEPASS_API onepassStatus_t onepassSsyevdxBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                     onepassRange_t range, onepassFillMode_t uplo, int64_t n,
                                                     int64_t lda, float vl, float vu, int64_t il, int64_t iu,
                                                     size_t* bytes);
ONEPASS_API onepassStatus_t onepassDsyevdxBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                     onepassRange_t range, onepassFillMode_t uplo, int64_t n,
                                                     int64_t lda, double vl, double vu, int64_t il, int64_t iu,
                                                     size_t* bytes);
ONEPASS_API onepassStatus_t onepassCheevdxBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                     onepassRange_t range, onepassFillMode_t uplo, int64_t n,
                                                     int64_t lda, float vl, float vu, int64_t il, int64_t iu,
                                                     size_t* bytes);
ONEPASS_API onepassStatus_t onepassZheevdxBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz,
                                                     onepassRange_t range, onepassFillMode_t uplo, int64_t n,
                                                     int64_t lda, double vl, double vu, int64_t il, int64_t iu,
                                                     size_t* bytes);

/** A = U diag(S) VT of m x n, VT = V^H: S has k = min(m, n) elements, descending; A is lost. JOB_VECTORS: U is m x k
 * and VT k x n; JOB_ALL: U is m x m and VT n x n; JOB_VALUES: neither is looked at. info: 0; positive where A has NaN
 * or infinity, and then S, U and VT are NaN, or where the iteration did not converge. Where m or n is 0, info alone is
 * written. */
ONEPASS_API onepassStatus_t onepassSgesvd(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m, int64_t n,
                                          float* A, int64_t lda, float* S, float* U, int64_t ldu, float* VT,
                                          int64_t ldvt, void* workspace, size_t bytes, int* info);
ONEPASS_API onepassStatus_t onepassDgesvd(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m, int64_t n,
                                          double* A, int64_t lda, double* S, double* U, int64_t ldu, double* VT,
                                          int64_t ldvt, void* workspace, size_t bytes, int* info);
ONEPASS_API onepassStatus_t onepassCgesvd(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m, int64_t n,
                                          onepassComplex_t* A, int64_t lda, float* S, onepassComplex_t* U, int64_t ldu,
                                          onepassComplex_t* VT, int64_t ldvt, void* workspace, size_t bytes, int* info);
ONEPASS_API onepassStatus_t onepassZgesvd(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m, int64_t n,
                                          onepassDoubleComplex_t* A, int64_t lda, double* S, onepassDoubleComplex_t* U,
                                          int64_t ldu, onepassDoubleComplex_t* VT, int64_t ldvt, void* workspace,
                                          size_t bytes, int* info);
ONEPASS_API onepassStatus_t onepassSgesvdBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m,
                                                    int64_t n, int64_t lda, int64_t ldu, int64_t ldvt, size_t* bytes);
ONEPASS_API onepassStatus_t onepassDgesvdBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m,
                                                    int64_t n, int64_t lda, int64_t ldu, int64_t ldvt, size_t* bytes);
ONEPASS_API onepassStatus_t onepassCgesvdBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m,
                                                    int64_t n, int64_t lda, int64_t ldu, int64_t ldvt, size_t* bytes);
ONEPASS_API onepassStatus_t onepassZgesvdBufferSize(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m,
                                                    int64_t n, int64_t lda, int64_t ldu, int64_t ldvt, size_t* bytes);

#ifdef __cplusplus
}
#endif

#endif /* ONEPASS_LAPACK_SOLVERS_H */
