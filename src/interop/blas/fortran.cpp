// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The Fortran symbols: dgemv_ and its like, and with 64-bit integers dgemv_64_. The lengths of strings that Fortran
// passes at the end are not needed.
#include <cstdint>

#include "interop/blas/call.hpp"
#include "interop/blas/errors.hpp"
#include "onepass/types.h"

namespace onepass::blas {
namespace {

Op op_of(char character) {
  switch (character) {
    case 'N':
    case 'n': return Op::n;
    case 'T':
    case 't': return Op::t;
    case 'C':
    case 'c': return Op::c;
    default: return no_op;
  }
}

Uplo uplo_of(char character) {
  switch (character) {
    case 'L':
    case 'l': return Uplo::lower;
    case 'U':
    case 'u': return Uplo::upper;
    default: return no_uplo;
  }
}

template <class Int>
void call(const char* name, const Problem& p, const Operands& operands) {
  if (const int bad = first_bad(p); bad != 0) return fortran_error<Int>(name, bad);
  run(p, operands);
}

}  // namespace
}  // namespace onepass::blas

using namespace onepass;  // NOLINT: what follows are functions of C

extern "C" {

// The names below are all alike; one macro per routine spells them.
#define ONEPASS_FORTRAN_GEMV(SYMBOL, NAME, INT, TYPE)                                                      \
  ONEPASS_API void SYMBOL(const char* trans, const INT* m, const INT* n, const void* alpha, const void* a, \
                          const INT* lda, const void* x, const INT* incx, const void* beta, void* y,       \
                          const INT* incy) {                                                               \
    blas::call<INT>(NAME,                                                                                  \
                    {.type_a = TYPE,                                                                       \
                     .type_x = TYPE,                                                                       \
                     .type_y = TYPE,                                                                       \
                     .op = blas::op_of(*trans),                                                            \
                     .m = *m,                                                                              \
                     .n = *n,                                                                              \
                     .lda = *lda,                                                                          \
                     .incx = *incx,                                                                        \
                     .incy = *incy},                                                                       \
                    {alpha, a, x, beta, y});                                                               \
  }
#define ONEPASS_FORTRAN_SYMV(SYMBOL, NAME, INT, TYPE, ROUTINE)                                              \
  ONEPASS_API void SYMBOL(const char* uplo, const INT* n, const void* alpha, const void* a, const INT* lda, \
                          const void* x, const INT* incx, const void* beta, void* y, const INT* incy) {     \
    blas::call<INT>(NAME,                                                                                   \
                    {.routine = ROUTINE,                                                                    \
                     .type_a = TYPE,                                                                        \
                     .type_x = TYPE,                                                                        \
                     .type_y = TYPE,                                                                        \
                     .uplo = blas::uplo_of(*uplo),                                                          \
                     .m = *n,                                                                               \
                     .n = *n,                                                                               \
                     .lda = *lda,                                                                           \
                     .incx = *incx,                                                                         \
                     .incy = *incy},                                                                        \
                    {alpha, a, x, beta, y});                                                                \
  }
#define ONEPASS_FORTRAN(SUFFIX, INT)                                         \
  ONEPASS_FORTRAN_GEMV(sgemv##SUFFIX, "SGEMV ", INT, Type::s)                \
  ONEPASS_FORTRAN_GEMV(dgemv##SUFFIX, "DGEMV ", INT, Type::d)                \
  ONEPASS_FORTRAN_GEMV(cgemv##SUFFIX, "CGEMV ", INT, Type::c)                \
  ONEPASS_FORTRAN_GEMV(zgemv##SUFFIX, "ZGEMV ", INT, Type::z)                \
  ONEPASS_FORTRAN_SYMV(ssymv##SUFFIX, "SSYMV ", INT, Type::s, Routine::symv) \
  ONEPASS_FORTRAN_SYMV(dsymv##SUFFIX, "DSYMV ", INT, Type::d, Routine::symv) \
  ONEPASS_FORTRAN_SYMV(csymv##SUFFIX, "CSYMV ", INT, Type::c, Routine::symv) \
  ONEPASS_FORTRAN_SYMV(zsymv##SUFFIX, "ZSYMV ", INT, Type::z, Routine::symv) \
  ONEPASS_FORTRAN_SYMV(chemv##SUFFIX, "CHEMV ", INT, Type::c, Routine::hemv) \
  ONEPASS_FORTRAN_SYMV(zhemv##SUFFIX, "ZHEMV ", INT, Type::z, Routine::hemv)

ONEPASS_FORTRAN(_, std::int32_t)
ONEPASS_FORTRAN(_64_, std::int64_t)

#undef ONEPASS_FORTRAN
#undef ONEPASS_FORTRAN_SYMV
#undef ONEPASS_FORTRAN_GEMV

}  // extern "C"
