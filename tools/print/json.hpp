// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A record as JSON, the form in which results are kept.
#pragma once

#include <string>

#include "bench/record.hpp"

namespace onepass::tools {

std::string to_json(const Record& record);

}  // namespace onepass::tools
