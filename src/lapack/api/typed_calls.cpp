// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The typed calls of the reductions, QR, their Q and what is solved by them: arguments -> LapackProblem, and nothing
// else.
#include "lapack/api/call.hpp"

namespace onepass::lapack {
namespace {

LapackProblem symmetric(LapackRoutine routine, Type type, onepassFillMode_t uplo, int64_t n, int64_t lda) {
  return {.routine = routine, .type = type, .uplo = static_cast<Uplo>(uplo), .n = n, .lda = lda};
}

LapackProblem syevd(Type type, onepassJob_t jobz, onepassFillMode_t uplo, int64_t n, int64_t lda) {
  LapackProblem p = symmetric(LapackRoutine::syevd, type, uplo, n, lda);
  p.job = static_cast<Job>(jobz);
  return p;
}

LapackProblem gesvd(Type type, onepassJob_t jobz, int64_t m, int64_t n, int64_t lda, int64_t ldu, int64_t ldvt) {
  return {.routine = LapackRoutine::gesvd,
          .type = type,
          .m = m,
          .n = n,
          .lda = lda,
          .job = static_cast<Job>(jobz),
          .ldu = ldu,
          .ldvt = ldvt};
}

LapackProblem syevdx(Type type, onepassJob_t jobz, onepassRange_t range, onepassFillMode_t uplo, int64_t n, int64_t lda,
                     double vl, double vu, int64_t il, int64_t iu) {
  LapackProblem p = syevd(type, jobz, uplo, n, lda);
  p.wanted = static_cast<Wanted>(range);
  p.il = il;
  p.iu = iu;
  p.vl = vl;
  p.vu = vu;
  return p;
}

LapackProblem gebrd(Type type, int64_t m, int64_t n, int64_t lda) {
  return {.routine = LapackRoutine::gebrd, .type = type, .m = m, .n = n, .lda = lda};
}

LapackProblem hessenberg(LapackRoutine routine, Type type, int64_t n, int64_t ilo, int64_t ihi, int64_t lda) {
  return {.routine = routine, .type = type, .n = n, .ilo = ilo, .ihi = ihi, .lda = lda};
}

LapackProblem orgbr(Type type, onepassVect_t vect, int64_t m, int64_t n, int64_t k, int64_t lda) {
  return {.routine = LapackRoutine::orgbr,
          .type = type,
          .vect = static_cast<Vect>(vect),
          .m = m,
          .n = n,
          .k = k,
          .lda = lda};
}

LapackProblem applied(LapackRoutine routine, Type type, onepassSide_t side, onepassOperation_t op, int64_t m, int64_t n,
                      int64_t lda, int64_t ldc) {
  return {.routine = routine,
          .type = type,
          .side = static_cast<Side>(side),
          .op = static_cast<Op>(op),
          .m = m,
          .n = n,
          .lda = lda,
          .ldc = ldc};
}

LapackProblem ormtr(Type type, onepassSide_t side, onepassFillMode_t uplo, onepassOperation_t op, int64_t m, int64_t n,
                    int64_t lda, int64_t ldc) {
  LapackProblem p = applied(LapackRoutine::ormtr, type, side, op, m, n, lda, ldc);
  p.uplo = static_cast<Uplo>(uplo);
  return p;
}

LapackProblem ormbr(Type type, onepassVect_t vect, onepassSide_t side, onepassOperation_t op, int64_t m, int64_t n,
                    int64_t k, int64_t lda, int64_t ldc) {
  LapackProblem p = applied(LapackRoutine::ormbr, type, side, op, m, n, lda, ldc);
  p.vect = static_cast<Vect>(vect);
  p.k = k;
  return p;
}

LapackProblem ormhr(Type type, onepassSide_t side, onepassOperation_t op, int64_t m, int64_t n, int64_t ilo,
                    int64_t ihi, int64_t lda, int64_t ldc) {
  LapackProblem p = applied(LapackRoutine::ormhr, type, side, op, m, n, lda, ldc);
  p.ilo = ilo;
  p.ihi = ihi;
  return p;
}

LapackProblem geqrf(Type type, int64_t m, int64_t n, int64_t lda) {
  return {.routine = LapackRoutine::geqrf, .type = type, .m = m, .n = n, .lda = lda};
}

LapackProblem orgqr(Type type, int64_t m, int64_t n, int64_t k, int64_t lda) {
  return {.routine = LapackRoutine::orgqr, .type = type, .m = m, .n = n, .k = k, .lda = lda};
}

LapackProblem ormqr(Type type, onepassSide_t side, onepassOperation_t op, int64_t m, int64_t n, int64_t k, int64_t lda,
                    int64_t ldc) {
  LapackProblem p = applied(LapackRoutine::ormqr, type, side, op, m, n, lda, ldc);
  p.k = k;
  return p;
}

// LapackOperands has one kind of pointer; what a call declares const is only read.
template <class T>
void* in(const T* operand) {
  return const_cast<T*>(operand);
}

}  // namespace
}  // namespace onepass::lapack

