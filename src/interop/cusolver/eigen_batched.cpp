// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The symbols of cuSOLVER for many Hermitian eigenproblems of one order: by Jacobi's method of each type, and with
// types as arguments. Larger orders than Onepass takes in a batch stay with cuSOLVER.
#include "interop/cusolver/each_type.hpp"
#include "interop/cusolver/serve.hpp"

namespace onepass::cusolver {
namespace {

// Of Jacobi's method, whose tolerance and number of sweeps Onepass has no use for: eigenvalues are ascending, as by
// default.
Asked jacobi(onepassType_t type, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, int lda, syevjInfo_t params,
             int count) {
  Asked made = batched(count, syevd(type, jobz, uplo, n, lda));
  if (params == nullptr) made.declined = "null parameters";
  return made;
}

}  // namespace
}  // namespace onepass::cusolver

using namespace onepass::cusolver;  // NOLINT: what follows are functions of C

extern "C" {

// The names below are all alike; one macro spells them. A: elements, R: the real type of w.
#define ONEPASS_SYEVJ(NAME, A, R, TYPE)                                                                              \
  ONEPASS_API cusolverStatus_t NAME##_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                  \
                                                 cublasFillMode_t uplo, int n, const A* a, int lda, const R* w,      \
                                                 int* lwork, syevjInfo_t params, int count) {                        \
    static void* const real = next_symbol(#NAME "_bufferSize");                                                      \
    return at_least<A>(forward(real, &NAME##_bufferSize, handle, jobz, uplo, n, a, lda, w, lwork, params, count),    \
                       jacobi(TYPE, jobz, uplo, n, lda, params, count), lwork);                                      \
  }                                                                                                                  \
  ONEPASS_API cusolverStatus_t NAME(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, \
                                    A* a, int lda, R* w, A* work, int lwork, int* info, syevjInfo_t params,          \
                                    int count) {                                                                     \
    if (const auto done = take(#NAME, handle, jacobi(TYPE, jobz, uplo, n, lda, params, count), eigen(a, w),          \
                               work_of(work, lwork), info))                                                          \
      return *done;                                                                                                  \
    static void* const real = next_symbol(#NAME);                                                                    \
    return forward(real, &NAME, handle, jobz, uplo, n, a, lda, w, work, lwork, info, params, count);                 \
  }

ONEPASS_EACH_TYPE(ONEPASS_SYEVJ, syevjBatched, heevjBatched)

#undef ONEPASS_SYEVJ

// Workspaces in bytes. That on the host is cuSOLVER's: Onepass needs none.
ONEPASS_API cusolverStatus_t cusolverDnXsyevBatched_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                                               cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                                               cudaDataType type_a, const void* a, int64_t lda,
                                                               cudaDataType type_w, const void* w, cudaDataType compute,
                                                               size_t* device_bytes, size_t* host_bytes,
                                                               int64_t count) {
  static void* const real = next_symbol("cusolverDnXsyevBatched_bufferSize");
  return at_least(forward(real, &cusolverDnXsyevBatched_bufferSize, handle, params, jobz, uplo, n, type_a, a, lda,
                          type_w, w, compute, device_bytes, host_bytes, count),
                  batched(count, syevd({type_a, type_w, compute}, jobz, uplo, n, lda)), device_bytes);
}

ONEPASS_API cusolverStatus_t cusolverDnXsyevBatched(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                                    cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                                    cudaDataType type_a, void* a, int64_t lda, cudaDataType type_w,
                                                    void* w, cudaDataType compute, void* device_work,
                                                    size_t device_bytes, void* host_work, size_t host_bytes, int* info,
                                                    int64_t count) {
  if (const auto done =
          take("cusolverDnXsyevBatched", handle, batched(count, syevd({type_a, type_w, compute}, jobz, uplo, n, lda)),
               eigen(a, w), {device_work, device_bytes}, info))
    return *done;
  static void* const real = next_symbol("cusolverDnXsyevBatched");
  return forward(real, &cusolverDnXsyevBatched, handle, params, jobz, uplo, n, type_a, a, lda, type_w, w, compute,
                 device_work, device_bytes, host_work, host_bytes, info, count);
}

}  // extern "C"
