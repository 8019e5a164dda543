// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// `onepass tune --model`: times launches of random shapes, and fits the prices of the model to them.
#pragma once

#include <functional>

#include "bench/axes.hpp"
#include "measure/launch_clock.hpp"
#include "support/failure.hpp"
#include "tune/fit.hpp"

namespace onepass::tools {

// keep() is called with a fit that is better than the prices before.
Exit tune_model(LaunchClock& clock, const Axes& axes, double seconds,
                const std::function<void(const ModelFit& fit)>& keep);

}  // namespace onepass::tools
