// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/cublas/log.hpp"

#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace onepass::cublas {
namespace {

class Log {
 public:
  Log() = default;
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log() {
    if (mode != Mode::log) return;
    std::map<std::string, std::int64_t> lines;  // sorted; a literal may have several addresses
    for (const Kind& kind : kinds_)
      lines[kind.name + (kind.why == nullptr ? " taken" : std::string(" passed on, ") + kind.why)] += kind.calls;
    for (const auto& [line, calls] : lines)
      std::fprintf(stderr, "onepass: %s: %lld\n", line.c_str(), static_cast<long long>(calls));
    if (lines.empty()) std::fprintf(stderr, "onepass: no call of cuBLAS came here\n");
    if (taken_ == 0) return;
    const double calls = static_cast<double>(taken_);
    std::fprintf(stderr, "onepass: host time of a call taken: %.2f us, of which %.2f us in libonepass.so\n",
                 static_cast<double>(all_.count()) / calls * 1e-3,
                 static_cast<double>(in_onepass_.count()) / calls * 1e-3);
    if (estimated_ == 0) return;
    std::fprintf(stderr, "onepass: time of the device by estimate, %lld of these calls: %.3g ms; with cuBLAS %.3g ms\n",
                 static_cast<long long>(estimated_), on_device_.onepass * 1e3, on_device_.cublas * 1e3);
  }

  void count_passed_on(const char* name, const char* why) {
    const std::lock_guard lock(mutex_);
    ++calls_of(name, why);
  }
  void count_taken(const char* name, std::chrono::nanoseconds all, std::chrono::nanoseconds in_onepass,
                   const Estimate& on_device) {
    const std::lock_guard lock(mutex_);
    ++calls_of(name, nullptr);
    ++taken_;
    all_ += all;
    in_onepass_ += in_onepass;
    estimated_ += on_device.onepass > 0 ? 1 : 0;
    on_device_.onepass += on_device.onepass;
    on_device_.cublas += on_device.cublas;
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

  std::mutex mutex_;
  std::vector<Kind> kinds_;
  std::int64_t taken_ = 0, estimated_ = 0;
  std::chrono::nanoseconds all_{0}, in_onepass_{0};
  Estimate on_device_;
};

Log log;  // NOLINT: one per process, said at its end

}  // namespace

const Mode mode = mode_of_environment();

void pass_on(const char* name, const char* reason) {
  if (mode == Mode::log) log.count_passed_on(name, reason);
}

void taken(const char* name, std::chrono::nanoseconds all, std::chrono::nanoseconds in_onepass,
           const Estimate& on_device) {
  log.count_taken(name, all, in_onepass, on_device);
}

}  // namespace onepass::cublas
