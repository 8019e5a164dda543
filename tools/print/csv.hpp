// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A record as comma-separated values: one line per point and provider.
#pragma once

#include <string>

#include "bench/record.hpp"

namespace onepass::tools {

std::string to_csv(const Record& record);

}  // namespace onepass::tools
