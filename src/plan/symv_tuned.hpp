// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From a choice of a table to the plan of a SYMV, and which choices there are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tuning/lookup.hpp"

namespace onepass {

// None where the choice does not fit the problem: memory, or columns that start elsewhere.
std::optional<Plan> plan_of(const TunedSymv& tuned, const Problem& p, const DeviceTraits& traits);

// What was measured next to this order, if the device has a table and the table has it.
std::optional<Plan> tuned_symv(const Problem& p, const DeviceTraits& traits);

// Each choice of the space that makes a plan of its own, and that plan.
struct SymvChoice {
  TunedSymv tuned;
  Plan plan;
};
std::vector<SymvChoice> symv_choices(const Problem& p, const DeviceTraits& traits);

// "the table of NVIDIA H200, cell 4096" if such a plan of symv is what a table says; else empty.
std::string chooser_of_symv(const Plan& plan, const DeviceTraits& traits);

}  // namespace onepass
