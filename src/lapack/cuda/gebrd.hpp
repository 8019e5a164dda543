// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gebrd on a CUDA device.
#pragma once

#include "lapack/cuda/call.hpp"
#include "lapack/cuda/gebrd_steps.hpp"

namespace onepass::lapack {

Status load(const GebrdPlan& plan);
Status run(const GebrdPlan& plan, const DeviceCall& call);

}  // namespace onepass::lapack
