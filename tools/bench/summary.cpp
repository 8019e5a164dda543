// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/summary.hpp"

#include <fmt/format.h>

#include "bench/geometric_mean.hpp"
#include "bench/groups.hpp"
#include "problem/names.hpp"

namespace onepass::tools {
namespace {

std::string kind_of_type(Type type) {
  if (is_complex_type(type)) return "complex";
  if (type == Type::w) return "double-double";
  return type == Type::s || type == Type::d ? "real" : "half";
}

// "real T", "ger complex".
std::string kind_and_form(const Problem& p) {
  if (row(p).selector == Selector::none) return fmt::format("{} {}", name(p.routine), kind_of_type(p.type_a));
  return fmt::format("{} {}", kind_of_type(p.type_a), selected(p));
}

std::string size_class(double bytes) {
  if (bytes >= 100e6) return "from 100 MB";
  return bytes >= 28e6 ? "28 to 100 MB" : "below 28 MB";
}

// Triangles are few and of all sizes: all of a kind, and the middle and the large ones once more.
std::vector<std::string> triangle_groups(const PointResult& r) {
  const std::string all = series(r.point) + batching_name(batching(r.point.problem));
  const std::int64_t n = r.point.problem.n;
  if (n >= 512 && n <= 4500) return {all, all + ", n 512..4500"};
  if (n >= 8192) return {all, all + ", n >= 8192"};
  return {all};
}

bool has_many_points(Selection selection) { return is_large(selection) || selection == Selection::random; }

// Few points share a group by kind of type and by level; many have a group for each type.
std::string group_name(const PointResult& r, Selection selection) {
  const Problem& p = r.point.problem;
  if (has_many_points(selection)) return series(r.point) + batching_name(batching(p));
  const std::string kind_name = selection == Selection::inference
                                    ? fmt::format("{} {}", type_name(p), size_class(r.bytes))
                                    : fmt::format("{} {} {}", kind_and_form(p), name(r.point.cache), r.level);
  return kind_name + batching_name(batching(p)) + threads_text(r.point.threads);
}

std::vector<std::string> group_names(const PointResult& r, Selection selection) {
  if (is_triangle(r.point.problem) && !has_many_points(selection)) return triangle_groups(r);
  return {group_name(r, selection)};
}

struct Sums {
  GroupResult result;
  std::vector<GeometricMean> efficiency;
  GeometricMean large, ratio;
};

void add(Sums& sums, const PointResult& r, std::span<const std::string> providers) {
  GroupResult& g = sums.result;
  const std::string where = label(r.point.problem);
  ++g.points;
  for (std::size_t i = 0; i < providers.size(); ++i)
    if (const ProviderResult* provider = r.find(providers[i])) sums.efficiency[i].add(r.efficiency(*provider));
  const double own = r.efficiency(r.providers[0]);
  g.worst_efficiency.offer(own, where);
  if (r.bytes > large_bytes) sums.large.add(own);
  const double ratio = ratio_to_best_peer(r);
  if (ratio == 0) return;
  sums.ratio.add(ratio);
  g.worst_ratio.offer(ratio, where);
  g.slower += ratio < slower_ratio ? 1 : 0;
}

}  // namespace

void Worst::offer(double candidate, const std::string& where) {
  if (at.empty() || candidate < value) *this = {.value = candidate, .at = where};
}

std::vector<GroupResult> group(std::span<const PointResult> results, std::span<const std::string> providers,
                               Selection selection) {
  Groups<Sums> groups;
  for (const PointResult& r : results) {
    if (!r.skipped.empty()) continue;
    for (const std::string& name : group_names(r, selection)) {
      Sums& sums = groups[name];
      sums.efficiency.resize(providers.size());
      add(sums, r, providers);
    }
  }
  std::vector<GroupResult> finished;
  for (auto& [name, sums] : groups) {
    sums.result.name = name;
    for (const GeometricMean& mean : sums.efficiency) sums.result.efficiency.push_back(mean.value());
    sums.result.large_efficiency = sums.large.value();
    sums.result.ratio = sums.ratio.value();
    finished.push_back(std::move(sums.result));
  }
  return finished;
}

}  // namespace onepass::tools
