// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The Fortran symbols: dsytrd_, zhetrd_ and their like, with integers of 32 bits. The lengths of strings that Fortran
// passes at the end are not needed.
#include <cstdint>

#include "interop/lapack/call.hpp"
#include "onepass/types.h"

using namespace onepass;  // NOLINT: what follows are functions of C
using Int = std::int32_t;

extern "C" {

// The names below are all alike; one macro per routine spells them.
#define ONEPASS_SYTRD(SYMBOL, TYPE)                                                                             \
  ONEPASS_API void SYMBOL(const char* uplo, const Int* n, void* a, const Int* lda, void* d, void* e, void* tau, \
                          void* work, const Int* lwork, Int* info) {                                            \
    lapack::call(                                                                                               \
        {.routine = LapackRoutine::sytrd, .type = TYPE, .uplo = lapack::uplo_of(*uplo), .n = *n, .lda = *lda},  \
        {.a = a, .d = d, .e = e, .tau = tau}, work, *lwork, info);                                              \
    lapack::pass_on(SYMBOL, #SYMBOL, uplo, n, a, lda, d, e, tau, work, lwork, info);                            \
  }
#define ONEPASS_GEBRD(SYMBOL, TYPE)                                                                          \
  ONEPASS_API void SYMBOL(const Int* m, const Int* n, void* a, const Int* lda, void* d, void* e, void* tauq, \
                          void* taup, void* work, const Int* lwork, Int* info) {                             \
    lapack::call({.routine = LapackRoutine::gebrd, .type = TYPE, .m = *m, .n = *n, .lda = *lda},             \
                 {.a = a, .d = d, .e = e, .tau = tauq, .taup = taup}, work, *lwork, info);                   \
    lapack::pass_on(SYMBOL, #SYMBOL, m, n, a, lda, d, e, tauq, taup, work, lwork, info);                     \
  }
#define ONEPASS_HESSENBERG(SYMBOL, TYPE, ROUTINE)                                                                   \
  ONEPASS_API void SYMBOL(const Int* n, const Int* ilo, const Int* ihi, void* a, const Int* lda, void* tau,         \
                          void* work, const Int* lwork, Int* info) {                                                \
    lapack::call({.routine = LapackRoutine::ROUTINE, .type = TYPE, .n = *n, .ilo = *ilo, .ihi = *ihi, .lda = *lda}, \
                 {.a = a, .tau = tau}, work, *lwork, info);                                                         \
    lapack::pass_on(SYMBOL, #SYMBOL, n, ilo, ihi, a, lda, tau, work, lwork, info);                                  \
  }
#define ONEPASS_ORGTR(SYMBOL, TYPE)                                                                            \
  ONEPASS_API void SYMBOL(const char* uplo, const Int* n, void* a, const Int* lda, void* tau, void* work,      \
                          const Int* lwork, Int* info) {                                                       \
    lapack::call(                                                                                              \
        {.routine = LapackRoutine::orgtr, .type = TYPE, .uplo = lapack::uplo_of(*uplo), .n = *n, .lda = *lda}, \
        {.a = a, .tau = tau}, work, *lwork, info);                                                             \
    lapack::pass_on(SYMBOL, #SYMBOL, uplo, n, a, lda, tau, work, lwork, info);                                 \
  }
#define ONEPASS_ORGBR(SYMBOL, TYPE)                                                                            \
  ONEPASS_API void SYMBOL(const char* vect, const Int* m, const Int* n, const Int* k, void* a, const Int* lda, \
                          void* tau, void* work, const Int* lwork, Int* info) {                                \
    lapack::call({.routine = LapackRoutine::orgbr,                                                             \
                  .type = TYPE,                                                                                \
                  .vect = lapack::vect_of(*vect),                                                              \
                  .m = *m,                                                                                     \
                  .n = *n,                                                                                     \
                  .k = *k,                                                                                     \
                  .lda = *lda},                                                                                \
                 {.a = a, .tau = tau}, work, *lwork, info);                                                    \
    lapack::pass_on(SYMBOL, #SYMBOL, vect, m, n, k, a, lda, tau, work, lwork, info);                           \
  }
#define ONEPASS_ORMTR(SYMBOL, TYPE)                                                                                \
  ONEPASS_API void SYMBOL(const char* side, const char* uplo, const char* op, const Int* m, const Int* n, void* a, \
                          const Int* lda, void* tau, void* c, const Int* ldc, void* work, const Int* lwork,        \
                          Int* info) {                                                                             \
    lapack::call({.routine = LapackRoutine::ormtr,                                                                 \
                  .type = TYPE,                                                                                    \
                  .uplo = lapack::uplo_of(*uplo),                                                                  \
                  .side = lapack::side_of(*side),                                                                  \
                  .op = lapack::op_of(*op),                                                                        \
                  .m = *m,                                                                                         \
                  .n = *n,                                                                                         \
                  .lda = *lda,                                                                                     \
                  .ldc = *ldc},                                                                                    \
                 {.a = a, .tau = tau, .c = c}, work, *lwork, info);                                                \
    lapack::pass_on(SYMBOL, #SYMBOL, side, uplo, op, m, n, a, lda, tau, c, ldc, work, lwork, info);                \
  }
#define ONEPASS_ORMBR(SYMBOL, TYPE)                                                                              \
  ONEPASS_API void SYMBOL(const char* vect, const char* side, const char* op, const Int* m, const Int* n,        \
                          const Int* k, void* a, const Int* lda, void* tau, void* c, const Int* ldc, void* work, \
                          const Int* lwork, Int* info) {                                                         \
    lapack::call({.routine = LapackRoutine::ormbr,                                                               \
                  .type = TYPE,                                                                                  \
                  .vect = lapack::vect_of(*vect),                                                                \
                  .side = lapack::side_of(*side),                                                                \
                  .op = lapack::op_of(*op),                                                                      \
                  .m = *m,                                                                                       \
                  .n = *n,                                                                                       \
                  .k = *k,                                                                                       \
                  .lda = *lda,                                                                                   \
                  .ldc = *ldc},                                                                                  \
                 {.a = a, .tau = tau, .c = c}, work, *lwork, info);                                              \
    lapack::pass_on(SYMBOL, #SYMBOL, vect, side, op, m, n, k, a, lda, tau, c, ldc, work, lwork, info);           \
  }
#define ONEPASS_ORMHR(SYMBOL, TYPE)                                                                                \
  ONEPASS_API void SYMBOL(const char* side, const char* op, const Int* m, const Int* n, const Int* ilo,            \
                          const Int* ihi, void* a, const Int* lda, void* tau, void* c, const Int* ldc, void* work, \
                          const Int* lwork, Int* info) {                                                           \
    lapack::call({.routine = LapackRoutine::ormhr,                                                                 \
                  .type = TYPE,                                                                                    \
                  .side = lapack::side_of(*side),                                                                  \
                  .op = lapack::op_of(*op),                                                                        \
                  .m = *m,                                                                                         \
                  .n = *n,                                                                                         \
                  .ilo = *ilo,                                                                                     \
                  .ihi = *ihi,                                                                                     \
                  .lda = *lda,                                                                                     \
                  .ldc = *ldc},                                                                                    \
                 {.a = a, .tau = tau, .c = c}, work, *lwork, info);                                                \
    lapack::pass_on(SYMBOL, #SYMBOL, side, op, m, n, ilo, ihi, a, lda, tau, c, ldc, work, lwork, info);            \
  }
#define ONEPASS_GEQRF(SYMBOL, TYPE)                                                                                    \
  ONEPASS_API void SYMBOL(const Int* m, const Int* n, void* a, const Int* lda, void* tau, void* work,                  \
                          const Int* lwork, Int* info) {                                                               \
    lapack::call({.routine = LapackRoutine::geqrf, .type = TYPE, .m = *m, .n = *n, .lda = *lda}, {.a = a, .tau = tau}, \
                 work, *lwork, info);                                                                                  \
    lapack::pass_on(SYMBOL, #SYMBOL, m, n, a, lda, tau, work, lwork, info);                                            \
  }
#define ONEPASS_ORGQR(SYMBOL, TYPE)                                                                                 \
  ONEPASS_API void SYMBOL(const Int* m, const Int* n, const Int* k, void* a, const Int* lda, void* tau, void* work, \
                          const Int* lwork, Int* info) {                                                            \
    lapack::call({.routine = LapackRoutine::orgqr, .type = TYPE, .m = *m, .n = *n, .k = *k, .lda = *lda},           \
                 {.a = a, .tau = tau}, work, *lwork, info);                                                         \
    lapack::pass_on(SYMBOL, #SYMBOL, m, n, k, a, lda, tau, work, lwork, info);                                      \
  }
#define ONEPASS_ORMQR(SYMBOL, TYPE)                                                                            \
  ONEPASS_API void SYMBOL(const char* side, const char* op, const Int* m, const Int* n, const Int* k, void* a, \
                          const Int* lda, void* tau, void* c, const Int* ldc, void* work, const Int* lwork,    \
                          Int* info) {                                                                         \
    lapack::call({.routine = LapackRoutine::ormqr,                                                             \
                  .type = TYPE,                                                                                \
                  .side = lapack::side_of(*side),                                                              \
                  .op = lapack::op_of(*op),                                                                    \
                  .m = *m,                                                                                     \
                  .n = *n,                                                                                     \
                  .k = *k,                                                                                     \
                  .lda = *lda,                                                                                 \
                  .ldc = *ldc},                                                                                \
                 {.a = a, .tau = tau, .c = c}, work, *lwork, info);                                            \
    lapack::pass_on(SYMBOL, #SYMBOL, side, op, m, n, k, a, lda, tau, c, ldc, work, lwork, info);               \
  }
// T: the type; SY, ORG, ORM: how its names say symmetric, and generate and multiply by an orthogonal Q.
#define ONEPASS_LAPACK(T, SY, ORG, ORM)           \
  ONEPASS_SYTRD(T##SY##trd_, Type::T)             \
  ONEPASS_GEBRD(T##gebrd_, Type::T)               \
  ONEPASS_HESSENBERG(T##gehrd_, Type::T, gehrd)   \
  ONEPASS_HESSENBERG(T##ORG##hr_, Type::T, orghr) \
  ONEPASS_ORGTR(T##ORG##tr_, Type::T)             \
  ONEPASS_ORGBR(T##ORG##br_, Type::T)             \
  ONEPASS_ORMTR(T##ORM##tr_, Type::T)             \
  ONEPASS_ORMBR(T##ORM##br_, Type::T)             \
  ONEPASS_ORMHR(T##ORM##hr_, Type::T)             \
  ONEPASS_GEQRF(T##geqrf_, Type::T)               \
  ONEPASS_ORGQR(T##ORG##qr_, Type::T)             \
  ONEPASS_ORMQR(T##ORM##qr_, Type::T)

ONEPASS_LAPACK(s, sy, org, orm)
ONEPASS_LAPACK(d, sy, org, orm)
ONEPASS_LAPACK(c, he, ung, unm)
ONEPASS_LAPACK(z, he, ung, unm)

#undef ONEPASS_LAPACK
#undef ONEPASS_ORMQR
#undef ONEPASS_ORGQR
#undef ONEPASS_GEQRF
#undef ONEPASS_ORMHR
#undef ONEPASS_ORMBR
#undef ONEPASS_ORMTR
#undef ONEPASS_ORGBR
#undef ONEPASS_ORGTR
#undef ONEPASS_HESSENBERG
#undef ONEPASS_GEBRD
#undef ONEPASS_SYTRD

}  // extern "C"
