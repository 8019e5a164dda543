// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of a group of steps for one element type, as the host sees them: each is compiled in a file of its own.
#pragma once

#include <cuda_runtime_api.h>

#include "lapack/gpu/queue.hpp"

namespace onepass::lapack {

template <StepGroup group, class A>
struct CudaKernels {
  static Status load();  // all of them, as their first launches would
  static Status launch(cudaStream_t stream, Step step, const Work& work, const void* args);
};

}  // namespace onepass::lapack
