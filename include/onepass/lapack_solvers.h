/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Eigenproblems by the names of their types, in LAPACK's order of arguments; onepass/lapack.h includes this.
 *
 *   onepassDsyevd(handle, ONEPASS_JOB_VECTORS, ONEPASS_FILL_MODE_LOWER, n, A, lda, W, NULL, 0, info);  // A := V
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

#ifdef __cplusplus
}
#endif

#endif /* ONEPASS_LAPACK_SOLVERS_H */
