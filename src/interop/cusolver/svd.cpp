// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The symbols of cuSOLVER for singular value decompositions by gesvd: of each type, and with types as arguments; and of
// many small matrices by Jacobi's method, whose tolerance and number of sweeps Onepass has no use for.
#include "interop/cusolver/each_type.hpp"
#include "interop/cusolver/serve.hpp"

namespace onepass::cusolver {
namespace {

onepassLapackOperands_t singular(void* a, void* s, void* u, void* vt) {
  onepassLapackOperands_t operands = {};
  operands.a = a, operands.w = s, operands.u = u, operands.vt = vt;
  return operands;
}

// The size is asked for without a job: it must do for all of them.
template <class T>
cusolverStatus_t at_least_for_all_jobs(cusolverStatus_t status, onepassType_t type, int m, int n, int* lwork) {
  for (const signed char job : {'N', 'S', 'A'})
    status = at_least<T>(status, gesvd(type, {job, job}, m, n, m, m, n), lwork);
  status = at_least<T>(status, gesvd(type, {'O', 'S'}, m, n, m, m, n), lwork);  // more than with V^H in the place of A
  return status;
}

Asked jacobi_svd(onepassType_t type, cusolverEigMode_t jobz, int m, int n, int lda, int ldu, int ldv,
                 gesvdjInfo_t params, int count) {
  Asked made = gesvd_batched(type, jobz, m, n, lda, ldu, ldv, count);
  if (params == nullptr) made.declined = "null parameters";
  return made;
}

}  // namespace
}  // namespace onepass::cusolver

using namespace onepass::cusolver;  // NOLINT: what follows are functions of C

extern "C" {

// The names below are all alike; one macro spells them. A: elements, R: the real type of s. rwork is for what did not
// converge, of which Onepass says nothing but info.
#define ONEPASS_GESVD(NAME, A, R, TYPE)                                                                                \
  ONEPASS_API cusolverStatus_t NAME##_bufferSize(cusolverDnHandle_t handle, int m, int n, int* lwork) {                \
    static void* const real = next_symbol(#NAME "_bufferSize");                                                        \
    return at_least_for_all_jobs<A>(forward(real, &NAME##_bufferSize, handle, m, n, lwork), TYPE, m, n, lwork);        \
  }                                                                                                                    \
  ONEPASS_API cusolverStatus_t NAME(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n,      \
                                    A* a, int lda, R* s, A* u, int ldu, A* vt, int ldvt, A* work, int lwork, R* rwork, \
                                    int* info) {                                                                       \
    if (const auto done = take(#NAME, handle, gesvd(TYPE, {jobu, jobvt}, m, n, lda, ldu, ldvt), singular(a, s, u, vt), \
                               work_of(work, lwork), info))                                                            \
      return *done;                                                                                                    \
    static void* const real = next_symbol(#NAME);                                                                      \
    return forward(real, &NAME, handle, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, rwork, info);     \
  }

ONEPASS_EACH_TYPE(ONEPASS_GESVD, gesvd, gesvd)

#undef ONEPASS_GESVD

#define ONEPASS_GESVDJ(NAME, A, R, TYPE)                                                                            \
  ONEPASS_API cusolverStatus_t NAME##_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n,   \
                                                 const A* a, int lda, const R* s, const A* u, int ldu, const A* v,  \
                                                 int ldv, int* lwork, gesvdjInfo_t params, int count) {             \
    static void* const real = next_symbol(#NAME "_bufferSize");                                                     \
    return at_least<A>(                                                                                             \
        forward(real, &NAME##_bufferSize, handle, jobz, m, n, a, lda, s, u, ldu, v, ldv, lwork, params, count),     \
        jacobi_svd(TYPE, jobz, m, n, lda, ldu, ldv, params, count), lwork);                                         \
  }                                                                                                                 \
  ONEPASS_API cusolverStatus_t NAME(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, A* a, int lda, \
                                    R* s, A* u, int ldu, A* v, int ldv, A* work, int lwork, int* info,              \
                                    gesvdjInfo_t params, int count) {                                               \
    if (const auto done = take(#NAME, handle, jacobi_svd(TYPE, jobz, m, n, lda, ldu, ldv, params, count),           \
                               singular(a, s, u, v), work_of(work, lwork), info))                                   \
      return *done;                                                                                                 \
    static void* const real = next_symbol(#NAME);                                                                   \
    return forward(real, &NAME, handle, jobz, m, n, a, lda, s, u, ldu, v, ldv, work, lwork, info, params, count);   \
  }

ONEPASS_EACH_TYPE(ONEPASS_GESVDJ, gesvdjBatched, gesvdjBatched)

#undef ONEPASS_GESVDJ

// Workspaces in bytes. That on the host is cuSOLVER's: Onepass needs none.
ONEPASS_API cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                                         signed char jobu, signed char jobvt, int64_t m, int64_t n,
                                                         cudaDataType type_a, const void* a, int64_t lda,
                                                         cudaDataType type_s, const void* s, cudaDataType type_u,
                                                         const void* u, int64_t ldu, cudaDataType type_vt,
                                                         const void* vt, int64_t ldvt, cudaDataType compute,
                                                         size_t* device_bytes, size_t* host_bytes) {
  static void* const real = next_symbol("cusolverDnXgesvd_bufferSize");
  return at_least(forward(real, &cusolverDnXgesvd_bufferSize, handle, params, jobu, jobvt, m, n, type_a, a, lda, type_s,
                          s, type_u, u, ldu, type_vt, vt, ldvt, compute, device_bytes, host_bytes),
                  gesvd({type_a, type_s, compute}, type_u, type_vt, {jobu, jobvt}, m, n, lda, ldu, ldvt), device_bytes);
}

ONEPASS_API cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
                                              signed char jobvt, int64_t m, int64_t n, cudaDataType type_a, void* a,
                                              int64_t lda, cudaDataType type_s, void* s, cudaDataType type_u, void* u,
                                              int64_t ldu, cudaDataType type_vt, void* vt, int64_t ldvt,
                                              cudaDataType compute, void* device_work, size_t device_bytes,
                                              void* host_work, size_t host_bytes, int* info) {
  if (const auto done = take("cusolverDnXgesvd", handle,
                             gesvd({type_a, type_s, compute}, type_u, type_vt, {jobu, jobvt}, m, n, lda, ldu, ldvt),
                             singular(a, s, u, vt), {device_work, device_bytes}, info))
    return *done;
  static void* const real = next_symbol("cusolverDnXgesvd");
  return forward(real, &cusolverDnXgesvd, handle, params, jobu, jobvt, m, n, type_a, a, lda, type_s, s, type_u, u, ldu,
                 type_vt, vt, ldvt, compute, device_work, device_bytes, host_work, host_bytes, info);
}

}  // extern "C"
