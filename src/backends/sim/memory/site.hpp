// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A place in the source of a kernel: accesses of a warp's lanes at one place are one instruction.
#pragma once

#include <string>
#include <string_view>

namespace onepass::sim {

struct Site {
  const char* file = "";
  unsigned line = 0;

  // As a default argument, the place of the outermost call.
  static constexpr Site here(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {file, line};
  }
  bool operator==(const Site&) const = default;
};

inline std::string print(Site site) {
  const std::string_view file = site.file;
  return std::string(file.substr(file.find_last_of('/') + 1)) + ":" + std::to_string(site.line);
}

}  // namespace onepass::sim
