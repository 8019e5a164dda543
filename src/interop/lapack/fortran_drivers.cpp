// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The Fortran symbols of the drivers: dsyevd_, zheev_, dgesdd_ and their like, with integers of 32 bits.
#include <cstdint>

#include "interop/lapack/drivers.hpp"
#include "onepass/types.h"

using namespace onepass;  // NOLINT: what follows are functions of C
using lapack::Driver;
using Int = std::int32_t;

namespace {

LapackProblem symmetric(Type type, char jobz, char uplo, Int n, Int lda) {
  return {.routine = LapackRoutine::syevd,
          .type = type,
          .uplo = lapack::uplo_of(uplo),
          .n = n,
          .lda = lda,
          .job = lapack::job_of(jobz)};
}

}  // namespace

extern "C" {

// The names below are all alike; one macro per routine spells them, once more where complex types have RWORK.
#define ONEPASS_SYEVD(T)                                                                                         \
  ONEPASS_API void T##syevd_(const char* jobz, const char* uplo, const Int* n, void* a, const Int* lda, void* w, \
                             void* work, const Int* lwork, Int* iwork, const Int* liwork, Int* info) {           \
    lapack::solve_symmetric(Driver::syevd, symmetric(Type::T, *jobz, *uplo, *n, *lda), a, w,                     \
                            {.work = work, .lwork = *lwork, .iwork = iwork, .liwork = liwork}, info);            \
    lapack::pass_on(T##syevd_, #T "syevd_", jobz, uplo, n, a, lda, w, work, lwork, iwork, liwork, info);         \
  }
#define ONEPASS_HEEVD(T)                                                                                            \
  ONEPASS_API void T##heevd_(const char* jobz, const char* uplo, const Int* n, void* a, const Int* lda, void* w,    \
                             void* work, const Int* lwork, void* rwork, const Int* lrwork, Int* iwork,              \
                             const Int* liwork, Int* info) {                                                        \
    lapack::solve_symmetric(                                                                                        \
        Driver::syevd, symmetric(Type::T, *jobz, *uplo, *n, *lda), a, w,                                            \
        {.work = work, .lwork = *lwork, .rwork = rwork, .lrwork = lrwork, .iwork = iwork, .liwork = liwork}, info); \
    lapack::pass_on(T##heevd_, #T "heevd_", jobz, uplo, n, a, lda, w, work, lwork, rwork, lrwork, iwork, liwork,    \
                    info);                                                                                          \
  }
