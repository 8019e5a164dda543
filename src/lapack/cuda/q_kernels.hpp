// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of Q for one element type, as the host sees them: each type is compiled in its own file.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/lapack/block_reflector_args.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

template <class A>
struct QKernels {
  static Status load();  // into the device, with the shared memory that they may ask for
  static Status copy_reflectors(const kernels::CopyReflectorsArgs& args, int blocks, cudaStream_t stream);
  static Status set_identity(const kernels::SetIdentityArgs& args, int blocks, cudaStream_t stream);
  static Status make_triangles(const kernels::TriangularFactorArgs& args, int blocks, cudaStream_t stream);
};

}  // namespace onepass::lapack
