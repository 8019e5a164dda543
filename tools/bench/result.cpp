// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "problem/cost.hpp"
#include "support/digits.hpp"

namespace onepass::tools {
namespace {

double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const auto high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

double two_digits(double value) { return std::strtod(fmt::format("{:.2g}", value).c_str(), nullptr); }

}  // namespace

Timing summarize(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const double median = quantile(samples, 0.5);
  return {.median = four_digits(median * 1e6),
          .min = four_digits(samples.front() * 1e6),
          .spread = two_digits((quantile(samples, 0.75) - quantile(samples, 0.25)) / median),
          .samples = samples.size()};
}

PointResult summarize(const Point& point, std::span<const std::string> providers,
                      std::span<const std::vector<double>> samples, std::vector<double> floor_samples) {
  PointResult result{.point = point};
  result.bytes = cost(point.problem).bytes();
  result.floor = summarize(std::move(floor_samples)).median;
  for (std::size_t i = 0; i < providers.size(); ++i)
    if (!samples[i].empty()) result.providers.push_back({.name = providers[i], .time = summarize(samples[i])});
  return result;
}

const ProviderResult* PointResult::find(std::string_view provider) const {
  const auto found =
      std::find_if(providers.begin(), providers.end(), [&](const ProviderResult& r) { return r.name == provider; });
  return found == providers.end() ? nullptr : &*found;
}

double ratio_to_best_peer(const PointResult& result) {
  double best = 0;
  for (std::size_t i = 1; i < result.providers.size(); ++i) best = std::max(best, 1 / result.providers[i].time.median);
  return best == 0 ? 0 : 1 / (result.providers[0].time.median * best);
}

}  // namespace onepass::tools
