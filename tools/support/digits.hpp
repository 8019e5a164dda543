// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Figures with few digits, so that a file holds exactly what was printed.
#pragma once

#include <fmt/format.h>

#include <cstdlib>

namespace onepass::tools {

// Those of a run have four that are significant.
inline double four_digits(double value) { return std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr); }

}  // namespace onepass::tools
