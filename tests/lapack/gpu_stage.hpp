// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What tests of a stage of a solver on a GPU share, below the C interface: cuBLAS, and the stage as a graph.
#pragma once

#include <memory>

#include "gpu.hpp"
#include "lapack/cuda/cublas.hpp"

namespace onepass::test {

inline lapack::Cublas* cublas() {
  static const std::unique_ptr<lapack::Cublas> opened = [] {
    std::unique_ptr<lapack::Cublas> made;
    const Status status = lapack::Cublas::open(&made);
    EXPECT_TRUE(status.ok()) << status.text;
    return made;
  }();
  return opened.get();
}

// Captures queue(workspace, stream), and replays it twice with a workspace of NaN; check() after each.
template <class Queue, class Check>
void expect_in_a_graph(std::size_t workspace_bytes, Queue queue, Check check) {
  void* workspace = nullptr;
  ASSERT_EQ(cudaMalloc(&workspace, workspace_bytes), cudaSuccess);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  const Status status = queue(workspace, stream);
  EXPECT_TRUE(status.ok()) << status.text;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  for (int replay = 0; replay < 2; ++replay) {
    ASSERT_EQ(cudaMemset(workspace, 0xff, workspace_bytes), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    check();
  }
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(workspace);
}

}  // namespace onepass::test