using onepass::LapackRoutine, onepass::Type;
namespace lapack = onepass::lapack;

extern "C" {

// The names below are all alike; one macro per list of arguments spells a call and its BufferSize. T: element, R: real.
#define ONEPASS_SYTRD(NAME, TYPE, T, R)                                                                             \
  onepassStatus_t onepass##NAME(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n, T* A, int64_t lda, \
                                R* d, R* e, T* tau, void* workspace, size_t bytes) {                                \
    return lapack::call(handle, lapack::symmetric(LapackRoutine::sytrd, TYPE, uplo, n, lda),                        \
                        {.a = A, .d = d, .e = e, .tau = tau}, workspace, bytes);                                    \
  }                                                                                                                 \
  onepassStatus_t onepass##NAME##BufferSize(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n,        \
                                            int64_t lda, size_t* bytes) {                                           \
    return lapack::buffer_size(handle, lapack::symmetric(LapackRoutine::sytrd, TYPE, uplo, n, lda), bytes);         \
  }

#define ONEPASS_ORGTR(NAME, TYPE, T, R)                                                                             \
  onepassStatus_t onepass##NAME(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n, T* A, int64_t lda, \
                                const T* tau, void* workspace, size_t bytes) {                                      \
    return lapack::call(handle, lapack::symmetric(LapackRoutine::orgtr, TYPE, uplo, n, lda),                        \
                        {.a = A, .tau = lapack::in(tau)}, workspace, bytes);                                        \
  }                                                                                                                 \
  onepassStatus_t onepass##NAME##BufferSize(onepassLapackHandle_t handle, onepassFillMode_t uplo, int64_t n,        \
                                            int64_t lda, size_t* bytes) {                                           \
    return lapack::buffer_size(handle, lapack::symmetric(LapackRoutine::orgtr, TYPE, uplo, n, lda), bytes);         \
  }

#define ONEPASS_GEBRD(NAME, TYPE, T, R)                                                                              \
  onepassStatus_t onepass##NAME(onepassLapackHandle_t handle, int64_t m, int64_t n, T* A, int64_t lda, R* d, R* e,   \
                                T* tauq, T* taup, void* workspace, size_t bytes) {                                   \
    return lapack::call(handle, lapack::gebrd(TYPE, m, n, lda), {.a = A, .d = d, .e = e, .tau = tauq, .taup = taup}, \
                        workspace, bytes);                                                                           \
  }                                                                                                                  \
  onepassStatus_t onepass##NAME##BufferSize(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t lda,         \
                                            size_t* bytes) {                                                         \
    return lapack::buffer_size(handle, lapack::gebrd(TYPE, m, n, lda), bytes);                                       \
  }

#define ONEPASS_ORGBR(NAME, TYPE, T, R)                                                                               \
  onepassStatus_t onepass##NAME(onepassLapackHandle_t handle, onepassVect_t vect, int64_t m, int64_t n, int64_t k,    \
                                T* A, int64_t lda, const T* tau, void* workspace, size_t bytes) {                     \
    return lapack::call(handle, lapack::orgbr(TYPE, vect, m, n, k, lda), {.a = A, .tau = lapack::in(tau)}, workspace, \
                        bytes);                                                                                       \
  }                                                                                                                   \
  onepassStatus_t onepass##NAME##BufferSize(onepassLapackHandle_t handle, onepassVect_t vect, int64_t m, int64_t n,   \
                                            int64_t k, int64_t lda, size_t* bytes) {                                  \
    return lapack::buffer_size(handle, lapack::orgbr(TYPE, vect, m, n, k, lda), bytes);                               \
  }

