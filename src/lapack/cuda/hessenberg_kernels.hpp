// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of Hessenberg reduction for one element type, as the host sees them: each type is compiled in its own
// file.
#pragma once

#include <cuda_runtime_api.h>

#include "lapack/cuda/gehrd_steps.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

template <class A>
struct HessenbergKernels {
  static Status load();  // into the device, with the shared memory that they may ask for
  static Status on_chip(const HessenbergStage& stage, const kernels::HessenbergArgs& args, cudaStream_t stream);
  static Status panel(const HessenbergStage& stage, const kernels::HessenbergPanelArgs& args, cudaStream_t stream);
};

}  // namespace onepass::lapack
