// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/runner.hpp"

#include "support/failure.hpp"
#include "support/interrupt.hpp"

namespace onepass::tools {
namespace {

PointResult nothing(const Point& point, std::string why, bool failed) {
  return {.point = point, .skipped = std::move(why), .failed = failed, .plan = {}, .level = {}, .providers = {}};
}

PointResult measure_point(Stage& stage, const Backend& backend, const Point& point, const Effort& effort) {
  const std::vector<std::string> providers = stage.providers();
  if (std::string why = stage.prepare(point); !why.empty()) return nothing(point, std::move(why), false);

  std::size_t served = 0;
  for (std::size_t i = 0; i < providers.size(); ++i) served += stage.serves(i) ? 1 : 0;
  const double seconds = effort.seconds_per_point / static_cast<double>(served + 1) / effort.rounds;

  std::vector<std::vector<double>> samples(providers.size());
  std::vector<double> floor_samples;
  // Onepass, peer, peer, floor; Onepass, peer, ...: a drift of the machine meets all alike.
  for (int round = 0; round < effort.rounds && !interrupted(); ++round) {
    for (std::size_t i = 0; i < providers.size(); ++i)
      if (stage.serves(i)) samples[i].push_back(stage.sample(i, seconds));
    floor_samples.push_back(stage.sample_floor(seconds));
  }
  PointResult result = summarize(point, providers, samples, std::move(floor_samples));
  result.plan = print(backend.plan(point.problem, point.threads));
  result.level = stage.level();
  return result;
}

}  // namespace

std::vector<PointResult> measure(Stage& stage, const Backend& backend, std::span<const Point> points,
                                 const Effort& effort, const std::function<bool(std::size_t, const Point&)>& before) {
  std::vector<PointResult> results;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!before(i, points[i])) break;
    // One point that fails must not cost the others.
    PointResult result = [&] {
      try {
        return measure_point(stage, backend, points[i], effort);
      } catch (const Failure& failure) {
        return nothing(points[i], failure.what(), true);
      }
    }();
    // A point that was cut off in its first round has nothing to say.
    if (interrupted() && result.skipped.empty() && result.floor == 0) break;
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace onepass::tools
