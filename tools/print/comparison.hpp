// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A comparison of two records, for people and for machines.
#pragma once

#include <string>

#include "compare/compare.hpp"

namespace onepass::tools {

std::string to_table(const Comparison& comparison);
std::string to_json(const Comparison& comparison);

}  // namespace onepass::tools
