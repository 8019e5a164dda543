// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Points of a record as tables: what the points of a series share is written once, so that a sweep of twenty thousand
// squares takes less than 1 MiB.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace onepass::tools {

struct PackedPoints {
  std::vector<nlohmann::ordered_json> series;  // {"type": "s", ..., "columns": ["n", ...], "rows": [[64, ...], ...]}
  std::vector<std::string> plans;              // each once: the column "plan" has their numbers
};

// Points as a record of few of them has them: an object each. Their order stays.
PackedPoints pack(const std::vector<nlohmann::ordered_json>& points);

// The same objects again.
std::vector<nlohmann::ordered_json> unpack(const PackedPoints& packed);

}  // namespace onepass::tools
