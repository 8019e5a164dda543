// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A clock that says what a test wrote down.
#pragma once

#include <functional>

#include "measure/launch_clock.hpp"

namespace onepass::test {

struct ScriptedClock final : tools::LaunchClock {
  DeviceTraits device = h200_traits();
  std::function<double(std::size_t plan, int call)> times;  // the calls of all plans are counted together
  std::function<double(int call)> rulers = [](int) { return 1.0; };
  std::function<std::string(std::size_t plan)> checks = [](std::size_t) { return std::string(); };
  std::string refused = {};  // what it says of every problem
  double seconds_per_sample = 1e-3;
  int samples = 0, ruled = 0;
  std::vector<Plan> plans = {};  // of the last problem

  const DeviceTraits& traits() const override { return device; }
  std::vector<tools::Fact> facts() const override { return {}; }
  std::string prepare(const Problem&, std::span<const Plan> prepared) override {
    plans.assign(prepared.begin(), prepared.end());
    return refused;
  }
  std::string check(std::size_t plan) override { return checks(plan); }
  double sample(std::size_t plan) override { return times(plan, samples++); }
  double ruler() override { return rulers(ruled++); }
  double elapsed() const override { return samples * seconds_per_sample; }
};

}  // namespace onepass::test
