// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// ONEPASS_INTERPOSE=log: how many calls of each routine and type a drop-in library served, said when the program ends.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "interop/mode.hpp"
#include "problem/problem.hpp"

namespace onepass {

// `routines` of them, each in s d c z.
template <std::size_t routines>
class CallLog {
 public:
  // `library`: whose calls; `name`: that of a routine by its number, in the spelling of a type.
  CallLog(const char* library, std::string (*name)(std::size_t routine, Type type)) : library_(library), name_(name) {}
  CallLog(const CallLog&) = delete;
  CallLog& operator=(const CallLog&) = delete;
  ~CallLog() {
    if (!on_) return;
    std::string text;
    for (std::size_t r = 0; r < routines; ++r)
      for (const Type t : {Type::s, Type::d, Type::c, Type::z})
        if (const std::int64_t calls = calls_[r][static_cast<std::size_t>(t)].load(); calls > 0)
          text += (text.empty() ? "" : ", ") + name_(r, t) + " " + std::to_string(calls);
    std::fprintf(stderr, "onepass: calls of %s served: %s\n", library_, text.empty() ? "none" : text.c_str());
  }

  void count(std::size_t routine, Type type) {
    if (on_) calls_[routine][static_cast<std::size_t>(type)].fetch_add(1, std::memory_order_relaxed);
  }

 private:
  const char* library_;
  std::string (*name_)(std::size_t, Type);
  const bool on_ = mode_of_environment() == Mode::log;
  std::array<std::array<std::atomic<std::int64_t>, 4>, routines> calls_{};
};

}  // namespace onepass
