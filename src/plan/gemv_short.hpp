// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of a launch of gemv_t_short, and the problems that it can serve.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace onepass {

// Null, or why it cannot serve the problem, however it is launched.
const char* why_not_short_gemv(const Problem& p);

// As few lanes as cover a column, and at least one for each column in flight.
int lanes_of_short_gemv(const Problem& p, Loads loads);

// Blocks that have as many columns as they can at a time, so many times.
Plan shape_short_gemv(const Problem& p, Loads loads, std::int64_t visits);
std::int64_t visits_of_short_gemv(const Plan& plan);

// Empty, or why a plan of this variant would not compute its problem.
std::string why_illegal_short_gemv(const Plan& plan);

}  // namespace onepass
