// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// When a caller stops waiting for threads that have no core.
#include "backends/cpu/contention.hpp"

#include <gtest/gtest.h>

#include <array>
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

TEST(CpuContention, AStepThatTakesFarLongerThanOthersHasLost) {
  Pace pace(start);
  Time now = start;
  const auto lost = [&](std::chrono::microseconds time) { return pace.lost(now += time); };
  EXPECT_EQ(lost(5ms), 0us) << "the first one";
  EXPECT_EQ(lost(20us), 0us);
  EXPECT_EQ(lost(150us), 0us);
  EXPECT_EQ(lost(170us), 150us);
  EXPECT_EQ(lost(30us), 0us);
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

TEST(CpuContention, ThreadsOfStepsPartWhereOneHasNoCore) {
  std::thread([] {
    std::array<std::atomic<int>, 10> parts{};
    std::array<int, 10> sizes{};
    fork_for_steps(2, 10, [&](Team team, std::int64_t step) {
      const auto at = static_cast<std::size_t>(step);
      if (team.rank == 0) sizes[at] = team.size;
      if (team.rank == 1 && step == 3) std::this_thread::sleep_for(50ms);
      team.each(2, [&](std::int64_t) { ++parts[at]; });
      team.wait();
    });
    for (const auto& of_step : parts) EXPECT_EQ(of_step, 2);
    EXPECT_EQ(sizes[0], 2);
    EXPECT_EQ(sizes[5], 1);
    EXPECT_EQ(sizes[9], 1);
    EXPECT_TRUE(contention().works_alone());
  }).join();
}

TEST(CpuContention, ThreadsOfStepsPartOnceWhereTwoStepsAreSlow) {
  std::thread([] {
    std::array<std::atomic<int>, 10> parts{};
    fork_for_steps(2, 10, [&](Team team, std::int64_t step) {
      if (team.size == 2 && team.rank == 1 && step == 3) std::this_thread::sleep_for(30ms);
      team.each(2, [&](std::int64_t) { ++parts[static_cast<std::size_t>(step)]; });
      team.wait();
      // The other one has seen by now that this step is the last.
      if (team.size == 2 && team.rank == 0 && step == 4) std::this_thread::sleep_for(30ms);
    });
    for (const auto& of_step : parts) EXPECT_EQ(of_step, 2);
  }).join();
}
#endif

}  // namespace
}  // namespace onepass::cpu
