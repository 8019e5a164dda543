// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tune/tuner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "problem/names.hpp"

namespace onepass::tools {
namespace {

// Making a launch ready and checking it takes about as long as so many samples.
constexpr double samples_of_preparing = 2;
constexpr int usual_rounds = 3, least_rounds = 2, most_rounds = 9;
constexpr std::size_t least_launches = 3;
constexpr double first_guess = 5e-4;  // seconds of a sample
// Launches that are timed at a second distance of the columns, and how often some more of them.
constexpr std::size_t confirmed = 4;
constexpr int most_batches = 3;

double work(std::size_t launches, int rounds) {
  return static_cast<double>(launches) * (rounds + samples_of_preparing);
}

std::string label(const Mesh& mesh, const CellAt& at) {
  const Problem p = problem_at(mesh, at.row, at.col);
  return fmt::format("{} {} {}x{}", onepass::name(mesh.routine), name(mesh), p.m, p.n);
}

}  // namespace

// The time that is left is shared by all cells that are left: more rounds if it is long, fewer launches if it is short.
Tuner::Effort Tuner::effort(const Mesh& mesh, Step step) const {
  const double sample = work_done_ > 0 ? work_seconds_ / work_done_ : first_guess;
  const double share = (limits_.seconds - journal_.spent()) / (std::max(work_left_, 1.0) * sample);
  const std::size_t usual = usual_launches(mesh, step);
  if (share <= 0) return {};
  const auto launches = static_cast<std::size_t>(static_cast<double>(usual) * std::min(share, 1.0));
  const double rounds = share * (usual_rounds + samples_of_preparing) - samples_of_preparing;
  return {.launches = std::clamp(launches, least_launches, usual),
          .rounds = static_cast<int>(std::clamp<double>(rounds, least_rounds, most_rounds))};
}

void Tuner::time(const Problem& p, const std::vector<Candidate>& candidates, int rounds, JournalEntry& entry,
                 TunerResult& result) {
  std::vector<Plan> plans;
  plans.reserve(candidates.size());
  for (const Candidate& candidate : candidates) plans.push_back(candidate.plan);
  if (plans.empty() || !clock_.prepare(p, plans).empty()) return;
  const Sampled sampled = sampler_.sample_all(plans.size(), rounds);
  if (result.first_wrong.empty()) result.first_wrong = sampled.failure;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (sampled.seconds[i] > 0)
      entry.times.push_back({print(candidates[i].launch), sampled.seconds[i]});
    else
      ++result.wrong;
  }
  result.launches += plans.size();
  result.discarded = sampler_.discarded();
}

double Tuner::usual_work(const Mesh& mesh, const CellAt& at) const {
  const bool again = problem_at_other_distance(mesh, at.row, at.col).has_value();
  return work(usual_launches(mesh, at.step), usual_rounds) + (again ? work(confirmed, usual_rounds) : 0);
}

// Launches that read many columns at a time may be fast at one distance and slow at another: on an H200, bf16 T
// 25600x5120 took half as long again as the cell it lies in had said. So the fastest few are timed at a second one,
// where the mean of both counts, until no other launch was faster at the first. Those that time is too short for come
// after the best.
void Tuner::confirm(const Problem& p, int rounds, JournalEntry& entry, TunerResult& result) {
  using Time = JournalEntry::Time;
  std::vector<Time> both;
  double best = std::numeric_limits<double>::infinity();
  for (int batch = 0; batch < most_batches; ++batch) {
    std::ranges::stable_sort(entry.times, {}, &Time::seconds);
    std::vector<Candidate> fastest;
    for (const Time& time : entry.times) {
      if (fastest.size() == confirmed || time.seconds >= best) break;
      const std::optional<Launch> launch = parse_launch(p, time.launch);
      const std::optional<Plan> plan = launch ? plan_of(*launch, p, clock_.traits()) : std::nullopt;
      if (plan) fastest.push_back({*launch, *plan});
    }
    if (fastest.empty()) break;
    JournalEntry second;
    time(p, fastest, rounds, second, result);
    entry.work += work(fastest.size(), rounds);
    if (second.times.empty()) break;
    for (const Candidate& one : fastest) {
      const auto first = std::ranges::find(entry.times, print(one.launch), &Time::launch);
      const auto again = std::ranges::find(second.times, first->launch, &Time::launch);
      if (again != second.times.end()) {
        both.push_back({first->launch, std::sqrt(first->seconds * again->seconds)});
        best = std::min(best, both.back().seconds);
      }
      entry.times.erase(first);
    }
  }
  if (both.empty()) return;
  for (Time& time : entry.times) time.seconds = std::max(time.seconds, 1.02 * best);
  entry.times.insert(entry.times.begin(), both.begin(), both.end());
}

void Tuner::visit(const Mesh& mesh, const CellAt& at, std::vector<Cell>& cells, TunerResult& result) {
  const Problem p = problem_at(mesh, at.row, at.col);
  const std::string key = label(mesh, at);
  Cell& cell = cells[at.row * mesh.cols.size() + at.col];
  cell.fits = true;
  cell.rule = rule_of_triangle(p, clock_.traits());
  if (journal_.find(key) == nullptr) {
    const Effort allowed = effort(mesh, at.step);
    if (allowed.launches > 0) {
      const double start = clock_.elapsed();
      const auto candidates = propose(mesh, at, cells, clock_.traits(), allowed.launches);
      JournalEntry entry;
      time(p, candidates, allowed.rounds, entry, result);
      entry.work = work(candidates.size(), allowed.rounds);
      if (const auto other = problem_at_other_distance(mesh, at.row, at.col))
        confirm(*other, allowed.rounds, entry, result);
      entry.spent = clock_.elapsed() - start;
      journal_.add(key, entry);
    }
  }
  work_left_ -= usual_work(mesh, at);
  const JournalEntry* const entry = journal_.find(key);
  if (entry != nullptr) {
    work_done_ += entry->work;
    work_seconds_ += entry->spent;
  }
  if (entry == nullptr || entry->times.empty()) {
    ++result.untimed;
    return;
  }
  ++result.timed;
  for (const JournalEntry::Time& time : entry->times)
    if (const auto launch = parse_launch(p, time.launch)) cell.scored.push_back({*launch, time.seconds});
  std::ranges::stable_sort(cell.scored, {}, &Scored::seconds);
}

TunerResult Tuner::run(const std::vector<Mesh>& meshes, const Before& before) {
  TunerResult result;
  std::size_t all = 0, done = 0;
  for (const Mesh& mesh : meshes)
    for (const CellAt& at : visiting_order(mesh, limits_.most_bytes)) {
      ++all;
      work_left_ += usual_work(mesh, at);
    }
  for (const Mesh& mesh : meshes) {
    result.meshes.push_back({mesh, std::vector<Cell>(mesh.size())});
    for (const CellAt& at : visiting_order(mesh, limits_.most_bytes)) {
      if (!before(done++, all, label(mesh, at))) return result;
      visit(mesh, at, result.meshes.back().cells, result);
    }
  }
  result.complete = true;
  return result;
}

}  // namespace onepass::tools
