// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The GEMV kernels that a plan may choose, and their launches that the model expects to be fastest. Pure: needs no
// device and touches no memory.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "plan/choice.hpp"
#include "plan/registry.hpp"

namespace onepass {

std::span<const VariantRow> gemv_rows();

// By the table of a user, by the model, or by the rules for the canonical order.
Plan plan_gemv(const Problem& p, const DeviceTraits& traits);

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
