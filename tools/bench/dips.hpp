// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Sizes of a sweep at which Onepass falls behind its own neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bench/result.hpp"

namespace onepass::tools {

inline constexpr std::int64_t neighbour_distance = 64;
inline constexpr double dip_slowdown = 1.1;

struct Dip {
  std::int64_t size = 0;
  double slowdown = 1;  // time over that of the slower of the neighbours at +-64

  bool operator==(const Dip&) const = default;
};

struct DipsOfGroup {
  std::string name;       // type, op, cache
  std::size_t sizes = 0;  // that have both neighbours
  std::vector<Dip> dips;  // by size
};

// Square points alone; a size without both neighbours is no dip.
std::vector<DipsOfGroup> find_dips(std::span<const PointResult> results);

}  // namespace onepass::tools
