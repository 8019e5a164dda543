// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The symbols of cuSOLVER for reductions to tridiagonal and bidiagonal form, and for what is done with their Q.
#include "interop/cusolver/each_type.hpp"
#include "interop/cusolver/serve.hpp"

namespace onepass::cusolver {
namespace {

onepassLapackOperands_t reduced(void* a, void* d, void* e, void* tau, void* taup = nullptr) {
  onepassLapackOperands_t operands = {};
  operands.a = a, operands.d = d, operands.e = e, operands.tau = tau, operands.taup = taup;
  return operands;
}

}  // namespace
}  // namespace onepass::cusolver

using namespace onepass::cusolver;  // NOLINT: what follows are functions of C

extern "C" {

// The names below are all alike; one macro per routine spells them. A: elements, R: the real type of d and e.
#define ONEPASS_SYTRD(NAME, A, R, TYPE)                                                                               \
  ONEPASS_API cusolverStatus_t NAME##_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, const A* a, \
                                                 int lda, const R* d, const R* e, const A* tau, int* lwork) {         \
    static void* const real = next_symbol(#NAME "_bufferSize");                                                       \
    return at_least<A>(forward(real, &NAME##_bufferSize, handle, uplo, n, a, lda, d, e, tau, lwork),                  \
                       sytrd(TYPE, uplo, n, lda), lwork);                                                             \
  }                                                                                                                   \
  ONEPASS_API cusolverStatus_t NAME(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, A* a, int lda, R* d,     \
                                    R* e, A* tau, A* work, int lwork, int* info) {                                    \
    if (const auto done =                                                                                             \
            take(#NAME, handle, sytrd(TYPE, uplo, n, lda), reduced(a, d, e, tau), work_of(work, lwork), info))        \
      return *done;                                                                                                   \
    static void* const real = next_symbol(#NAME);                                                                     \
    return forward(real, &NAME, handle, uplo, n, a, lda, d, e, tau, work, lwork, info);                               \
  }

// Its size is asked for without lda, of which Onepass's does not depend.
#define ONEPASS_GEBRD(NAME, A, R, TYPE)                                                                            \
  ONEPASS_API cusolverStatus_t NAME##_bufferSize(cusolverDnHandle_t handle, int m, int n, int* lwork) {            \
    static void* const real = next_symbol(#NAME "_bufferSize");                                                    \
    return at_least<A>(forward(real, &NAME##_bufferSize, handle, m, n, lwork), gebrd(TYPE, m, n, m), lwork);       \
  }                                                                                                                \
  ONEPASS_API cusolverStatus_t NAME(cusolverDnHandle_t handle, int m, int n, A* a, int lda, R* d, R* e, A* tauq,   \
                                    A* taup, A* work, int lwork, int* info) {                                      \
    if (const auto done =                                                                                          \
            take(#NAME, handle, gebrd(TYPE, m, n, lda), reduced(a, d, e, tauq, taup), work_of(work, lwork), info)) \
      return *done;                                                                                                \
    static void* const real = next_symbol(#NAME);                                                                  \
    return forward(real, &NAME, handle, m, n, a, lda, d, e, tauq, taup, work, lwork, info);                        \
  }

#define ONEPASS_ORGTR(NAME, A, R, TYPE)                                                                               \
  ONEPASS_API cusolverStatus_t NAME##_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, const A* a, \
                                                 int lda, const A* tau, int* lwork) {                                 \
    static void* const real = next_symbol(#NAME "_bufferSize");                                                       \
    return at_least<A>(forward(real, &NAME##_bufferSize, handle, uplo, n, a, lda, tau, lwork),                        \
                       orgtr(TYPE, uplo, n, lda), lwork);                                                             \
  }                                                                                                                   \
  ONEPASS_API cusolverStatus_t NAME(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, A* a, int lda,           \
                                    const A* tau, A* work, int lwork, int* info) {                                    \
    if (const auto done = take(#NAME, handle, orgtr(TYPE, uplo, n, lda), with_q(a, tau), work_of(work, lwork), info)) \
      return *done;                                                                                                   \
    static void* const real = next_symbol(#NAME);                                                                     \
    return forward(real, &NAME, handle, uplo, n, a, lda, tau, work, lwork, info);                                     \
  }

#define ONEPASS_ORGBR(NAME, A, R, TYPE)                                                                          \
  ONEPASS_API cusolverStatus_t NAME##_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side, int m, int n, \
                                                 int k, const A* a, int lda, const A* tau, int* lwork) {         \
    static void* const real = next_symbol(#NAME "_bufferSize");                                                  \
    return at_least<A>(forward(real, &NAME##_bufferSize, handle, side, m, n, k, a, lda, tau, lwork),             \
                       orgbr(TYPE, side, m, n, k, lda), lwork);                                                  \
  }                                                                                                              \
  ONEPASS_API cusolverStatus_t NAME(cusolverDnHandle_t handle, cublasSideMode_t side, int m, int n, int k, A* a, \
                                    int lda, const A* tau, A* work, int lwork, int* info) {                      \
    if (const auto done =                                                                                        \
            take(#NAME, handle, orgbr(TYPE, side, m, n, k, lda), with_q(a, tau), work_of(work, lwork), info))    \
      return *done;                                                                                              \
    static void* const real = next_symbol(#NAME);                                                                \
    return forward(real, &NAME, handle, side, m, n, k, a, lda, tau, work, lwork, info);                          \
  }

#define ONEPASS_ORMTR(NAME, A, R, TYPE)                                                                                \
  ONEPASS_API cusolverStatus_t NAME##_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,                     \
                                                 cublasFillMode_t uplo, cublasOperation_t op, int m, int n,            \
                                                 const A* a, int lda, const A* tau, const A* c, int ldc, int* lwork) { \
    static void* const real = next_symbol(#NAME "_bufferSize");                                                        \
    return at_least<A>(forward(real, &NAME##_bufferSize, handle, side, uplo, op, m, n, a, lda, tau, c, ldc, lwork),    \
                       ormtr(TYPE, side, uplo, op, m, n, lda, ldc), lwork);                                            \
  }                                                                                                                    \
  ONEPASS_API cusolverStatus_t NAME(cusolverDnHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,           \
                                    cublasOperation_t op, int m, int n, A* a, int lda, A* tau, A* c, int ldc, A* work, \
                                    int lwork, int* info) {                                                            \
    if (const auto done = take(#NAME, handle, ormtr(TYPE, side, uplo, op, m, n, lda, ldc), with_q(a, tau, c),          \
                               work_of(work, lwork), info))                                                            \
      return *done;                                                                                                    \
    static void* const real = next_symbol(#NAME);                                                                      \
    return forward(real, &NAME, handle, side, uplo, op, m, n, a, lda, tau, c, ldc, work, lwork, info);                 \
  }

ONEPASS_EACH_TYPE(ONEPASS_SYTRD, sytrd, hetrd)
ONEPASS_EACH_TYPE(ONEPASS_GEBRD, gebrd, gebrd)
ONEPASS_EACH_TYPE(ONEPASS_ORGTR, orgtr, ungtr)
ONEPASS_EACH_TYPE(ONEPASS_ORGBR, orgbr, ungbr)
ONEPASS_EACH_TYPE(ONEPASS_ORMTR, ormtr, unmtr)

#undef ONEPASS_ORMTR
#undef ONEPASS_ORGBR
#undef ONEPASS_ORGTR
#undef ONEPASS_GEBRD
#undef ONEPASS_SYTRD

}  // extern "C"
