// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A climb of the ladder, for people and for machines.
#pragma once

#include <string>

#include "ladder/result.hpp"

namespace onepass::tools {

std::string to_text(const ladder::Result& result, bool code);
std::string to_json(const ladder::Result& result);

}  // namespace onepass::tools
