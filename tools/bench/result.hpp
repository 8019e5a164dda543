// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Samples -> the figures of a point: medians, bandwidth, efficiency. Measures nothing, prints nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/journey.hpp"
#include "measure/point.hpp"

namespace onepass::tools {

struct Timing {
  double median = 0, min = 0;  // microseconds
  double spread = 0;           // distance of the quartiles over the median
  std::size_t samples = 0;

  bool operator==(const Timing&) const = default;
};

// From seconds.
Timing summarize(std::vector<double> samples);

struct ProviderResult {
  std::string name;
  Timing time;

  bool operator==(const ProviderResult&) const = default;
};

struct PointResult {
  Point point;
  std::string skipped = {};  // why there is nothing below; empty if there is
  bool failed = false;       // skipped because a call or a measurement failed
  std::string plan = {};     // empty where it was not asked for
  std::string level = {};    // which memory the operands come from
  double bytes = 0;
  double floor = 0;                            // microseconds
  std::optional<Journey> journey = {};         // where it was asked for
  std::vector<ProviderResult> providers = {};  // those that serve the point, Onepass first

  const ProviderResult* find(std::string_view provider) const;
  double efficiency(const ProviderResult& r) const { return floor / r.time.median; }
  double gb_per_second(const ProviderResult& r) const { return bytes / r.time.median / 1e3; }
  bool operator==(const PointResult&) const = default;
};

PointResult summarize(const Point& point, std::span<const std::string> providers,
                      std::span<const std::vector<double>> samples, std::vector<double> floor_samples);

// Time of the fastest peer over that of Onepass; 0 where there is no peer.
double ratio_to_best_peer(const PointResult& result);

}  // namespace onepass::tools
