// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The text of a file -> the members of a table.
#pragma once

#include <string_view>

#include "problem/status.hpp"
#include "tuning/format.hpp"

namespace onepass {

// Any bytes. Refuses what is no table of this version, and says why; Tuning::parse looks at the cells too.
Status read_table(std::string_view json, TableText* table);

}  // namespace onepass
