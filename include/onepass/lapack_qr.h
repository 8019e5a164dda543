/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QR factorisation by the names of types, in LAPACK's order of arguments; onepass/lapack.h includes this. Workspaces as
 * in lapack_reductions.h.
 *
 *   onepassDgeqrf(handle, m, n, A, lda, tau, NULL, 0);     // R in the upper triangle of A, reflectors below it
 *   onepassDorgqr(handle, m, n, n, A, lda, tau, NULL, 0);  // A := the first n columns of Q */
#ifndef ONEPASS_LAPACK_QR_H
#define ONEPASS_LAPACK_QR_H

#include "onepass/lapack.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A = Q R, m x n: R, upper triangular or, for m < n, trapezoidal, on and above the diagonal of A, the reflectors of Q
 * below it. tau has min(m, n) elements. */
ONEPASS_API onepassStatus_t onepassSgeqrf(onepassLapackHandle_t handle, int64_t m, int64_t n, float* A, int64_t lda,
                                          float* tau, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassDgeqrf(onepassLapackHandle_t handle, int64_t m, int64_t n, double* A, int64_t lda,
                                          double* tau, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassCgeqrf(onepassLapackHandle_t handle, int64_t m, int64_t n, onepassComplex_t* A,
                                          int64_t lda, onepassComplex_t* tau, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassZgeqrf(onepassLapackHandle_t handle, int64_t m, int64_t n, onepassDoubleComplex_t* A,
                                          int64_t lda, onepassDoubleComplex_t* tau, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassSgeqrfBufferSize(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t lda,
                                                    size_t* bytes);
ONEPASS_API onepassStatus_t onepassDgeqrfBufferSize(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t lda,
                                                    size_t* bytes);
ONEPASS_API onepassStatus_t onepassCgeqrfBufferSize(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t lda,
                                                    size_t* bytes);
ONEPASS_API onepassStatus_t onepassZgeqrfBufferSize(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t lda,
                                                    size_t* bytes);

/** A := the first n columns of the m x m matrix Q of geqrf, with m >= n >= k: of its first k reflectors. */
ONEPASS_API onepassStatus_t onepassSorgqr(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t k, float* A,
                                          int64_t lda, const float* tau, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassDorgqr(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t k, double* A,
                                          int64_t lda, const double* tau, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassCungqr(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t k,
                                          onepassComplex_t* A, int64_t lda, const onepassComplex_t* tau,
                                          void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassZungqr(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t k,
                                          onepassDoubleComplex_t* A, int64_t lda, const onepassDoubleComplex_t* tau,
                                          void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassSorgqrBufferSize(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t k,
                                                    int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassDorgqrBufferSize(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t k,
                                                    int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassCungqrBufferSize(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t k,
                                                    int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassZungqrBufferSize(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t k,
                                                    int64_t lda, size_t* bytes);

/** C := op(Q) C (SIDE_LEFT) or C op(Q), with Q of the first k reflectors of geqrf and C of m x n. op: N, and T of real
 * or C of complex types. */
ONEPASS_API onepassStatus_t onepassSormqr(onepassLapackHandle_t handle, onepassSide_t side, onepassOperation_t op,
                                          int64_t m, int64_t n, int64_t k, const float* A, int64_t lda,
                                          const float* tau, float* C, int64_t ldc, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassDormqr(onepassLapackHandle_t handle, onepassSide_t side, onepassOperation_t op,
                                          int64_t m, int64_t n, int64_t k, const double* A, int64_t lda,
                                          const double* tau, double* C, int64_t ldc, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassCunmqr(onepassLapackHandle_t handle, onepassSide_t side, onepassOperation_t op,
                                          int64_t m, int64_t n, int64_t k, const onepassComplex_t* A, int64_t lda,
                                          const onepassComplex_t* tau, onepassComplex_t* C, int64_t ldc,
                                          void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassZunmqr(onepassLapackHandle_t handle, onepassSide_t side, onepassOperation_t op,
                                          int64_t m, int64_t n, int64_t k, const onepassDoubleComplex_t* A, int64_t lda,
                                          const onepassDoubleComplex_t* tau, onepassDoubleComplex_t* C, int64_t ldc,
                                          void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassSormqrBufferSize(onepassLapackHandle_t handle, onepassSide_t side,
                                                    onepassOperation_t op, int64_t m, int64_t n, int64_t k, int64_t lda,
                                                    int64_t ldc, size_t* bytes);
ONEPASS_API onepassStatus_t onepassDormqrBufferSize(onepassLapackHandle_t handle, onepassSide_t side,
                                                    onepassOperation_t op, int64_t m, int64_t n, int64_t k, int64_t lda,
                                                    int64_t ldc, size_t* bytes);
ONEPASS_API onepassStatus_t onepassCunmqrBufferSize(onepassLapackHandle_t handle, onepassSide_t side,
                                                    onepassOperation_t op, int64_t m, int64_t n, int64_t k, int64_t lda,
                                                    int64_t ldc, size_t* bytes);
ONEPASS_API onepassStatus_t onepassZunmqrBufferSize(onepassLapackHandle_t handle, onepassSide_t side,
                                                    onepassOperation_t op, int64_t m, int64_t n, int64_t k, int64_t lda,
                                                    int64_t ldc, size_t* bytes);

#ifdef __cplusplus
}
#endif

#endif /* ONEPASS_LAPACK_QR_H */