#define ONEPASS_HESSENBERG(NAME, TYPE, T, ROUTINE, TAU)                                                                \
  onepassStatus_t onepass##NAME(onepassLapackHandle_t handle, int64_t n, int64_t ilo, int64_t ihi, T* A, int64_t lda,  \
                                TAU* tau, void* workspace, size_t bytes) {                                             \
    return lapack::call(handle, lapack::hessenberg(ROUTINE, TYPE, n, ilo, ihi, lda), {.a = A, .tau = lapack::in(tau)}, \
                        workspace, bytes);                                                                             \
  }                                                                                                                    \
  onepassStatus_t onepass##NAME##BufferSize(onepassLapackHandle_t handle, int64_t n, int64_t ilo, int64_t ihi,         \
                                            int64_t lda, size_t* bytes) {                                              \
    return lapack::buffer_size(handle, lapack::hessenberg(ROUTINE, TYPE, n, ilo, ihi, lda), bytes);                    \
  }
#define ONEPASS_GEHRD(NAME, TYPE, T, R) ONEPASS_HESSENBERG(NAME, TYPE, T, LapackRoutine::gehrd, T)
#define ONEPASS_ORGHR(NAME, TYPE, T, R) ONEPASS_HESSENBERG(NAME, TYPE, T, LapackRoutine::orghr, const T)

#define ONEPASS_ORMTR(NAME, TYPE, T, R)                                                                               \
  onepassStatus_t onepass##NAME(onepassLapackHandle_t handle, onepassSide_t side, onepassFillMode_t uplo,             \
                                onepassOperation_t op, int64_t m, int64_t n, const T* A, int64_t lda, const T* tau,   \
                                T* C, int64_t ldc, void* workspace, size_t bytes) {                                   \
    return lapack::call(handle, lapack::ormtr(TYPE, side, uplo, op, m, n, lda, ldc),                                  \
                        {.a = lapack::in(A), .tau = lapack::in(tau), .c = C}, workspace, bytes);                      \
  }                                                                                                                   \
  onepassStatus_t onepass##NAME##BufferSize(onepassLapackHandle_t handle, onepassSide_t side, onepassFillMode_t uplo, \
                                            onepassOperation_t op, int64_t m, int64_t n, int64_t lda, int64_t ldc,    \
                                            size_t* bytes) {                                                          \
    return lapack::buffer_size(handle, lapack::ormtr(TYPE, side, uplo, op, m, n, lda, ldc), bytes);                   \
  }

#define ONEPASS_ORMBR(NAME, TYPE, T, R)                                                                           \
  onepassStatus_t onepass##NAME(onepassLapackHandle_t handle, onepassVect_t vect, onepassSide_t side,             \
                                onepassOperation_t op, int64_t m, int64_t n, int64_t k, const T* A, int64_t lda,  \
                                const T* tau, T* C, int64_t ldc, void* workspace, size_t bytes) {                 \
    return lapack::call(handle, lapack::ormbr(TYPE, vect, side, op, m, n, k, lda, ldc),                           \
                        {.a = lapack::in(A), .tau = lapack::in(tau), .c = C}, workspace, bytes);                  \
  }                                                                                                               \
  onepassStatus_t onepass##NAME##BufferSize(onepassLapackHandle_t handle, onepassVect_t vect, onepassSide_t side, \
                                            onepassOperation_t op, int64_t m, int64_t n, int64_t k, int64_t lda,  \
                                            int64_t ldc, size_t* bytes) {                                         \
    return lapack::buffer_size(handle, lapack::ormbr(TYPE, vect, side, op, m, n, k, lda, ldc), bytes);            \
  }

