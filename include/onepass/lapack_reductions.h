/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The reductions by the names of their types, in LAPACK's order of arguments; onepass/lapack.h includes this.
 *
 *   onepassDgehrd(handle, n, 1, n, A, lda, tau, NULL, 0);  // A = Q H Q^T
 *
 * Last come a workspace of the bytes that ...BufferSize says, where the matrices live and on a multiple of 256 bytes,
 * and its bytes; NULL and 0: one of the handle's own. A is overwritten as LAPACK does. */
#ifndef ONEPASS_LAPACK_REDUCTIONS_H
#define ONEPASS_LAPACK_REDUCTIONS_H

#include "onepass/lapack.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A = Q T Q^T, with the triangle `uplo` of A: d has n elements, e and tau n - 1. */
ONEPASS_API onepassStatus_t onepassSsytrd(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n, float* A,
                                          int64_t lda, float* d, float* e, float* tau, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassDsytrd(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n, double* A,
                                          int64_t lda, double* d, double* e, double* tau, void* workspace,
                                          size_t bytes);
/** A = Q T Q^H, T real. */
ONEPASS_API onepassStatus_t onepassChetrd(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                          onepassComplex_t* A, int64_t lda, float* d, float* e, onepassComplex_t* tau,
                                          void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassZhetrd(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                          onepassDoubleComplex_t* A, int64_t lda, double* d, double* e,
                                          onepassDoubleComplex_t* tau, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassSsytrdBufferSize(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                    int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassDsytrdBufferSize(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                    int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassChetrdBufferSize(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                    int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassZhetrdBufferSize(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                    int64_t lda, size_t* bytes);

/** A = Q B P^H of m rows and n columns, B real: upper for m >= n, else lower. With k = min(m, n), d, tauq and taup have
 * k elements, and e k - 1. */
ONEPASS_API onepassStatus_t onepassSgebrd(onepassLapackHandle_t handle, int64_t m, int64_t n, float* A, int64_t lda,
                                          float* d, float* e, float* tauq, float* taup, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassDgebrd(onepassLapackHandle_t handle, int64_t m, int64_t n, double* A, int64_t lda,
                                          double* d, double* e, double* tauq, double* taup, void* workspace,
                                          size_t bytes);
ONEPASS_API onepassStatus_t onepassCgebrd(onepassLapackHandle_t handle, int64_t m, int64_t n, onepassComplex_t* A,
                                          int64_t lda, float* d, float* e, onepassComplex_t* tauq,
                                          onepassComplex_t* taup, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassZgebrd(onepassLapackHandle_t handle, int64_t m, int64_t n, onepassDoubleComplex_t* A,
                                          int64_t lda, double* d, double* e, onepassDoubleComplex_t* tauq,
                                          onepassDoubleComplex_t* taup, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassSgebrdBufferSize(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t lda,
                                                    size_t* bytes);
ONEPASS_API onepassStatus_t onepassDgebrdBufferSize(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t lda,
                                                    size_t* bytes);
ONEPASS_API onepassStatus_t onepassCgebrdBufferSize(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t lda,
                                                    size_t* bytes);
ONEPASS_API onepassStatus_t onepassZgebrdBufferSize(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t lda,
                                                    size_t* bytes);

/** A = Q H Q^H. Rows and columns ilo..ihi, counted from 1, are reduced: all of them are 1..n, and 1..0 if n is 0. tau
 * has n - 1 elements. */
ONEPASS_API onepassStatus_t onepassSgehrd(onepassLapackHandle_t handle, int64_t n, int64_t ilo, int64_t ihi, float* A,
                                          int64_t lda, float* tau, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassDgehrd(onepassLapackHandle_t handle, int64_t n, int64_t ilo, int64_t ihi, double* A,
                                          int64_t lda, double* tau, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassCgehrd(onepassLapackHandle_t handle, int64_t n, int64_t ilo, int64_t ihi,
                                          onepassComplex_t* A, int64_t lda, onepassComplex_t* tau, void* workspace,
                                          size_t bytes);
ONEPASS_API onepassStatus_t onepassZgehrd(onepassLapackHandle_t handle, int64_t n, int64_t ilo, int64_t ihi,
                                          onepassDoubleComplex_t* A, int64_t lda, onepassDoubleComplex_t* tau,
                                          void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassSgehrdBufferSize(onepassLapackHandle_t handle, int64_t n, int64_t ilo, int64_t ihi,
                                                    int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassDgehrdBufferSize(onepassLapackHandle_t handle, int64_t n, int64_t ilo, int64_t ihi,
                                                    int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassCgehrdBufferSize(onepassLapackHandle_t handle, int64_t n, int64_t ilo, int64_t ihi,
                                                    int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassZgehrdBufferSize(onepassLapackHandle_t handle, int64_t n, int64_t ilo, int64_t ihi,
                                                    int64_t lda, size_t* bytes);

#ifdef __cplusplus
}
#endif

#endif /* ONEPASS_LAPACK_REDUCTIONS_H */
