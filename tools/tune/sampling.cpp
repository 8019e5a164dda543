// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tune/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace onepass::tools {
namespace {

// A drop of the clock that matters is larger than what the ruler varies by itself: with 1.04 an H200 at full speed
// repeated every fourth round.
constexpr double slack_of_ruler = 1.1, far_off = 1.3;

double median_without_disturbed(std::vector<double> samples) {
  if (samples.empty()) return 0;
  std::ranges::sort(samples);
  while (samples.back() > far_off * samples.front()) samples.pop_back();
  return samples[samples.size() / 2];
}

}  // namespace

Sampled Sampler::time(const Problem& p, std::span<const Plan> plans, int rounds) {
  if (std::string why_not = clock_.prepare(p, plans); !why_not.empty())
    return {.why_not = std::move(why_not), .seconds = std::vector<double>(plans.size())};
  return sample_all(plans.size(), rounds);
}

Sampled Sampler::sample_all(std::size_t plans, int rounds) {
  Sampled result{.seconds = std::vector<double>(plans)};
  std::vector<std::size_t> sound;
  for (std::size_t i = 0; i < plans; ++i) {
    const std::string wrong = clock_.check(i);
    if (wrong.empty())
      sound.push_back(i);
    else if (result.failed++ == 0)
      result.failure = wrong;
  }
  std::vector<std::vector<double>> samples(plans);
  for (int kept = 0, thrown = 0; kept < rounds;) {
    std::vector<double> round(plans);
    for (const std::size_t i : sound) round[i] = clock_.sample(i);
    const double ruler = clock_.ruler();
    if (ruler > slack_of_ruler * full_speed_) {
      if (++thrown <= rounds) {
        ++discarded_;
        continue;
      }
      full_speed_ = ruler;
    }
    full_speed_ = std::min(full_speed_, ruler);
    for (const std::size_t i : sound)
      if (std::isfinite(round[i]) && round[i] > 0) samples[i].push_back(round[i]);
    ++kept;
  }
  for (const std::size_t i : sound) result.seconds[i] = median_without_disturbed(samples[i]);
  return result;
}

}  // namespace onepass::tools
