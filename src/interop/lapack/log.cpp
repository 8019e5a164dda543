// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/lapack/log.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>

#include "interop/mode.hpp"
#include "lapack/check.hpp"

namespace onepass::lapack {
namespace {

constexpr std::size_t routines = static_cast<std::size_t>(LapackRoutine::ormhr) + 1;
constexpr std::array types = {Type::s, Type::d, Type::c, Type::z};

class Log {
 public:
  Log() = default;
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log() {
    if (!on_) return;
    std::string text;
    for (std::size_t r = 0; r < routines; ++r)
      for (const Type t : types)
        if (const std::int64_t calls = calls_[r][static_cast<std::size_t>(t)].load(); calls > 0)
          text += std::string(text.empty() ? "" : ", ") +
                  lapack_name({.routine = static_cast<LapackRoutine>(r), .type = t}) + " " + std::to_string(calls);
    std::fprintf(stderr, "onepass: calls of LAPACK served: %s\n", text.empty() ? "none" : text.c_str());
  }
  void count(const LapackProblem& p) {
    if (on_)
      calls_[static_cast<std::size_t>(p.routine)][static_cast<std::size_t>(p.type)].fetch_add(
          1, std::memory_order_relaxed);
  }

 private:
  const bool on_ = mode_of_environment() == Mode::log;
  std::array<std::array<std::atomic<std::int64_t>, types.size()>, routines> calls_{};
};

Log log;  // NOLINT: one per process, said at its end

}  // namespace

void count_call(const LapackProblem& p) { log.count(p); }

}  // namespace onepass::lapack
