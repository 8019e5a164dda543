// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How long a GEMV launch takes, from its shape and the device alone: no trial run.
#pragma once

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"

namespace onepass {

double modelled_seconds(const Plan& plan, const DeviceTraits& traits);

// No launch of gemv_n, gemv_t or gemv_t_once takes less in the eyes of the model.
double least_modelled_seconds(const Problem& p, const DeviceTraits& traits);

}  // namespace onepass
