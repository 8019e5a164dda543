// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The symbols of CBLAS: cblas_dgemv and its like, and with 64-bit integers cblas_dgemv_64. Scalars come by value where
// they are real, by pointer where they are complex.
#include <cstdint>

#include "interop/blas/call.hpp"
#include "interop/blas/errors.hpp"
#include "onepass/types.h"

namespace onepass::blas {
namespace {

// The numbers of cblas.h.
Layout layout_of(int value) { return value == 101 ? Layout::row : value == 102 ? Layout::column : no_layout; }
Op op_of(int value) { return value >= 111 && value <= 113 ? static_cast<Op>(value - 111) : no_op; }
Uplo uplo_of(int value) { return value == 121 ? Uplo::upper : value == 122 ? Uplo::lower : no_uplo; }

template <class Int>
void call(const char* name, const Problem& p, const Operands& operands) {
  if (p.layout == no_layout) return c_error<Int>(name, 1, Layout::column);
  if (const int bad = first_bad(p); bad != 0) return c_error<Int>(name, bad + 1, p.layout);
  run(p, operands);
}

// A real scalar is a parameter of its function, a complex one is there already.
template <class T>
const void* address(const T& scalar) {
  return &scalar;
}
const void* address(const void* scalar) { return scalar; }

}  // namespace
}  // namespace onepass::blas

using namespace onepass;  // NOLINT: what follows are functions of C

extern "C" {

// The names below are all alike; one macro per routine spells them.
#define ONEPASS_CBLAS_GEMV(SYMBOL, SUFFIX, INT, TYPE, SCALAR)                                                \
  ONEPASS_API void SYMBOL##SUFFIX(int layout, int trans, INT m, INT n, SCALAR alpha, const void* a, INT lda, \
                                  const void* x, INT incx, SCALAR beta, void* y, INT incy) {                 \
    blas::call<INT>(#SYMBOL,                                                                                 \
                    {.type_a = TYPE,                                                                         \
                     .type_x = TYPE,                                                                         \
                     .type_y = TYPE,                                                                         \
                     .op = blas::op_of(trans),                                                               \
                     .layout = blas::layout_of(layout),                                                      \
                     .m = m,                                                                                 \
                     .n = n,                                                                                 \
                     .lda = lda,                                                                             \
                     .incx = incx,                                                                           \
                     .incy = incy},                                                                          \
                    {blas::address(alpha), a, x, blas::address(beta), y});                                   \
  }
#define ONEPASS_CBLAS_SYMV(SYMBOL, SUFFIX, INT, TYPE, SCALAR, ROUTINE)                                              \
  ONEPASS_API void SYMBOL##SUFFIX(int layout, int uplo, INT n, SCALAR alpha, const void* a, INT lda, const void* x, \
                                  INT incx, SCALAR beta, void* y, INT incy) {                                       \
    blas::call<INT>(#SYMBOL,                                                                                        \
                    {.routine = ROUTINE,                                                                            \
                     .type_a = TYPE,                                                                                \
                     .type_x = TYPE,                                                                                \
                     .type_y = TYPE,                                                                                \
                     .uplo = blas::uplo_of(uplo),                                                                   \
                     .layout = blas::layout_of(layout),                                                             \
                     .m = n,                                                                                        \
                     .n = n,                                                                                        \
                     .lda = lda,                                                                                    \
                     .incx = incx,                                                                                  \
                     .incy = incy},                                                                                 \
                    {blas::address(alpha), a, x, blas::address(beta), y});                                          \
  }
#define ONEPASS_CBLAS(SUFFIX, INT)                                                  \
  ONEPASS_CBLAS_GEMV(cblas_sgemv, SUFFIX, INT, Type::s, float)                      \
  ONEPASS_CBLAS_GEMV(cblas_dgemv, SUFFIX, INT, Type::d, double)                     \
  ONEPASS_CBLAS_GEMV(cblas_cgemv, SUFFIX, INT, Type::c, const void*)                \
  ONEPASS_CBLAS_GEMV(cblas_zgemv, SUFFIX, INT, Type::z, const void*)                \
  ONEPASS_CBLAS_SYMV(cblas_ssymv, SUFFIX, INT, Type::s, float, Routine::symv)       \
  ONEPASS_CBLAS_SYMV(cblas_dsymv, SUFFIX, INT, Type::d, double, Routine::symv)      \
  ONEPASS_CBLAS_SYMV(cblas_chemv, SUFFIX, INT, Type::c, const void*, Routine::hemv) \
  ONEPASS_CBLAS_SYMV(cblas_zhemv, SUFFIX, INT, Type::z, const void*, Routine::hemv)

ONEPASS_CBLAS(, std::int32_t)
ONEPASS_CBLAS(_64, std::int64_t)

#undef ONEPASS_CBLAS
#undef ONEPASS_CBLAS_SYMV
#undef ONEPASS_CBLAS_GEMV

}  // extern "C"
