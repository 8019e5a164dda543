// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The condition of a machine while it measures: what would make its times longer than they should be.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace onepass::tools {

class Condition {
 public:
  virtual ~Condition() = default;
  // Called again and again while the machine is at work; looks a few times per second at most.
  void look() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return;
    look_now();
    last_ = now;
  }
  // What was noticed since the beginning, in sentences. Nothing: all was well, or nobody can know.
  virtual std::vector<std::string> remarks() = 0;

 protected:
  virtual void look_now() = 0;

 private:
  std::chrono::steady_clock::time_point last_ = {};
};

}  // namespace onepass::tools
