// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The symbols of cuSOLVER for Hermitian eigenproblems by divide and conquer: of each type, and with types as arguments.
#include "interop/cusolver/each_type.hpp"
#include "interop/cusolver/serve.hpp"

namespace onepass::cusolver {
namespace {

// A call with a range, of which all eigenvalues or those of an index are wanted if it is taken; how many they are is
// said on the host.
template <class Count>
std::optional<cusolverStatus_t> take_range(const char* name, cusolverDnHandle_t handle, Asked asked,
                                           const onepassLapackOperands_t& operands, const Work& work, int* info,
                                           Count* found) {
  if (found == nullptr && asked.declined == nullptr) asked.declined = "a null number of eigenvalues";
  const std::optional<cusolverStatus_t> done = take(name, handle, asked, operands, work, info);
  if (done == CUSOLVER_STATUS_SUCCESS) {
    const onepassLapackProblem_t& p = asked.problem;
    *found = static_cast<Count>(p.range == ONEPASS_RANGE_INDEX ? p.iu - p.il + 1 : p.n);
  }
  return done;
}

}  // namespace
}  // namespace onepass::cusolver

using namespace onepass::cusolver;  // NOLINT: what follows are functions of C

extern "C" {

// The names below are all alike; one macro per routine spells them. A: elements, R: the real type of w.
#define ONEPASS_SYEVD(NAME, A, R, TYPE)                                                                              \
  ONEPASS_API cusolverStatus_t NAME##_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                  \
                                                 cublasFillMode_t uplo, int n, const A* a, int lda, const R* w,      \
                                                 int* lwork) {                                                       \
    static void* const real = next_symbol(#NAME "_bufferSize");                                                      \
    return at_least<A>(forward(real, &NAME##_bufferSize, handle, jobz, uplo, n, a, lda, w, lwork),                   \
                       syevd(TYPE, jobz, uplo, n, lda), lwork);                                                      \
  }                                                                                                                  \
  ONEPASS_API cusolverStatus_t NAME(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, \
                                    A* a, int lda, R* w, A* work, int lwork, int* info) {                            \
    if (const auto done =                                                                                            \
            take(#NAME, handle, syevd(TYPE, jobz, uplo, n, lda), eigen(a, w), work_of(work, lwork), info))           \
      return *done;                                                                                                  \
    static void* const real = next_symbol(#NAME);                                                                    \
    return forward(real, &NAME, handle, jobz, uplo, n, a, lda, w, work, lwork, info);                                \
  }

#define ONEPASS_SYEVDX(NAME, A, R, TYPE)                                                                            \
  ONEPASS_API cusolverStatus_t NAME##_bufferSize(                                                                   \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo, int n,    \
      const A* a, int lda, R vl, R vu, int il, int iu, int* found, const R* w, int* lwork) {                        \
    static void* const real = next_symbol(#NAME "_bufferSize");                                                     \
    return at_least<A>(                                                                                             \
        forward(real, &NAME##_bufferSize, handle, jobz, range, uplo, n, a, lda, vl, vu, il, iu, found, w, lwork),   \
        within(range, il, iu, syevd(TYPE, jobz, uplo, n, lda)), lwork);                                             \
  }                                                                                                                 \
  ONEPASS_API cusolverStatus_t NAME(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,    \
                                    cublasFillMode_t uplo, int n, A* a, int lda, R vl, R vu, int il, int iu,        \
                                    int* found, R* w, A* work, int lwork, int* info) {                              \
    if (const auto done = take_range(#NAME, handle, within(range, il, iu, syevd(TYPE, jobz, uplo, n, lda)),         \
                                     eigen(a, w), work_of(work, lwork), info, found))                               \
      return *done;                                                                                                 \
    static void* const real = next_symbol(#NAME);                                                                   \
    return forward(real, &NAME, handle, jobz, range, uplo, n, a, lda, vl, vu, il, iu, found, w, work, lwork, info); \
  }

ONEPASS_EACH_TYPE(ONEPASS_SYEVD, syevd, heevd)
ONEPASS_EACH_TYPE(ONEPASS_SYEVDX, syevdx, heevdx)

#undef ONEPASS_SYEVDX
#undef ONEPASS_SYEVD

// Workspaces in bytes. That on the host is cuSOLVER's: Onepass needs none.
ONEPASS_API cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                                         cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                                         cudaDataType type_a, const void* a, int64_t lda,
                                                         cudaDataType type_w, const void* w, cudaDataType compute,
                                                         size_t* device_bytes, size_t* host_bytes) {
  static void* const real = next_symbol("cusolverDnXsyevd_bufferSize");
  return at_least(forward(real, &cusolverDnXsyevd_bufferSize, handle, params, jobz, uplo, n, type_a, a, lda, type_w, w,
                          compute, device_bytes, host_bytes),
                  syevd({type_a, type_w, compute}, jobz, uplo, n, lda), device_bytes);
}

ONEPASS_API cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                              cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                              cudaDataType type_a, void* a, int64_t lda, cudaDataType type_w, void* w,
                                              cudaDataType compute, void* device_work, size_t device_bytes,
                                              void* host_work, size_t host_bytes, int* info) {
  if (const auto done = take("cusolverDnXsyevd", handle, syevd({type_a, type_w, compute}, jobz, uplo, n, lda),
                             eigen(a, w), {device_work, device_bytes}, info))
    return *done;
  static void* const real = next_symbol("cusolverDnXsyevd");
  return forward(real, &cusolverDnXsyevd, handle, params, jobz, uplo, n, type_a, a, lda, type_w, w, compute,
                 device_work, device_bytes, host_work, host_bytes, info);
}

ONEPASS_API cusolverStatus_t cusolverDnXsyevdx_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                                          cusolverEigMode_t jobz, cusolverEigRange_t range,
                                                          cublasFillMode_t uplo, int64_t n, cudaDataType type_a,
                                                          const void* a, int64_t lda, void* vl, void* vu, int64_t il,
                                                          int64_t iu, int64_t* found, cudaDataType type_w,
                                                          const void* w, cudaDataType compute, size_t* device_bytes,
                                                          size_t* host_bytes) {
  static void* const real = next_symbol("cusolverDnXsyevdx_bufferSize");
  return at_least(forward(real, &cusolverDnXsyevdx_bufferSize, handle, params, jobz, range, uplo, n, type_a, a, lda, vl,
                          vu, il, iu, found, type_w, w, compute, device_bytes, host_bytes),
                  within(range, il, iu, syevd({type_a, type_w, compute}, jobz, uplo, n, lda)), device_bytes);
}

ONEPASS_API cusolverStatus_t cusolverDnXsyevdx(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                               cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo,
                                               int64_t n, cudaDataType type_a, void* a, int64_t lda, void* vl, void* vu,
                                               int64_t il, int64_t iu, int64_t* found, cudaDataType type_w, void* w,
                                               cudaDataType compute, void* device_work, size_t device_bytes,
                                               void* host_work, size_t host_bytes, int* info) {
  if (const auto done = take_range("cusolverDnXsyevdx", handle,
                                   within(range, il, iu, syevd({type_a, type_w, compute}, jobz, uplo, n, lda)),
                                   eigen(a, w), {device_work, device_bytes}, info, found))
    return *done;
  static void* const real = next_symbol("cusolverDnXsyevdx");
  return forward(real, &cusolverDnXsyevdx, handle, params, jobz, range, uplo, n, type_a, a, lda, vl, vu, il, iu, found,
                 type_w, w, compute, device_work, device_bytes, host_work, host_bytes, info);
}

}  // extern "C"
