// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The C entry points of products whose vectors are head and tail: arguments -> Problem, and nothing else.
#include "api/handle.hpp"
#include "api/problem_from_c.hpp"
#include "api/run.hpp"

namespace onepass {
namespace {

Tails tails_of(const void* y_tail) { return y_tail == nullptr ? Tails::x : Tails::xy; }

// Of a problem as data.
template <class CProblem>
onepassStatus_t run_tails(onepassHandle_t handle, const CProblem* problem, const Operands& operands) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return no_handle();
    if (problem == nullptr) return {ONEPASS_STATUS_INVALID_ARGUMENT, "problem is null"};
    Problem p = problem_from_c(*problem);
    p.tails = tails_of(operands.y_tail);
    if (p.accumulate == Accumulate::standard) p.accumulate = Accumulate::twice;
    return run(*handle, p, operands);
  });
}

}  // namespace
}  // namespace onepass

using onepass::Op;
using onepass::Routine;
using onepass::Type;
using onepass::Uplo;

extern "C" {

onepassStatus_t onepassGemv2(onepassHandle_t handle, const onepassGemvProblem_t* problem, const void* alpha,
                             const void* a, const void* x, const void* x_tail, const void* beta, void* y,
                             void* y_tail) {
  return onepass::run_tails(handle, problem, {alpha, a, x, beta, y, x_tail, y_tail});
}
onepassStatus_t onepassSymv2(onepassHandle_t handle, const onepassSymvProblem_t* problem, const void* alpha,
                             const void* a, const void* x, const void* x_tail, const void* beta, void* y,
                             void* y_tail) {
  return onepass::run_tails(handle, problem, {alpha, a, x, beta, y, x_tail, y_tail});
}

// The names below are all alike; one macro per form spells them.
#define ONEPASS_GEMV2(NAME, T, TYPE)                                                                                 \
  onepassStatus_t onepass##NAME(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n, const T* alpha, \
                                const T* a, int64_t lda, const T* x, const T* x_tail, int64_t incx, const T* beta,   \
                                T* y, T* y_tail, int64_t incy) {                                                     \
    return onepass::call(handle,                                                                                     \
                         {.type_a = TYPE,                                                                            \
                          .type_x = TYPE,                                                                            \
                          .type_y = TYPE,                                                                            \
                          .op = static_cast<Op>(op),                                                                 \
                          .m = m,                                                                                    \
                          .n = n,                                                                                    \
                          .lda = lda,                                                                                \
                          .incx = incx,                                                                              \
                          .incy = incy,                                                                              \
                          .tails = onepass::tails_of(y_tail)},                                                       \
                         {alpha, a, x, beta, y, x_tail, y_tail});                                                    \
  }
#define ONEPASS_SYMV2(NAME, ROUTINE, T, TYPE)                                                                          \
  onepassStatus_t onepass##NAME(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n, const T* alpha, const T* a, \
                                int64_t lda, const T* x, const T* x_tail, int64_t incx, const T* beta, T* y,           \
                                T* y_tail, int64_t incy) {                                                             \
    return onepass::call(handle,                                                                                       \
                         {.routine = ROUTINE,                                                                          \
                          .type_a = TYPE,                                                                              \
                          .type_x = TYPE,                                                                              \
                          .type_y = TYPE,                                                                              \
                          .uplo = static_cast<Uplo>(uplo),                                                             \
                          .m = n,                                                                                      \
                          .n = n,                                                                                      \
                          .lda = lda,                                                                                  \
                          .incx = incx,                                                                                \
                          .incy = incy,                                                                                \
                          .tails = onepass::tails_of(y_tail)},                                                         \
                         {alpha, a, x, beta, y, x_tail, y_tail});                                                      \
  }

ONEPASS_GEMV2(Sgemv2, float, Type::s)
ONEPASS_GEMV2(Dgemv2, double, Type::d)
ONEPASS_GEMV2(Cgemv2, onepassComplex_t, Type::c)
ONEPASS_GEMV2(Zgemv2, onepassDoubleComplex_t, Type::z)
ONEPASS_SYMV2(Ssymv2, Routine::symv, float, Type::s)
ONEPASS_SYMV2(Dsymv2, Routine::symv, double, Type::d)
ONEPASS_SYMV2(Csymv2, Routine::symv, onepassComplex_t, Type::c)
ONEPASS_SYMV2(Zsymv2, Routine::symv, onepassDoubleComplex_t, Type::z)
ONEPASS_SYMV2(Chemv2, Routine::hemv, onepassComplex_t, Type::c)
ONEPASS_SYMV2(Zhemv2, Routine::hemv, onepassDoubleComplex_t, Type::z)

#undef ONEPASS_SYMV2
#undef ONEPASS_GEMV2

}  // extern "C"
