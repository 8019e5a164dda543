// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular values of an upper bidiagonal matrix on a CUDA device.
#pragma once

#include <cuda_runtime_api.h>

#include "lapack/cuda/bidiagonal_values_steps.hpp"

namespace onepass::lapack {

Status load(const BidiagonalValuesPlan& plan);
// Queues everything on the stream.
Status run(const BidiagonalValuesPlan& plan, const BidiagonalValuesOperands& operands, cudaStream_t stream);

}  // namespace onepass::lapack
