// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels between the steps of gesvd, for one element type, as the host sees them: each type is compiled in its own
// file.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/lapack/exchange_args.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

template <class A>
struct SvdKernels {
  static Status load();  // into the device
  static Status exchange(const kernels::ExchangeArgs& args, int blocks, cudaStream_t stream);
  static Status copy_triangle(const kernels::MatrixCopy& copy, int blocks, cudaStream_t stream);
};

}  // namespace onepass::lapack
