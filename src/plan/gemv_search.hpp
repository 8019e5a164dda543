// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launch of GEMV that the model expects to be fastest.
#pragma once

#include <optional>
#include <vector>

#include "plan/choice.hpp"
#include "plan/device_traits.hpp"
#include "plan/plan.hpp"

namespace onepass {

struct ModelledChoice {
  Choice choice;
  double seconds = 0;
};

// The best of one kernel; none where it serves no launch of the problem.
std::optional<ModelledChoice> best_choice(Variant variant, const Problem& p, const DeviceTraits& traits);
// The best of all.
ModelledChoice best_choice(const Problem& p, const DeviceTraits& traits);

// All that are ever looked at, for the tuner: fastest first.
std::vector<ModelledChoice> all_choices(const Problem& p, const DeviceTraits& traits);

}  // namespace onepass
