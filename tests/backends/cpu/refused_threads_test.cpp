// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Threads that the system refuses, as it does where a user or a container has too many: OpenMP would end the process.
// This program has a pthread_create of its own.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <memory>
#include <vector>

#include "backends/registry.hpp"

namespace {

std::atomic<int> threads_at_most = INT_MAX, threads_now = 0;

struct Start {
  void* (*run)(void*);
  void* argument;
};

void* counted(void* start) {
  const std::unique_ptr<Start> own(static_cast<Start*>(start));
  void* const result = own->run(own->argument);
  --threads_now;
  return result;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                                     const pthread_attr_t* attributes,
                                                                     void* (*run)(void*), void* argument) noexcept {
  static const auto real = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  if (threads_now++ >= threads_at_most) {
    --threads_now;
    return EAGAIN;
  }
  return real(thread, attributes, counted, new Start{run, argument});
}

namespace onepass {
namespace {

// y := A x + y by so many threads.
bool product_is_right(int threads) {
  const Problem p = {.m = 600, .n = 600, .lda = 600};
  const std::vector<float> a(600 * 600, 1.0f), x(600, 2.0f);
  std::vector<float> y(600, 3.0f);
  const float alpha = 1, beta = 1;
  const Plan plan = cpu_backend().plan(p, threads);
  void* workspace = nullptr;
  if (plan.threads != threads || !cpu_backend().allocate(plan.workspace_bytes, &workspace).ok()) return false;
  const Operands operands = {.alpha = &alpha, .a = a.data(), .x = x.data(), .beta = &beta, .y = y.data()};
  const bool ran = cpu_backend().launch(plan, operands, {workspace, plan.workspace_bytes}, nullptr).ok();
  cpu_backend().release(workspace);
  return ran && y == std::vector<float>(600, 1203.0f);
}

// Each in a process of its own, whose first threads are those of the test.
class RefusedThreads : public testing::TestWithParam<int> {
 protected:
  RefusedThreads() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};
INSTANTIATE_TEST_SUITE_P(AreAllBut, RefusedThreads, testing::Values(0, 1, 2), testing::PrintToStringParamName());

TEST_P(RefusedThreads, AreDoneWithout) {
  EXPECT_EXIT((threads_at_most = GetParam(), exit(product_is_right(4) ? 0 : 1)), testing::ExitedWithCode(0), "");
}

TEST_P(RefusedThreads, AreDoneWithoutByALargerTeamThanTheOneBefore) {
  EXPECT_EXIT((threads_at_most = GetParam(), exit(product_is_right(2) && product_is_right(4) ? 0 : 1)),
              testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace onepass
