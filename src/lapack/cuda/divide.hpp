// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues and eigenvectors of a symmetric tridiagonal matrix on a CUDA device.
#pragma once

#include <cuda_runtime_api.h>

#include "lapack/cuda/cublas.hpp"
#include "lapack/cuda/divide_steps.hpp"

namespace onepass::lapack {

Status load(const DividePlan& plan);
// Queues everything on the stream. `cublas` may be null if the plan does not use it.
Status run(const DividePlan& plan, const DivideOperands& operands, void* workspace, Cublas* cublas,
           cudaStream_t stream);

}  // namespace onepass::lapack
