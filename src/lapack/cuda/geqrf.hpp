// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// geqrf on a CUDA device.
#pragma once

#include "lapack/cuda/call.hpp"
#include "lapack/cuda/geqrf_steps.hpp"

namespace onepass::lapack {

Status load(const GeqrfPlan& plan);
Status run(const GeqrfPlan& plan, const DeviceCall& call);

}  // namespace onepass::lapack
