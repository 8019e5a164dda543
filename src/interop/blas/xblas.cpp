// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The symbols of XBLAS, whose last argument says in what products are summed: BLAS_dgemv_x and BLAS_dgemv2_x with x as
// head and tail, and their names in Fortran, blas_dgemv_x_, which LAPACK's extra-precise refinement calls.
#include <cstdint>
#include <cstdio>

#include "interop/blas/call.hpp"
#include "onepass/types.h"

// Weak, and never defined here: that of the program, or of XBLAS.
extern "C" void BLAS_error(const char* name, int position, int value, char* form, ...) __attribute__((weak));

namespace onepass::blas {
namespace {

// The numbers of blas_enum.h.
Layout layout_of(int value) { return value == 101 ? Layout::row : value == 102 ? Layout::column : no_layout; }
Op op_of(int value) { return value >= 111 && value <= 113 ? static_cast<Op>(value - 111) : no_op; }
Uplo uplo_of(int value) { return value == 121 ? Uplo::upper : value == 122 ? Uplo::lower : no_uplo; }

enum class Precision { single = 211, full = 212, indigenous = 213, extra = 214 };

// What has at least the digits that are asked for; of s and c, extra is double, in which their products are exact.
Accumulate accumulate_of(const Problem& p, Precision precision) {
  if (p.tails != Tails::none) return Accumulate::twice;
  if (size_of_real(p.type_a) == 8) return precision == Precision::extra ? Accumulate::twice : Accumulate::standard;
  return precision == Precision::full || precision == Precision::extra ? Accumulate::wider : Accumulate::standard;
}

void tell_error(const char* name, int position, int value) {
  if (BLAS_error != nullptr) return BLAS_error(name, -position, value, nullptr);
  std::fprintf(stderr, "Parameter number %d to routine %s was incorrect, its value is %d\n", position, name, value);
}

// The value of the argument at a position that first_bad() names.
int value_at(const Problem& p, int position) {
  const std::int64_t of_full[] = {static_cast<int>(p.op), p.m, p.n, 0, 0, p.lda, 0, p.incx, 0, 0, p.incy};
  const std::int64_t of_triangle[] = {static_cast<int>(p.uplo), p.n, 0, 0, p.lda, 0, p.incx, 0, 0, p.incy};
  return static_cast<int>((is_triangle(p) ? of_triangle : of_full)[position - 1]);
}

void call(const char* name, Problem p, int precision, const Operands& operands) {
  p.tails = operands.x_tail == nullptr ? Tails::none : Tails::x;
  const int tail = p.tails == Tails::none ? 0 : 1, last = (is_triangle(p) ? 12 : 13) + tail;
  if (p.layout == no_layout) return tell_error(name, 1, 0);
  if (const int bad = first_bad(p); bad != 0) {
    const int behind_x = is_triangle(p) ? 6 : 7;  // the arguments behind x
    return tell_error(name, bad + 1 + (bad > behind_x ? tail : 0), value_at(p, bad));
  }
  if (precision < static_cast<int>(Precision::single) || precision > static_cast<int>(Precision::extra))
    return tell_error(name, last, precision);
  p.accumulate = accumulate_of(p, static_cast<Precision>(precision));
  run(p, operands);
}

// A real scalar is a parameter of its function, a complex one is there already.
template <class T>
const void* address(const T& scalar) {
  return &scalar;
}
const void* address(const void* scalar) { return scalar; }

Problem full(Type type, int order, int trans, int m, int n, int lda, int incx, int incy) {
  return {.type_a = type,
          .type_x = type,
          .type_y = type,
          .op = op_of(trans),
          .layout = layout_of(order),
          .m = m,
          .n = n,
          .lda = lda,
          .incx = incx,
          .incy = incy};
}
Problem triangle(Routine routine, Type type, int order, int uplo, int n, int lda, int incx, int incy) {
  return {.routine = routine,
          .type_a = type,
          .type_x = type,
          .type_y = type,
          .uplo = uplo_of(uplo),
          .layout = layout_of(order),
          .m = n,
          .n = n,
          .lda = lda,
          .incx = incx,
          .incy = incy};
}
constexpr int column_major = 102;

}  // namespace
}  // namespace onepass::blas

using namespace onepass;  // NOLINT: what follows are functions of C

