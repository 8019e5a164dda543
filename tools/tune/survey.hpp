// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Random problems with some of their launches timed: what prices of the model are fitted to, and judged by.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/axes.hpp"
#include "measure/launch_clock.hpp"
#include "plan/choice.hpp"

namespace onepass::tools {

struct TimedLaunch {
  Choice choice;
  double seconds;
};

struct SurveyedProblem {
  Problem problem;
  bool held_out = false;  // every sixth: no price is fitted to it
  std::vector<TimedLaunch> launches = {};
};

struct Survey {
  std::vector<SurveyedProblem> problems = {};
  bool complete = false;  // it was not interrupted
  std::size_t launches = 0, wrong = 0;
  std::string first_wrong = {};
};

// One of the axes as random_problem() makes it, or about one in eight a strided batch of small ones; about one in six
// has sums with more digits where its type has them.
Problem surveyed_problem(const Axes& axes, std::uint64_t index);

// before(seconds, what) is asked before each problem; false ends the survey, as does its time.
using BeforeProblem = std::function<bool(double, const std::string&)>;
// Of each problem the model's choice, the ten launches that it likes best beside it, and 14 at random of those that it
// expects to take at most 1.6 times as long.
Survey survey(LaunchClock& clock, const Axes& axes, double seconds, const BeforeProblem& before);

}  // namespace onepass::tools
