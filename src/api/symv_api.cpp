// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The C entry points of SYMV and HEMV: arguments -> Problem, and nothing else.
#include "api/handle.hpp"
#include "api/make_plan.hpp"
#include "api/problem_from_c.hpp"
#include "api/run.hpp"

namespace onepass {
namespace {

Problem triangle(Routine routine, Type a, Type y, onepassFillMode_t uplo, int64_t n, int64_t lda, int64_t incx,
                 int64_t incy) {
  return {.routine = routine,
          .type_a = a,
          .type_x = a,
          .type_y = y,
          .uplo = static_cast<Uplo>(uplo),
          .m = n,
          .n = n,
          .lda = lda,
          .incx = incx,
          .incy = incy};
}

}  // namespace
}  // namespace onepass

using onepass::call;
using onepass::call_pointers;
using onepass::call_strided;
using onepass::Routine;
using onepass::triangle;
using onepass::Type;

extern "C" {

onepassSymvProblem_t onepassSymvProblemDefault(onepassType_t type, onepassFillMode_t uplo, int64_t n) {
  onepassSymvProblem_t p{};
  p.type_a = p.type_x = p.type_y = type;
  p.uplo = uplo;
  p.layout = ONEPASS_COLUMN_MAJOR;
  p.n = n;
  p.lda = n > 1 ? n : 1;
  p.incx = p.incy = 1;
  p.batch = 1;
  p.scalars = ONEPASS_POINTER_MODE_HOST;
  p.accumulate = ONEPASS_ACCUMULATE_DEFAULT;
  p.order = ONEPASS_ORDER_DEFAULT;
  return p;
}

onepassStatus_t onepassSymv(onepassHandle_t handle, const onepassSymvProblem_t* problem, const void* alpha,
                            const void* a, const void* x, const void* beta, void* y) {
  return onepass::guarded([&]() -> onepass::Status {
    if (handle == nullptr) return onepass::no_handle();
    if (problem == nullptr) return {ONEPASS_STATUS_INVALID_ARGUMENT, "problem is null"};
    return onepass::run(*handle, onepass::problem_from_c(*problem), {alpha, a, x, beta, y});
  });
}

onepassStatus_t onepassPlanSymv(onepassHandle_t handle, const onepassSymvProblem_t* problem, onepassPlan_t* plan) {
  return onepass::make_plan<onepassSymvProblem_t>(handle, problem, plan, onepass::problem_from_c);
}

// The names below are all alike; one macro per form spells them.
#define ONEPASS_SYMV(NAME, ROUTINE, A, Y, S, TYPE_A, TYPE_Y)                                                           \
  onepassStatus_t onepass##NAME(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n, const S* alpha, const A* a, \
                                int64_t lda, const A* x, int64_t incx, const S* beta, Y* y, int64_t incy) {            \
    return call(handle, triangle(ROUTINE, TYPE_A, TYPE_Y, uplo, n, lda, incx, incy), {alpha, a, x, beta, y});          \
  }                                                                                                                    \
  onepassStatus_t onepass##NAME##StridedBatched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n,             \
                                                const S* alpha, const A* a, int64_t lda, int64_t stride_a, const A* x, \
                                                int64_t incx, int64_t stride_x, const S* beta, Y* y, int64_t incy,     \
                                                int64_t stride_y, int64_t batch) {                                     \
    return call_strided(handle, triangle(ROUTINE, TYPE_A, TYPE_Y, uplo, n, lda, incx, incy), batch, stride_a,          \
                        stride_x, stride_y, {alpha, a, x, beta, y});                                                   \
  }                                                                                                                    \
  onepassStatus_t onepass##NAME##Batched(onepassHandle_t handle, onepassFillMode_t uplo, int64_t n, const S* alpha,    \
                                         const A* const a[], int64_t lda, const A* const x[], int64_t incx,            \
                                         const S* beta, Y* const y[], int64_t incy, int64_t batch) {                   \
    return call_pointers(handle, triangle(ROUTINE, TYPE_A, TYPE_Y, uplo, n, lda, incx, incy), batch,                   \
                         {alpha, a, x, beta, const_cast<Y**>(y)});                                                     \
  }

ONEPASS_SYMV(Ssymv, Routine::symv, float, float, float, Type::s, Type::s)
ONEPASS_SYMV(Dsymv, Routine::symv, double, double, double, Type::d, Type::d)
ONEPASS_SYMV(Csymv, Routine::symv, onepassComplex_t, onepassComplex_t, onepassComplex_t, Type::c, Type::c)
ONEPASS_SYMV(Zsymv, Routine::symv, onepassDoubleComplex_t, onepassDoubleComplex_t, onepassDoubleComplex_t, Type::z,
             Type::z)
ONEPASS_SYMV(HSHsymv, Routine::symv, onepassHalf_t, onepassHalf_t, float, Type::h, Type::h)
ONEPASS_SYMV(HSSsymv, Routine::symv, onepassHalf_t, float, float, Type::h, Type::s)
ONEPASS_SYMV(TSTsymv, Routine::symv, onepassBfloat16_t, onepassBfloat16_t, float, Type::b, Type::b)
ONEPASS_SYMV(TSSsymv, Routine::symv, onepassBfloat16_t, float, float, Type::b, Type::s)
ONEPASS_SYMV(Wsymv, Routine::symv, onepassDoubleDouble_t, onepassDoubleDouble_t, onepassDoubleDouble_t, Type::w,
             Type::w)
ONEPASS_SYMV(Chemv, Routine::hemv, onepassComplex_t, onepassComplex_t, onepassComplex_t, Type::c, Type::c)
ONEPASS_SYMV(Zhemv, Routine::hemv, onepassDoubleComplex_t, onepassDoubleComplex_t, onepassDoubleComplex_t, Type::z,
             Type::z)

#undef ONEPASS_SYMV

}  // extern "C"
