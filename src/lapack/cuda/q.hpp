// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// orgtr, orgbr, orghr, orgqr, ormtr, ormbr, ormhr and ormqr on a CUDA device.
#pragma once

#include "lapack/cuda/call.hpp"
#include "lapack/cuda/q_steps.hpp"

namespace onepass::lapack {

Status load(const QPlan& plan);
inline bool uses_cublas(const QPlan& plan) { return plan.width > 0; }
Status run(const QPlan& plan, const DeviceCall& call);

}  // namespace onepass::lapack
