// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "bench/groups.hpp"

namespace onepass::tools {
namespace {

void add(PairsOfGroup& group, const PointResult& one, const PointResult& other) {
  const double efficiency = one.efficiency(one.providers[0]), others = other.efficiency(other.providers[0]);
  const double slowdown = std::max(efficiency, others) / std::min(efficiency, others);
  ++group.pairs;
  group.uneven += slowdown > uneven_slowdown ? 1 : 0;
  if (slowdown <= group.worst) return;
  group.worst = slowdown;
  const auto [slower, faster] = efficiency < others ? std::pair(&one, &other) : std::pair(&other, &one);
  group.at = fmt::format("{} beside {}", label(slower->point.problem), label(faster->point.problem));
}

}  // namespace

std::vector<Problem> neighbours(const Problem& p) {
  Problem taller = p, wider = p, further = p;
  ++taller.m;
  ++wider.n;
  ++further.lda;
  if (is_triangle(p)) ++wider.m;
  for (Problem* neighbour : {&taller, &wider}) neighbour->lda = std::max(p.lda, stored(*neighbour).rows);
  if (is_triangle(p)) return {wider, further};
  return {taller, wider, further};
}

std::vector<PairsOfGroup> find_pairs(std::span<const PointResult> results) {
  std::unordered_map<std::string, const PointResult*> known;
  for (const PointResult& r : results)
    if (r.skipped.empty()) known.emplace(key(r.point), &r);
  Groups<PairsOfGroup> groups;
  for (const PointResult& r : results) {
    if (!r.skipped.empty() || batching(r.point.problem) != Batching::one) continue;
    Point beside = r.point;
    for (const Problem& neighbour : neighbours(r.point.problem)) {
      beside.problem = neighbour;
      if (const auto found = known.find(key(beside)); found != known.end())
        add(groups[series(r.point)], r, *found->second);
    }
  }
  std::vector<PairsOfGroup> list;
  list.reserve(groups.size());
  for (auto& [name, group] : groups) {
    group.name = name;
    list.push_back(std::move(group));
  }
  return list;
}

}  // namespace onepass::tools
