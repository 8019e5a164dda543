// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches of gemv_n_small_canonical and gemv_t_small_canonical, and the problems that they serve.
#pragma once

#include <string>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"

namespace onepass {

// Null, or why another kernel is the better choice, or the only one.
const char* why_no_small_canonical(const Problem& p, const DeviceTraits& traits);

// The complete plan: blocks of so many threads, groups of so many lanes, each thread with so many chunks; powers of
// two.
Plan shape_small_canonical(const Problem& p, Loads loads, int threads, int lanes, std::int64_t chunks);

// The launch of a problem for which there is no such reason.
Plan plan_small_canonical(const Problem& p, const DeviceTraits& traits);

std::string why_illegal_small_canonical(const Plan& plan);

}  // namespace onepass
