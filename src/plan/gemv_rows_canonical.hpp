// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches of gemv_n_rows_canonical, and the problems that it serves.
#pragma once

#include <string>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"

namespace onepass {

// Null, or why another kernel is the better choice, or the only one.
const char* why_no_rows_canonical(const Problem& p, const DeviceTraits& traits);

// The launch of a problem for which there is no such reason.
Plan plan_rows_canonical(const Problem& p, const DeviceTraits& traits);

std::string why_illegal_rows_canonical(const Plan& plan);

}  // namespace onepass
