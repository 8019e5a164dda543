// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The C entry points of rank-1 updates: arguments -> Problem, and nothing else.
#include "api/handle.hpp"
#include "api/make_plan.hpp"
#include "api/run.hpp"

namespace onepass {
namespace {

Problem rank_1(Routine routine, Type type, int64_t m, int64_t n, int64_t incx, int64_t incy, int64_t lda) {
  return {.routine = routine,
          .type_a = type,
          .type_x = type,
          .type_y = type,
          .m = m,
          .n = n,
          .lda = lda,
          .incx = incx,
          .incy = incy};
}

Problem problem_from_c(const onepassGerProblem_t& p) {
  Problem problem = rank_1(p.conjugate != 0 ? Routine::gerc : Routine::ger, static_cast<Type>(p.type), p.m, p.n, p.incx,
                           p.incy, p.lda);
  problem.layout = static_cast<Layout>(p.layout);
  problem.batch = p.batch;
  problem.pointer_array = p.pointer_array != 0;
  problem.stride_a = p.stride_a, problem.stride_x = p.stride_x, problem.stride_y = p.stride_y;
  problem.scalars = static_cast<Scalars>(p.scalars);
  problem.alignment_a = p.alignment_a;
  return problem;
}

// y is read, and A written: the other way round than in a product.
Operands operands_of(const void* alpha, const void* x, const void* y, const void* a) {
  return {.alpha = alpha, .a = a, .x = x, .y = const_cast<void*>(y)};
}

}  // namespace
}  // namespace onepass

using onepass::call;
using onepass::call_pointers;
using onepass::call_strided;
using onepass::operands_of;
using onepass::rank_1;
using onepass::Routine;
using onepass::Type;

extern "C" {

onepassGerProblem_t onepassGerProblemDefault(onepassType_t type, int64_t m, int64_t n) {
  onepassGerProblem_t p{};
  p.type = type;
  p.layout = ONEPASS_COLUMN_MAJOR;
  p.m = m, p.n = n;
  p.lda = m > 1 ? m : 1;
  p.incx = p.incy = 1;
  p.batch = 1;
  p.scalars = ONEPASS_POINTER_MODE_HOST;
  return p;
}

onepassStatus_t onepassGer(onepassHandle_t handle, const onepassGerProblem_t* problem, const void* alpha, const void* x,
                           const void* y, void* A) {
  return onepass::guarded([&]() -> onepass::Status {
    if (handle == nullptr) return onepass::no_handle();
    if (problem == nullptr) return {ONEPASS_STATUS_INVALID_ARGUMENT, "problem is null"};
    return onepass::run(*handle, onepass::problem_from_c(*problem), operands_of(alpha, x, y, A));
  });
}

onepassStatus_t onepassPlanGer(onepassHandle_t handle, const onepassGerProblem_t* problem, onepassPlan_t* plan) {
  return onepass::make_plan(handle, problem, plan, onepass::problem_from_c);
}

// The names below are all alike; one macro spells their forms.
#define ONEPASS_GER(NAME, ROUTINE, T, TYPE)                                                                          \
  onepassStatus_t onepass##NAME(onepassHandle_t handle, int64_t m, int64_t n, const T* alpha, const T* x,            \
                                int64_t incx, const T* y, int64_t incy, T* A, int64_t lda) {                         \
    return call(handle, rank_1(ROUTINE, TYPE, m, n, incx, incy, lda), operands_of(alpha, x, y, A));                  \
  }                                                                                                                  \
  onepassStatus_t onepass##NAME##StridedBatched(                                                                     \
      onepassHandle_t handle, int64_t m, int64_t n, const T* alpha, const T* x, int64_t incx, int64_t strideX,       \
      const T* y, int64_t incy, int64_t strideY, T* A, int64_t lda, int64_t strideA, int64_t batchCount) {           \
    return call_strided(handle, rank_1(ROUTINE, TYPE, m, n, incx, incy, lda), batchCount, strideA, strideX, strideY, \
                        operands_of(alpha, x, y, A));                                                                \
  }                                                                                                                  \
  onepassStatus_t onepass##NAME##Batched(onepassHandle_t handle, int64_t m, int64_t n, const T* alpha,               \
                                         const T* const x[], int64_t incx, const T* const y[], int64_t incy,         \
                                         T* const A[], int64_t lda, int64_t batchCount) {                            \
    return call_pointers(handle, rank_1(ROUTINE, TYPE, m, n, incx, incy, lda), batchCount,                           \
                         operands_of(alpha, x, y, A));                                                               \
  }

ONEPASS_GER(Sger, Routine::ger, float, Type::s)
ONEPASS_GER(Dger, Routine::ger, double, Type::d)
ONEPASS_GER(Cgeru, Routine::ger, onepassComplex_t, Type::c)
ONEPASS_GER(Cgerc, Routine::gerc, onepassComplex_t, Type::c)
ONEPASS_GER(Zgeru, Routine::ger, onepassDoubleComplex_t, Type::z)
ONEPASS_GER(Zgerc, Routine::gerc, onepassDoubleComplex_t, Type::z)

#undef ONEPASS_GER

}  // extern "C"
