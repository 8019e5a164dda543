// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A record as a table for people.
#pragma once

#include <string>

#include "bench/record.hpp"

namespace onepass::tools {

std::string to_table(const Record& record);

}  // namespace onepass::tools
