// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// syevd and heevd on a CUDA device.
#pragma once

#include "lapack/cuda/call.hpp"
#include "lapack/cuda/syevd_steps.hpp"

namespace onepass::lapack {

Status load(const SyevdPlan& plan);
Status run(const SyevdPlan& plan, const DeviceCall& call);

}  // namespace onepass::lapack
