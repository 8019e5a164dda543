// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/cublas/fake_cublas.hpp"

#include <dlfcn.h>

FakeCublas fake_cublas;  // NOLINT: the state of the fake

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 2;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  ++fake_cublas.devices_asked;
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  ++fake_cublas.facts_asked;
  *value = 5000;
  return cudaSuccess;
}

cublasStatus_t cublasGetStream_v2(cublasHandle_t, cudaStream_t* stream) {
  *stream = fake_cublas.stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t, cublasPointerMode_t* mode) {
  *mode = fake_cublas.pointer_mode;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSgemv_v2(cublasHandle_t, cublasOperation_t, int, int, const float*, const float*, int,
                              const float*, int, const float*, float*, int) {
  ++fake_cublas.calls;
  return passed_on;
}
cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t, const void*, const void*, cublasLtMatrixLayout_t,
                              const void*, cublasLtMatrixLayout_t, const void*, const void*, cublasLtMatrixLayout_t,
                              void*, cublasLtMatrixLayout_t, const cublasLtMatmulAlgo_t*, void*, size_t, cudaStream_t) {
  ++fake_cublas.calls;
  return passed_on;
}

// Descriptors are cublasLt's own: they need no GPU.
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, void* value, size_t bytes,
                                                size_t* written) {
  static auto* const real = reinterpret_cast<decltype(&cublasLtMatrixLayoutGetAttribute)>(
      dlsym(RTLD_NEXT, "cublasLtMatrixLayoutGetAttribute"));
  ++fake_cublas.questions_of_lt;
  return real(layout, attribute, value, bytes, written);
}
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t matmul, cublasLtMatmulDescAttributes_t attribute,
                                              void* value, size_t bytes, size_t* written) {
  static auto* const real =
      reinterpret_cast<decltype(&cublasLtMatmulDescGetAttribute)>(dlsym(RTLD_NEXT, "cublasLtMatmulDescGetAttribute"));
  ++fake_cublas.questions_of_lt;
  return real(matmul, attribute, value, bytes, written);
}

}  // extern "C"
