// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gehrd on a CUDA device.
#pragma once

#include "lapack/cuda/call.hpp"
#include "lapack/cuda/gehrd_steps.hpp"

namespace onepass::lapack {

Status load(const GehrdPlan& plan);
Status run(const GehrdPlan& plan, const DeviceCall& call);

}  // namespace onepass::lapack
