// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The symbols of cuSOLVER for Hermitian eigenproblems by Jacobi's method, one and many. Onepass solves them as it
// solves all others.
#include "interop/cusolver/each_type.hpp"
#include "interop/cusolver/serve.hpp"

namespace onepass::cusolver {
namespace {

// Onepass has no use for the tolerance and the number of sweeps; eigenvalues are ascending, as by default.
Asked jacobi(Asked made, syevjInfo_t params) {
  if (params == nullptr) made.declined = "null parameters";
  return made;
}

}  // namespace
}  // namespace onepass::cusolver

using namespace onepass::cusolver;  // NOLINT: what follows are functions of C

extern "C" {

// The names below are all alike; one macro per routine spells them. A: elements, R: the real type of w.
#define ONEPASS_SYEVJ(NAME, A, R, TYPE)                                                                              \
  ONEPASS_API cusolverStatus_t NAME##_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                  \
                                                 cublasFillMode_t uplo, int n, const A* a, int lda, const R* w,      \
                                                 int* lwork, syevjInfo_t params) {                                   \
    static void* const real = next_symbol(#NAME "_bufferSize");                                                      \
    return at_least<A>(forward(real, &NAME##_bufferSize, handle, jobz, uplo, n, a, lda, w, lwork, params),           \
                       jacobi(syevd(TYPE, jobz, uplo, n, lda), params), lwork);                                      \
  }                                                                                                                  \
  ONEPASS_API cusolverStatus_t NAME(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, \
                                    A* a, int lda, R* w, A* work, int lwork, int* info, syevjInfo_t params) {        \
    if (const auto done = take(#NAME, handle, jacobi(syevd(TYPE, jobz, uplo, n, lda), params), eigen(a, w),          \
                               work_of(work, lwork), info))                                                          \
      return *done;                                                                                                  \
    static void* const real = next_symbol(#NAME);                                                                    \
    return forward(real, &NAME, handle, jobz, uplo, n, a, lda, w, work, lwork, info, params);                        \
  }

#define ONEPASS_SYEVJ_BATCHED(NAME, A, R, TYPE)                                                                      \
  ONEPASS_API cusolverStatus_t NAME##_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                  \
                                                 cublasFillMode_t uplo, int n, const A* a, int lda, const R* w,      \
                                                 int* lwork, syevjInfo_t params, int count) {                        \
    static void* const real = next_symbol(#NAME "_bufferSize");                                                      \
    return at_least<A>(forward(real, &NAME##_bufferSize, handle, jobz, uplo, n, a, lda, w, lwork, params, count),    \
                       jacobi(batched(count, syevd(TYPE, jobz, uplo, n, lda)), params), lwork);                      \
  }                                                                                                                  \
  ONEPASS_API cusolverStatus_t NAME(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, \
                                    A* a, int lda, R* w, A* work, int lwork, int* info, syevjInfo_t params,          \
                                    int count) {                                                                     \
    if (const auto done = take(#NAME, handle, jacobi(batched(count, syevd(TYPE, jobz, uplo, n, lda)), params),       \
                               eigen(a, w), work_of(work, lwork), info))                                             \
      return *done;                                                                                                  \
    static void* const real = next_symbol(#NAME);                                                                    \
    return forward(real, &NAME, handle, jobz, uplo, n, a, lda, w, work, lwork, info, params, count);                 \
  }

ONEPASS_EACH_TYPE(ONEPASS_SYEVJ, syevj, heevj)
ONEPASS_EACH_TYPE(ONEPASS_SYEVJ_BATCHED, syevjBatched, heevjBatched)

#undef ONEPASS_SYEVJ_BATCHED
#undef ONEPASS_SYEVJ

}  // extern "C"
