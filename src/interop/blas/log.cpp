// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/blas/log.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>

#include "interop/mode.hpp"
#include "problem/names.hpp"

namespace onepass::blas {
namespace {

constexpr std::array routines = {Routine::gemv, Routine::symv, Routine::hemv};
constexpr std::array types = {Type::s, Type::d, Type::c, Type::z};

class Log {
 public:
  Log() = default;
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log() {
    if (!on_) return;
    std::string text;
    for (const Routine r : routines)
      for (const Type t : types)
        if (const std::int64_t calls = calls_of(r, t).load(); calls > 0)
          text += std::string(text.empty() ? "" : ", ") + name(t) + name(r) + " " + std::to_string(calls);
    std::fprintf(stderr, "onepass: calls of BLAS served: %s\n", text.empty() ? "none" : text.c_str());
  }
  void count(const Problem& p) {
    if (on_) calls_of(p.routine, p.type_a).fetch_add(1, std::memory_order_relaxed);
  }

 private:
  std::atomic<std::int64_t>& calls_of(Routine r, Type t) {
    return calls_[static_cast<std::size_t>(r)][static_cast<std::size_t>(t)];
  }
  const bool on_ = mode_of_environment() == Mode::log;
  std::array<std::array<std::atomic<std::int64_t>, types.size()>, routines.size()> calls_{};
};

Log log;  // NOLINT: one per process, said at its end

}  // namespace

void count_call(const Problem& p) { log.count(p); }

}  // namespace onepass::blas
