// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind tridiagonal_values_kernels.hpp; included once per real type.
#pragma once

#include "kernels/exec/cuda.hpp"
#include "kernels/lapack/bisection.hpp"
#include "lapack/cuda/launch.cuh"
#include "lapack/cuda/tridiagonal_values_kernels.hpp"

namespace onepass::lapack {

template <class R>
Status TridiagonalValuesKernels<R>::load() {
  return load_kernel<kernels::Bisection<R>, kernels::BisectionArgs>();
}

template <class R>
Status TridiagonalValuesKernels<R>::bisect(const kernels::BisectionArgs& args, int blocks, cudaStream_t stream) {
  return launch<kernels::Bisection<R>>("bisection", args, blocks, kernels::bisection_shared_bytes(), false, stream);
}

}  // namespace onepass::lapack
