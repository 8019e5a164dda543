// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "problem/cost.hpp"
#include "problem/names.hpp"

namespace onepass::tools {
namespace {

double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const auto high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

class GeometricMean {
 public:
  void add(double value) { sum_ += std::log(value), ++count_; }
  double value() const { return count_ == 0 ? 0 : std::exp(sum_ / static_cast<double>(count_)); }

 private:
  double sum_ = 0;
  std::size_t count_ = 0;
};

std::string kind(Type type) {
  if (is_complex_type(type)) return "complex";
  return type == Type::s || type == Type::d ? "real" : "half";
}

std::string group_name(const PointResult& r) {
  std::string text =
      fmt::format("{} {} {} {}", kind(r.point.problem.type_a), name(r.point.problem.op), name(r.point.cache), r.level);
  if (r.point.threads != 0) text += fmt::format(" {} thread{}", r.point.threads, r.point.threads == 1 ? "" : "s");
  return text;
}

}  // namespace

Timing summarize(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const double median = quantile(samples, 0.5);
  return {.median = median,
          .min = samples.front(),
          .spread = (quantile(samples, 0.75) - quantile(samples, 0.25)) / median,
          .samples = samples.size()};
}

PointResult summarize(const Point& point, std::span<const std::string> providers,
                      std::span<const std::vector<double>> samples, std::vector<double> floor_samples) {
  PointResult result{.point = point, .skipped = {}, .failed = false, .plan = {}, .level = {}, .providers = {}};
  result.bytes = cost(point.problem).bytes();
  result.floor = summarize(std::move(floor_samples)).median;
  for (std::size_t i = 0; i < providers.size(); ++i) {
    ProviderResult r{.name = providers[i], .served = !samples[i].empty(), .time = summarize(samples[i])};
    if (r.served) {
      r.bytes_per_second = result.bytes / r.time.median;
      r.efficiency = result.floor / r.time.median;
    }
    result.providers.push_back(std::move(r));
  }
  return result;
}

double ratio_to_best_peer(const PointResult& result) {
  double best = 0;
  for (std::size_t i = 1; i < result.providers.size(); ++i)
    if (result.providers[i].served) best = std::max(best, 1 / result.providers[i].time.median);
  return best == 0 ? 0 : 1 / (result.providers[0].time.median * best);
}

std::vector<GroupResult> group(std::span<const PointResult> results) {
  struct Sums {
    std::vector<GeometricMean> efficiency;
    GeometricMean ratio;
    GroupResult result;
  };
  std::vector<Sums> groups;  // in the order of their first point
  std::map<std::string, std::size_t> index;
  for (const PointResult& r : results) {
    if (!r.skipped.empty()) continue;
    const auto [found, added] = index.try_emplace(group_name(r), groups.size());
    if (added) {
      groups.push_back({.efficiency = std::vector<GeometricMean>(r.providers.size()), .ratio = {}, .result = {}});
      groups.back().result.name = found->first;
    }
    Sums& sums = groups[found->second];
    ++sums.result.points;
    for (std::size_t i = 0; i < r.providers.size(); ++i)
      if (r.providers[i].served) sums.efficiency[i].add(r.providers[i].efficiency);
    const double ratio = ratio_to_best_peer(r);
    if (ratio == 0) continue;
    sums.ratio.add(ratio);
    if (sums.result.worst.empty() || ratio < sums.result.worst_ratio) {
      sums.result.worst_ratio = ratio;
      sums.result.worst = fmt::format("{} {}x{}", type_name(r.point.problem), r.point.problem.m, r.point.problem.n);
    }
  }
  std::vector<GroupResult> finished;
  for (Sums& sums : groups) {
    for (const GeometricMean& mean : sums.efficiency) sums.result.efficiency.push_back(mean.value());
    sums.result.ratio = sums.ratio.value();
    finished.push_back(std::move(sums.result));
  }
  return finished;
}

}  // namespace onepass::tools
