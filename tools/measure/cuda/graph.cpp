// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/cuda/graph.hpp"

#include "measure/cuda/device.hpp"
#include "support/failure.hpp"

namespace onepass::tools {

// The events are nodes of the graph: the host's launch of it lies before the first of them.
Replay::Replay(cudaStream_t stream, const std::function<void()>& prologue, const std::function<void()>& timed)
    : stream_(stream) {
  cudaGraph_t graph = nullptr;
  bool capturing = false;
  try {
    must(cudaEventCreate(&start_), "cudaEventCreate");
    must(cudaEventCreate(&stop_), "cudaEventCreate");
    must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), "cudaStreamBeginCapture");
    capturing = true;
    prologue();
    must(cudaEventRecordWithFlags(start_, stream, cudaEventRecordExternal), "cudaEventRecordWithFlags");
    timed();
    must(cudaEventRecordWithFlags(stop_, stream, cudaEventRecordExternal), "cudaEventRecordWithFlags");
    capturing = false;
    must(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    must(cudaGraphInstantiate(&executable_, graph, 0), "cudaGraphInstantiate");
    must(cudaGraphUpload(executable_, stream), "cudaGraphUpload");
    must(cudaGraphDestroy(graph), "cudaGraphDestroy");
  } catch (...) {
    if (capturing) (void)cudaStreamEndCapture(stream, &graph);
    if (graph != nullptr) (void)cudaGraphDestroy(graph);
    release();
    throw;
  }
}

Replay::~Replay() { release(); }

void Replay::release() {
  if (executable_ != nullptr) (void)cudaGraphExecDestroy(executable_);
  if (start_ != nullptr) (void)cudaEventDestroy(start_);
  if (stop_ != nullptr) (void)cudaEventDestroy(stop_);
}

double Replay::run() {
  float milliseconds = 0;
  must(cudaGraphLaunch(executable_, stream_), "cudaGraphLaunch");
  must(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  must(cudaEventElapsedTime(&milliseconds, start_, stop_), "cudaEventElapsedTime");
  if (!(milliseconds > 0)) throw Failure(Exit::failed, "the clock of a graph did not move between its two events");
  return static_cast<double>(milliseconds) * 1e-3;
}

}  // namespace onepass::tools
