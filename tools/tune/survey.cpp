// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tune/survey.hpp"

#include <algorithm>
#include <utility>

#include "bench/random_problem.hpp"
#include "plan/gemv.hpp"
#include "problem/cost.hpp"
#include "problem/names.hpp"
#include "tune/sampling.hpp"
#include "tune/tuner.hpp"

namespace onepass::tools {
namespace {

using verify::Random;

constexpr int first_rounds = 3, more_rounds = 5;
constexpr double near_the_fastest = 1.1;
constexpr std::uint64_t most_problems = 20'000;  // their launches fit into memory

Random numbers_of(const Axes& axes, std::uint64_t index) {
  Random mixed(~axes.seed);
  return Random(mixed.bits() + index);
}

std::vector<Candidate> launches_of(const Problem& p, const DeviceTraits& traits, Random& random) {
  constexpr std::size_t liked = 11, at_random = 14;
  constexpr double promising = 1.6;
  std::vector<Candidate> candidates = candidates_of(p, traits, liked);
  std::vector<ModelledChoice> others = all_choices(p, traits);
  std::erase_if(others,
                [most = promising * others.front().seconds](const ModelledChoice& c) { return c.seconds > most; });
  while (!others.empty() && candidates.size() < liked + at_random) {
    const auto taken = others.begin() + random.below(std::ssize(others));
    add_distinct(candidates, taken->choice, p, traits);
    *taken = others.back();
    others.pop_back();
  }
  return candidates;
}

class Surveyor {
 public:
  explicit Surveyor(LaunchClock& clock) : sampler_(clock) {}

  // Those near the fastest of their problem count most, and are timed again.
  std::vector<TimedLaunch> time(const Problem& p, const std::vector<Candidate>& candidates) {
    std::vector<TimedLaunch> launches;
    std::vector<Candidate> near;
    const std::vector<double> first = rounds(p, candidates, first_rounds);
    double fastest = 0;
    for (const double seconds : first)
      if (seconds > 0 && (fastest == 0 || seconds < fastest)) fastest = seconds;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (first[i] > near_the_fastest * fastest) launches.push_back({candidates[i].choice, first[i]});
      if (first[i] > 0 && first[i] <= near_the_fastest * fastest) near.push_back(candidates[i]);
    }
    if (near.empty()) return launches;
    const std::vector<double> again = rounds(p, near, more_rounds);
    for (std::size_t i = 0; i < near.size(); ++i)
      if (again[i] > 0) launches.push_back({near[i].choice, again[i]});
    return launches;
  }

  Survey found = {};

 private:
  std::vector<double> rounds(const Problem& p, const std::vector<Candidate>& candidates, int count) {
    Sampled sampled = sampler_.time(p, plans_of(candidates), count);
    if (found.first_wrong.empty()) found.first_wrong = sampled.failure;
    found.wrong += sampled.failed;
    return std::move(sampled.seconds);
  }

  Sampler sampler_;
};

}  // namespace

Problem surveyed_problem(const Axes& axes, std::uint64_t index) {
  constexpr double smallest_of_batch = 200, largest_of_batch = 1e6;  // bytes
  Random random = numbers_of(axes, index);
  const bool batched = random.one_in(8);
  Axes of_product = axes;
  if (batched) {
    of_product.min_bytes = smallest_of_batch;
    of_product.max_bytes = std::min(largest_of_batch, axes.max_bytes / 2);
  }
  Problem p = random_problem(of_product, index);
  if (batched) {
    const std::int64_t pad = p.lda - stored(p).rows;
    if (random.one_in(2)) std::swap(p.m, p.n);
    const double bytes = stored_bytes(p), least = std::max(axes.min_bytes / bytes, 2.0);
    lay_tight(p, pad, Batching::strided, static_cast<std::int64_t>(log_uniform(random, least, axes.max_bytes / bytes)));
  }
  if (random.one_in(6)) {
    p.accumulate = Accumulate::wider;
    if (find_combination(p) == nullptr) p.accumulate = Accumulate::twice;
  }
  p.alignment_a = alignment_of(p, nullptr);
  return p;
}

Survey survey(LaunchClock& clock, const Axes& axes, double seconds, const BeforeProblem& before) {
  constexpr std::uint64_t held_out = 6;
  Surveyor surveyor(clock);
  Survey& found = surveyor.found;
  const double start = clock.elapsed();
  for (std::uint64_t index = 0; index < most_problems; ++index) {
    const double passed = clock.elapsed() - start;
    if (passed > seconds) break;
    const Problem p = surveyed_problem(axes, index);
    if (cost(p).matrix_bytes > axes.max_bytes) continue;
    if (!before(passed, describe(p))) return std::move(found);
    Random random = numbers_of(axes, ~index);
    std::vector<TimedLaunch> launches = surveyor.time(p, launches_of(p, clock.traits(), random));
    if (launches.empty()) continue;
    found.launches += launches.size();
    found.problems.push_back({p, found.problems.size() % held_out == held_out - 1, std::move(launches)});
  }
  found.complete = true;
  return std::move(found);
}

}  // namespace onepass::tools
