// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The last lines of a run: means and worst cases of each group, and the dips of a sweep.
#pragma once

#include <string>
#include <vector>

#include "bench/record.hpp"

namespace onepass::tools {

// The providers that serve at least one point.
std::vector<std::string> providers_seen(const Record& record);

std::string summary_table(const Record& record);

}  // namespace onepass::tools
