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

// A point as records of every kind have it.
struct Entry {
  std::string key, name, group;
  double median = 0, spread = 0;                      // microseconds of Onepass, and relative to them
  std::vector<std::pair<std::string, double>> peers;  // microseconds
  std::string skipped;                                // why there are no times
  bool failed = false;
};

struct Measured {
  std::vector<std::pair<std::string, std::string>> facts;  // the same ones in both records
  std::vector<std::string> remarks;
  std::vector<Entry> entries;
};

Entry entry_of(const PointResult& r) {
  const Point& point = r.point;
  Entry entry{.key = key(point),
              .name = fmt::format("{} {}{}", label(point.problem), name(point.cache), threads_text(point.threads)),
              .group = series(point) + batching_name(batching(point.problem)),
              .peers = {},
              .skipped = r.skipped,
              .failed = r.failed};
  if (!r.skipped.empty()) return entry;
  entry.median = r.providers[0].time.median;
  entry.spread = r.providers[0].time.spread;
  for (std::size_t i = 1; i < r.providers.size(); ++i)
    entry.peers.emplace_back(r.providers[i].name, r.providers[i].time.median);
  return entry;
}

Measured measured(const Record& record) {
  Measured m{.facts = {{"backend", record.backend}}, .remarks = record.remarks, .entries = {}};
  for (const char* what : {"device", "driver", "toolkit"}) {
    const auto found = std::ranges::find(record.facts, what, &Fact::name);
    m.facts.emplace_back(what, found == record.facts.end() ? "unknown" : found->value);
  }
  m.facts.emplace_back("selection", name(record.selection));
  m.facts.emplace_back("complete", record.complete ? "yes" : "no");
  for (const PointResult& r : record.points) m.entries.push_back(entry_of(r));
  return m;
}

// Of a few samples the least is about as far from the median as the quartiles of many are from each other.
Entry entry_of(const ReductionRecord& record, const ReductionTime& r) {
  const std::string group = record.routine + " " + r.type;
  std::string name = r.m == r.n ? fmt::format("{} {}", group, r.n) : fmt::format("{} {}x{}", group, r.m, r.n);
  if (r.matrices != 1) name += fmt::format(", {} of them", r.matrices);
  Entry entry{.key = name,
              .name = name,
              .group = group,
              .median = 1e3 * r.ms,
              .spread = (r.ms - r.least) / r.ms,
              .peers = {},
              .skipped = {}};
  if (r.peer > 0) entry.peers.emplace_back(record.peer, 1e3 * r.peer);
  return entry;
}

Measured measured(const ReductionRecord& record) {
  Measured m{.facts = {{"backend", record.backend}}, .remarks = {}, .entries = {}};
  for (const char* what : {"device", "driver for CUDA", "CUDA", "threads"}) {
    const auto found = std::ranges::find(record.machine, what, &std::pair<std::string, std::string>::first);
    m.facts.emplace_back(what, found == record.machine.end() ? "unknown" : found->second);
  }
  for (const ReductionTime& r : record.rows) m.entries.push_back(entry_of(record, r));
  return m;
}

std::vector<std::string> differences(const Measured& a, const Measured& b) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < a.facts.size(); ++i)
    if (a.facts[i] != b.facts[i])
      found.push_back(fmt::format("{}: {}, then {}", a.facts[i].first, a.facts[i].second, b.facts[i].second));
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
double add_peers(Sums& sums, const Entry& before, const Entry& after) {
  double most = 0;
  for (const auto& [peer, time] : before.peers) {
    const auto now = std::ranges::find(after.peers, peer, &std::pair<std::string, double>::first);
    if (now == after.peers.end()) continue;
    const double ratio = now->second / time;
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
void add_pair(Comparison& found, Groups& groups, std::vector<Pair>& pairs, const Entry& old, const Entry& fresh,
              double threshold) {
  if (!old.skipped.empty()) return;
  if (!fresh.skipped.empty()) {
    if (fresh.failed) found.failed.push_back(fmt::format("{}: {}", old.name, fresh.skipped));
    return;
  }
  const double ratio = fresh.median / old.median;
  const std::size_t group = groups.number(old.group);
  Sums& sums = groups.all()[group];
  sums.own.add(ratio);
  sums.own_logs.push_back(std::log(ratio));
  ++sums.change.points;
  ++found.common;
  const double noise = std::max({threshold, quartile_distances * std::hypot(old.spread, fresh.spread),
                                 peer_movements * add_peers(sums, old, fresh)});
  pairs.push_back(
      {.change = {.name = old.name, .before = old.median, .after = fresh.median, .ratio = ratio, .noise = noise},
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

Comparison compare_entries(const Measured& before, const Measured& after, double threshold) {
  Comparison found{.groups = {}, .slower = {}, .faster = {}, .failed = {}, .differences = differences(before, after)};
  std::unordered_map<std::string, const Entry*> fresh;
  for (const Entry& entry : after.entries) fresh.emplace(entry.key, &entry);

  Groups groups;
  std::vector<Pair> pairs;
  for (const Entry& old : before.entries) {
    const auto match = fresh.find(old.key);
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

}  // namespace

bool is_slower(const GroupChange& group) { return beyond(group.ratio, group.noise); }
bool is_faster(const GroupChange& group) { return beyond(1 / group.ratio, group.noise); }

Comparison compare(const Record& before, const Record& after, double threshold) {
  return compare_entries(measured(before), measured(after), threshold);
}

Comparison compare(const ReductionRecord& before, const ReductionRecord& after, double threshold) {
  return compare_entries(measured(before), measured(after), threshold);
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
