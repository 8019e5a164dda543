// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// ONEPASS_INTERPOSE=off|on|log, and what `log` says at the end of a program: calls, reasons, time of the host.
#pragma once

#include <chrono>

namespace onepass::cublas {

enum class Mode { off, on, log };
extern const Mode mode;

// Counts a call that is passed on, and why.
void pass_on(const char* name, const char* reason);

// The time of the host in a call. It looks at a clock only if there is a log.
class Stopwatch {
 public:
  std::chrono::nanoseconds passed() const { return now() - start_; }

 private:
  using Clock = std::chrono::steady_clock;
  static Clock::time_point now() { return mode == Mode::log ? Clock::now() : Clock::time_point{}; }
  const Clock::time_point start_ = now();
};

// Counts a call that Onepass took: the host's time in all, and that within onepassGemv or onepassSymv.
void taken(const char* name, std::chrono::nanoseconds all, std::chrono::nanoseconds in_onepass);

}  // namespace onepass::cublas
