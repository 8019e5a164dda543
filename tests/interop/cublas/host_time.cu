// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Time of the host in calls of cuBLAS and in what they are made of, with or without libonepass_cublas.so preloaded:
//   cublas_host_time; LD_PRELOAD=libonepass_cublas.so cublas_host_time
// Each figure is the median of loops without a synchronisation: until the last call returned, and until the device was
// done. On the default stream, which is PyTorch's, and on one of the program.
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "onepass/onepass.h"

namespace {

constexpr int loops = 21, calls = 200;  // a queue holds about a thousand launches

void require(bool holds, const char* what) {
  if (holds) return;
  std::printf("failed: %s\n", what);
  std::exit(1);
}

__global__ void wait(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

// overlap: with the attribute of Onepass's launches.
void launch(cudaStream_t stream, long long cycles, bool overlap) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(32);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = overlap ? 1 : 0;
  void* arguments[] = {&cycles};
  require(cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(&wait), arguments) == cudaSuccess, "a launch");
}

struct Times {
  double host, done;  // us
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Times measure(const std::function<void()>& call) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count() / calls;
  };
  std::vector<double> host, done;
  for (int loop = -2; loop < loops; ++loop) {
    require(cudaDeviceSynchronize() == cudaSuccess, "cudaDeviceSynchronize");
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    const double returned = since(start);
    require(cudaDeviceSynchronize() == cudaSuccess, "cudaDeviceSynchronize");
    if (loop < 0) continue;
    host.push_back(returned);
    done.push_back(since(start));
  }
  return {median(host), median(done)};
}

}  // namespace

int main() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    std::printf("skipped: no GPU\n");
    return 77;
  }
  constexpr int n = 1000, rows = 100, cols = 20000;
  constexpr std::size_t workspace_bytes = std::size_t{32} << 20;
  const float one = 1, zero = 0;
  float* data = nullptr;
  void* workspace = nullptr;
  require(cudaMalloc(&data, rows * cols * sizeof(float)) == cudaSuccess, "cudaMalloc");
  require(cudaMemset(data, 0, rows * cols * sizeof(float)) == cudaSuccess, "cudaMemset");
  require(cudaDeviceSynchronize() == cudaSuccess, "cudaDeviceSynchronize");  // no stream of its own waits for a memset
  require(cudaMalloc(&workspace, workspace_bytes) == cudaSuccess, "cudaMalloc");
  float* y = nullptr;
  require(cudaMalloc(&y, cols * sizeof(float)) == cudaSuccess, "cudaMalloc");
  cublasHandle_t cublas = nullptr;
  onepassHandle_t onepass = nullptr;
  cudaStream_t own = nullptr, stream = nullptr;
  require(cublasCreate(&cublas) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
  require(onepassCreateOn(&onepass, "cuda") == ONEPASS_STATUS_SUCCESS, "onepassCreateOn");
  require(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking) == cudaSuccess, "cudaStreamCreate");

  const auto set_cublas = [&] {
    require(cublasSetStream(cublas, stream) == CUBLAS_STATUS_SUCCESS, "cublasSetStream");
    require(cublasSetWorkspace(cublas, workspace, workspace_bytes) == CUBLAS_STATUS_SUCCESS, "cublasSetWorkspace");
  };
  const struct {
    const char* name;
    std::function<void()> call;
  } parts[] = {
      {"cudaGetDevice",
       [&] {
         int device = 0;
         require(cudaGetDevice(&device) == cudaSuccess, "cudaGetDevice");
       }},
      {"cublasGetStream, cublasGetPointerMode",
       [&] {
         cudaStream_t found = nullptr;
         cublasPointerMode_t mode{};
         require(cublasGetStream(cublas, &found) == CUBLAS_STATUS_SUCCESS, "cublasGetStream");
         require(cublasGetPointerMode(cublas, &mode) == CUBLAS_STATUS_SUCCESS, "cublasGetPointerMode");
       }},
      {"cublasSetStream, cublasSetWorkspace", set_cublas},
      {"empty kernel", [&] { launch(stream, 0, false); }},
      {"empty kernel that may overlap", [&] { launch(stream, 0, true); }},
      {"kernel of 10000 cycles", [&] { launch(stream, 10000, false); }},
      {"kernel of 10000 cycles that may overlap", [&] { launch(stream, 10000, true); }},
      {"onepassSgemv T 100x20000",
       [&] {
         require(onepassSgemv(onepass, ONEPASS_OP_T, rows, cols, &one, data, rows, data, 1, &zero, y, 1) ==
                     ONEPASS_STATUS_SUCCESS,
                 "onepassSgemv");
       }},
      {"cublasSgemv T 100x20000",
       [&] {
         require(cublasSgemv(cublas, CUBLAS_OP_T, rows, cols, &one, data, rows, data, 1, &zero, y, 1) ==
                     CUBLAS_STATUS_SUCCESS,
                 "cublasSgemv");
       }},
      {"cublasGemmEx bf16 T 1000x1000, one column",
       [&] {
         require(
             cublasGemmEx(cublas, CUBLAS_OP_T, CUBLAS_OP_N, n, 1, n, &one, data, CUDA_R_16BF, n, data, CUDA_R_16BF, n,
                          &zero, y, CUDA_R_16BF, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS,
             "cublasGemmEx");
       }},
      {"cublasSgemm 64x64x64, never taken",
       [&] {
         require(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, 64, 64, 64, &one, data, 64, data, 64, &zero, y, 64) ==
                     CUBLAS_STATUS_SUCCESS,
                 "cublasSgemm");
       }},
  };
  std::printf("us per call: until it returned, and until it was done    default stream     own stream\n");
  for (const auto& part : parts) {
    std::printf("%-50s", part.name);
    for (cudaStream_t on : {cudaStream_t{}, own}) {
      stream = on;
      set_cublas();
      require(onepassSetStream(onepass, stream) == ONEPASS_STATUS_SUCCESS, "onepassSetStream");
      const Times times = measure(part.call);
      std::printf(" %9.2f %8.2f", times.host, times.done);
    }
    std::printf("\n");
  }
  return 0;
}
