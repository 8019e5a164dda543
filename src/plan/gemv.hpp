// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Problem + traits -> plan of the GEMV kernels. Pure: needs no device and touches no memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"
#include "plan/variants.hpp"
#include "tuning/lookup.hpp"

namespace onepass {

// The workspace of a split: boxes for letters, all zeros before the first launch and after each. The
// handle's own workspace has exactly the limit, and no plan asks for more.
inline constexpr std::size_t workspace_limit = std::size_t{32} << 20;

// Empty, or the reason why a plan, perhaps made elsewhere, would not compute its problem: a launch that
// leaves outputs or terms out, a workspace or shared memory too small, a variant of another kind.
std::string why_illegal(const Plan& plan);

// The cell of a table whose launch a problem takes; threads = 0 where the model chooses.
TunedCell cell_of_gemv(const Problem& p, const DeviceTraits& traits);

// Who chose the shape of such a plan: "the table of NVIDIA H200, cell 1227x1227", or the model of a launch.
std::string chooser_of_gemv(const Plan& plan, const DeviceTraits& traits);

// The plan of the first variant that does not decline.
Plan plan_gemv(const Problem& p, const DeviceTraits& traits, BackendId backend);

}  // namespace onepass
