// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of many singular value decompositions for one type, as the host sees them: each type is compiled in its
// own file.
#pragma once

#include <cuda_runtime_api.h>

#include "lapack/cuda/batch_svd_steps.hpp"

namespace onepass::lapack {

template <class A>
struct BatchSvdKernels {
  static Status load();  // into the device
  static Status rotate(const BatchSvdPlan& plan, const kernels::BatchSvdArgs& args, cudaStream_t stream);
  static Status rotate_pairs(const kernels::BatchSvdPairsArgs& args, int rows, int blocks, cudaStream_t stream);
};

// Of singular values alone.
template <class A>
struct BatchBidiagonalKernels {
  static Status load();
  static Status reduce(const kernels::BatchBidiagonalArgs& args, int blocks, cudaStream_t stream);
};

// Of decompositions from eigenvectors.
template <class A>
struct BatchRefineKernels {
  static Status load();
  static Status start_small(const kernels::RefineSmallArgs& args, int lanes, int blocks, cudaStream_t stream);
  static Status refine_small(const kernels::RefineSmallArgs& args, int lanes, int blocks, cudaStream_t stream);
  static Status begin(const kernels::RefineArgs& args, int blocks, cudaStream_t stream);
  static Status multiply(kernels::RefineProduct which, const kernels::RefineArgs& args, int blocks,
                         cudaStream_t stream);
  static Status find_angles(const kernels::RefineArgs& args, int blocks, cudaStream_t stream);
  static Status finish(const kernels::RefineArgs& args, int blocks, cudaStream_t stream);
};

}  // namespace onepass::lapack
