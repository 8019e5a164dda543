// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launch of one large matrix with few rows, whose sums are split often.
#pragma once

#include <optional>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"

namespace onepass {

// None where the table or the model knows better.
std::optional<Plan> large_gemv_n(const Problem& p, const DeviceTraits& traits);
std::optional<Plan> large_gemv_t(const Problem& p, const DeviceTraits& traits);

}  // namespace onepass
