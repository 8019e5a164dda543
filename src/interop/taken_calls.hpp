// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// ONEPASS_INTERPOSE=log of the drop-in libraries of CUDA: calls taken and passed on, with the reasons, and the time of
// the host. Until the program ends a call is counted and its times are added up: in tens of nanoseconds.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "interop/mode.hpp"

namespace onepass {

inline const Mode mode = mode_of_environment();

// The time of the host in a call. It looks at a clock only if there is a log.
class Stopwatch {
 public:
  std::chrono::nanoseconds passed() const { return now() - start_; }

 private:
  using Clock = std::chrono::steady_clock;
  static Clock::time_point now() { return mode == Mode::log ? Clock::now() : Clock::time_point{}; }
  const Clock::time_point start_ = now();
};

// The host's time in a call that was taken: in all, and within the library that did the work.
struct HostTime {
  std::chrono::nanoseconds all{0}, in_onepass{0};
};

// Whoever has it guards it by a lock. Names and reasons are kept as pointers: they must be literals.
class TakenCalls {
 public:
  void count_passed_on(const char* name, const char* why) { ++calls_of(name, why); }
  void count_taken(const char* name, const HostTime& time) {
    ++calls_of(name, nullptr);
    ++taken_;
    time_.all += time.all;
    time_.in_onepass += time.in_onepass;
  }

  // `calls_of`: the library whose calls they are; `work_in`: that of Onepass which did the work.
  void print(const char* calls_of, const char* work_in) const {
    std::map<std::string, std::int64_t> lines;  // sorted; a literal may have several addresses
    for (const Kind& kind : kinds_)
      lines[kind.name + (kind.why == nullptr ? " taken" : std::string(" passed on, ") + kind.why)] += kind.calls;
    for (const auto& [line, calls] : lines)
      std::fprintf(stderr, "onepass: %s: %lld\n", line.c_str(), static_cast<long long>(calls));
    if (lines.empty()) std::fprintf(stderr, "onepass: no call of %s came here\n", calls_of);
    if (taken_ == 0) return;
    const double calls = static_cast<double>(taken_);
    std::fprintf(stderr, "onepass: host time of a call taken: %.2f us, of which %.2f us in %s\n",
                 static_cast<double>(time_.all.count()) / calls * 1e-3,
                 static_cast<double>(time_.in_onepass.count()) / calls * 1e-3, work_in);
  }

 private:
  // Calls of one name that went one way; `why` is null for those that were taken.
  struct Kind {
    const char* name;
    const char* why;
    std::int64_t calls;
  };
  // A program has a handful of kinds: looking through them is quicker than a map, and allocates nothing.
  std::int64_t& calls_of(const char* name, const char* why) {
    for (Kind& kind : kinds_)
      if (kind.name == name && kind.why == why) return kind.calls;
    return kinds_.emplace_back(Kind{.name = name, .why = why, .calls = 0}).calls;
  }

  std::vector<Kind> kinds_;
  std::int64_t taken_ = 0;
  HostTime time_;
};

}  // namespace onepass
