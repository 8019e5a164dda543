// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels that scale a matrix before its reduction, for one element type, as the host sees them: each type is
// compiled in its own file.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/lapack/scale_args.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

template <class A>
struct ScaleKernels {
  static Status load();  // into the device
  // Finds the largest element, then scales.
  static Status run(const kernels::ScaleArgs& args, int blocks, cudaStream_t stream);
  // Scales a Hessenberg matrix back.
  static Status undo(const kernels::ScaleArgs& args, int blocks, cudaStream_t stream);
};

}  // namespace onepass::lapack
