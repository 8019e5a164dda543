// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The texts of tuning/*.json; the build writes the definitions.
#pragma once

#include <array>
#include <string_view>

namespace onepass {

extern const std::array<std::string_view, 1> tuning_tables;
extern const std::string_view tuning_space;

}  // namespace onepass
