// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/dips.hpp"

#include <algorithm>
#include <map>

#include "bench/groups.hpp"

namespace onepass::tools {
namespace {

using Times = std::map<std::int64_t, double>;  // size -> microseconds

DipsOfGroup dips_of(const std::string& name, const Times& times) {
  DipsOfGroup group{.name = name, .sizes = 0, .dips = {}};
  for (const auto& [size, time] : times) {
    const auto below = times.find(size - neighbour_distance), above = times.find(size + neighbour_distance);
    if (below == times.end() || above == times.end()) continue;
    ++group.sizes;
    const double slowdown = time / std::max(below->second, above->second);
    if (slowdown > dip_slowdown) group.dips.push_back({.size = size, .slowdown = slowdown});
  }
  return group;
}

}  // namespace

std::vector<DipsOfGroup> find_dips(std::span<const PointResult> results) {
  Groups<Times> groups;
  for (const PointResult& r : results) {
    const Problem& p = r.point.problem;
    if (!r.skipped.empty() || p.m != p.n) continue;
    groups[series(r.point)][p.n] = r.providers[0].time.median;
  }
  std::vector<DipsOfGroup> found;
  found.reserve(groups.size());
  for (const auto& [name, times] : groups) found.push_back(dips_of(name, times));
  return found;
}

}  // namespace onepass::tools
