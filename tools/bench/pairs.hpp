// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Problems that differ by a row, a column or an element of lda, and how unlike their times are.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bench/result.hpp"

namespace onepass::tools {

inline constexpr double uneven_slowdown = 1.3;

// One row more, one column more, lda one longer; of a triangle, whose rows are its columns, the last two. Columns
// without a gap stay without one.
std::vector<Problem> neighbours(const Problem& p);

struct PairsOfGroup {
  std::string name;        // type, op, cache
  std::size_t pairs = 0;   // points of which one is a neighbour of the other
  std::size_t uneven = 0;  // those above `uneven_slowdown`
  double worst = 0;        // time / floor of the slower one over that of the other
  std::string at;
};

// All pairs that there are among single products, whoever chose them. In the order of their first points.
std::vector<PairsOfGroup> find_pairs(std::span<const PointResult> results);

}  // namespace onepass::tools
