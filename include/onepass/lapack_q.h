/* SPDX-FileCopyrightText: 2026 The Onepass authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What is done with the factors Q of the reductions, by the names of types, in LAPACK's order of arguments;
 * onepass/lapack.h includes this. A and tau are what the reduction left there; workspaces as in lapack_reductions.h.
 *
 *   onepassDorghr(handle, n, 1, n, A, lda, tau, NULL, 0);  // A := Q of onepassDgehrd */
#ifndef ONEPASS_LAPACK_Q_H
#define ONEPASS_LAPACK_Q_H

#include "onepass/lapack.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A := Q of sytrd or hetrd, n x n. */
ONEPASS_API onepassStatus_t onepassSorgtr(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n, float* A,
                                          int64_t lda, const float* tau, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassDorgtr(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n, double* A,
                                          int64_t lda, const double* tau, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassCungtr(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                          onepassComplex_t* A, int64_t lda, const onepassComplex_t* tau,
                                          void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassZungtr(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                          onepassDoubleComplex_t* A, int64_t lda, const onepassDoubleComplex_t* tau,
                                          void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassSorgtrBufferSize(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                    int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassDorgtrBufferSize(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                    int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassCungtrBufferSize(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                    int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassZungtrBufferSize(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n,
                                                    int64_t lda, size_t* bytes);

/** A := the first n columns of the m x m matrix Q of gebrd (VECT_Q; it reduced m x k), with m >= n >= min(m, k);
 * or the first m rows of the n x n matrix P^H (VECT_P; it reduced k x n), with n >= m >= min(n, k). */
ONEPASS_API onepassStatus_t onepassSorgbr(onepassLapackHandle_t handle, onepassVect_t vect, int64_t m, int64_t n,
                                          int64_t k, float* A, int64_t lda, const float* tau, void* workspace,
                                          size_t bytes);
ONEPASS_API onepassStatus_t onepassDorgbr(onepassLapackHandle_t handle, onepassVect_t vect, int64_t m, int64_t n,
                                          int64_t k, double* A, int64_t lda, const double* tau, void* workspace,
                                          size_t bytes);
ONEPASS_API onepassStatus_t onepassCungbr(onepassLapackHandle_t handle, onepassVect_t vect, int64_t m, int64_t n,
                                          int64_t k, onepassComplex_t* A, int64_t lda, const onepassComplex_t* tau,
                                          void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassZungbr(onepassLapackHandle_t handle, onepassVect_t vect, int64_t m, int64_t n,
                                          int64_t k, onepassDoubleComplex_t* A, int64_t lda,
                                          const onepassDoubleComplex_t* tau, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassSorgbrBufferSize(onepassLapackHandle_t handle, onepassVect_t vect, int64_t m,
                                                    int64_t n, int64_t k, int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassDorgbrBufferSize(onepassLapackHandle_t handle, onepassVect_t vect, int64_t m,
                                                    int64_t n, int64_t k, int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassCungbrBufferSize(onepassLapackHandle_t handle, onepassVect_t vect, int64_t m,
                                                    int64_t n, int64_t k, int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassZungbrBufferSize(onepassLapackHandle_t handle, onepassVect_t vect, int64_t m,
                                                    int64_t n, int64_t k, int64_t lda, size_t* bytes);

/** A := Q of gehrd, n x n; ilo and ihi as there. */
ONEPASS_API onepassStatus_t onepassSorghr(onepassLapackHandle_t handle, int64_t n, int64_t ilo, int64_t ihi, float* A,
                                          int64_t lda, const float* tau, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassDorghr(onepassLapackHandle_t handle, int64_t n, int64_t ilo, int64_t ihi, double* A,
                                          int64_t lda, const double* tau, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassCunghr(onepassLapackHandle_t handle, int64_t n, int64_t ilo, int64_t ihi,
                                          onepassComplex_t* A, int64_t lda, const onepassComplex_t* tau,
                                          void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassZunghr(onepassLapackHandle_t handle, int64_t n, int64_t ilo, int64_t ihi,
                                          onepassDoubleComplex_t* A, int64_t lda, const onepassDoubleComplex_t* tau,
                                          void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassSorghrBufferSize(onepassLapackHandle_t handle, int64_t n, int64_t ilo, int64_t ihi,
                                                    int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassDorghrBufferSize(onepassLapackHandle_t handle, int64_t n, int64_t ilo, int64_t ihi,
                                                    int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassCunghrBufferSize(onepassLapackHandle_t handle, int64_t n, int64_t ilo, int64_t ihi,
                                                    int64_t lda, size_t* bytes);
ONEPASS_API onepassStatus_t onepassZunghrBufferSize(onepassLapackHandle_t handle, int64_t n, int64_t ilo, int64_t ihi,
                                                    int64_t lda, size_t* bytes);

/** C := op(Q) C (SIDE_LEFT) or C op(Q), with Q of sytrd or hetrd and C of m x n. op: N, and T of real or C of complex
 * types. */
ONEPASS_API onepassStatus_t onepassSormtr(onepassLapackHandle_t handle, onepassSide_t side, onepassFillMode_t uplo,
                                          onepassOperation_t op, int64_t m, int64_t n, const float* A, int64_t lda,
                                          const float* tau, float* C, int64_t ldc, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassDormtr(onepassLapackHandle_t handle, onepassSide_t side, onepassFillMode_t uplo,
                                          onepassOperation_t op, int64_t m, int64_t n, const double* A, int64_t lda,
                                          const double* tau, double* C, int64_t ldc, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassCunmtr(onepassLapackHandle_t handle, onepassSide_t side, onepassFillMode_t uplo,
                                          onepassOperation_t op, int64_t m, int64_t n, const onepassComplex_t* A,
                                          int64_t lda, const onepassComplex_t* tau, onepassComplex_t* C, int64_t ldc,
                                          void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassZunmtr(onepassLapackHandle_t handle, onepassSide_t side, onepassFillMode_t uplo,
                                          onepassOperation_t op, int64_t m, int64_t n, const onepassDoubleComplex_t* A,
                                          int64_t lda, const onepassDoubleComplex_t* tau, onepassDoubleComplex_t* C,
                                          int64_t ldc, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassSormtrBufferSize(onepassLapackHandle_t handle, onepassSide_t side,
                                                    onepassFillMode_t uplo, onepassOperation_t op, int64_t m, int64_t n,
                                                    int64_t lda, int64_t ldc, size_t* bytes);
ONEPASS_API onepassStatus_t onepassDormtrBufferSize(onepassLapackHandle_t handle, onepassSide_t side,
                                                    onepassFillMode_t uplo, onepassOperation_t op, int64_t m, int64_t n,
                                                    int64_t lda, int64_t ldc, size_t* bytes);
ONEPASS_API onepassStatus_t onepassCunmtrBufferSize(onepassLapackHandle_t handle, onepassSide_t side,
                                                    onepassFillMode_t uplo, onepassOperation_t op, int64_t m, int64_t n,
                                                    int64_t lda, int64_t ldc, size_t* bytes);
ONEPASS_API onepassStatus_t onepassZunmtrBufferSize(onepassLapackHandle_t handle, onepassSide_t side,
                                                    onepassFillMode_t uplo, onepassOperation_t op, int64_t m, int64_t n,
                                                    int64_t lda, int64_t ldc, size_t* bytes);

/** Likewise with Q of gebrd (VECT_Q), which reduced a matrix with k columns, or P (VECT_P), of one with k rows. */
ONEPASS_API onepassStatus_t onepassSormbr(onepassLapackHandle_t handle, onepassVect_t vect, onepassSide_t side,
                                          onepassOperation_t op, int64_t m, int64_t n, int64_t k, const float* A,
                                          int64_t lda, const float* tau, float* C, int64_t ldc, void* workspace,
                                          size_t bytes);
ONEPASS_API onepassStatus_t onepassDormbr(onepassLapackHandle_t handle, onepassVect_t vect, onepassSide_t side,
                                          onepassOperation_t op, int64_t m, int64_t n, int64_t k, const double* A,
                                          int64_t lda, const double* tau, double* C, int64_t ldc, void* workspace,
                                          size_t bytes);
ONEPASS_API onepassStatus_t onepassCunmbr(onepassLapackHandle_t handle, onepassVect_t vect, onepassSide_t side,
                                          onepassOperation_t op, int64_t m, int64_t n, int64_t k,
                                          const onepassComplex_t* A, int64_t lda, const onepassComplex_t* tau,
                                          onepassComplex_t* C, int64_t ldc, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassZunmbr(onepassLapackHandle_t handle, onepassVect_t vect, onepassSide_t side,
                                          onepassOperation_t op, int64_t m, int64_t n, int64_t k,
                                          const onepassDoubleComplex_t* A, int64_t lda,
                                          const onepassDoubleComplex_t* tau, onepassDoubleComplex_t* C, int64_t ldc,
                                          void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassSormbrBufferSize(onepassLapackHandle_t handle, onepassVect_t vect,
                                                    onepassSide_t side, onepassOperation_t op, int64_t m, int64_t n,
                                                    int64_t k, int64_t lda, int64_t ldc, size_t* bytes);
ONEPASS_API onepassStatus_t onepassDormbrBufferSize(onepassLapackHandle_t handle, onepassVect_t vect,
                                                    onepassSide_t side, onepassOperation_t op, int64_t m, int64_t n,
                                                    int64_t k, int64_t lda, int64_t ldc, size_t* bytes);
ONEPASS_API onepassStatus_t onepassCunmbrBufferSize(onepassLapackHandle_t handle, onepassVect_t vect,
                                                    onepassSide_t side, onepassOperation_t op, int64_t m, int64_t n,
                                                    int64_t k, int64_t lda, int64_t ldc, size_t* bytes);
ONEPASS_API onepassStatus_t onepassZunmbrBufferSize(onepassLapackHandle_t handle, onepassVect_t vect,
                                                    onepassSide_t side, onepassOperation_t op, int64_t m, int64_t n,
                                                    int64_t k, int64_t lda, int64_t ldc, size_t* bytes);

/** Likewise with Q of gehrd; ilo and ihi as there. */
ONEPASS_API onepassStatus_t onepassSormhr(onepassLapackHandle_t handle, onepassSide_t side, onepassOperation_t op,
                                          int64_t m, int64_t n, int64_t ilo, int64_t ihi, const float* A, int64_t lda,
                                          const float* tau, float* C, int64_t ldc, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassDormhr(onepassLapackHandle_t handle, onepassSide_t side, onepassOperation_t op,
                                          int64_t m, int64_t n, int64_t ilo, int64_t ihi, const double* A, int64_t lda,
                                          const double* tau, double* C, int64_t ldc, void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassCunmhr(onepassLapackHandle_t handle, onepassSide_t side, onepassOperation_t op,
                                          int64_t m, int64_t n, int64_t ilo, int64_t ihi, const onepassComplex_t* A,
                                          int64_t lda, const onepassComplex_t* tau, onepassComplex_t* C, int64_t ldc,
                                          void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassZunmhr(onepassLapackHandle_t handle, onepassSide_t side, onepassOperation_t op,
                                          int64_t m, int64_t n, int64_t ilo, int64_t ihi,
                                          const onepassDoubleComplex_t* A, int64_t lda,
                                          const onepassDoubleComplex_t* tau, onepassDoubleComplex_t* C, int64_t ldc,
                                          void* workspace, size_t bytes);
ONEPASS_API onepassStatus_t onepassSormhrBufferSize(onepassLapackHandle_t handle, onepassSide_t side,
                                                    onepassOperation_t op, int64_t m, int64_t n, int64_t ilo,
                                                    int64_t ihi, int64_t lda, int64_t ldc, size_t* bytes);
ONEPASS_API onepassStatus_t onepassDormhrBufferSize(onepassLapackHandle_t handle, onepassSide_t side,
                                                    onepassOperation_t op, int64_t m, int64_t n, int64_t ilo,
                                                    int64_t ihi, int64_t lda, int64_t ldc, size_t* bytes);
ONEPASS_API onepassStatus_t onepassCunmhrBufferSize(onepassLapackHandle_t handle, onepassSide_t side,
                                                    onepassOperation_t op, int64_t m, int64_t n, int64_t ilo,
                                                    int64_t ihi, int64_t lda, int64_t ldc, size_t* bytes);
ONEPASS_API onepassStatus_t onepassZunmhrBufferSize(onepassLapackHandle_t handle, onepassSide_t side,
                                                    onepassOperation_t op, int64_t m, int64_t n, int64_t ilo,
                                                    int64_t ihi, int64_t lda, int64_t ldc, size_t* bytes);

#ifdef __cplusplus
}
#endif

#endif /* ONEPASS_LAPACK_Q_H */
