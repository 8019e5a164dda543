// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launch of a GEMV that is best in the eyes of the model, of all that the space has.
#pragma once

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"

namespace onepass {

// Of gemv_n, or of gemv_t or gemv_t_once.
Plan best_gemv(const Problem& p, const DeviceTraits& traits);

}  // namespace onepass
