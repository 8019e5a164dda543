// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gesvd of many small matrices on a CUDA device.
#pragma once

#include "lapack/cuda/batch_svd_steps.hpp"
#include "lapack/cuda/call.hpp"

namespace onepass::lapack {

Status load(const BatchSvdPlan& plan);
Status run(const BatchSvdPlan& plan, const DeviceCall& call);

}  // namespace onepass::lapack
