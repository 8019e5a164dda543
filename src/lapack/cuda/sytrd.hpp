// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// sytrd and hetrd on a CUDA device.
#pragma once

#include "lapack/cuda/call.hpp"
#include "lapack/cuda/sytrd_plan.hpp"

namespace onepass::lapack {

Status load(const SytrdPlan& plan);
Status run(const SytrdPlan& plan, const DeviceCall& call);

}  // namespace onepass::lapack
