// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernel that makes a real matrix complex, for one complex type, as the host sees it: each type is compiled in its
// own file.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/lapack/adjoint_args.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

template <class A>
struct WidenKernels {
  static Status load();  // into the device
  static Status widen(const kernels::MatrixCopy& copy, int blocks, cudaStream_t stream);
};

}  // namespace onepass::lapack
