// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Which small and middling products gemv_n_small and gemv_t_small serve, and in which launch.
#pragma once

#include <optional>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"

namespace onepass {

// Null, or why another kernel is the better choice.
const char* why_no_small_gemv(const Problem& p, const DeviceTraits& traits);

// The launch of a problem for which there is no such reason.
Plan plan_small_gemv(const Problem& p, const DeviceTraits& traits);

}  // namespace onepass
