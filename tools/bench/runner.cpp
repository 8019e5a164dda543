// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/runner.hpp"

#include "support/failure.hpp"
#include "support/interrupt.hpp"

namespace onepass::tools {
namespace {

PointResult nothing(const Point& point, std::string why, bool failed) {
  return {.point = point, .skipped = std::move(why), .failed = failed};
}

PointResult measure_point(Stage& stage, const Point& point, const Effort& effort) {
  const std::vector<std::string> providers = stage.providers();
  if (std::string why = stage.prepare(point); !why.empty()) return nothing(point, std::move(why), false);

  std::size_t served = 0;
  for (std::size_t i = 0; i < providers.size(); ++i) served += stage.serves(i) ? 1 : 0;
  const double seconds = effort.seconds_per_point / static_cast<double>(served + 1) / effort.rounds;

  std::vector<std::vector<double>> samples(providers.size());
  std::vector<double> floor_samples;
  // Onepass, peer, peer, floor; Onepass, peer, ...: a drift of the machine meets all alike. Or all rounds of one, then
  // those of the next.
  const int passes = stage.one_by_one() ? 1 : effort.rounds, rounds = stage.one_by_one() ? effort.rounds : 1;
  for (int pass = 0; pass < passes && !interrupted(); ++pass) {
    for (std::size_t i = 0; i < providers.size(); ++i)
      for (int round = 0; round < rounds && stage.serves(i); ++round) samples[i].push_back(stage.sample(i, seconds));
    for (int round = 0; round < rounds; ++round) floor_samples.push_back(stage.sample_floor(seconds));
  }
  for (std::size_t i = 0; i < providers.size(); ++i)
    if (!stage.serves(i)) samples[i].clear();
  PointResult result = summarize(point, providers, samples, std::move(floor_samples));
  result.level = stage.level();
  return result;
}

// The plan that a call makes once it sees A: the operands of a pool lie on multiples of 256 bytes, as null does.
std::string plan_text(const Backend& backend, const Point& point) {
  Problem problem = point.problem;
  problem.alignment_a = alignment_of(problem, nullptr);
  return print(backend.plan(problem, point.threads));
}

}  // namespace

void measure(Stage& stage, const Backend& backend, std::span<const Point> points, const Effort& effort,
             const Extras& extras, const Watcher& watcher) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!watcher.before(i, points[i])) return;
    // One point that fails must not cost the others.
    PointResult result = [&] {
      try {
        return measure_point(stage, points[i], effort);
      } catch (const Failure& failure) {
        return nothing(points[i], failure.what(), true);
      }
    }();
    // A point that was cut off between its rounds is left to another run.
    if (interrupted() &&
        (result.providers.empty() || result.providers[0].time.samples < static_cast<std::size_t>(effort.rounds)))
      return;
    if (extras.plans && result.skipped.empty()) result.plan = plan_text(backend, points[i]);
    if (extras.journeys && result.skipped.empty()) result.journey = measure_journey(backend, points[i].problem);
    watcher.after(std::move(result));
  }
}

}  // namespace onepass::tools
