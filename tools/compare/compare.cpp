// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
// Where the memory of a process happens to lie moves a point more than the samples of a run show, and its peers with
// it, since they read the same operands: four runs of one build on a Neoverse V1, one thread, moved by up to 10 %, and
// then a peer at the same point by at least two thirds of that.
constexpr double peer_movements = 1.5;
// Deviations from run to run, as the points of a group show them, that chance does not reach among thousands of points.
constexpr double deviations = 4;
// Fewer ratios say nothing of a deviation.
constexpr std::size_t least_ratios = 5;

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
  std::vector<double> own_logs, peer_logs;  // of the ratios
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The standard deviation, from the median distance to `centre`: a few points that did change do not count.
double deviation(std::vector<double> logs, double centre) {
  for (double& log : logs) log = std::abs(log - centre);
  return 1.4826 * median(std::move(logs));
}

// By how much chance moves a point of a group from run to run. Peers are the same code; without them it is the points
// themselves, of which a change that meets them all alike says nothing.
double scatter(const Sums& sums) {
  if (sums.peer_logs.size() >= least_ratios) return deviation(sums.peer_logs, 0);
  return sums.own_logs.size() >= least_ratios ? deviation(sums.own_logs, median(sums.own_logs)) : 0;
}

// Groups in the order in which their first points come.
class Groups {
 public:
  std::size_t number(const std::string& name) {
    const auto [place, added] = index_.try_emplace(name, groups_.size());
    if (added) groups_.push_back({.change = {.name = name}, .own = {}, .peers = {}, .own_logs = {}, .peer_logs = {}});
    return place->second;
  }
  std::vector<Sums>& all() { return groups_; }

 private:
  std::vector<Sums> groups_;
  std::map<std::string, std::size_t> index_;
};

// A point that both records measured, and its group.
struct Pair {
  Change change;
  std::size_t group = 0;
};

// The ratios of the peers; returns the logarithm of the one that moved most.
double add_peers(Sums& sums, const PointResult& before, const PointResult& after) {
  double most = 0;
  for (std::size_t i = 1; i < before.providers.size(); ++i) {
    const ProviderResult* now = after.find(before.providers[i].name);
    if (now == nullptr) continue;
    const double ratio = now->time.median / before.providers[i].time.median;
    sums.peers.add(ratio);
    sums.peer_logs.push_back(std::log(ratio));
    most = std::max(most, std::abs(sums.peer_logs.back()));
  }
  return most;
}

// Chance moves the mean of few points as far as a point, that of many points by their standard error.
GroupChange finish(const Sums& sums, double threshold) {
  GroupChange group = sums.change;
  group.ratio = sums.own.value();
  group.noise =
      group.points == 1 ? threshold : std::max(threshold / 2, standard_errors * sums.own.standard_error_of_log());
  group.peers = sums.peers.value();
  if (group.peers > 0) group.noise = std::max(group.noise, peer_movements * std::abs(std::log(group.peers)));
  return group;
}

bool beyond(double ratio, double noise) { return ratio > 1 + noise; }

// A point that both records have.
void add_pair(Comparison& found, Groups& groups, std::vector<Pair>& pairs, const PointResult& old,
              const PointResult& fresh, double threshold) {
  if (!old.skipped.empty()) return;
  const Point& point = old.point;
  const std::string where =
      fmt::format("{} {}{}", label(point.problem), name(point.cache), threads_text(point.threads));
  if (!fresh.skipped.empty()) {
    if (fresh.failed) found.failed.push_back(fmt::format("{}: {}", where, fresh.skipped));
    return;
  }
  const Timing &first = old.providers[0].time, &second = fresh.providers[0].time;
  const double ratio = second.median / first.median;
  const std::size_t group = groups.number(series(point) + batching_name(batching(point.problem)));
  Sums& sums = groups.all()[group];
  sums.own.add(ratio);
  sums.own_logs.push_back(std::log(ratio));
  ++sums.change.points;
  ++found.common;
  const double noise = std::max({threshold, quartile_distances * std::hypot(first.spread, second.spread),
                                 peer_movements * add_peers(sums, old, fresh)});
  pairs.push_back(
      {.change = {.name = where, .before = first.median, .after = second.median, .ratio = ratio, .noise = noise},
       .group = group});
}

void judge(Comparison& found, Sums& sums, Change change) {
  if (beyond(change.ratio, change.noise)) {
    ++sums.change.slower;
    found.slower.push_back(std::move(change));
  } else if (beyond(1 / change.ratio, change.noise)) {
    ++sums.change.faster;
    found.faster.push_back(std::move(change));
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
  std::vector<Pair> pairs;
  for (const PointResult& old : before.points) {
    const auto match = fresh.find(key(old.point));
    if (match == fresh.end()) {
      ++found.only_before;
      continue;
    }
    add_pair(found, groups, pairs, old, *match->second, threshold);
    fresh.erase(match);
  }
  found.only_after = fresh.size();
  std::vector<double> chance;
  for (const Sums& sums : groups.all()) chance.push_back(deviations * scatter(sums));
  for (Pair& pair : pairs) {
    pair.change.noise = std::max(pair.change.noise, chance[pair.group]);
    judge(found, groups.all()[pair.group], std::move(pair.change));
  }
  for (const Sums& sums : groups.all()) found.groups.push_back(finish(sums, threshold));
  std::ranges::stable_sort(found.slower, [](const Change& a, const Change& b) { return a.ratio > b.ratio; });
  std::ranges::stable_sort(found.faster, [](const Change& a, const Change& b) { return a.ratio < b.ratio; });
  return found;
}

std::string why_not_comparable(const Record& before, const Record& after) {
  // Of points on a device; others have no setting.
  const auto has = [](const Record& record, Setting wanted) {
    return std::ranges::any_of(
        record.points, [&](const PointResult& r) { return r.point.threads == 0 && setting(r.point.cache) == wanted; });
  };
  constexpr std::array all{Setting::queue, Setting::alone, Setting::chain};
  for (const Setting wanted : all)
    for (const Setting other : all)
      if (has(before, wanted) && has(after, other) && !has(before, other) && !has(after, wanted))
        return fmt::format("the first has times of calls in the setting \"{}\", the second in the setting \"{}\"",
                           name(wanted), name(other));
  return {};
}

bool is_worse(const Comparison& c) {
  return !c.slower.empty() || !c.failed.empty() || std::ranges::any_of(c.groups, is_slower);
}

}  // namespace onepass::tools
