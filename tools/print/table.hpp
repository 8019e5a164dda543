// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A record as a table for people.
#pragma once

#include <string>

#include "bench/record.hpp"

namespace onepass::tools {

// The machine, each point if wanted, and last the summary.
std::string to_table(const Record& record, bool points);

}  // namespace onepass::tools
