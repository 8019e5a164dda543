// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What handles take of a device's memory. To be run alone: CUDA tells what the whole device has left.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>

#include "api/cuda_user.hpp"

namespace onepass_user {
namespace {

constexpr std::int64_t mebi = std::int64_t{1} << 20;

std::int64_t free_bytes() {
  std::size_t free = 0, total = 0;
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  return static_cast<std::int64_t>(free);
}

class CudaMemory : public OnGpu {};

TEST_F(CudaMemory, FiftyStreamsTakeThatOfSixteen) {
  const Watchdog watchdog(60);
  const Product product(Kind::gemv);
  const std::vector<float> expected = product.alone();
  std::vector<Stream> streams(50);
  std::vector<std::unique_ptr<Results>> results;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    results.push_back(std::make_unique<Results>(product, 1));
    results[i]->poison(streams[i]);  // what a stream takes for itself it takes now
    ASSERT_EQ(cudaStreamSynchronize(streams[i]), cudaSuccess);
  }
  const std::int64_t before = free_bytes();
  for (std::size_t i = 0; i < streams.size(); ++i) {
    use(streams[i]);
    product.expect_call(handle, (*results[i])[0]);
  }
  for (std::size_t i = 0; i < streams.size(); ++i) EXPECT_EQ(results[i]->wrong(expected, streams[i]), 0) << i;
  EXPECT_LT(before - free_bytes(), (16 * 4 + 32) * mebi);

  // Those that gave theirs back get another one.
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}, streams.size() - 1, std::size_t{0}}) {
    results[i]->poison(streams[i]);
    use(streams[i]);
    product.expect_call(handle, (*results[i])[0]);
    EXPECT_EQ(results[i]->wrong(expected, streams[i]), 0) << i;
  }
  EXPECT_LT(before - free_bytes(), (16 * 4 + 32) * mebi);
}

// Many triangles of one matrix, whose partial sums need several MiB.
TEST_F(CudaMemory, GraphsGiveTheirsBack) {
  const Watchdog watchdog(100);
  constexpr std::int64_t n = 2000, batch = 64;
  onepassSymvProblem_t problem = onepassSymvProblemDefault(ONEPASS_TYPE_S, ONEPASS_FILL_MODE_LOWER, n);
  problem.batch = batch;
  problem.stride_y = n;
  onepassPlan_t plan = nullptr;
  std::size_t bytes = 0;
  ASSERT_EQ(onepassPlanSymv(handle, &problem, &plan), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  ASSERT_EQ(onepassPlanWorkspaceSize(plan, &bytes), ONEPASS_STATUS_SUCCESS);
  onepassPlanDestroy(plan);
  if (bytes < 1 << 20) GTEST_SKIP() << "a workspace of " << bytes << " bytes is too small to be missed";

  const Device a(mixed(n * n)), x(mixed(n)), y(std::vector<float>(n * batch));
  const Stream stream;
  const float one = 1, zero = 0;
  const auto call = [&] {
    EXPECT_EQ(onepassSymv(handle, &problem, &one, a.data(), x.data(), &zero, y.data()), ONEPASS_STATUS_SUCCESS)
        << onepassLastErrorMessage();
  };
  use(stream);
  call();
  const std::vector<float> expected = y.read(stream);
  const auto capture_and_run = [&] {
    const Graph graph(stream, cudaStreamCaptureModeGlobal, call);
    y.poison(stream);
    graph.launch(stream);
    EXPECT_EQ(std::memcmp(y.read(stream).data(), expected.data(), expected.size() * sizeof(float)), 0);
    call();
  };
  for (int i = 0; i < 10; ++i) capture_and_run();
  const std::int64_t before = free_bytes();
  for (int i = 0; i < 200; ++i) capture_and_run();
  const auto growth = [&] { return before - free_bytes(); };
  // A graph leaves its memory from a thread of the driver, and a later capture frees it.
  for (int i = 0; i < 50 && growth() > 64 * mebi; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    capture_and_run();
  }
  EXPECT_LT(growth(), 64 * mebi) << "200 graphs, with " << bytes << " bytes each";
}

}  // namespace
}  // namespace onepass_user
