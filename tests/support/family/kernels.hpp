// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Which kernels the cases of a family run on the simulator.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.hpp"
#include "support/family/cases.hpp"

namespace onepass::test {

// The plan that a call on the simulator makes: it looks where A lies, and here that is a multiple of 256 bytes and the
// offset.
Plan plan_of(const Case& c);

// The rows of the registry of kernels, in each type that they are compiled for, that no case hits: one in a line.
std::string kernels_without_a_case(Family family);

// Those of the kernel ONEPASS_KERNEL in the element types ONEPASS_KERNEL_TYPES, which `make kernel` sets; else all.
std::vector<GroupedCase> cases_asked_for(std::vector<GroupedCase> cases);

// One case in `share` of each kernel in each type, and one at least; which ones depends on the day
// (support/thorough.hpp).
std::vector<GroupedCase> some_of_each_kernel(const std::vector<GroupedCase>& cases, std::int64_t share);

}  // namespace onepass::test
