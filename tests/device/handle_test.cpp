// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a handle refuses or reports before it launches: another device, an earlier launch that gave up.
#include "api/handle.hpp"

#include <gtest/gtest.h>

#include "device/counting_backend.hpp"

namespace onepass::test {
namespace {

class Handle : public testing::Test {
 protected:
  void SetUp() override {
    context.backend = &backend;
    context.device = 3;
    backend.device = 3;
    ASSERT_TRUE(context.workspaces.open(&backend).ok());
    ASSERT_TRUE(context.use(nullptr).ok());
  }
  onepassStatus_t call() { return onepassSgemv(&context, ONEPASS_OP_N, 1, 1, &one, &one, 1, &one, 1, &one, &y, 1); }
  void expect_refused(onepassStatus_t status) {
    EXPECT_EQ(status, ONEPASS_STATUS_WRONG_DEVICE);
    const std::string text = onepassLastErrorMessage();
    EXPECT_NE(text.find("device 1 is current"), std::string::npos) << text;
    EXPECT_NE(text.find("belongs to 3"), std::string::npos) << text;
  }

  CountingBackend backend;
  onepassContext context;
  const float one = 1;
  float y = 0;
};

TEST_F(Handle, CallsOnAnotherDeviceAreRefused) {
  backend.device = 1;
  expect_refused(call());
  EXPECT_EQ(backend.launches, 0);
  backend.device = 3;
  EXPECT_EQ(call(), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  EXPECT_EQ(backend.launches, 1);
}

TEST_F(Handle, NothingIsAllocatedOnAnotherDevice) {
  const int allocations = backend.allocations;
  backend.device = 1;
  expect_refused(onepassSetStream(&context, stream(1)));
  expect_refused(onepassReserveWorkspace(&context, 8 * Workspaces::starting_bytes));
  EXPECT_EQ(backend.allocations, allocations);
  onepassStream_t current = stream(9);
  EXPECT_EQ(onepassGetStream(&context, &current), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(current, nullptr);
}

// The kernels of a call that gave up are the next call's failure, in place of a launch.
TEST_F(Handle, ATimeoutIsReportedInPlaceOfALaunch) {
  backend.plan_bytes = 100;
  backend.flag = 1;
  EXPECT_EQ(call(), ONEPASS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(backend.launches, 0);
  EXPECT_EQ(call(), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  EXPECT_EQ(backend.launches, 1);
  EXPECT_EQ(backend.zeroed.size(), 1u);
}

}  // namespace
}  // namespace onepass::test