// RWORK: the argument of complex types between LWORK and INFO, which we have no use for.
#define ONEPASS_NONE
#define ONEPASS_RWORK void *rwork,
#define ONEPASS_PASSED_RWORK rwork,
#define ONEPASS_SYEV(SYMBOL, TYPE, RWORK, PASSED_RWORK)                                                       \
  ONEPASS_API void SYMBOL(const char* jobz, const char* uplo, const Int* n, void* a, const Int* lda, void* w, \
                          void* work, const Int* lwork, RWORK Int* info) {                                    \
    lapack::solve_symmetric(Driver::syev, symmetric(TYPE, *jobz, *uplo, *n, *lda), a, w,                      \
                            {.work = work, .lwork = *lwork}, info);                                           \
    lapack::pass_on(SYMBOL, #SYMBOL, jobz, uplo, n, a, lda, w, work, lwork, PASSED_RWORK info);               \
  }
#define ONEPASS_GESDD(SYMBOL, TYPE, RWORK, PASSED_RWORK)                                                              \
  ONEPASS_API void SYMBOL(const char* jobz, const Int* m, const Int* n, void* a, const Int* lda, void* s, void* u,    \
                          const Int* ldu, void* vt, const Int* ldvt, void* work, const Int* lwork, RWORK Int* iwork,  \
                          Int* info) {                                                                                \
    const lapack::Wants wanted = lapack::wants_of(*jobz);                                                             \
    lapack::decompose({.driver = Driver::gesdd,                                                                       \
                       .type = TYPE,                                                                                  \
                       .u_wanted = lapack::u_of_jobz(wanted, *m, *n),                                                 \
                       .vt_wanted = lapack::vt_of_jobz(wanted, *m, *n),                                               \
                       .m = *m,                                                                                       \
                       .n = *n,                                                                                       \
                       .a = a,                                                                                        \
                       .lda = *lda,                                                                                   \
                       .s = s,                                                                                        \
                       .u = u,                                                                                        \
                       .ldu = *ldu,                                                                                   \
                       .vt = vt,                                                                                      \
                       .ldvt = *ldvt},                                                                                \
                      work, *lwork, info);                                                                            \
    lapack::pass_on(SYMBOL, #SYMBOL, jobz, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, PASSED_RWORK iwork, info); \
  }
#define ONEPASS_GESVD(SYMBOL, TYPE, RWORK, PASSED_RWORK)                                                              \
  ONEPASS_API void SYMBOL(const char* jobu, const char* jobvt, const Int* m, const Int* n, void* a, const Int* lda,   \
                          void* s, void* u, const Int* ldu, void* vt, const Int* ldvt, void* work, const Int* lwork,  \
                          RWORK Int* info) {                                                                          \
    lapack::decompose({.driver = Driver::gesvd,                                                                       \
                       .type = TYPE,                                                                                  \
                       .u_wanted = lapack::wants_of(*jobu),                                                           \
                       .vt_wanted = lapack::wants_of(*jobvt),                                                         \
                       .m = *m,                                                                                       \
                       .n = *n,                                                                                       \
                       .a = a,                                                                                        \
                       .lda = *lda,                                                                                   \
                       .s = s,                                                                                        \
                       .u = u,                                                                                        \
                       .ldu = *ldu,                                                                                   \
                       .vt = vt,                                                                                      \
                       .ldvt = *ldvt},                                                                                \
                      work, *lwork, info);                                                                            \
    lapack::pass_on(SYMBOL, #SYMBOL, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, PASSED_RWORK info); \
  }

ONEPASS_SYEVD(s)
ONEPASS_SYEVD(d)
ONEPASS_HEEVD(c)
ONEPASS_HEEVD(z)
ONEPASS_SYEV(ssyev_, Type::s, ONEPASS_NONE, ONEPASS_NONE)
ONEPASS_SYEV(dsyev_, Type::d, ONEPASS_NONE, ONEPASS_NONE)
ONEPASS_SYEV(cheev_, Type::c, ONEPASS_RWORK, ONEPASS_PASSED_RWORK)
ONEPASS_SYEV(zheev_, Type::z, ONEPASS_RWORK, ONEPASS_PASSED_RWORK)
ONEPASS_GESDD(sgesdd_, Type::s, ONEPASS_NONE, ONEPASS_NONE)
ONEPASS_GESDD(dgesdd_, Type::d, ONEPASS_NONE, ONEPASS_NONE)
ONEPASS_GESDD(cgesdd_, Type::c, ONEPASS_RWORK, ONEPASS_PASSED_RWORK)
ONEPASS_GESDD(zgesdd_, Type::z, ONEPASS_RWORK, ONEPASS_PASSED_RWORK)
ONEPASS_GESVD(sgesvd_, Type::s, ONEPASS_NONE, ONEPASS_NONE)
ONEPASS_GESVD(dgesvd_, Type::d, ONEPASS_NONE, ONEPASS_NONE)
ONEPASS_GESVD(cgesvd_, Type::c, ONEPASS_RWORK, ONEPASS_PASSED_RWORK)
ONEPASS_GESVD(zgesvd_, Type::z, ONEPASS_RWORK, ONEPASS_PASSED_RWORK)

#undef ONEPASS_GESVD
#undef ONEPASS_GESDD
#undef ONEPASS_SYEV
#undef ONEPASS_PASSED_RWORK
#undef ONEPASS_RWORK
#undef ONEPASS_NONE
#undef ONEPASS_HEEVD
#undef ONEPASS_SYEVD

}  // extern "C"
