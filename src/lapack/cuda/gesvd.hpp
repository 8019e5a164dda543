// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gesvd on a CUDA device.
#pragma once

#include "lapack/cuda/call.hpp"
#include "lapack/cuda/gesvd_steps.hpp"

namespace onepass::lapack {

Status load(const GesvdPlan& plan);
Status run(const GesvdPlan& plan, const DeviceCall& call);

}  // namespace onepass::lapack
