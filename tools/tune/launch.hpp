// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A choice of the space, of whichever routine, as the tuner handles it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tuning/lookup.hpp"

namespace onepass::tools {

using Launch = std::variant<Tuned, TunedSymv>;

std::string print(const Launch& launch);
std::optional<Launch> parse_launch(const Problem& p, std::string_view text);

// None where the launch does not fit the problem.
std::optional<Plan> plan_of(const Launch& launch, const Problem& p, const DeviceTraits& traits);

// What the rule for triangles launches without a table; none of other problems, or if the space does not have it.
std::optional<Launch> rule_of_triangle(const Problem& p, const DeviceTraits& traits);

// All launches of the space that fit, the most promising in the eyes of the model first; of triangles, for which there
// is no model, that of the rule, then the others as the space has them.
std::vector<Launch> ranked_launches(const Problem& p, const DeviceTraits& traits);

}  // namespace onepass::tools
