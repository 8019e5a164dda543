// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The symbols of cuSOLVER for QR factorisations and for what is done with their Q.
#include "interop/cusolver/each_type.hpp"
#include "interop/cusolver/serve.hpp"

using namespace onepass::cusolver;  // NOLINT: what follows are functions of C

extern "C" {

// The names below are all alike; one macro per routine spells them. A: elements.
#define ONEPASS_GEQRF(NAME, A, R, TYPE)                                                                                \
  ONEPASS_API cusolverStatus_t NAME##_bufferSize(cusolverDnHandle_t handle, int m, int n, A* a, int lda, int* lwork) { \
    static void* const real = next_symbol(#NAME "_bufferSize");                                                        \
    return at_least<A>(forward(real, &NAME##_bufferSize, handle, m, n, a, lda, lwork), geqrf(TYPE, m, n, lda), lwork); \
  }                                                                                                                    \
  ONEPASS_API cusolverStatus_t NAME(cusolverDnHandle_t handle, int m, int n, A* a, int lda, A* tau, A* work,           \
                                    int lwork, int* info) {                                                            \
    if (const auto done = take(#NAME, handle, geqrf(TYPE, m, n, lda), with_q(a, tau), work_of(work, lwork), info))     \
      return *done;                                                                                                    \
    static void* const real = next_symbol(#NAME);                                                                      \
    return forward(real, &NAME, handle, m, n, a, lda, tau, work, lwork, info);                                         \
  }

#define ONEPASS_ORGQR(NAME, A, R, TYPE)                                                                               \
  ONEPASS_API cusolverStatus_t NAME##_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const A* a, int lda, \
                                                 const A* tau, int* lwork) {                                          \
    static void* const real = next_symbol(#NAME "_bufferSize");                                                       \
    return at_least<A>(forward(real, &NAME##_bufferSize, handle, m, n, k, a, lda, tau, lwork),                        \
                       orgqr(TYPE, m, n, k, lda), lwork);                                                             \
  }                                                                                                                   \
  ONEPASS_API cusolverStatus_t NAME(cusolverDnHandle_t handle, int m, int n, int k, A* a, int lda, const A* tau,      \
                                    A* work, int lwork, int* info) {                                                  \
    if (const auto done = take(#NAME, handle, orgqr(TYPE, m, n, k, lda), with_q(a, tau), work_of(work, lwork), info)) \
      return *done;                                                                                                   \
    static void* const real = next_symbol(#NAME);                                                                     \
    return forward(real, &NAME, handle, m, n, k, a, lda, tau, work, lwork, info);                                     \
  }

#define ONEPASS_ORMQR(NAME, A, R, TYPE)                                                                            \
  ONEPASS_API cusolverStatus_t NAME##_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,                 \
                                                 cublasOperation_t op, int m, int n, int k, const A* a, int lda,   \
                                                 const A* tau, const A* c, int ldc, int* lwork) {                  \
    static void* const real = next_symbol(#NAME "_bufferSize");                                                    \
    return at_least<A>(forward(real, &NAME##_bufferSize, handle, side, op, m, n, k, a, lda, tau, c, ldc, lwork),   \
                       ormqr(TYPE, side, op, m, n, k, lda, ldc), lwork);                                           \
  }                                                                                                                \
  ONEPASS_API cusolverStatus_t NAME(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op, int m, \
                                    int n, int k, const A* a, int lda, const A* tau, A* c, int ldc, A* work,       \
                                    int lwork, int* info) {                                                        \
    if (const auto done = take(#NAME, handle, ormqr(TYPE, side, op, m, n, k, lda, ldc), with_q(a, tau, c),         \
                               work_of(work, lwork), info))                                                        \
      return *done;                                                                                                \
    static void* const real = next_symbol(#NAME);                                                                  \
    return forward(real, &NAME, handle, side, op, m, n, k, a, lda, tau, c, ldc, work, lwork, info);                \
  }

ONEPASS_EACH_TYPE(ONEPASS_GEQRF, geqrf, geqrf)
ONEPASS_EACH_TYPE(ONEPASS_ORGQR, orgqr, ungqr)
ONEPASS_EACH_TYPE(ONEPASS_ORMQR, ormqr, unmqr)

#undef ONEPASS_ORMQR
#undef ONEPASS_ORGQR
#undef ONEPASS_GEQRF

// Workspaces in bytes. That on the host is cuSOLVER's: Onepass needs none.
ONEPASS_API cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                                         int64_t m, int64_t n, cudaDataType type_a, const void* a,
                                                         int64_t lda, cudaDataType type_tau, const void* tau,
                                                         cudaDataType compute, size_t* device_bytes,
                                                         size_t* host_bytes) {
  static void* const real = next_symbol("cusolverDnXgeqrf_bufferSize");
  return at_least(forward(real, &cusolverDnXgeqrf_bufferSize, handle, params, m, n, type_a, a, lda, type_tau, tau,
                          compute, device_bytes, host_bytes),
                  geqrf({type_a, type_tau, compute}, m, n, lda), device_bytes);
}

ONEPASS_API cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                              int64_t n, cudaDataType type_a, void* a, int64_t lda,
                                              cudaDataType type_tau, void* tau, cudaDataType compute, void* device_work,
                                              size_t device_bytes, void* host_work, size_t host_bytes, int* info) {
  if (const auto done = take("cusolverDnXgeqrf", handle, geqrf({type_a, type_tau, compute}, m, n, lda), with_q(a, tau),
                             {device_work, device_bytes}, info))
    return *done;
  static void* const real = next_symbol("cusolverDnXgeqrf");
  return forward(real, &cusolverDnXgeqrf, handle, params, m, n, type_a, a, lda, type_tau, tau, compute, device_work,
                 device_bytes, host_work, host_bytes, info);
}

}  // extern "C"
