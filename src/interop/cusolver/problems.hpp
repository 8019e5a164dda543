// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The arguments of cuSOLVER's functions as problems of Onepass, or why they stay with cuSOLVER. What is wrong with them
// is left to Onepass to see, and to cuSOLVER to say. Pure.
#pragma once

#include <cusolverDn.h>

#include <cstdint>

#include "onepass/lapack.h"

namespace onepass::cusolver {

// Which singular vectors cuSOLVER leaves in the place of A. Onepass has them beside it first.
enum class InPlace : std::uint8_t { none, u, vt };

struct Asked {
  onepassLapackProblem_t problem{};
  const char* declined = nullptr;  // why it is passed on; null if it is not
  InPlace in_place = InPlace::none;
};

Asked sytrd(onepassType_t type, cublasFillMode_t uplo, std::int64_t n, std::int64_t lda);
Asked gebrd(onepassType_t type, std::int64_t m, std::int64_t n, std::int64_t lda);
Asked orgtr(onepassType_t type, cublasFillMode_t uplo, std::int64_t n, std::int64_t lda);
// side: left for Q of gebrd, right for its P^H.
Asked orgbr(onepassType_t type, cublasSideMode_t side, std::int64_t m, std::int64_t n, std::int64_t k,
            std::int64_t lda);
Asked ormtr(onepassType_t type, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t op, std::int64_t m,
            std::int64_t n, std::int64_t lda, std::int64_t ldc);

Asked geqrf(onepassType_t type, std::int64_t m, std::int64_t n, std::int64_t lda);
Asked orgqr(onepassType_t type, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t lda);
Asked ormqr(onepassType_t type, cublasSideMode_t side, cublasOperation_t op, std::int64_t m, std::int64_t n,
            std::int64_t k, std::int64_t lda, std::int64_t ldc);

// Letters of LAPACK's: N, S or A, or O for vectors in the place of A.
struct Jobs {
  signed char u, vt;
};
Asked gesvd(onepassType_t type, const Jobs& jobs, std::int64_t m, std::int64_t n, std::int64_t lda, std::int64_t ldu,
            std::int64_t ldvt);
Asked syevd(onepassType_t type, cusolverEigMode_t jobz, cublasFillMode_t uplo, std::int64_t n, std::int64_t lda);

// Types of the functions that have them as arguments.
struct Types {
  cudaDataType a, values, compute;
};
Asked syevd(const Types& types, cusolverEigMode_t jobz, cublasFillMode_t uplo, std::int64_t n, std::int64_t lda);

Asked gesvd(const Types& types, cudaDataType type_u, cudaDataType type_vt, const Jobs& jobs, std::int64_t m,
            std::int64_t n, std::int64_t lda, std::int64_t ldu, std::int64_t ldvt);

// `values` are those of tau.
Asked geqrf(const Types& types, std::int64_t m, std::int64_t n, std::int64_t lda);

// Likewise of as many matrices, one behind the other.
Asked batched(std::int64_t count, Asked asked);
// Singular values of a batch, and V in the place of V^H.
Asked gesvd_batched(onepassType_t type, cusolverEigMode_t jobz, std::int64_t m, std::int64_t n, std::int64_t lda,
                    std::int64_t ldu, std::int64_t ldv, std::int64_t count);

// Likewise of syevdx, which has a range: all eigenvalues, or those il..iu, or those of an interval.
Asked within(cusolverEigRange_t range, std::int64_t il, std::int64_t iu, Asked asked);

}  // namespace onepass::cusolver
