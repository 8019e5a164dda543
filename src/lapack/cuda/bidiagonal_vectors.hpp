// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular values and vectors of an upper bidiagonal matrix on a CUDA device.
#pragma once

#include <cuda_runtime_api.h>

#include "lapack/cuda/bidiagonal_vectors_steps.hpp"
#include "lapack/cuda/cublas.hpp"

namespace onepass::lapack {

Status load(const BidiagonalVectorsPlan& plan);
// Queues everything on the stream. `cublas` may be null if the plan does not use it.
Status run(const BidiagonalVectorsPlan& plan, const BidiagonalVectorsOperands& operands, void* workspace,
           Cublas* cublas, cudaStream_t stream);

}  // namespace onepass::lapack
