// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Threads that work on one product, and equal shares of a range.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "backends/cpu/contention.hpp"
#include "backends/cpu/meeting.hpp"
#include "backends/cpu/thread_supply.hpp"

#ifdef _OPENMP
#include <omp.h>
#include <pthread.h>
#endif

namespace onepass::cpu {

// As many as OpenMP would grant: one, where the caller is in a parallel region already and did not ask for nested ones.
inline int default_threads() {
#ifdef _OPENMP
  return omp_get_active_level() < omp_get_max_active_levels() ? omp_get_max_threads() : 1;
#else
  return 1;
#endif
}

// Work is dealt by part, not by thread: OpenMP may grant fewer threads than the plan has parts, and
// the result has the same bits all the same.
struct Team {
  int rank = 0, size = 1;
  Meeting* meeting = nullptr;                     // of a team of several threads
  Contention::Clock::duration* waited = nullptr;  // for the others; measured by the caller

  template <class F>
  void each(std::int64_t parts, F work) const {
    for (std::int64_t part = rank; part < parts; part += size) work(part);
  }
  void wait() const {
    if (size == 1) return;
    const auto begin = waited != nullptr ? Contention::Clock::now() : Contention::Clock::time_point{};
    meeting->wait(size);
    if (waited != nullptr) *waited += Contention::Clock::now() - begin;
  }
};

#ifdef _OPENMP
// A child of fork() has none of its parent's threads, and libgomp would wait for them for ever: there one thread works
// alone. Known from when the library is loaded on, since others may have started libgomp's threads.
inline bool threads_are_lost = false;
[[maybe_unused]] inline const int fork_is_watched = pthread_atfork(nullptr, nullptr, [] { threads_are_lost = true; });

// libgomp has threads for each caller.
inline Contention& contention() {
  static thread_local Contention own;
  return own;
}

// Of so many threads those that can work now; 1: the caller works alone.
inline int team_of(int threads) {
  return threads > 1 && !threads_are_lost && !contention().works_alone() ? granted_threads(threads) : 1;
}

template <class F>
void fork_team(int threads, F work) {
  using Clock = Contention::Clock;
  Contention& seen = contention();
  const bool watches = seen.watches();
  const Clock::time_point begin = Clock::now();
  Clock::duration waited{};
  Clock::time_point done;
  Meeting meeting;
#pragma omp parallel num_threads(threads)
  {
    const int rank = omp_get_thread_num();
    const bool measures = watches && rank == 0;
    if (measures) waited = Clock::now() - begin;
    work(
        Team{.rank = rank, .size = omp_get_num_threads(), .meeting = &meeting, .waited = measures ? &waited : nullptr});
    if (measures) done = Clock::now();
  }
  const Clock::time_point end = Clock::now();
  if (watches) waited += end - done;
  seen.look_back(end, end - begin, waited);
}

// The steps that were done.
template <class F>
std::int64_t fork_team_for_steps(int threads, std::int64_t steps, F work) {
  using Clock = Contention::Clock;
  Contention& seen = contention();
  Pace pace(Clock::now());
  std::atomic<std::int64_t> end = steps;
  Meeting meeting;
#pragma omp parallel num_threads(threads)
  {
    const Team team = {.rank = omp_get_thread_num(), .size = omp_get_num_threads(), .meeting = &meeting};
    for (std::int64_t step = 0; step < end.load(std::memory_order_relaxed); ++step) {
      work(team, step);
      if (team.rank > 0) continue;
      const Clock::time_point now = Clock::now();
      const Clock::duration lost = pace.lost(now);
      if (lost == Clock::duration{}) continue;
      seen.lose(now, lost);
      // Others may have begun the next step; by its end they know. An end that they know is not put off.
      if (step + 2 < end.load(std::memory_order_relaxed)) end.store(step + 2, std::memory_order_relaxed);
    }
  }
  return end;
}
#endif

template <class F>
void fork(int threads, F work) {
#ifdef _OPENMP
  if (const int team = team_of(threads); team > 1) return fork_team(team, work);
#endif
  static_cast<void>(threads);
  work(Team{});
}

// work(team, step) for steps that take about as long as each other, but for the first of them. Threads stay together
// for all steps, and wait for each other at least once in each of them; if one of them has no core they part, and the
// caller goes on alone.
template <class F>
void fork_for_steps(int threads, std::int64_t steps, F work) {
  std::int64_t step = 0;
#ifdef _OPENMP
  if (const int team = team_of(threads); team > 1) step = fork_team_for_steps(team, steps, work);
#endif
  static_cast<void>(threads);
  for (; step < steps; ++step) work(Team{}, step);
}

struct Range {
  std::int64_t begin = 0, end = 0;
  std::int64_t size() const { return end - begin; }
};

// Part `part` of 0..count, its bounds multiples of `grain`.
inline Range share(std::int64_t count, std::int64_t parts, std::int64_t part, std::int64_t grain) {
  if (parts == 1) return {.begin = 0, .end = count};
  const std::int64_t grains = (count + grain - 1) / grain;
  const std::int64_t each = grains / parts, left = grains % parts;
  const std::int64_t begin = part * each + std::min(part, left);
  const std::int64_t end = begin + each + (part < left ? 1 : 0);
  return {.begin = std::min(begin * grain, count), .end = std::min(end * grain, count)};
}

}  // namespace onepass::cpu
