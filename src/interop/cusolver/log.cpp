// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/cusolver/log.hpp"

#include <mutex>

namespace onepass::cusolver {
namespace {

struct Log {
  std::mutex mutex;
  TakenCalls calls;

  Log() = default;
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log() {
    if (mode == Mode::log) calls.print("cuSOLVER", "libonepass_lapack.so");
  }
};

Log log;  // NOLINT: one per process, said at its end

}  // namespace

void pass_on(const char* name, const char* reason) {
  if (mode != Mode::log) return;
  const std::lock_guard lock(log.mutex);
  log.calls.count_passed_on(name, reason);
}

void taken(const char* name, const HostTime& time) {
  if (mode != Mode::log) return;
  const std::lock_guard lock(log.mutex);
  log.calls.count_taken(name, time);
}

}  // namespace onepass::cusolver
