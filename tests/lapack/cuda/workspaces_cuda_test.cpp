// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Calls on a GPU without a workspace: on two streams of one handle at once, and in a graph that is replayed beside
// other calls of the handle and after its end. Each gives the bits that it gives alone.
#include "graph.hpp"

namespace onepass::test {
namespace {

// A handle of its own, which a test may destroy.
class OwnHandle {
 public:
  OwnHandle() {
    EXPECT_EQ(onepassLapackCreateOn(&handle_, "cuda"), ONEPASS_STATUS_SUCCESS) << onepassLapackLastErrorMessage();
  }
  OwnHandle(const OwnHandle&) = delete;
  OwnHandle& operator=(const OwnHandle&) = delete;
  ~OwnHandle() { destroy(); }
  void destroy() {
    EXPECT_EQ(onepassLapackDestroy(handle_), ONEPASS_STATUS_SUCCESS);
    handle_ = nullptr;
  }
  operator onepassLapackHandle_t() const { return handle_; }

 private:
  onepassLapackHandle_t handle_ = nullptr;
};

class OwnStream {
 public:
  OwnStream() { EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess); }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  ~OwnStream() { cudaStreamDestroy(stream_); }
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

// A matrix on the device, and what a reduction makes of it.
class Reduced {
 public:
  Reduced(onepassLapackRoutine_t routine, std::int64_t n, std::uint32_t seed)
      : problem_(onepassLapackProblemDefault(routine, ONEPASS_TYPE_D, n, n)), original_(n * n), result_(n * n + 3 * n) {
    for (double& x : original_) {
      seed = 1664525 * seed + 1013904223;
      x = static_cast<double>(seed) / 4294967296.0 - 0.5;
    }
    void* data = nullptr;
    EXPECT_EQ(cudaMalloc(&data, result_.size() * sizeof(double)), cudaSuccess);
    data_ = static_cast<double*>(data);
    put_back();
  }
  Reduced(const Reduced&) = delete;
  Reduced& operator=(const Reduced&) = delete;
  ~Reduced() { cudaFree(data_); }

