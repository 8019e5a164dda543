// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the tuner needs of a device: launches of one problem, timed and checked.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "measure/stage.hpp"
#include "plan/device_traits.hpp"
#include "plan/plan.hpp"

namespace onepass::tools {

class LaunchClock {
 public:
  virtual ~LaunchClock() = default;

  virtual const DeviceTraits& traits() const = 0;
  // Device, driver, toolkit: what a table must say.
  virtual std::vector<Fact> facts() const = 0;

  // Puts operands into memory and makes the launches ready; empty, or why the problem cannot be timed here.
  virtual std::string prepare(const Problem& p, std::span<const Plan> plans) = 0;
  // Runs a prepared plan once; empty, or what is wrong with its result.
  virtual std::string check(std::size_t plan) = 0;
  // Seconds of a launch of a prepared plan, from cold caches.
  virtual double sample(std::size_t plan) = 0;
  // Seconds of a launch that is always the same: it takes longer where the clock of the device has dropped.
  virtual double ruler() = 0;

  // Seconds that all of this took.
  virtual double elapsed() const = 0;
};

// For the cuda backend. Its times are those of calls alone, or the mean of these and of calls in a queue.
std::unique_ptr<LaunchClock> make_launch_clock(bool alone);

}  // namespace onepass::tools
