// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// When the steps of symv have twice the columns, and in which launch.
#pragma once

#include <optional>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"

namespace onepass {

// None where usual steps are as fast, or the device has no room for others.
std::optional<Plan> with_many_loads(const Problem& p, const DeviceTraits& traits);

}  // namespace onepass
