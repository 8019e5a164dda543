// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The symbols of cuSOLVER for many Hermitian eigenproblems of one order. Larger orders than Onepass takes in a batch
// stay with cuSOLVER.
#include "interop/cusolver/serve.hpp"

using namespace onepass::cusolver;  // NOLINT: what follows are functions of C

extern "C" {

// Workspaces in bytes. That on the host is cuSOLVER's: Onepass needs none.
ONEPASS_API cusolverStatus_t cusolverDnXsyevBatched_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                                               cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                                               cudaDataType type_a, const void* a, int64_t lda,
                                                               cudaDataType type_w, const void* w, cudaDataType compute,
                                                               size_t* device_bytes, size_t* host_bytes,
                                                               int64_t count) {
  static void* const real = next_symbol("cusolverDnXsyevBatched_bufferSize");
  return at_least(forward(real, &cusolverDnXsyevBatched_bufferSize, handle, params, jobz, uplo, n, type_a, a, lda,
                          type_w, w, compute, device_bytes, host_bytes, count),
                  batched(count, syevd({type_a, type_w, compute}, jobz, uplo, n, lda)), device_bytes);
}

ONEPASS_API cusolverStatus_t cusolverDnXsyevBatched(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                                    cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                                    cudaDataType type_a, void* a, int64_t lda, cudaDataType type_w,
                                                    void* w, cudaDataType compute, void* device_work,
                                                    size_t device_bytes, void* host_work, size_t host_bytes, int* info,
                                                    int64_t count) {
  if (const auto done =
          take("cusolverDnXsyevBatched", handle, batched(count, syevd({type_a, type_w, compute}, jobz, uplo, n, lda)),
               eigen(a, w), {device_work, device_bytes}, info))
    return *done;
  static void* const real = next_symbol("cusolverDnXsyevBatched");
  return forward(real, &cusolverDnXsyevBatched, handle, params, jobz, uplo, n, type_a, a, lda, type_w, w, compute,
                 device_work, device_bytes, host_work, host_bytes, info, count);
}

}  // extern "C"
