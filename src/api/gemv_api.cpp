// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The C entry points of GEMV: arguments -> Problem, and nothing else.
#include "api/handle.hpp"
#include "api/make_plan.hpp"
#include "api/problem_from_c.hpp"
#include "api/run.hpp"

namespace onepass {
namespace {

Problem column_major(Type a, Type y, onepassOperation_t op, int64_t m, int64_t n, int64_t lda, int64_t incx,
                     int64_t incy) {
  return {.type_a = a,
          .type_x = a,
          .type_y = y,
          .op = static_cast<Op>(op),
          .m = m,
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
using onepass::column_major;
using onepass::Type;

extern "C" {

onepassGemvProblem_t onepassGemvProblemDefault(onepassType_t type, int64_t m, int64_t n) {
  onepassGemvProblem_t p{};
  p.type_a = p.type_x = p.type_y = type;
  p.op = ONEPASS_OP_N;
  p.layout = ONEPASS_COLUMN_MAJOR;
  p.m = m, p.n = n;
  p.lda = m > 1 ? m : 1;
  p.incx = p.incy = 1;
  p.batch = 1;
  p.scalars = ONEPASS_POINTER_MODE_HOST;
  p.accumulate = ONEPASS_ACCUMULATE_DEFAULT;
  p.order = ONEPASS_ORDER_DEFAULT;
  return p;
}

onepassStatus_t onepassGemv(onepassHandle_t handle, const onepassGemvProblem_t* problem, const void* alpha,
                            const void* a, const void* x, const void* beta, void* y) {
  return onepass::guarded([&]() -> onepass::Status {
    if (handle == nullptr) return onepass::no_handle();
    if (problem == nullptr) return {ONEPASS_STATUS_INVALID_ARGUMENT, "problem is null"};
    return onepass::run(*handle, onepass::problem_from_c(*problem), {alpha, a, x, beta, y});
  });
}

onepassStatus_t onepassPlanGemv(onepassHandle_t handle, const onepassGemvProblem_t* problem, onepassPlan_t* plan) {
  return onepass::make_plan<onepassGemvProblem_t>(handle, problem, plan, onepass::problem_from_c);
}

// The names below are all alike; one macro per form spells them.
#define ONEPASS_GEMV(NAME, A, Y, S, TYPE_A, TYPE_Y)                                                                    \
  onepassStatus_t onepass##NAME##gemv(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,             \
                                      const S* alpha, const A* a, int64_t lda, const A* x, int64_t incx,               \
                                      const S* beta, Y* y, int64_t incy) {                                             \
    return call(handle, column_major(TYPE_A, TYPE_Y, op, m, n, lda, incx, incy), {alpha, a, x, beta, y});              \
  }                                                                                                                    \
  onepassStatus_t onepass##NAME##gemvStridedBatched(                                                                   \
      onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n, const S* alpha, const A* a, int64_t lda,    \
      int64_t stride_a, const A* x, int64_t incx, int64_t stride_x, const S* beta, Y* y, int64_t incy,                 \
      int64_t stride_y, int64_t batch) {                                                                               \
    return call_strided(handle, column_major(TYPE_A, TYPE_Y, op, m, n, lda, incx, incy), batch, stride_a, stride_x,    \
                        stride_y, {alpha, a, x, beta, y});                                                             \
  }                                                                                                                    \
  onepassStatus_t onepass##NAME##gemvBatched(onepassHandle_t handle, onepassOperation_t op, int64_t m, int64_t n,      \
                                             const S* alpha, const A* const a[], int64_t lda, const A* const x[],      \
                                             int64_t incx, const S* beta, Y* const y[], int64_t incy, int64_t batch) { \
    return call_pointers(handle, column_major(TYPE_A, TYPE_Y, op, m, n, lda, incx, incy), batch,                       \
                         {alpha, a, x, beta, const_cast<Y**>(y)});                                                     \
  }

ONEPASS_GEMV(S, float, float, float, Type::s, Type::s)
ONEPASS_GEMV(D, double, double, double, Type::d, Type::d)
ONEPASS_GEMV(C, onepassComplex_t, onepassComplex_t, onepassComplex_t, Type::c, Type::c)
ONEPASS_GEMV(Z, onepassDoubleComplex_t, onepassDoubleComplex_t, onepassDoubleComplex_t, Type::z, Type::z)
ONEPASS_GEMV(HSH, onepassHalf_t, onepassHalf_t, float, Type::h, Type::h)
ONEPASS_GEMV(HSS, onepassHalf_t, float, float, Type::h, Type::s)
ONEPASS_GEMV(TST, onepassBfloat16_t, onepassBfloat16_t, float, Type::b, Type::b)
ONEPASS_GEMV(TSS, onepassBfloat16_t, float, float, Type::b, Type::s)
ONEPASS_GEMV(W, onepassDoubleDouble_t, onepassDoubleDouble_t, onepassDoubleDouble_t, Type::w, Type::w)

#undef ONEPASS_GEMV

}  // extern "C"
