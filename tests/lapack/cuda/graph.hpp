// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A call on a GPU that is captured into a graph and replayed.
#pragma once

#include "gpu.hpp"

namespace onepass::test {

class CapturedGraph {
 public:
  CapturedGraph() { EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess); }
  CapturedGraph(const CapturedGraph&) = delete;
  CapturedGraph& operator=(const CapturedGraph&) = delete;
  ~CapturedGraph() {
    cudaGraphExecDestroy(executable_);
    cudaGraphDestroy(graph_);
    cudaStreamDestroy(stream_);
  }
  cudaStream_t stream() const { return stream_; }
  // What queue() puts into the stream.
  template <class Queue>
  void capture(Queue queue) {
    ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
    queue();
    ASSERT_EQ(cudaStreamEndCapture(stream_, &graph_), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&executable_, graph_, 0), cudaSuccess);
  }
  // One replay, which others may run beside.
  void begin() const { ASSERT_EQ(cudaGraphLaunch(executable_, stream_), cudaSuccess); }
  // To its end.
  void replay() const {
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    begin();
    ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

// Twice, each time with a workspace of NaN; check() after each, which also puts back what the next one reads.
template <class Check>
void expect_replays(const CapturedGraph& graph, const OnDevice& workspace, std::size_t bytes, Check check) {
  for (int replay = 0; replay < 2; ++replay) {
    SCOPED_TRACE(replay);
    ASSERT_EQ(cudaMemset(workspace.data(), 0xff, bytes), cudaSuccess);
    graph.replay();
    EXPECT_TRUE(workspace.back());
    check();
  }
}

// Of queue(workspace, stream).
template <class Queue, class Check>
void expect_in_a_graph(std::size_t bytes, Queue queue, Check check) {
  std::vector<unsigned char> host(bytes);
  const OnDevice workspace(host.data(), bytes);
  CapturedGraph graph;
  graph.capture([&] {
    const Status status = queue(workspace.data(), graph.stream());
    EXPECT_TRUE(status.ok()) << status.text;
  });
  expect_replays(graph, workspace, bytes, check);
}

// Of run(workspace, bytes) by the handle.
template <class Run, class Check>
void expect_run_in_a_graph(std::size_t bytes, Run run, Check check) {
  std::vector<unsigned char> host(bytes);
  const OnDevice workspace(host.data(), bytes);
  CapturedGraph graph;
  onepassLapackSetStream(handle(), graph.stream());
  graph.capture(
      [&] { EXPECT_EQ(run(workspace.data(), bytes), ONEPASS_STATUS_SUCCESS) << onepassLapackLastErrorMessage(); });
  expect_replays(graph, workspace, bytes, check);
  onepassLapackSetStream(handle(), nullptr);
}
template <class Check>
void expect_run_in_a_graph(const onepassLapackProblem_t& problem, const onepassLapackOperands_t& operands,
                           Check check) {
  expect_run_in_a_graph(
      workspace_bytes(problem),
      [&](void* workspace, std::size_t bytes) {
        return onepassLapackRun(handle(), &problem, &operands, workspace, bytes);
      },
      check);
}

}  // namespace onepass::test
