// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From a choice of a table to the plan of a GEMV, and which choices there are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tuning/lookup.hpp"

namespace onepass {

// Bytes that a block has at least, if a sum is split.
inline constexpr double least_share = 1200;

// Sectors requested over sectors needed, at most.
double most_sectors(const Problem& p);

// The variant of a single product.
Variant gemv_variant(const Problem& p);

// What depends on the very shape is computed as ever. None where the launch would request too many sectors twice:
// the columns start elsewhere than those of the cell.
std::optional<Plan> plan_of(const Tuned& tuned, const Problem& p, const DeviceTraits& traits);

// What was measured next to this shape, and the cell that it is from, if the device has a table and the table has the
// shape.
struct TunedPlan {
  Plan plan;
  TunedCell cell;
};
std::optional<TunedPlan> tuned_gemv(const Problem& p, const DeviceTraits& traits);
// That cell; threads = 0 where there is none.
TunedCell cell_of_gemv(const Problem& p, const DeviceTraits& traits);
// "the table of NVIDIA H200, cell 4096x4096"
std::string name_of(const TunedCell& cell);

// Each choice of the space that makes a plan of its own, and that plan.
struct GemvChoice {
  Tuned tuned;
  Plan plan;
};
std::vector<GemvChoice> gemv_choices(const Problem& p, const DeviceTraits& traits);

// "the table of NVIDIA H200, cell 4096x4096" if a table says the threads, lanes and splits of a plan; else empty.
std::string chooser_of_gemv(const Plan& plan, const DeviceTraits& traits);

}  // namespace onepass
