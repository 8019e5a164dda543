// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Samples -> figures: medians, bandwidth, efficiency, geometric means. Measures nothing, prints nothing.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bench/point.hpp"

namespace onepass::tools {

struct Timing {
  double median = 0, min = 0;  // seconds
  double spread = 0;           // distance of the quartiles over the median
  std::size_t samples = 0;
};

Timing summarize(std::vector<double> samples);

struct ProviderResult {
  std::string name;
  bool served = false;
  Timing time;
  double bytes_per_second = 0;  // of useful bytes
  double efficiency = 0;        // floor / time
};

struct PointResult {
  Point point;
  std::string skipped;  // why there is nothing below; empty if there is
  bool failed = false;  // skipped because a call or a measurement failed
  std::string plan;
  std::string level;  // which memory the operands come from
  double bytes = 0;
  double floor = 0;                       // seconds
  std::vector<ProviderResult> providers;  // Onepass first
};

PointResult summarize(const Point& point, std::span<const std::string> providers,
                      std::span<const std::vector<double>> samples, std::vector<double> floor_samples);

// Time of the fastest peer over that of Onepass; 0 where there is no peer.
double ratio_to_best_peer(const PointResult& result);

// Figures of all points of one kind.
struct GroupResult {
  std::string name;
  std::size_t points = 0;
  std::vector<double> efficiency;  // geometric mean per provider; 0 where it served none
  double ratio = 0;                // to the best peer, geometric mean; 0 where there is none
  double worst_ratio = 0;
  std::string worst;  // the problem with that ratio
};

std::vector<GroupResult> group(std::span<const PointResult> results);

}  // namespace onepass::tools
