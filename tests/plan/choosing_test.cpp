// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Choosing a plan allocates nothing; how long it takes is printed, since a busy machine must not fail a test.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

#include "plan/problems.hpp"
#include "plan/registry.hpp"
#include "plan/tuning_table.hpp"

namespace {
std::atomic<long> allocations = 0;
}

// Not inlined: the compiler would see a free() of what it takes for the library's operator new.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace onepass {
namespace {

struct Choosing {
  long allocated = 0;
  double nanoseconds = 0;
};

template <class Choose>
Choosing measure(Choose choose) {
  using Clock = std::chrono::steady_clock;
  constexpr int batches = 21, plans = 200;
  choose();
  Choosing result{.nanoseconds = 1e9};
  const long before = allocations;
  std::int64_t sink = 0;
  for (int i = 0; i < batches; ++i) {
    const auto start = Clock::now();
    for (int j = 0; j < plans; ++j) sink += choose().threads;
    result.nanoseconds =
        std::min(result.nanoseconds, std::chrono::duration<double, std::nano>(Clock::now() - start).count() / plans);
  }
  result.allocated = allocations - before;
  EXPECT_GT(sink, 0);
  return result;
}

void report(const char* what, const Choosing& choosing) {
  std::printf("%-32s %8.0f ns\n", what, choosing.nanoseconds);
  EXPECT_EQ(choosing.allocated, 0) << what;
}

TEST(ChoosingAPlan, AllocatesNothing) {
  TuningTables tables;
  ASSERT_TRUE(read_table(R"({"onepass_tuning": 4, "device": "", "arch": 90, "sm_count": 132,
    "shapes": {"s N 4001x3001 any": {"launch": "gemv_n many 256/16/4", "gain": 1.1}}})",
                         "", &tables.user.emplace())
                  .ok());
  DeviceTraits traits = h200_traits(), tuned = h200_traits();
  tuned.tuning = &tables;
  Problem p = test::problem("s", Op::n, Layout::column, 4001, 3001);
  ASSERT_NE(shape_of_user(p, tuned), nullptr);
  report("gemv N from a table", measure([&] { return plan_on_device(p, tuned, BackendId::cuda); }));
  tables.user->prices = prices_of(traits);
  p.m = 4000;
  report("gemv N by prices of a table", measure([&] { return plan_on_device(p, tuned, BackendId::cuda); }));
  for (const char* type : {"s", "z", "b"})
    for (const Op op : {Op::n, Op::t}) {
      p = test::problem(type, op, Layout::column, 4001, 3001);
      report((std::string("gemv ") + type + " " + name(op) + " from the model").c_str(),
             measure([&] { return plan_on_device(p, traits, BackendId::cuda); }));
    }
  p = test::batched(test::problem("s", Op::t, Layout::column, 9, 9), 5000);
  report("gemv of a batch from the model", measure([&] { return plan_on_device(p, traits, BackendId::cuda); }));
  p = test::problem("d", Op::n, Layout::column, 3000, 3000);
  p.routine = Routine::symv;
  report("symv by its rules", measure([&] { return plan_on_device(p, traits, BackendId::cuda); }));
}

}  // namespace
}  // namespace onepass
