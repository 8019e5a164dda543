// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/cublas/log.hpp"

#include <cstdint>
#include <cstdio>
#include <mutex>

namespace onepass::cublas {
namespace {

class Log {
 public:
  Log() = default;
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log() {
    if (mode != Mode::log) return;
    calls_.print("cuBLAS", "libonepass.so");
    if (estimated_ == 0) return;
    std::fprintf(stderr, "onepass: time of the device by estimate, %lld of these calls: %.3g ms; with cuBLAS %.3g ms\n",
                 static_cast<long long>(estimated_), on_device_.onepass * 1e3, on_device_.cublas * 1e3);
  }

  void count_passed_on(const char* name, const char* why) {
    const std::lock_guard lock(mutex_);
    calls_.count_passed_on(name, why);
  }
  void count_taken(const char* name, const HostTime& time, const Estimate& on_device) {
    const std::lock_guard lock(mutex_);
    calls_.count_taken(name, time);
    estimated_ += on_device.onepass > 0 ? 1 : 0;
    on_device_.onepass += on_device.onepass;
    on_device_.cublas += on_device.cublas;
  }

 private:
  std::mutex mutex_;
  TakenCalls calls_;
  std::int64_t estimated_ = 0;
  Estimate on_device_;
};

Log log;  // NOLINT: one per process, said at its end

}  // namespace

void pass_on(const char* name, const char* reason) {
  if (mode == Mode::log) log.count_passed_on(name, reason);
}

void taken(const char* name, const HostTime& time, const Estimate& on_device) {
  log.count_taken(name, time, on_device);
}

}  // namespace onepass::cublas
