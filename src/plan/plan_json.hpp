// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Plans and device traits as JSON, for saving, loading and machines that read.
#pragma once

#include <string>
#include <string_view>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"
#include "problem/status.hpp"

namespace onepass {

std::string to_json(const Plan& plan);

// Reads what to_json wrote. Refuses other text, unknown names and impossible numbers, and says why.
Status from_json(std::string_view text, Plan* plan);

std::string to_json(const DeviceTraits& traits);

}  // namespace onepass
