// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Children of fork(), which have none of their parent's threads.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "backends/registry.hpp"

namespace onepass {
namespace {

std::vector<float> large_product() {
  const Problem p = {.m = 600, .n = 600, .lda = 600};
  const std::vector<float> a(600 * 600, 1.0f), x(600, 2.0f);
  std::vector<float> y(600, 3.0f);
  const float alpha = 1, beta = 1;
  const Plan plan = cpu_backend().plan(p, 2);
  void* workspace = nullptr;
  if (plan.threads != 2 || !cpu_backend().allocate(plan.workspace_bytes, &workspace).ok()) std::abort();
  const Operands operands = {.alpha = &alpha, .a = a.data(), .x = x.data(), .beta = &beta, .y = y.data()};
  if (!cpu_backend().launch(plan, operands, {workspace, plan.workspace_bytes}, nullptr).ok()) std::abort();
  cpu_backend().release(workspace);
  return y;
}

// Ends the process: with 0 if a child computes a large product in time.
[[noreturn]] void exit_with_child() {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    exit(large_product() == std::vector<float>(600, 1203.0f) ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 2);
}

// Each in a process of its own, whose first threads are those of the test.
class CpuFork : public testing::Test {
 protected:
  CpuFork() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(CpuFork, AChildComputesAfterAProductOfItsParent) {
  EXPECT_EXIT((large_product(), exit_with_child()), testing::ExitedWithCode(0), "");
}

#ifdef _OPENMP
void parallel_region() {
  int threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
  threads += 1;
  if (threads != 2) _exit(3);
}

TEST_F(CpuFork, AChildComputesAfterAParallelRegionOfItsParent) {
  EXPECT_EXIT((parallel_region(), exit_with_child()), testing::ExitedWithCode(0), "");
}
#endif

}  // namespace
}  // namespace onepass
