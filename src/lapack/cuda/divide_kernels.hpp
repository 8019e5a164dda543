// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of divide and conquer for one real type, as the host sees them: each type is compiled in its own file.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/lapack/divide_args.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

template <class R>
struct DivideKernels {
  using Level = kernels::DivideLevelArgs;

  static Status load();  // into the device
  static Status set_up(const kernels::DivideSetupArgs& args, cudaStream_t stream);
  static Status solve_leaves(const kernels::DivideLeafArgs& args, int blocks, cudaStream_t stream);
  static Status deflate(const Level& args, bool many_threads, int blocks, cudaStream_t stream);
  static Status find_roots(const Level& args, int blocks, cudaStream_t stream);
  static Status order(const Level& args, int blocks, cudaStream_t stream);
  static Status make_columns(const Level& args, int blocks, cudaStream_t stream);
  static Status finish(const kernels::DivideFinishArgs& args, int blocks, cudaStream_t stream);
};

}  // namespace onepass::lapack
