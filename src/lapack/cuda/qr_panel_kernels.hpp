// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The QR panel kernels for one element type, as the host sees them: each type is compiled in its own file.
#pragma once

#include <cuda_runtime_api.h>

#include "lapack/cuda/geqrf_steps.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

template <class A>
struct QrPanelKernels {
  static Status load();  // into the device, with the shared memory that they may ask for
  static Status panel(const QrStage& stage, const kernels::QrPanelArgs& args, cudaStream_t stream);
};

}  // namespace onepass::lapack
