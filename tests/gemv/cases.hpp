// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The cases of GEMV as data: shapes grouped by the variant that they must hit, and twists of them.
#pragma once

#include <ostream>
#include <vector>

#include "plan/plan.hpp"
#include "support/operands.hpp"

namespace onepass::test {

struct GroupedCase {
  Variant variant;  // of the devices
  Case c;
};

inline void PrintTo(const GroupedCase& g, std::ostream* out) { *out << g.c.name; }

// Every shape of every group in all types, ops and layouts, and some of them with every twist.
const std::vector<GroupedCase>& all_cases();

// Those that this build runs: a part under AddressSanitizer, which makes the simulator five times slower.
std::vector<GroupedCase> cases_to_run();

// A small problem of each type and each group, to vary the values in.
std::vector<GroupedCase> small_cases();

}  // namespace onepass::test
