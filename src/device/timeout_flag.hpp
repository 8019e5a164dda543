// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A word in memory that host and device see: a kernel that gave up waiting for a partial sum sets it, and the next call
// reports it.
#pragma once

#include <cstdint>
#include <memory>

#include "backends/device_memory.hpp"

namespace onepass {

class TimeoutFlag {
 public:
  static Status make(const DeviceMemory* memory, std::shared_ptr<TimeoutFlag>* made) {
    auto flag = std::make_shared<TimeoutFlag>();
    flag->memory_ = memory;
    if (Status bad = memory->allocate_flag(&flag->word_); !bad.ok()) return bad;
    *made = std::move(flag);
    return {};
  }
  TimeoutFlag() = default;
  TimeoutFlag(const TimeoutFlag&) = delete;
  TimeoutFlag& operator=(const TimeoutFlag&) = delete;
  ~TimeoutFlag() {
    if (word_ != nullptr) memory_->release_flag(word_);
  }

  // Where kernels set it; null on backends whose kernels never give up.
  std::uint32_t* word() const { return word_; }

  // Whether it was set since the last time this was asked.
  bool take() {
    if (word_ == nullptr) return false;
    volatile std::uint32_t* const word = word_;
    if (*word == 0) [[likely]]
      return false;
    *word = 0;
    return true;
  }

 private:
  const DeviceMemory* memory_ = nullptr;
  std::uint32_t* word_ = nullptr;
};

inline Status timed_out(const char* what_now) {
  return {ONEPASS_STATUS_EXECUTION_FAILED,
          std::string("an earlier launch waited about two seconds for a partial sum of another block and gave up: its "
                      "result is not valid. Two launches used one workspace at once, or a kernel before it failed; ") +
              what_now};
}

}  // namespace onepass
