// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernel of bisection for one real type, as the host sees it: each type is compiled in its own file.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/lapack/bisection_args.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

template <class R>
struct TridiagonalValuesKernels {
  static Status load();  // into the device
  static Status bisect(const kernels::BisectionArgs& args, int blocks, cudaStream_t stream);
};

}  // namespace onepass::lapack
