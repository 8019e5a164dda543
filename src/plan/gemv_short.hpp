// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Which products gemv_t_short serves, and in which launch.
#pragma once

#include <string>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"

namespace onepass {

// Null, or why another kernel is the better choice, or the only one.
const char* why_no_short_gemv(const Problem& p, const DeviceTraits& traits);

// The launch of a problem for which there is no such reason.
Plan plan_short_gemv(const Problem& p, const DeviceTraits& traits);

// Empty, or why a plan of this variant would not compute its problem.
std::string why_illegal_short_gemv(const Plan& plan);

}  // namespace onepass
