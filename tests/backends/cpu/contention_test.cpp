// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// When a caller stops waiting for threads that have no core.
#include "backends/cpu/contention.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "backends/cpu/team.hpp"

namespace onepass::cpu {
namespace {

using namespace std::chrono_literals;
using Time = Contention::Clock::time_point;

constexpr Time start{1h};

// Products of 1 ms, half of it waiting, and one that waits for `lost` more.
Time lose(Contention& contention, Time now, Contention::Clock::duration lost) {
  for (int i = 0; i < 3; ++i) contention.look_back(now += 1ms, 1ms, 500us);
  now += 1ms + lost;
  contention.look_back(now, 1ms + lost, 500us + lost);
  return now;
}

TEST(CpuContention, ThreadsThatKeepUpAreKept) {
  Contention contention;
  for (int i = 0; i < 100; ++i) contention.look_back(start + i * 1ms, 1ms, 500us);
  EXPECT_FALSE(contention.works_alone(start + 100ms));
  EXPECT_FALSE(contention.works_alone());
}

TEST(CpuContention, OneLossCostsAsMuchAgain) {
  Contention contention;
  const Time now = lose(contention, start, 4ms);
  EXPECT_TRUE(contention.works_alone(now + 3ms));
  EXPECT_FALSE(contention.works_alone(now + 5ms));
}

TEST(CpuContention, LossesInARowCostTwiceAsMuchEach) {
  Contention contention;
  Time now = start;
  for (const auto alone : {4ms, 8ms, 16ms, 32ms, 64ms, 128ms, 200ms, 200ms}) {
    now = lose(contention, now, 4ms);
    EXPECT_TRUE(contention.works_alone(now + alone - 1ms)) << alone.count();
    EXPECT_FALSE(contention.works_alone(now + alone + 1ms)) << alone.count();
    now += alone + 1ms;
  }
  now = lose(contention, now + 5s, 4ms);
  EXPECT_FALSE(contention.works_alone(now + 5ms)) << "an old loss counts";
}

TEST(CpuContention, WatchesAfterLongProductsOnly) {
  Contention contention;
  EXPECT_FALSE(contention.watches());
  contention.look_back(start, 1ms, 0ms);
  EXPECT_TRUE(contention.watches());
  contention.look_back(start, 10us, 0ms);
  EXPECT_FALSE(contention.watches());
}

#ifdef _OPENMP
// A thread that sleeps in its part stands for one that has no core.
TEST(CpuContention, TheCallerDoesNotWaitTimeAndAgain) {
  std::thread([] {
    std::atomic<int> parts = 0;
    int largest = 0;
    const auto product = [&](std::chrono::milliseconds late) {
      fork(2, [&](Team team) {
        if (team.rank == 0) largest = team.size;
        team.each(2, [&](std::int64_t) { ++parts; });
        if (team.rank == 1) std::this_thread::sleep_for(late);
        team.wait();
        team.each(2, [&](std::int64_t) { ++parts; });
      });
    };
    product(20ms);  // long enough to be watched from now on
    EXPECT_EQ(largest, 2);
    product(150ms);
    EXPECT_EQ(largest, 2);
    product(0ms);
    EXPECT_EQ(largest, 1) << "the product after a long wait waits again";
    EXPECT_EQ(parts, 12);
    std::this_thread::sleep_for(300ms);
    product(0ms);
    EXPECT_EQ(largest, 2) << "the threads never come back";
  }).join();
}
#endif

}  // namespace
}  // namespace onepass::cpu
