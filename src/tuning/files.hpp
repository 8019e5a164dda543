// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Where the table of a device comes from: a file of the user, or one that ONEPASS_TUNING names.
#pragma once

#include <string>

#include "plan/device_traits.hpp"
#include "tuning/table.hpp"

namespace onepass {

// $XDG_CONFIG_HOME/onepass/tuning/nvidia-h200.json, with ~/.config where the variable is not set; empty where there is
// no home.
std::string user_tuning_file(const DeviceTraits& traits);

// With the user's table: of the file in ONEPASS_TUNING, else of user_tuning_file if there is one. ONEPASS_TUNING=off
// leaves no table at all. Reads files: for the moment in which a device is opened, not for plans.
TuningTables load_tuning(const DeviceTraits& traits);

// Says once per process on standard error that the file named by ONEPASS_TUNING is not used.
void warn_of_refused(const TuningTables& tables);

}  // namespace onepass