extern "C" {

// The names below are all alike; one macro per routine spells them.
#define ONEPASS_XBLAS_GEMV(LETTER, TYPE, SCALAR)                                                                    \
  ONEPASS_API void BLAS_##LETTER##gemv_x(int order, int trans, int m, int n, SCALAR alpha, const void* a, int lda,  \
                                         const void* x, int incx, SCALAR beta, void* y, int incy, int prec) {       \
    blas::call("BLAS_" #LETTER "gemv_x", blas::full(TYPE, order, trans, m, n, lda, incx, incy), prec,               \
               {blas::address(alpha), a, x, blas::address(beta), y});                                               \
  }                                                                                                                 \
  ONEPASS_API void BLAS_##LETTER##gemv2_x(int order, int trans, int m, int n, SCALAR alpha, const void* a, int lda, \
                                          const void* head_x, const void* tail_x, int incx, SCALAR beta, void* y,   \
                                          int incy, int prec) {                                                     \
    blas::call("BLAS_" #LETTER "gemv2_x", blas::full(TYPE, order, trans, m, n, lda, incx, incy), prec,              \
               {blas::address(alpha), a, head_x, blas::address(beta), y, tail_x});                                  \
  }                                                                                                                 \
  ONEPASS_API void blas_##LETTER##gemv_x_(const int* trans, const int* m, const int* n, const void* alpha,          \
                                          const void* a, const int* lda, const void* x, const int* incx,            \
                                          const void* beta, void* y, const int* incy, const int* prec) {            \
    blas::call("BLAS_" #LETTER "gemv_x", blas::full(TYPE, blas::column_major, *trans, *m, *n, *lda, *incx, *incy),  \
               *prec, {alpha, a, x, beta, y});                                                                      \
  }                                                                                                                 \
  ONEPASS_API void blas_##LETTER##gemv2_x_(const int* trans, const int* m, const int* n, const void* alpha,         \
                                           const void* a, const int* lda, const void* head_x, const void* tail_x,   \
                                           const int* incx, const void* beta, void* y, const int* incy,             \
                                           const int* prec) {                                                       \
    blas::call("BLAS_" #LETTER "gemv2_x", blas::full(TYPE, blas::column_major, *trans, *m, *n, *lda, *incx, *incy), \
               *prec, {alpha, a, head_x, beta, y, tail_x});                                                         \
  }
#define ONEPASS_XBLAS_SYMV(NAME, ROUTINE, TYPE, SCALAR)                                                               \
  ONEPASS_API void BLAS_##NAME##_x(int order, int uplo, int n, SCALAR alpha, const void* a, int lda, const void* x,   \
                                   int incx, SCALAR beta, void* y, int incy, int prec) {                              \
    blas::call("BLAS_" #NAME "_x", blas::triangle(ROUTINE, TYPE, order, uplo, n, lda, incx, incy), prec,              \
               {blas::address(alpha), a, x, blas::address(beta), y});                                                 \
  }                                                                                                                   \
  ONEPASS_API void BLAS_##NAME##2_x(int order, int uplo, int n, SCALAR alpha, const void* a, int lda,                 \
                                    const void* x_head, const void* x_tail, int incx, SCALAR beta, void* y, int incy, \
                                    int prec) {                                                                       \
    blas::call("BLAS_" #NAME "2_x", blas::triangle(ROUTINE, TYPE, order, uplo, n, lda, incx, incy), prec,             \
               {blas::address(alpha), a, x_head, blas::address(beta), y, x_tail});                                    \
  }                                                                                                                   \
  ONEPASS_API void blas_##NAME##_x_(const int* uplo, const int* n, const void* alpha, const void* a, const int* lda,  \
                                    const void* x, const int* incx, const void* beta, void* y, const int* incy,       \
                                    const int* prec) {                                                                \
    blas::call("BLAS_" #NAME "_x", blas::triangle(ROUTINE, TYPE, blas::column_major, *uplo, *n, *lda, *incx, *incy),  \
               *prec, {alpha, a, x, beta, y});                                                                        \
  }                                                                                                                   \
  ONEPASS_API void blas_##NAME##2_x_(const int* uplo, const int* n, const void* alpha, const void* a, const int* lda, \
                                     const void* x_head, const void* x_tail, const int* incx, const void* beta,       \
                                     void* y, const int* incy, const int* prec) {                                     \
    blas::call("BLAS_" #NAME "2_x", blas::triangle(ROUTINE, TYPE, blas::column_major, *uplo, *n, *lda, *incx, *incy), \
               *prec, {alpha, a, x_head, beta, y, x_tail});                                                           \
  }

ONEPASS_XBLAS_GEMV(s, Type::s, float)
ONEPASS_XBLAS_GEMV(d, Type::d, double)
ONEPASS_XBLAS_GEMV(c, Type::c, const void*)
ONEPASS_XBLAS_GEMV(z, Type::z, const void*)
ONEPASS_XBLAS_SYMV(ssymv, Routine::symv, Type::s, float)
ONEPASS_XBLAS_SYMV(dsymv, Routine::symv, Type::d, double)
ONEPASS_XBLAS_SYMV(csymv, Routine::symv, Type::c, const void*)
ONEPASS_XBLAS_SYMV(zsymv, Routine::symv, Type::z, const void*)
ONEPASS_XBLAS_SYMV(chemv, Routine::hemv, Type::c, const void*)
ONEPASS_XBLAS_SYMV(zhemv, Routine::hemv, Type::z, const void*)

#undef ONEPASS_XBLAS_SYMV
#undef ONEPASS_XBLAS_GEMV

}  // extern "C"
