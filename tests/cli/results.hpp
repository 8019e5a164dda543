// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Results of a benchmark as a test wants them, without a run.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "bench/record.hpp"
#include "problem/cost.hpp"
#include "problem/names.hpp"

namespace onepass::tools {

inline Point point_of(const std::string& type, Op op, std::int64_t m, std::int64_t n, Cache cache = Cache::cold) {
  Point point{.problem = {.op = op, .m = m, .n = n}, .cache = cache};
  set_types(point.problem, type);
  lay_tight(point.problem, 0, Batching::one, 1);
  return point;
}

// Microseconds of each provider, Onepass first.
inline PointResult result_of(const Point& point, double floor,
                             std::initializer_list<std::pair<const char*, double>> times) {
  PointResult result{.point = point, .level = "memory", .bytes = cost(point.problem).bytes(), .floor = floor};
  for (const auto& [name, time] : times)
    result.providers.push_back({.name = name, .time = {.median = time, .min = time, .spread = 0.01, .samples = 5}});
  return result;
}

inline Record record_of(Selection selection, std::vector<PointResult> points) {
  return {.backend = "cuda",
          .version = "1.2.3",
          .commit = "abc",
          .compiler = "a compiler",
          .date = "2000-01-01T00:00:00Z",
          .selection = selection,
          .complete = true,
          .facts = {{"device", "a device"}},
          .constants = {{"shortest read", 1.25, "us"}},
          .providers = {"Onepass", "cuBLAS", "cuBLAS gemm"},
          .points = std::move(points)};
}

}  // namespace onepass::tools
