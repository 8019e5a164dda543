// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The tables that are part of the library; the build writes their texts into it.
#pragma once

#include <array>
#include <string_view>

#include "tuning/lookup.hpp"

namespace onepass {

// The texts of tuning/*.json.
extern const std::array<std::string_view, 1> tuning_tables;
extern const std::string_view tuning_space;

// The tables of the library alone; never null.
const TuningTables* built_in_tuning(const DeviceTraits& traits);

}  // namespace onepass
