// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// syevd and heevd of many small matrices on a CUDA device.
#pragma once

#include "lapack/cuda/batch_steps.hpp"
#include "lapack/cuda/call.hpp"

namespace onepass::lapack {

Status load(const BatchPlan& plan);
Status run(const BatchPlan& plan, const DeviceCall& call);

}  // namespace onepass::lapack
