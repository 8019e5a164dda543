// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Two launches that use one workspace at once take each other's partial sums: they end, and the next run says so.
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "api/cuda_user.hpp"

namespace onepass_user {
namespace {

class CudaTimeout : public OnGpu {
 protected:
  void SetUp() override {
    OnGpu::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    product.emplace(Kind::gemv);
    onepassGemvProblem_t problem = onepassGemvProblemDefault(ONEPASS_TYPE_S, product->rows(), product->columns());
    problem.alignment_a = 256;  // as cudaMalloc gives it
    ASSERT_EQ(onepassPlanGemv(handle, &problem, &plan), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
    ASSERT_EQ(onepassPlanWorkspaceSize(plan, &bytes), ONEPASS_STATUS_SUCCESS);
    if (bytes == 0) GTEST_SKIP() << "on this device the plan does not split its sums";
    ASSERT_EQ(cudaMalloc(&workspace, bytes), cudaSuccess);
  }
  void TearDown() override {
    cudaFree(workspace);
    onepassPlanDestroy(plan);
  }
  onepassStatus_t run(cudaStream_t stream, float* y) const {
    const float one = 1, zero = 0;
    return onepassPlanRun(plan, stream, workspace, bytes, &one, product->a(), product->x(), &zero, y);
  }
  void prepare(cudaStream_t stream) const {
    ASSERT_EQ(onepassPlanPrepareWorkspace(plan, workspace, bytes, stream), ONEPASS_STATUS_SUCCESS)
        << onepassLastErrorMessage();
  }

  std::optional<Product> product;
  onepassPlan_t plan = nullptr;
  std::size_t bytes = 0;
  void* workspace = nullptr;
};

TEST_F(CudaTimeout, IsReportedOnceAndAPreparedWorkspaceIsAsNew) {
  const Watchdog watchdog(110);
  const Stream first, second;
  const Results results(*product, 2), clean(*product, 10);
  prepare(first);
  clean.poison(first);
  for (int i = 0; i < 10; ++i) ASSERT_EQ(run(first, clean[i]), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  const std::vector<float> expected = clean.read(0, first);
  ASSERT_EQ(clean.wrong(expected, first), 0);

  // Graphs of many launches, on two streams at once.
  constexpr int launches = 50;
  const auto captured = [&](cudaStream_t stream, float* y) {
    return std::make_unique<Graph>(stream, cudaStreamCaptureModeGlobal, [&, stream, y] {
      for (int i = 0; i < launches; ++i) EXPECT_EQ(run(stream, y), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
    });
  };
  const auto one = captured(first, results[0]), other = captured(second, results[1]);
  onepassStatus_t status = ONEPASS_STATUS_SUCCESS;
  int pairs = 0;
  for (; pairs < 40 && status == ONEPASS_STATUS_SUCCESS; ++pairs) {
    one->launch(first);
    other->launch(second);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    status = run(first, results[0]);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  if (status == ONEPASS_STATUS_SUCCESS) GTEST_SKIP() << "of " << pairs << " pairs of graphs none collided";
  EXPECT_EQ(status, ONEPASS_STATUS_EXECUTION_FAILED);
  EXPECT_TRUE(mentions("gave up")) << onepassLastErrorMessage();

  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  prepare(first);
  clean.poison(first);
  for (int i = 0; i < 10; ++i) ASSERT_EQ(run(first, clean[i]), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  EXPECT_EQ(clean.wrong(expected, first), 0);
}

}  // namespace
}  // namespace onepass_user
