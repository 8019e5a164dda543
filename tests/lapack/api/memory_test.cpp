// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Each allocation of a reduction or solver fails in turn: a status, nothing left behind, and what is right where it is
// told so.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "onepass/lapack.h"
#include "support/failing_memory.hpp"

namespace short_of_memory {
namespace {

constexpr int64_t most = 24;

// Operands that are large enough for every routine, in a matrix of whose elements no two are alike.
struct Operands {
  std::vector<double> a = numbers(), c = numbers(), u = zeros(), vt = zeros(), d = zeros(), e = zeros(),
                      tau = numbers(), taup = zeros(), w = zeros();
  std::vector<int> info = std::vector<int>(4);
  int found = 0;

  static std::vector<double> zeros() { return std::vector<double>(4 * most * most); }
  static std::vector<double> numbers() {
    std::vector<double> list = zeros();
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = static_cast<double>(i * 7919 % 1009) / 1009;
    return list;
  }
  onepassLapackOperands_t pointers() {
    return {a.data(), d.data(),    e.data(), tau.data(), taup.data(), c.data(),
            w.data(), info.data(), u.data(), vt.data(),  &found};
  }
  bool operator==(const Operands&) const = default;
};

onepassLapackProblem_t problem_of(int routine, int64_t order, int64_t batch) {
  onepassLapackProblem_t p =
      onepassLapackProblemDefault(static_cast<onepassLapackRoutine_t>(routine), ONEPASS_TYPE_D, order, order);
  p.k = order;
  p.job = ONEPASS_JOB_VECTORS;
  if (batch == 1) return p;
  p.batch = ONEPASS_BATCH_STRIDED;
  p.batch_count = batch;
  p.stride_a = p.stride_u = p.stride_vt = order * order;
  p.stride_w = order;
  return p;
}

onepassStatus_t run(const char* backend, const onepassLapackProblem_t& problem, Operands& operands) {
  onepassLapackHandle_t handle = nullptr;
  const onepassLapackOperands_t pointers = operands.pointers();
  onepassStatus_t status = onepassLapackCreateOn(&handle, backend);
  if (status == ONEPASS_STATUS_SUCCESS) status = onepassLapackSetThreads(handle, 2);
  char text[500];
  if (status == ONEPASS_STATUS_SUCCESS) status = onepassLapackExplain(handle, &problem, text, sizeof text, nullptr);
  if (status == ONEPASS_STATUS_SUCCESS) status = onepassLapackRun(handle, &problem, &pointers, nullptr, 0);
  EXPECT_EQ(onepassLapackDestroy(handle), ONEPASS_STATUS_SUCCESS);
  return status;
}

class LapackMemory : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Backend, LapackMemory, testing::Values("cpu", "reference"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(LapackMemory, RunsOutWithAStatusAndNothingElse) {
  const int64_t order = GetParam() == std::string("cpu") ? most : 6;  // the reference allocates all the time
  for (int routine = ONEPASS_LAPACK_SYTRD; routine <= ONEPASS_LAPACK_GESVD; ++routine)
    for (const int64_t batch : {1, 3}) {
      if (batch > 1 && routine != ONEPASS_LAPACK_SYEVD && routine != ONEPASS_LAPACK_GESVD) continue;
      SCOPED_TRACE("routine " + std::to_string(routine) + ", batch of " + std::to_string(batch));
      const onepassLapackProblem_t problem = problem_of(routine, order, batch);
      const Operands untouched;
      Operands operands, expected;
      ASSERT_EQ(run(GetParam(), problem, expected), ONEPASS_STATUS_SUCCESS) << onepassLapackLastErrorMessage();
      failing_memory::each_allocation_fails([&] { return run(GetParam(), problem, operands); },
                                            [&](onepassStatus_t status, bool failed) {
                                              if (status == ONEPASS_STATUS_OUT_OF_MEMORY) {
                                                EXPECT_TRUE(failed);
                                              } else {
                                                EXPECT_EQ(status, ONEPASS_STATUS_SUCCESS);
                                                EXPECT_EQ(operands, expected);
                                              }
                                              operands = untouched;
                                            });
    }
}

TEST(LapackMemory, RunsOutAtTheFirstErrorOfAThread) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  onepassStatus_t status = ONEPASS_STATUS_SUCCESS;
  const auto attempt = [&] { status = onepassLapackSetThreads(nullptr, 2); };
  const auto is_right = [&] {
    return status == ONEPASS_STATUS_NOT_INITIALIZED ||
           (status == ONEPASS_STATUS_OUT_OF_MEMORY &&
            std::strstr(onepassLapackLastErrorMessage(), "memory") != nullptr);
  };
  EXPECT_EXIT(exit(failing_memory::each_first_allocation_fails(attempt, is_right) ? 0 : 1), testing::ExitedWithCode(0),
              "");
}

TEST(LapackMemory, IsNotAskedForMoreThanAProcessHas) {
  onepassLapackHandle_t handle = nullptr;
  ASSERT_EQ(onepassLapackCreateOn(&handle, "cpu"), ONEPASS_STATUS_SUCCESS);
  Operands operands;
  const onepassLapackOperands_t pointers = operands.pointers();
  constexpr int64_t n = 800'000'000;  // more bytes than a signed number of 64 bits counts
  onepassLapackProblem_t problem = onepassLapackProblemDefault(ONEPASS_LAPACK_SYEVD, ONEPASS_TYPE_D, n, n);
  problem.job = ONEPASS_JOB_VECTORS;
  const onepassStatus_t status = onepassLapackRun(handle, &problem, &pointers, nullptr, 0);
  EXPECT_TRUE(status == ONEPASS_STATUS_OUT_OF_MEMORY || status == ONEPASS_STATUS_TOO_LARGE) << status;
  EXPECT_EQ(operands, Operands{});
  onepassLapackDestroy(handle);
}

}  // namespace
}  // namespace short_of_memory
