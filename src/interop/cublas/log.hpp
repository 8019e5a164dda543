// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What ONEPASS_INTERPOSE=log says at the end of a program: calls, reasons, time of the host and, by estimate, of the
// device. Until then a call is counted and its times are added up, and nothing else: in tens of nanoseconds.
#pragma once

#include <chrono>

#include "interop/cublas/estimate.hpp"
#include "interop/mode.hpp"

namespace onepass::cublas {

extern const Mode mode;

// Counts a call that is passed on, and why. Names and reasons are kept as pointers: they must be literals.
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

// Counts a call that Onepass took, where there is a log: the host's time in all, and that within onepassGemv or
// onepassSymv; what the device is estimated to take.
void taken(const char* name, std::chrono::nanoseconds all, std::chrono::nanoseconds in_onepass,
           const Estimate& on_device);

}  // namespace onepass::cublas
