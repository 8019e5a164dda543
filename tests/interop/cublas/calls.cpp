// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A program of cuBLAS that knows nothing of Onepass: products of ones, whose sums are known, in a stream, with scalars
// on either side, in a graph, by cublasLt, and with a bad argument. It is run with libonepass_cublas.so preloaded. 77:
// no GPU.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::printf("wrong: %s\n", what);
  std::exit(1);
}

template <class T>
T* on_device(std::size_t count, T value) {
  const std::vector<T> host(count, value);
  T* device = nullptr;
  require(cudaMalloc(&device, count * sizeof(T)) == cudaSuccess, "cudaMalloc");
  require(cudaMemcpy(device, host.data(), count * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess, "cudaMemcpy");
  return device;
}

template <class T>
bool all_are(const T* device, std::size_t count, float value) {
  std::vector<T> host(count);
  require(cudaDeviceSynchronize() == cudaSuccess, "cudaDeviceSynchronize");
  require(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess, "cudaMemcpy");
  for (const T& v : host)
    if (static_cast<float>(v) != value) return false;
  return true;
}

// y = A x by cublasLt, with a vector of ones as bias or without one.
template <class T>
void multiply_by_lt(cudaStream_t stream, cudaDataType type, int m, int n, const T* a, const T* x, T* y, const T* bias) {
  const float one = 1, zero = 0;
  cublasLtHandle_t lt = nullptr;
  cublasLtMatmulDesc_t matmul = nullptr;
  cublasLtMatrixLayout_t layout_a = nullptr, layout_x = nullptr, layout_y = nullptr;
  require(cublasLtCreate(&lt) == CUBLAS_STATUS_SUCCESS, "cublasLtCreate");
  const auto rows = static_cast<std::uint64_t>(m), cols = static_cast<std::uint64_t>(n);
  require(cublasLtMatmulDescCreate(&matmul, CUBLAS_COMPUTE_32F, CUDA_R_32F) == CUBLAS_STATUS_SUCCESS &&
              cublasLtMatrixLayoutCreate(&layout_a, type, rows, cols, m) == CUBLAS_STATUS_SUCCESS &&
              cublasLtMatrixLayoutCreate(&layout_x, type, cols, 1, n) == CUBLAS_STATUS_SUCCESS &&
              cublasLtMatrixLayoutCreate(&layout_y, type, rows, 1, m) == CUBLAS_STATUS_SUCCESS,
          "descriptors of cublasLt");
  if (bias != nullptr) {
    const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_BIAS;
    require(cublasLtMatmulDescSetAttribute(matmul, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue) ==
                    CUBLAS_STATUS_SUCCESS &&
                cublasLtMatmulDescSetAttribute(matmul, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias) ==
                    CUBLAS_STATUS_SUCCESS,
            "a bias");
  }
  require(cublasLtMatmul(lt, matmul, &one, a, layout_a, x, layout_x, &zero, y, layout_y, y, layout_y, nullptr, nullptr,
                         0, stream) == CUBLAS_STATUS_SUCCESS,
          "cublasLtMatmul");
  cublasLtMatrixLayoutDestroy(layout_y);
  cublasLtMatrixLayoutDestroy(layout_x);
  cublasLtMatrixLayoutDestroy(layout_a);
  cublasLtMatmulDescDestroy(matmul);
  cublasLtDestroy(lt);
}

}  // namespace

int main() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    std::printf("skipped: no GPU\n");
    return 77;
  }
  constexpr int m = 300, n = 2000;
  const float one = 1, two = 2, zero = 0;
  float *a = on_device(m * n, 1.0f), *x = on_device(n, 1.0f), *y = on_device(n, 1.0f), *scalars = on_device(2, 2.0f);
  cublasHandle_t handle = nullptr;
  cudaStream_t stream = nullptr;
  require(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
  require(cudaStreamCreate(&stream) == cudaSuccess, "cudaStreamCreate");
  require(cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS, "cublasSetStream");

  require(cublasSgemv(handle, CUBLAS_OP_N, m, n, &two, a, m, x, 1, &one, y, 1) == CUBLAS_STATUS_SUCCESS, "sgemv");
  require(all_are(y, m, 2 * n + 1), "2 A x + y");
  require(cublasSsymv(handle, CUBLAS_FILL_MODE_LOWER, m, &one, a, m, x, 1, &zero, y, 1) == CUBLAS_STATUS_SUCCESS,
          "ssymv");
  require(all_are(y, m, m), "symmetric A x");

  require(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) == CUBLAS_STATUS_SUCCESS, "pointer mode");
  require(cublasSgemv(handle, CUBLAS_OP_T, m, n, scalars, a, m, x, 1, scalars + 1, y, 1) == CUBLAS_STATUS_SUCCESS,
          "sgemv");
  require(all_are(y, m, 4 * m), "2 A^T x + 2 y, scalars on the device");
  require(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS, "pointer mode");

  // C = A B with one column, and C = B^T A^T with one row, captured and replayed.
  __half *ha = on_device(m * n, __half(1.0f)), *hx = on_device(n, __half(1.0f)), *hy = on_device(m, __half(7.0f));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess, "begin of the capture");
  require(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, 1, n, &one, ha, CUDA_R_16F, m, hx, CUDA_R_16F, n, &zero, hy,
                       CUDA_R_16F, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS,
          "GemmEx");
  require(
      cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_T, 1, m, n, &one, x, n, a, m, &zero, y, 1) == CUBLAS_STATUS_SUCCESS,
      "sgemm");
  require(cudaStreamEndCapture(stream, &graph) == cudaSuccess, "end of the capture");
  require(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess, "cudaGraphInstantiate");
  for (int replay = 0; replay < 3; ++replay) require(cudaGraphLaunch(executable, stream) == cudaSuccess, "replay");
  require(all_are(hy, m, n), "half A x");
  require(all_are(y, m, n), "x^T A^T");

  multiply_by_lt(stream, CUDA_R_16F, m, n, ha, hx, hy, static_cast<__half*>(nullptr));
  require(all_are(hy, m, n), "half A x by cublasLt");
  multiply_by_lt(stream, CUDA_R_16F, m, n, ha, hx, hy, hx);
  require(all_are(hy, m, n + 1), "half A x + ones by cublasLt");

  // Passed on: a real GEMM, and an argument that cuBLAS refuses in its own words.
  require(
      cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 4, a, 4, &zero, y, 4) == CUBLAS_STATUS_SUCCESS,
      "a real GEMM");
  require(all_are(y, 16, 4), "a real GEMM");
  require(cublasSgemv(handle, CUBLAS_OP_N, m, n, &one, a, m - 1, x, 1, &zero, y, 1) == CUBLAS_STATUS_INVALID_VALUE,
          "CUBLAS_STATUS_INVALID_VALUE for a small lda");
  std::printf("all right\n");
  return 0;
}
