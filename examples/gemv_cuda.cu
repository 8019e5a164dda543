// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// y = A x on a GPU: device memory, a stream, and the call captured into a CUDA graph that is replayed.
#include <cuda_runtime.h>
#include <onepass/onepass.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void require(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

static void require(onepassStatus_t status) {
  if (status == ONEPASS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s: %s\n", onepassStatusName(status), onepassLastErrorMessage());
  std::exit(1);
}

static float* on_device(const std::vector<float>& host) {
  float* device = nullptr;
  require(cudaMalloc(&device, host.size() * sizeof(float)));
  require(cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
  return device;
}

int main() {
  onepassHandle_t handle = nullptr;
  const onepassStatus_t status = onepassCreateOn(&handle, "cuda");
  if (status == ONEPASS_STATUS_BACKEND_UNAVAILABLE) {
    std::printf("skipped: %s\n", onepassLastErrorMessage());
    return 77;
  }
  require(status);

  // a(i, j) = j + 1 and x = 1, so that every y(i) = n (n + 1) / 2.
  const std::int64_t m = 2000, n = 300;
  std::vector<float> a(m * n), y(m, -1.0f);
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i < m; ++i) a[j * m + i] = static_cast<float>(j + 1);
  float* device_a = on_device(a);
  float* device_x = on_device(std::vector<float>(n, 1.0f));
  float* device_y = on_device(y);

  // Set the stream before the capture: its first use allocates the workspace.
  cudaStream_t stream = nullptr;
  require(cudaStreamCreate(&stream));
  require(onepassSetStream(handle, stream));

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  const float alpha = 1, beta = 0;
  require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  require(onepassSgemv(handle, ONEPASS_OP_N, m, n, &alpha, device_a, m, device_x, 1, &beta, device_y, 1));
  require(cudaStreamEndCapture(stream, &graph));
  require(cudaGraphInstantiate(&executable, graph, 0));
  for (int replay = 0; replay < 3; ++replay) require(cudaGraphLaunch(executable, stream));
  require(cudaStreamSynchronize(stream));

  require(cudaMemcpy(y.data(), device_y, y.size() * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (const float value : y) wrong += value != n * (n + 1) / 2;
  std::printf("%d of %lld elements are wrong\n", wrong, static_cast<long long>(m));

  require(cudaGraphExecDestroy(executable));
  require(cudaGraphDestroy(graph));
  require(onepassDestroy(handle));
  require(cudaStreamDestroy(stream));
  require(cudaFree(device_y));
  require(cudaFree(device_x));
  require(cudaFree(device_a));
  return wrong == 0 ? 0 : 1;
}
