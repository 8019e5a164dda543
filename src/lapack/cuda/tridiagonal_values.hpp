// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues of a symmetric tridiagonal matrix on a CUDA device.
#pragma once

#include <cuda_runtime_api.h>

#include "lapack/cuda/tridiagonal_values_steps.hpp"

namespace onepass::lapack {

Status load(const TridiagonalValuesPlan& plan);
// Queues everything on the stream.
Status run(const TridiagonalValuesPlan& plan, const TridiagonalValuesOperands& operands, cudaStream_t stream);

}  // namespace onepass::lapack
