// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Times of several launches of one problem, in rounds: a drift of the device meets all of them alike.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "measure/launch_clock.hpp"

namespace onepass::tools {

struct Sampled {
  std::string why_not = {};          // prepared; empty if it was
  std::vector<double> seconds = {};  // median of each plan; 0 where its result was wrong or its times were no times
  std::size_t failed = 0;            // plans whose results were wrong
  std::string failure = {};          // of the first such plan
};

class Sampler {
 public:
  explicit Sampler(LaunchClock& clock) : clock_(clock), full_speed_(clock.ruler()) {}

  // Prepares the plans of a problem and samples them.
  Sampled time(const Problem& p, std::span<const Plan> plans, int rounds);
  // Of the plans that the clock prepared. A round in which the ruler says that the clock of the device dropped is
  // thrown away and repeated, up to as many times as there are rounds; a device that stays slow is measured as it is.
  Sampled sample_all(std::size_t plans, int rounds);

  std::size_t discarded() const { return discarded_; }

 private:
  LaunchClock& clock_;
  double full_speed_;  // the ruler's least, or what it is if that is long ago
  std::size_t discarded_ = 0;
};

}  // namespace onepass::tools