  const onepassLapackProblem_t& problem() const { return problem_; }
  void put_back() {
    EXPECT_EQ(cudaMemset(data_, 0, result_.size() * sizeof(double)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(data_, original_.data(), original_.size() * sizeof(double), cudaMemcpyHostToDevice),
              cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  void queue(onepassLapackHandle_t handle, cudaStream_t stream) const {
    onepassLapackOperands_t operands = {};
    operands.a = data_;
    operands.d = data_ + original_.size();
    operands.e = data_ + original_.size() + problem_.n;
    operands.tau = data_ + original_.size() + 2 * problem_.n;
    EXPECT_EQ(onepassLapackSetStream(handle, stream), ONEPASS_STATUS_SUCCESS);
    EXPECT_EQ(onepassLapackRun(handle, &problem_, &operands, nullptr, 0), ONEPASS_STATUS_SUCCESS)
        << onepassLapackLastErrorMessage();
  }
  // Waits for the device.
  const std::vector<double>& result() {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(result_.data(), data_, result_.size() * sizeof(double), cudaMemcpyDeviceToHost), cudaSuccess);
    return result_;
  }
  std::vector<double> alone(onepassLapackHandle_t handle, cudaStream_t stream) {
    put_back();
    queue(handle, stream);
    return result();
  }

 private:
  onepassLapackProblem_t problem_;
  std::vector<double> original_, result_;
  double* data_ = nullptr;
};

class CudaWorkspaces : public testing::TestWithParam<onepassLapackRoutine_t> {
 protected:
  void SetUp() override {
    if (test::handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  }
  // Panels and, behind them, what fits on the chip: many launches, between which another stream's have their turn.
  static constexpr std::int64_t n = 2200;
};
INSTANTIATE_TEST_SUITE_P(Routines, CudaWorkspaces, testing::Values(ONEPASS_LAPACK_SYTRD, ONEPASS_LAPACK_GEHRD));

TEST_P(CudaWorkspaces, OfTwoStreamsAtOnceAreTwo) {
  const OwnHandle handle;
  const OwnStream first_stream, second_stream;
  Reduced first(GetParam(), n, 1), second(GetParam(), n - 100, 2);
  const std::vector<double> first_alone = first.alone(handle, first_stream),
                            second_alone = second.alone(handle, second_stream);
  for (int round = 0; round < 3; ++round) {
    SCOPED_TRACE(round);
    first.put_back();
    second.put_back();
    first.queue(handle, first_stream);
    second.queue(handle, second_stream);
    EXPECT_TRUE(first.result() == first_alone);
    EXPECT_TRUE(second.result() == second_alone);
  }
}

TEST_P(CudaWorkspaces, OfAGraphIsItsOwnAndOutlivesTheHandle) {
  OwnHandle handle;
  const OwnStream other_stream;
  Reduced captured(GetParam(), n, 3), other(GetParam(), n - 100, 4);
  CapturedGraph graph;
  const std::vector<double> captured_alone = captured.alone(handle, graph.stream()),
                            other_alone = other.alone(handle, other_stream);
  graph.capture([&] { captured.queue(handle, graph.stream()); });
  for (int round = 0; round < 3; ++round) {
    SCOPED_TRACE(round);
    captured.put_back();
    other.put_back();
    ASSERT_NO_FATAL_FAILURE(graph.begin());
    other.queue(handle, other_stream);
    EXPECT_TRUE(captured.result() == captured_alone);
    EXPECT_TRUE(other.result() == other_alone);
  }
  handle.destroy();
  // Where its memory was freed, others may have it now.
  void* elsewhere = nullptr;
  constexpr std::size_t much = std::size_t{256} << 20;
  ASSERT_EQ(cudaMalloc(&elsewhere, much), cudaSuccess);
  ASSERT_EQ(cudaMemset(elsewhere, 0xff, much), cudaSuccess);
  captured.put_back();
  ASSERT_NO_FATAL_FAILURE(graph.begin());
  ASSERT_EQ(cudaMemsetAsync(elsewhere, 0xff, much, other_stream), cudaSuccess);
  EXPECT_TRUE(captured.result() == captured_alone);
  cudaFree(elsewhere);
}

// Two graphs captured from one stream may be replayed at once.
TEST_P(CudaWorkspaces, OfTwoGraphsAreTwo) {
  const OwnHandle handle;
  Reduced first(GetParam(), n, 5), second(GetParam(), n - 100, 6);
  CapturedGraph first_graph, second_graph;
  const std::vector<double> first_alone = first.alone(handle, first_graph.stream()),
                            second_alone = second.alone(handle, second_graph.stream());
  first_graph.capture([&] { first.queue(handle, first_graph.stream()); });
  second_graph.capture([&] { second.queue(handle, second_graph.stream()); });
  first.put_back();
  second.put_back();
  ASSERT_NO_FATAL_FAILURE(first_graph.begin());
  ASSERT_NO_FATAL_FAILURE(second_graph.begin());
  EXPECT_TRUE(first.result() == first_alone);
  EXPECT_TRUE(second.result() == second_alone);
}

TEST_P(CudaWorkspaces, OfTheCallerIsRefusedBetweenMultiplesOf256Bytes) {
  const OwnHandle handle;
  const onepassLapackProblem_t problem = onepassLapackProblemDefault(GetParam(), ONEPASS_TYPE_D, 64, 64);
  std::size_t bytes = 0;
  ASSERT_EQ(onepassLapackWorkspace(handle, &problem, &bytes), ONEPASS_STATUS_SUCCESS);
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, bytes + 64 * 67 * sizeof(double) + 256), cudaSuccess);
  onepassLapackOperands_t operands = {};
  operands.a = operands.d = operands.e = operands.tau = memory;
  EXPECT_EQ(onepassLapackRun(handle, &problem, &operands, static_cast<std::byte*>(memory) + 64, bytes),
            ONEPASS_STATUS_INVALID_ALIGNMENT);
  EXPECT_STREQ(onepassLapackLastErrorMessage(), "workspace must be a multiple of 256 bytes, and is 64 past one");
  operands.a = static_cast<std::byte*>(memory) + 4;
  EXPECT_EQ(onepassLapackRun(handle, &problem, &operands, memory, bytes), ONEPASS_STATUS_INVALID_ALIGNMENT);
  EXPECT_STREQ(onepassLapackLastErrorMessage(), "a must be a multiple of 8 bytes, and is 4 past one");
  cudaFree(memory);
}

}  // namespace
}  // namespace onepass::test