#define ONEPASS_ORMHR(NAME, TYPE, T, R)                                                                               \
  onepassStatus_t onepass##NAME(onepassLapackHandle_t handle, onepassSide_t side, onepassOperation_t op, int64_t m,   \
                                int64_t n, int64_t ilo, int64_t ihi, const T* A, int64_t lda, const T* tau, T* C,     \
                                int64_t ldc, void* workspace, size_t bytes) {                                         \
    return lapack::call(handle, lapack::ormhr(TYPE, side, op, m, n, ilo, ihi, lda, ldc),                              \
                        {.a = lapack::in(A), .tau = lapack::in(tau), .c = C}, workspace, bytes);                      \
  }                                                                                                                   \
  onepassStatus_t onepass##NAME##BufferSize(onepassLapackHandle_t handle, onepassSide_t side, onepassOperation_t op,  \
                                            int64_t m, int64_t n, int64_t ilo, int64_t ihi, int64_t lda, int64_t ldc, \
                                            size_t* bytes) {                                                          \
    return lapack::buffer_size(handle, lapack::ormhr(TYPE, side, op, m, n, ilo, ihi, lda, ldc), bytes);               \
  }

#define ONEPASS_SYEVD(NAME, TYPE, T, R)                                                                              \
  onepassStatus_t onepass##NAME(onepassLapackHandle_t handle, onepassJob_t jobz, onepassFillMode_t uplo, int64_t n,  \
                                T* A, int64_t lda, R* W, void* workspace, size_t bytes, int* info) {                 \
    return lapack::call(handle, lapack::syevd(TYPE, jobz, uplo, n, lda), {.a = A, .w = W, .info = info}, workspace,  \
                        bytes);                                                                                      \
  }                                                                                                                  \
  onepassStatus_t onepass##NAME##BufferSize(onepassLapackHandle_t handle, onepassJob_t jobz, onepassFillMode_t uplo, \
                                            int64_t n, int64_t lda, size_t* bytes) {                                 \
    return lapack::buffer_size(handle, lapack::syevd(TYPE, jobz, uplo, n, lda), bytes);                              \
  }

#define ONEPASS_SYEVDX(NAME, TYPE, T, R)                                                                            \
  onepassStatus_t onepass##NAME(onepassLapackHandle_t handle, onepassJob_t jobz, onepassRange_t range,              \
                                onepassFillMode_t uplo, int64_t n, T* A, int64_t lda, R vl, R vu, int64_t il,       \
                                int64_t iu, int* found, R* W, void* workspace, size_t bytes, int* info) {           \
    return lapack::call(handle, lapack::syevdx(TYPE, jobz, range, uplo, n, lda, vl, vu, il, iu),                    \
                        {.a = A, .w = W, .info = info, .found = found}, workspace, bytes);                          \
  }                                                                                                                 \
  onepassStatus_t onepass##NAME##BufferSize(onepassLapackHandle_t handle, onepassJob_t jobz, onepassRange_t range,  \
                                            onepassFillMode_t uplo, int64_t n, int64_t lda, R vl, R vu, int64_t il, \
                                            int64_t iu, size_t* bytes) {                                            \
    return lapack::buffer_size(handle, lapack::syevdx(TYPE, jobz, range, uplo, n, lda, vl, vu, il, iu), bytes);     \
  }

#define ONEPASS_GEQRF(NAME, TYPE, T, R)                                                                        \
  onepassStatus_t onepass##NAME(onepassLapackHandle_t handle, int64_t m, int64_t n, T* A, int64_t lda, T* tau, \
                                void* workspace, size_t bytes) {                                               \
    return lapack::call(handle, lapack::geqrf(TYPE, m, n, lda), {.a = A, .tau = tau}, workspace, bytes);       \
  }                                                                                                            \
  onepassStatus_t onepass##NAME##BufferSize(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t lda,   \
                                            size_t* bytes) {                                                   \
    return lapack::buffer_size(handle, lapack::geqrf(TYPE, m, n, lda), bytes);                                 \
  }

#define ONEPASS_ORGQR(NAME, TYPE, T, R)                                                                           \
  onepassStatus_t onepass##NAME(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t k, T* A, int64_t lda, \
                                const T* tau, void* workspace, size_t bytes) {                                    \
    return lapack::call(handle, lapack::orgqr(TYPE, m, n, k, lda), {.a = A, .tau = lapack::in(tau)}, workspace,   \
                        bytes);                                                                                   \
  }                                                                                                               \
  onepassStatus_t onepass##NAME##BufferSize(onepassLapackHandle_t handle, int64_t m, int64_t n, int64_t k,        \
                                            int64_t lda, size_t* bytes) {                                         \
    return lapack::buffer_size(handle, lapack::orgqr(TYPE, m, n, k, lda), bytes);                                 \
  }

