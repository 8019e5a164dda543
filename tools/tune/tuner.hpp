// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Times launches of single shapes beside the one that the model chooses, within a time.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "measure/launch_clock.hpp"
#include "plan/choice.hpp"
#include "plan/tuning_table.hpp"
#include "tune/sampling.hpp"

namespace onepass::tools {

// Its columns, or rows, one behind the other.
Problem problem_of_shape(Type type, Op op, Layout layout, std::int64_t m, std::int64_t n);

struct Candidate {
  Choice choice;
  Plan plan;
};

std::vector<Plan> plans_of(std::span<const Candidate> candidates);
// Whether it can run and is another plan than those that are there.
bool add_distinct(std::vector<Candidate>& candidates, const Choice& choice, const Problem& p,
                  const DeviceTraits& traits);

// Distinct plans, at most so many: the model's first, then those that it expects to be about as fast, the most
// promising first. Beyond 24 only what it expects to take up to 1.3 times as long as its own; never more than 60.
inline constexpr std::size_t all_candidates = 60;
std::vector<Candidate> candidates_of(const Problem& p, const DeviceTraits& traits, std::size_t most = all_candidates);

struct ShapeTimes {
  Problem problem = {};
  std::string why_not = {};  // timed; empty if it was
  std::size_t launches = 0;  // that were timed
  Choice model = {}, fastest = {};
  double model_seconds = 0, seconds = 0;  // of both, in the last rounds

  bool timed() const { return why_not.empty(); }
  double gain() const { return model_seconds / seconds; }
};

struct TunerLimits {
  double seconds = 600;       // for all shapes
  double most_bytes = 2.2e9;  // of a matrix
};

struct TunerResult {
  std::vector<ShapeTimes> shapes = {};
  bool complete = false;
  std::size_t launches = 0, wrong = 0, discarded = 0;  // ..., rounds
  std::string first_wrong = {};
};

class Tuner {
 public:
  // before(done, what) is asked before each shape; false ends the run.
  using Before = std::function<bool(std::size_t, const std::string&)>;

  Tuner(LaunchClock& clock, TunerLimits limits) : clock_(clock), limits_(limits), sampler_(clock) {}

  TunerResult run(std::span<const Problem> shapes, const Before& before);

 private:
  ShapeTimes time_shape(const Problem& p, double seconds);
  // Of each, 0 where there is none. Where there is none of the first, the shape is told why.
  std::vector<double> time(const std::vector<Candidate>& candidates, int rounds, ShapeTimes& shape);
  // Samples, if they are as long as those before.
  double samples_in(double seconds) const;

  LaunchClock& clock_;
  TunerLimits limits_;
  Sampler sampler_;
  TunerResult result_ = {};
  double samples_ = 0, seconds_of_samples_ = 0;
};

// Shapes that were timed get an entry if a launch was more than 1 % faster than the model's, and lose theirs if not.
// All others keep what they have.
void update(TuningTable& table, const std::vector<ShapeTimes>& shapes);
bool deserves_entry(const ShapeTimes& shape);

}  // namespace onepass::tools
