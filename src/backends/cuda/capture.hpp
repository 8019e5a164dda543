// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Whether a stream is being captured, into which graph, and what the next launch will follow there.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
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

// What the next launch on a stream will follow, as far as a graph tells.
struct Ahead {
  bool captured = false;
  unsigned long long capture = 0;  // its id, which no other capture of the process has
  cudaGraphNode_t node = nullptr;  // null unless it is one alone

  bool operator==(const Ahead&) const = default;
};

inline Ahead ahead_of(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  const cudaGraphNode_t* nodes = nullptr;
  std::size_t count = 0;
#if CUDART_VERSION >= 13000
  const cudaGraphEdgeData* edges = nullptr;
  const cudaError_t error = cudaStreamGetCaptureInfo(stream, &status, &id, nullptr, &nodes, &edges, &count);
#else
  const cudaError_t error = cudaStreamGetCaptureInfo_v2(stream, &status, &id, nullptr, &nodes, &count);
#endif
  if (error != cudaSuccess || status != cudaStreamCaptureStatusActive) return {};
  return {.captured = true, .capture = id, .node = count == 1 ? nodes[0] : nullptr};
}

}  // namespace onepass::cuda
