// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Whether a stream is being captured, and into which graph.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace onepass::cuda {

struct Capture {
  std::uint64_t id = 0;  // unique in the life of the program; 0: the stream is not being captured
  cudaGraph_t graph = nullptr;
};

inline Capture capture_of(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
#if CUDART_VERSION >= 13000
  const cudaError_t error = cudaStreamGetCaptureInfo(stream, &status, &id, &graph, nullptr, nullptr, nullptr);
#else
  const cudaError_t error = cudaStreamGetCaptureInfo_v2(stream, &status, &id, &graph, nullptr, nullptr);
#endif
  if (error != cudaSuccess || status != cudaStreamCaptureStatusActive) return {};
  return {.id = id, .graph = graph};
}

}  // namespace onepass::cuda
