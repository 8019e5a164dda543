// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "bench/geometric_mean.hpp"

namespace onepass::tools {
namespace {

// Two runs of one build on a quiet machine differ by less than so many distances of their quartiles.
constexpr double quartile_distances = 3;
// Standard errors of a mean that chance does not reach.
constexpr double standard_errors = 3;

std::string fact(const Record& record, std::string_view wanted) {
  for (const Fact& f : record.facts)
    if (f.name == wanted) return f.value;
  return "unknown";
}

std::vector<std::string> differences(const Record& a, const Record& b) {
  std::vector<std::string> found;
  const auto look = [&](const char* what, const std::string& first, const std::string& second) {
    if (first != second) found.push_back(fmt::format("{}: {}, then {}", what, first, second));
  };
  look("backend", a.backend, b.backend);
  for (const char* what : {"device", "driver", "toolkit"}) look(what, fact(a, what), fact(b, what));
  look("selection", name(a.selection), name(b.selection));
  look("complete", a.complete ? "yes" : "no", b.complete ? "yes" : "no");
  for (const std::string& remark : a.remarks) found.push_back("condition: the first says that " + remark);
  for (const std::string& remark : b.remarks) found.push_back("condition: the second says that " + remark);
  return found;
}

struct Sums {
  GroupChange change;
  GeometricMean own, peers;
};

// Groups in the order in which their first points come.
class Groups {
 public:
  Sums& at(const std::string& name) {
    const auto [place, added] = index_.try_emplace(name, groups_.size());
    if (added) groups_.push_back({.change = {.name = name}, .own = {}, .peers = {}});
    return groups_[place->second];
  }
  const std::vector<Sums>& all() const { return groups_; }

 private:
  std::vector<Sums> groups_;
  std::map<std::string, std::size_t> index_;
};

double cell_noise(const Timing& before, const Timing& after, double threshold) {
  return std::max(threshold, quartile_distances * std::hypot(before.spread, after.spread));
}

void add_peers(GeometricMean& mean, const PointResult& before, const PointResult& after) {
  for (std::size_t i = 1; i < before.providers.size(); ++i)
    if (const ProviderResult* now = after.find(before.providers[i].name))
      mean.add(now->time.median / before.providers[i].time.median);
}

// Chance moves the mean of few points as far as a point, that of many points by their standard error.
GroupChange finish(const Sums& sums, double threshold) {
  GroupChange group = sums.change;
  group.ratio = sums.own.value();
  group.noise =
      group.points == 1 ? threshold : std::max(threshold / 2, standard_errors * sums.own.standard_error_of_log());
  group.peers = sums.peers.value();
  return group;
}

bool beyond(double ratio, double noise) { return ratio > 1 + noise; }

// A point that both records have.
void add_pair(Comparison& found, Groups& groups, const PointResult& old, const PointResult& fresh, double threshold) {
  if (!old.skipped.empty()) return;
  const Point& point = old.point;
  const std::string where =
      fmt::format("{} {}{}", label(point.problem), name(point.cache), threads_text(point.threads));
  if (!fresh.skipped.empty()) {
    if (fresh.failed) found.failed.push_back(fmt::format("{}: {}", where, fresh.skipped));
    return;
  }
  const Timing &first = old.providers[0].time, &second = fresh.providers[0].time;
  const Change change{.name = where,
                      .before = first.median,
                      .after = second.median,
                      .ratio = second.median / first.median,
                      .noise = cell_noise(first, second, threshold)};
  Sums& sums = groups.at(series(point) + batching_name(batching(point.problem)));
  sums.own.add(change.ratio);
  add_peers(sums.peers, old, fresh);
  ++sums.change.points;
  ++found.common;
  if (beyond(change.ratio, change.noise)) {
    ++sums.change.slower;
    found.slower.push_back(change);
  } else if (beyond(1 / change.ratio, change.noise)) {
    ++sums.change.faster;
    found.faster.push_back(change);
  }
}

}  // namespace

bool is_slower(const GroupChange& group) { return beyond(group.ratio, group.noise); }
bool is_faster(const GroupChange& group) { return beyond(1 / group.ratio, group.noise); }

Comparison compare(const Record& before, const Record& after, double threshold) {
  Comparison found{.groups = {}, .slower = {}, .faster = {}, .failed = {}, .differences = differences(before, after)};
  std::unordered_map<std::string, const PointResult*> fresh;
  for (const PointResult& r : after.points) fresh.emplace(key(r.point), &r);

  Groups groups;
  for (const PointResult& old : before.points) {
    const auto match = fresh.find(key(old.point));
    if (match == fresh.end()) {
      ++found.only_before;
      continue;
    }
    add_pair(found, groups, old, *match->second, threshold);
    fresh.erase(match);
  }
  found.only_after = fresh.size();
  for (const Sums& sums : groups.all()) found.groups.push_back(finish(sums, threshold));
  std::ranges::stable_sort(found.slower, [](const Change& a, const Change& b) { return a.ratio > b.ratio; });
  std::ranges::stable_sort(found.faster, [](const Change& a, const Change& b) { return a.ratio < b.ratio; });
  return found;
}

bool is_worse(const Comparison& c) {
  return !c.slower.empty() || !c.failed.empty() || std::ranges::any_of(c.groups, is_slower);
}

}  // namespace onepass::tools
