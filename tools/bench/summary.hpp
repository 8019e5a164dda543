// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Points -> figures of all points of one kind: geometric means and worst cases. Measures nothing, prints nothing.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bench/result.hpp"
#include "bench/selection.hpp"

namespace onepass::tools {

inline constexpr double large_bytes = 64e6;   // from here on the memory bus alone should count
inline constexpr double slower_ratio = 0.97;  // below it Onepass is slower than a peer, and not by noise

// The value furthest down, and where.
struct Worst {
  double value = 0;
  std::string at;  // empty: nowhere

  void offer(double candidate, const std::string& where);
};

struct GroupResult {
  std::string name;
  std::size_t points = 0;
  std::vector<double> efficiency;  // geometric mean per provider of the record; 0 where it served none
  Worst worst_efficiency;          // of Onepass
  double large_efficiency = 0;     // of Onepass, geometric mean over points of more than `large_bytes`; 0: none
  double ratio = 0;                // to the best peer, geometric mean; 0 where there is none
  Worst worst_ratio;
  std::size_t slower = 0;  // points below `slower_ratio`
};

// In the order of their first points. What makes a group depends on the selection.
std::vector<GroupResult> group(std::span<const PointResult> results, std::span<const std::string> providers,
                               Selection selection);

}  // namespace onepass::tools
