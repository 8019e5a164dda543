// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A clock without a device, to try the tuner and to test it.
#pragma once

#include <cstdint>
#include <memory>

#include "measure/launch_clock.hpp"
#include "plan/gemv_model.hpp"

namespace onepass::tools {

// No device: times are those of the model, changed a little by numbers that depend on the seed, the launch and the
// round alone, and so does the time that passes.
std::unique_ptr<LaunchClock> make_dry_clock(const DeviceTraits& traits, std::uint64_t seed);
// The model has these prices, which nobody else knows.
std::unique_ptr<LaunchClock> make_dry_clock(const DeviceTraits& traits, std::uint64_t seed, const ModelPrices& hidden);
// Each half to twice as high as that of the device.
ModelPrices hidden_prices(const DeviceTraits& traits, std::uint64_t seed);

}  // namespace onepass::tools
