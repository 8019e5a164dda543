// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A run of the lineage, for people and for machines.
#pragma once

#include <string>

#include "ladder/seeds/result.hpp"

namespace onepass::tools {

std::string to_text(const ladder::SeedsResult& result);
std::string to_json(const ladder::SeedsResult& result);

}  // namespace onepass::tools
