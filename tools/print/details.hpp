// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The plain figures of each point: allocation, transfers, execution, and the shares of the device's peaks.
#pragma once

#include <string>

#include "bench/record.hpp"

namespace onepass::tools {

// Empty where no point has been on a journey.
std::string details_table(const Record& record);

}  // namespace onepass::tools
