// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/cublas/log.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace onepass::cublas {
namespace {

Mode mode_of_environment() {
  const char* text = std::getenv("ONEPASS_INTERPOSE");
  const std::string_view value = text == nullptr ? "on" : text;
  return value == "off" ? Mode::off : value == "log" ? Mode::log : Mode::on;
}

class Log {
 public:
  Log() = default;
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log() {
    if (mode != Mode::log) return;
    for (const auto& [line, calls] : lines_)
      std::fprintf(stderr, "onepass: %s: %lld\n", line.c_str(), static_cast<long long>(calls));
    if (lines_.empty()) std::fprintf(stderr, "onepass: no call of cuBLAS came here\n");
    if (taken_ == 0) return;
    const double calls = static_cast<double>(taken_);
    std::fprintf(stderr, "onepass: host time of a call taken: %.2f us, of which %.2f us in libonepass.so\n",
                 static_cast<double>(all_.count()) / calls * 1e-3,
                 static_cast<double>(in_onepass_.count()) / calls * 1e-3);
    if (estimated_ == 0) return;
    std::fprintf(stderr, "onepass: time of the device by estimate, %lld of these calls: %.3g ms; with cuBLAS %.3g ms\n",
                 static_cast<long long>(estimated_), on_device_.onepass * 1e3, on_device_.cublas * 1e3);
  }

  void count(const char* name, const char* what, const char* why = "") {
    const std::lock_guard lock(mutex_);
    ++lines_[std::string(name) + what + why];
  }
  void add(std::chrono::nanoseconds all, std::chrono::nanoseconds in_onepass, const Estimate& on_device) {
    const std::lock_guard lock(mutex_);
    ++taken_;
    all_ += all;
    in_onepass_ += in_onepass;
    estimated_ += on_device.onepass > 0 ? 1 : 0;
    on_device_.onepass += on_device.onepass;
    on_device_.cublas += on_device.cublas;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::int64_t> lines_;
  std::int64_t taken_ = 0, estimated_ = 0;
  std::chrono::nanoseconds all_{0}, in_onepass_{0};
  Estimate on_device_;
};

Log log;  // NOLINT: one per process, said at its end

}  // namespace

const Mode mode = mode_of_environment();

void pass_on(const char* name, const char* reason) {
  if (mode == Mode::log) log.count(name, " passed on, ", reason);
}

void taken(const char* name, std::chrono::nanoseconds all, std::chrono::nanoseconds in_onepass,
           const Estimate& on_device) {
  log.add(all, in_onepass, on_device);
  log.count(name, " taken");
}

}  // namespace onepass::cublas
