// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Handles after cudaDeviceReset. A process of its own: the reset takes the memory of everybody.
#include <gtest/gtest.h>

#include <cstdlib>

#include "api/cuda_user.hpp"

namespace onepass_user {
namespace {

// The bytes of shared memory that the plan of a DSYMV asks for, as its line says.
long shared_bytes(onepassHandle_t handle, std::int64_t n) {
  onepassSymvProblem_t problem = onepassSymvProblemDefault(ONEPASS_TYPE_D, ONEPASS_FILL_MODE_LOWER, n);
  problem.alignment_a = 256;  // as cudaMalloc gives it
  onepassPlan_t plan = nullptr;
  EXPECT_EQ(onepassPlanSymv(handle, &problem, &plan), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  const std::string line = text([&](char* buffer, std::size_t capacity, std::size_t* length) {
    return onepassPlanPrint(plan, buffer, capacity, length);
  });
  onepassPlanDestroy(plan);
  const std::size_t at = line.find(" shared ");
  EXPECT_NE(at, std::string::npos) << line;
  return at == std::string::npos ? 0 : std::strtol(line.c_str() + at + 8, nullptr, 10);
}

std::vector<double> dsymv(onepassHandle_t handle, std::int64_t n) {
  const Array<double> a(mixed<double>(n * n)), x(mixed<double>(n)), y(std::vector<double>(static_cast<std::size_t>(n)));
  const Stream stream;
  const double one = 1, zero = 0;
  EXPECT_EQ(onepassSetStream(handle, stream), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  y.poison(stream);
  EXPECT_EQ(onepassDsymv(handle, ONEPASS_FILL_MODE_LOWER, n, &one, a.data(), n, x.data(), 1, &zero, y.data(), 1),
            ONEPASS_STATUS_SUCCESS)
      << onepassLastErrorMessage();
  return y.read(stream);
}

// A kernel gets more than 48 KB of shared memory where that was asked for on the device as it is now.
TEST(CudaReset, ANewHandleAsksForSharedMemoryAgain) {
  onepassHandle_t handle = nullptr;
  const onepassStatus_t status = onepassCreateOn(&handle, "cuda");
  if (status == ONEPASS_STATUS_BACKEND_UNAVAILABLE) GTEST_SKIP() << onepassLastErrorMessage();
  ASSERT_EQ(status, ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  const Watchdog watchdog(60);
  std::int64_t n = 0;
  for (const std::int64_t candidate : {2000, 4096, 1000, 3000, 6000, 8192, 12'000, 20'000})
    if (n == 0 && shared_bytes(handle, candidate) > 48 * 1024) n = candidate;
  if (n == 0) {
    onepassDestroy(handle);
    GTEST_SKIP() << "no plan asks for more than 48 KB on this device";
  }
  const std::vector<double> before = dsymv(handle, n);
  EXPECT_EQ(onepassDestroy(handle), ONEPASS_STATUS_SUCCESS);

  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  const HostHandle again("cuda");
  ASSERT_EQ(again.status, ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  EXPECT_EQ(dsymv(again, n), before) << "n = " << n;
}

}  // namespace
}  // namespace onepass_user
