// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Noise: medians over rounds, without what was disturbed or timed at a dropped clock.
#include "tune/sampling.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tune/scripted_clock.hpp"

namespace onepass::tools {
namespace {

using test::ScriptedClock;

TEST(Sampling, TakesPlansByTurnsAndGivesTheirMedians) {
  ScriptedClock clock;
  std::vector<std::size_t> order;
  clock.times = [&](std::size_t plan, int call) {
    order.push_back(plan);
    return static_cast<double>(10 * plan + 10) + (call < 2 ? 0.5 : 0);
  };
  EXPECT_EQ(Sampler(clock).sample_all(2, 3).seconds, (std::vector<double>{10, 20}));
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 0, 1, 0, 1}));
}

TEST(Sampling, LeavesOutWhatIsFarOff) {
  ScriptedClock clock;
  clock.times = [](std::size_t, int call) { return call < 2 ? 100.0 : 10.0 + call; };
  EXPECT_EQ(Sampler(clock).sample_all(1, 4).seconds, std::vector<double>{13});
}

TEST(Sampling, RepeatsARoundInWhichTheClockDropped) {
  ScriptedClock clock;
  clock.rulers = [](int call) { return call == 1 || call == 3 ? 1.2 : 1.0; };
  clock.times = [](std::size_t, int call) { return call == 0 || call == 2 ? 11.0 : 10.0; };
  Sampler sampler(clock);
  EXPECT_EQ(sampler.sample_all(1, 1).seconds, std::vector<double>{10});
  EXPECT_EQ(sampler.sample_all(1, 1).seconds, std::vector<double>{10});
  EXPECT_EQ(sampler.discarded(), 2u);
}

TEST(Sampling, MeasuresADeviceThatStaysSlowAsItIs) {
  ScriptedClock clock;
  clock.rulers = [](int call) { return call == 0 ? 1.0 : 1.5; };
  clock.times = [](std::size_t, int) { return 15.0; };
  Sampler sampler(clock);
  EXPECT_EQ(sampler.sample_all(1, 3).seconds, std::vector<double>{15});
  EXPECT_EQ(sampler.discarded(), 3u);
  EXPECT_EQ(sampler.sample_all(1, 3).seconds, std::vector<double>{15});
  EXPECT_EQ(sampler.discarded(), 3u);
}

TEST(Sampling, DoesNotTimeAPlanWhoseResultIsWrong) {
  ScriptedClock clock;
  clock.checks = [](std::size_t plan) { return plan == 1 ? "y[3] is 7" : ""; };
  clock.times = [](std::size_t plan, int) {
    EXPECT_NE(plan, 1u);
    return 10.0;
  };
  const Sampled sampled = Sampler(clock).sample_all(3, 2);
  EXPECT_EQ(sampled.seconds, (std::vector<double>{10, 0, 10}));
  EXPECT_EQ(sampled.failed, 1u);
  EXPECT_EQ(sampled.failure, "y[3] is 7");
}

TEST(Sampling, TakesNoTimeThatIsNone) {
  ScriptedClock clock;
  const double none[] = {std::nan(""), HUGE_VAL, -HUGE_VAL, 0.0, -1.0};
  clock.times = [&](std::size_t plan, int call) { return plan == 1 || call < 4 ? none[call % 5] : 10.0; };
  EXPECT_EQ(Sampler(clock).sample_all(2, 6).seconds, (std::vector<double>{10, 0}));
}

}  // namespace
}  // namespace onepass::tools
