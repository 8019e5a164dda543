// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a call costs the host: the time until it returns, its kernel still to run.
#pragma once

#include <functional>

#include "measure/cuda/device.hpp"

namespace onepass::tools {

// Median seconds over 1000 calls; the stream is drained now and then, outside the clock.
double host_seconds_per_call(const CudaStream& stream, const std::function<void()>& call);

}  // namespace onepass::tools
