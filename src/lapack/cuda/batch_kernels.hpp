// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of many eigenproblems for one type, as the host sees them: each type is compiled in its own file.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/lapack/batch_args.hpp"
#include "kernels/lapack/divide_args.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

template <class A>
struct BatchKernels {
  static Status load();  // into the device
  static Status solve_small(const kernels::BatchArgs& args, int lanes, int blocks, cudaStream_t stream);
  static Status reduce(const kernels::BatchTridiagonalArgs& args, bool held, int blocks, cudaStream_t stream);
  static Status make_factors(const kernels::BatchBackArgs& args, int blocks, cudaStream_t stream);
  static Status transform_back(const kernels::BatchBackArgs& args, int blocks, cudaStream_t stream);
};

// Of a real type: those of the tridiagonal matrices.
template <class R>
struct BatchRealKernels {
  using Level = kernels::DivideLevelArgs;

  static Status load();
  static Status find_values(const kernels::BatchValuesArgs& args, int blocks, cudaStream_t stream);
  static Status solve_leaves(const kernels::DivideLeafArgs& args, int blocks, cudaStream_t stream);
  static Status deflate(const Level& args, int blocks, cudaStream_t stream);
  static Status find_roots(const Level& args, int blocks, cudaStream_t stream);
  static Status order(const Level& args, int blocks, cudaStream_t stream);
  static Status make_columns(const Level& args, int blocks, cudaStream_t stream);
  static Status multiply(const kernels::BatchProductArgs& args, int blocks, cudaStream_t stream);
};

}  // namespace onepass::lapack