#define ONEPASS_ORMQR(NAME, TYPE, T, R)                                                                              \
  onepassStatus_t onepass##NAME(onepassLapackHandle_t handle, onepassSide_t side, onepassOperation_t op, int64_t m,  \
                                int64_t n, int64_t k, const T* A, int64_t lda, const T* tau, T* C, int64_t ldc,      \
                                void* workspace, size_t bytes) {                                                     \
    return lapack::call(handle, lapack::ormqr(TYPE, side, op, m, n, k, lda, ldc),                                    \
                        {.a = lapack::in(A), .tau = lapack::in(tau), .c = C}, workspace, bytes);                     \
  }                                                                                                                  \
  onepassStatus_t onepass##NAME##BufferSize(onepassLapackHandle_t handle, onepassSide_t side, onepassOperation_t op, \
                                            int64_t m, int64_t n, int64_t k, int64_t lda, int64_t ldc,               \
                                            size_t* bytes) {                                                         \
    return lapack::buffer_size(handle, lapack::ormqr(TYPE, side, op, m, n, k, lda, ldc), bytes);                     \
  }

#define ONEPASS_GESVD(NAME, TYPE, T, R)                                                                            \
  onepassStatus_t onepass##NAME(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m, int64_t n, T* A,       \
                                int64_t lda, R* S, T* U, int64_t ldu, T* VT, int64_t ldvt, void* workspace,        \
                                size_t bytes, int* info) {                                                         \
    return lapack::call(handle, lapack::gesvd(TYPE, jobz, m, n, lda, ldu, ldvt),                                   \
                        {.a = A, .w = S, .info = info, .u = U, .vt = VT}, workspace, bytes);                       \
  }                                                                                                                \
  onepassStatus_t onepass##NAME##BufferSize(onepassLapackHandle_t handle, onepassJob_t jobz, int64_t m, int64_t n, \
                                            int64_t lda, int64_t ldu, int64_t ldvt, size_t* bytes) {               \
    return lapack::buffer_size(handle, lapack::gesvd(TYPE, jobz, m, n, lda, ldu, ldvt), bytes);                    \
  }

// One of them for every type, with its names of real and of complex ones.
#define ONEPASS_FOR_TYPES(CALL, REAL, COMPLEX)       \
  CALL(S##REAL, Type::s, float, float)               \
  CALL(D##REAL, Type::d, double, double)             \
  CALL(C##COMPLEX, Type::c, onepassComplex_t, float) \
  CALL(Z##COMPLEX, Type::z, onepassDoubleComplex_t, double)

ONEPASS_FOR_TYPES(ONEPASS_SYTRD, sytrd, hetrd)
ONEPASS_FOR_TYPES(ONEPASS_GEBRD, gebrd, gebrd)
ONEPASS_FOR_TYPES(ONEPASS_GEHRD, gehrd, gehrd)
ONEPASS_FOR_TYPES(ONEPASS_ORGTR, orgtr, ungtr)
ONEPASS_FOR_TYPES(ONEPASS_ORGBR, orgbr, ungbr)
ONEPASS_FOR_TYPES(ONEPASS_ORGHR, orghr, unghr)
ONEPASS_FOR_TYPES(ONEPASS_ORMTR, ormtr, unmtr)
ONEPASS_FOR_TYPES(ONEPASS_ORMBR, ormbr, unmbr)
ONEPASS_FOR_TYPES(ONEPASS_ORMHR, ormhr, unmhr)
ONEPASS_FOR_TYPES(ONEPASS_SYEVD, syevd, heevd)
ONEPASS_FOR_TYPES(ONEPASS_SYEVDX, syevdx, heevdx)
ONEPASS_FOR_TYPES(ONEPASS_GESVD, gesvd, gesvd)
ONEPASS_FOR_TYPES(ONEPASS_GEQRF, geqrf, geqrf)
ONEPASS_FOR_TYPES(ONEPASS_ORGQR, orgqr, ungqr)
ONEPASS_FOR_TYPES(ONEPASS_ORMQR, ormqr, unmqr)

}  // extern "C"
