// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/cusolver/fake_cusolver.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstring>
#include <type_traits>

FakeCusolver fake_cusolver;  // NOLINT: the state of the fake

namespace {

template <class T>
std::int64_t number(T value) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<std::int64_t>(value);
  else
    return static_cast<std::int64_t>(value);
}

template <class... Arguments>
cusolverStatus_t note(const char* name, Arguments... arguments) {
  fake_cusolver.last = name;
  fake_cusolver.arguments = {number(arguments)...};
  return passed_on;
}

cusolverStatus_t say(int* elements) {
  *elements = fake_cusolver.elements;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t say(std::size_t* device, std::size_t* host) {
  *device = fake_cusolver.device_bytes;
  *host = fake_cusolver.host_bytes;
  return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* data, int value, std::size_t bytes, cudaStream_t) {
  std::memset(data, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind, cudaStream_t) {
  for (std::size_t row = 0; row < height; ++row)
    std::memcpy(static_cast<std::byte*>(to) + row * to_pitch, static_cast<const std::byte*>(from) + row * from_pitch,
                width);
  return cudaSuccess;
}

cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t, cudaStream_t* stream) {
  *stream = fake_cusolver.stream;
  return CUSOLVER_STATUS_SUCCESS;
}

using Handle = cusolverDnHandle_t;
using Params = cusolverDnParams_t;
using Uplo = cublasFillMode_t;
using Side = cublasSideMode_t;
using Op = cublasOperation_t;
using Job = cusolverEigMode_t;
using Range = cusolverEigRange_t;
using Type = cudaDataType;

cusolverStatus_t cusolverDnDsytrd_bufferSize(Handle, Uplo, int, const double*, int, const double*, const double*,
                                             const double*, int* lwork) {
  return say(lwork);
}
cusolverStatus_t cusolverDnDsytrd(Handle h, Uplo uplo, int n, double* a, int lda, double* d, double* e, double* tau,
                                  double* work, int lwork, int* info) {
  return note("cusolverDnDsytrd", h, uplo, n, a, lda, d, e, tau, work, lwork, info);
}
cusolverStatus_t cusolverDnDgebrd_bufferSize(Handle, int, int, int* lwork) { return say(lwork); }
cusolverStatus_t cusolverDnDgebrd(Handle h, int m, int n, double* a, int lda, double* d, double* e, double* tauq,
                                  double* taup, double* work, int lwork, int* info) {
  return note("cusolverDnDgebrd", h, m, n, a, lda, d, e, tauq, taup, work, lwork, info);
}
cusolverStatus_t cusolverDnDorgtr_bufferSize(Handle, Uplo, int, const double*, int, const double*, int* lwork) {
  return say(lwork);
}
cusolverStatus_t cusolverDnDorgtr(Handle h, Uplo uplo, int n, double* a, int lda, const double* tau, double* work,
                                  int lwork, int* info) {
  return note("cusolverDnDorgtr", h, uplo, n, a, lda, tau, work, lwork, info);
}
cusolverStatus_t cusolverDnDorgbr_bufferSize(Handle, Side, int, int, int, const double*, int, const double*,
                                             int* lwork) {
  return say(lwork);
}
cusolverStatus_t cusolverDnDorgbr(Handle h, Side side, int m, int n, int k, double* a, int lda, const double* tau,
                                  double* work, int lwork, int* info) {
  return note("cusolverDnDorgbr", h, side, m, n, k, a, lda, tau, work, lwork, info);
}
cusolverStatus_t cusolverDnDormtr_bufferSize(Handle, Side, Uplo, Op, int, int, const double*, int, const double*,
                                             const double*, int, int* lwork) {
  return say(lwork);
}
cusolverStatus_t cusolverDnDormtr(Handle h, Side side, Uplo uplo, Op op, int m, int n, double* a, int lda, double* tau,
                                  double* c, int ldc, double* work, int lwork, int* info) {
  return note("cusolverDnDormtr", h, side, uplo, op, m, n, a, lda, tau, c, ldc, work, lwork, info);
}
cusolverStatus_t cusolverDnDsyevd_bufferSize(Handle, Job, Uplo, int n, const double*, int, const double*, int* lwork) {
  return n < 0 ? passed_on : say(lwork);
}
cusolverStatus_t cusolverDnDsyevd(Handle h, Job jobz, Uplo uplo, int n, double* a, int lda, double* w, double* work,
                                  int lwork, int* info) {
  return note("cusolverDnDsyevd", h, jobz, uplo, n, a, lda, w, work, lwork, info);
}
cusolverStatus_t cusolverDnDsyevdx_bufferSize(Handle, Job, Range, Uplo, int, const double*, int, double, double, int,
                                              int, int*, const double*, int* lwork) {
  return say(lwork);
}
cusolverStatus_t cusolverDnDsyevdx(Handle h, Job jobz, Range range, Uplo uplo, int n, double* a, int lda, double vl,
                                   double vu, int il, int iu, int* meig, double* w, double* work, int lwork,
                                   int* info) {
  return note("cusolverDnDsyevdx", h, jobz, range, uplo, n, a, lda, vl, vu, il, iu, meig, w, work, lwork, info);
}
cusolverStatus_t cusolverDnXsyevd_bufferSize(Handle, Params, Job, Uplo, std::int64_t, Type, const void*, std::int64_t,
                                             Type, const void*, Type, std::size_t* device, std::size_t* host) {
  return say(device, host);
}
cusolverStatus_t cusolverDnXsyevd(Handle h, Params params, Job jobz, Uplo uplo, std::int64_t n, Type type_a, void* a,
                                  std::int64_t lda, Type type_w, void* w, Type compute, void* work, std::size_t bytes,
                                  void* host, std::size_t host_bytes, int* info) {
  return note("cusolverDnXsyevd", h, params, jobz, uplo, n, type_a, a, lda, type_w, w, compute, work, bytes, host,
              host_bytes, info);
}
cusolverStatus_t cusolverDnXsyevdx_bufferSize(Handle, Params, Job, Range, Uplo, std::int64_t, Type, const void*,
                                              std::int64_t, void*, void*, std::int64_t, std::int64_t, std::int64_t*,
                                              Type, const void*, Type, std::size_t* device, std::size_t* host) {
  return say(device, host);
}
cusolverStatus_t cusolverDnXsyevdx(Handle h, Params params, Job jobz, Range range, Uplo uplo, std::int64_t n,
                                   Type type_a, void* a, std::int64_t lda, void* vl, void* vu, std::int64_t il,
                                   std::int64_t iu, std::int64_t* meig, Type type_w, void* w, Type compute, void* work,
                                   std::size_t bytes, void* host, std::size_t host_bytes, int* info) {
  return note("cusolverDnXsyevdx", h, params, jobz, range, uplo, n, type_a, a, lda, vl, vu, il, iu, meig, type_w, w,
              compute, work, bytes, host, host_bytes, info);
}

cusolverStatus_t cusolverDnDgesvd_bufferSize(Handle, int, int, int* lwork) { return say(lwork); }
cusolverStatus_t cusolverDnDgesvd(Handle h, signed char jobu, signed char jobvt, int m, int n, double* a, int lda,
                                  double* s, double* u, int ldu, double* vt, int ldvt, double* work, int lwork,
                                  double* rwork, int* info) {
  return note("cusolverDnDgesvd", h, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, rwork, info);
}
cusolverStatus_t cusolverDnXgesvd_bufferSize(Handle, Params, signed char, signed char, std::int64_t, std::int64_t, Type,
                                             const void*, std::int64_t, Type, const void*, Type, const void*,
                                             std::int64_t, Type, const void*, std::int64_t, Type, std::size_t* device,
                                             std::size_t* host) {
  return say(device, host);
}
cusolverStatus_t cusolverDnXgesvd(Handle h, Params params, signed char jobu, signed char jobvt, std::int64_t m,
                                  std::int64_t n, Type type_a, void* a, std::int64_t lda, Type type_s, void* s,
                                  Type type_u, void* u, std::int64_t ldu, Type type_vt, void* vt, std::int64_t ldvt,
                                  Type compute, void* work, std::size_t bytes, void* host, std::size_t host_bytes,
                                  int* info) {
  return note("cusolverDnXgesvd", h, params, jobu, jobvt, m, n, type_a, a, lda, type_s, s, type_u, u, ldu, type_vt, vt,
              ldvt, compute, work, bytes, host, host_bytes, info);
}

cusolverStatus_t cusolverDnDgeqrf_bufferSize(Handle, int, int, double*, int, int* lwork) { return say(lwork); }
cusolverStatus_t cusolverDnDgeqrf(Handle h, int m, int n, double* a, int lda, double* tau, double* work, int lwork,
                                  int* info) {
  return note("cusolverDnDgeqrf", h, m, n, a, lda, tau, work, lwork, info);
}
cusolverStatus_t cusolverDnDorgqr_bufferSize(Handle, int, int, int, const double*, int, const double*, int* lwork) {
  return say(lwork);
}
cusolverStatus_t cusolverDnDorgqr(Handle h, int m, int n, int k, double* a, int lda, const double* tau, double* work,
                                  int lwork, int* info) {
  return note("cusolverDnDorgqr", h, m, n, k, a, lda, tau, work, lwork, info);
}
cusolverStatus_t cusolverDnDormqr_bufferSize(Handle, Side, Op, int, int, int, const double*, int, const double*,
                                             const double*, int, int* lwork) {
  return say(lwork);
}
cusolverStatus_t cusolverDnDormqr(Handle h, Side side, Op op, int m, int n, int k, const double* a, int lda,
                                  const double* tau, double* c, int ldc, double* work, int lwork, int* info) {
  return note("cusolverDnDormqr", h, side, op, m, n, k, a, lda, tau, c, ldc, work, lwork, info);
}
cusolverStatus_t cusolverDnXgeqrf_bufferSize(Handle, Params, std::int64_t, std::int64_t, Type, const void*,
                                             std::int64_t, Type, const void*, Type, std::size_t* device,
                                             std::size_t* host) {
  return say(device, host);
}
cusolverStatus_t cusolverDnXgeqrf(Handle h, Params params, std::int64_t m, std::int64_t n, Type type_a, void* a,
                                  std::int64_t lda, Type type_tau, void* tau, Type compute, void* work,
                                  std::size_t bytes, void* host, std::size_t host_bytes, int* info) {
  return note("cusolverDnXgeqrf", h, params, m, n, type_a, a, lda, type_tau, tau, compute, work, bytes, host,
              host_bytes, info);
}
cusolverStatus_t cusolverDnDsyevj_bufferSize(Handle, Job, Uplo, int, const double*, int, const double*, int* lwork,
                                             syevjInfo_t) {
  return say(lwork);
}
cusolverStatus_t cusolverDnDsyevj(Handle h, Job jobz, Uplo uplo, int n, double* a, int lda, double* w, double* work,
                                  int lwork, int* info, syevjInfo_t params) {
  return note("cusolverDnDsyevj", h, jobz, uplo, n, a, lda, w, work, lwork, info, params);
}
cusolverStatus_t cusolverDnDsyevjBatched_bufferSize(Handle, Job, Uplo, int, const double*, int, const double*,
                                                    int* lwork, syevjInfo_t, int) {
  return say(lwork);
}
cusolverStatus_t cusolverDnDsyevjBatched(Handle h, Job jobz, Uplo uplo, int n, double* a, int lda, double* w,
                                         double* work, int lwork, int* info, syevjInfo_t params, int count) {
  return note("cusolverDnDsyevjBatched", h, jobz, uplo, n, a, lda, w, work, lwork, info, params, count);
}
cusolverStatus_t cusolverDnDgesvdjBatched_bufferSize(Handle, Job, int, int, const double*, int, const double*,
                                                     const double*, int, const double*, int, int* lwork, gesvdjInfo_t,
                                                     int) {
  return say(lwork);
}
cusolverStatus_t cusolverDnDgesvdjBatched(Handle h, Job jobz, int m, int n, double* a, int lda, double* s, double* u,
                                          int ldu, double* v, int ldv, double* work, int lwork, int* info,
                                          gesvdjInfo_t params, int count) {
  return note("cusolverDnDgesvdjBatched", h, jobz, m, n, a, lda, s, u, ldu, v, ldv, work, lwork, info, params, count);
}
cusolverStatus_t cusolverDnXsyevBatched_bufferSize(Handle, Params, Job, Uplo, std::int64_t, Type, const void*,
                                                   std::int64_t, Type, const void*, Type, std::size_t* device,
                                                   std::size_t* host, std::int64_t) {
  return say(device, host);
}
cusolverStatus_t cusolverDnXsyevBatched(Handle h, Params params, Job jobz, Uplo uplo, std::int64_t n, Type type_a,
                                        void* a, std::int64_t lda, Type type_w, void* w, Type compute, void* work,
                                        std::size_t bytes, void* host, std::size_t host_bytes, int* info,
                                        std::int64_t count) {
  return note("cusolverDnXsyevBatched", h, params, jobz, uplo, n, type_a, a, lda, type_w, w, compute, work, bytes, host,
              host_bytes, info, count);
}

}  // extern "C"
