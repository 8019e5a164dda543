// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Calls in captured graphs: graphs that run at once, fork, and outlive their handle.
#include <gtest/gtest.h>

#include <memory>

#include "api/cuda_user.hpp"

namespace onepass_user {
namespace {

constexpr int in_graph = 8;  // calls

class CudaGraphs : public OnGpu, public testing::WithParamInterface<Kind> {
 protected:
  // Calls on the handle's stream, one after the other.
  void call(const Product& product, const Results& results, int first = 0, int count = in_graph) {
    for (int i = first; i < first + count; ++i) product.expect_call(handle, results[i]);
  }
};
INSTANTIATE_TEST_SUITE_P(Product, CudaGraphs, testing::Values(Kind::gemv, Kind::symv),
                         [](const auto& info) { return info.param == Kind::gemv ? "gemv" : "symv"; });

TEST_P(CudaGraphs, TwoOfOneStreamRunAtOnceBesideTheStreamItself) {
  const Watchdog watchdog(limit);
  const Product product(GetParam());
  const std::vector<float> expected = product.alone();
  const Stream captured, one, other;
  const Results first(product, in_graph), second(product, in_graph), direct(product, in_graph);
  use(captured);
  const Graph graph(captured, cudaStreamCaptureModeGlobal, [&] { call(product, first); });
  const Graph second_graph(captured, cudaStreamCaptureModeGlobal, [&] { call(product, second); });
  for (int round = 0; round < 20; ++round) {
    first.poison(one);
    second.poison(other);
    direct.poison(captured);
    for (int i = 0; i < 25; ++i) {
      graph.launch(one);
      second_graph.launch(other);
      call(product, direct);
    }
    ASSERT_EQ(first.wrong(expected, one), 0) << "round " << round;
    ASSERT_EQ(second.wrong(expected, other), 0) << "round " << round;
    ASSERT_EQ(direct.wrong(expected, captured), 0) << "round " << round;
  }
}

// A memset between two calls, so that neither follows the other: their nodes have no programmatic edges.
TEST_P(CudaGraphs, WithOtherNodesBetweenTheCallsAreRight) {
  const Watchdog watchdog(limit);
  const Product product(GetParam());
  const std::vector<float> expected = product.alone();
  const Stream captured, replay;
  const Results results(product, in_graph);
  void* other = nullptr;
  ASSERT_EQ(cudaMalloc(&other, 256), cudaSuccess);
  use(captured);
  {
    const Graph graph(captured, cudaStreamCaptureModeGlobal, [&] {
      for (int i = 0; i < in_graph; ++i) {
        call(product, results, i, 1);
        if (i % 2 == 0) {
          EXPECT_EQ(cudaMemsetAsync(other, 0, 256, captured), cudaSuccess) << i;
        }
      }
    });
    for (int round = 0; round < 20; ++round) {
      results.poison(replay);
      graph.launch(replay);
      ASSERT_EQ(results.wrong(expected, replay), 0) << "round " << round;
    }
  }
  cudaFree(other);
}

// The handle changes to a stream that was never used before while it is being captured, and back.
TEST_P(CudaGraphs, BranchesOfOneRunAtOnce) {
  const Watchdog watchdog(limit);
  const Product product(GetParam());
  const std::vector<float> expected = product.alone();
  const Stream captured, branch, replay;
  const Results results(product, 3 * in_graph);
  cudaEvent_t fork = nullptr, join = nullptr;
  ASSERT_EQ(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&join, cudaEventDisableTiming), cudaSuccess);
  use(captured);
  {
    const Graph graph(captured, cudaStreamCaptureModeGlobal, [&] {
      call(product, results);
      EXPECT_EQ(cudaEventRecord(fork, captured), cudaSuccess);
      EXPECT_EQ(cudaStreamWaitEvent(branch, fork, 0), cudaSuccess);
      use(branch);
      call(product, results, in_graph);
      use(captured);
      call(product, results, 2 * in_graph);
      EXPECT_EQ(cudaEventRecord(join, branch), cudaSuccess);
      EXPECT_EQ(cudaStreamWaitEvent(captured, join, 0), cudaSuccess);
    });
    for (int round = 0; round < 20; ++round) {
      results.poison(replay);
      for (int i = 0; i < 25; ++i) graph.launch(replay);
      ASSERT_EQ(results.wrong(expected, replay), 0) << "round " << round;
    }
  }
  cudaEventDestroy(fork);
  cudaEventDestroy(join);
}

TEST_P(CudaGraphs, AreCapturedInEveryMode) {
  const Watchdog watchdog(limit);
  const Product product(GetParam());
  const std::vector<float> expected = product.alone();
  for (const cudaStreamCaptureMode mode :
       {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
    const Stream stream;
    const Results results(product, in_graph);
    use(stream);
    const Graph graph(stream, mode, [&] { call(product, results); });
    results.poison(stream);
    graph.launch(stream);
    EXPECT_EQ(results.wrong(expected, stream), 0) << "mode " << mode;
    EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "mode " << mode;
    use(nullptr);
  }
}

TEST_P(CudaGraphs, OutliveTheirHandle) {
  const Watchdog watchdog(limit);
  const Product product(GetParam());
  const std::vector<float> expected = product.alone();
  const Stream captured, replay, other;
  const Results results(product, in_graph), later(product, in_graph);
  auto first = std::make_unique<HostHandle>("cuda");
  ASSERT_EQ(onepassSetStream(*first, captured), ONEPASS_STATUS_SUCCESS);
  const Graph graph(captured, cudaStreamCaptureModeGlobal, [&] {
    for (int i = 0; i < in_graph; ++i) product.expect_call(*first, results[i]);
  });
  first.reset();
  // Another handle gets the memory that the first one gave back, and not what the graph uses.
  use(other);
  const Graph later_graph(other, cudaStreamCaptureModeGlobal, [&] { call(product, later); });
  for (int round = 0; round < 20; ++round) {
    results.poison(replay);
    later.poison(other);
    for (int i = 0; i < 10; ++i) {
      graph.launch(replay);
      call(product, later);
      later_graph.launch(other);
    }
    ASSERT_EQ(results.wrong(expected, replay), 0) << "round " << round;
    ASSERT_EQ(later.wrong(expected, other), 0) << "round " << round;
  }
}

}  // namespace
}  // namespace onepass_user
