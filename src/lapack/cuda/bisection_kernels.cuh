// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind bisection_kernels.hpp; included once per real type and form.
#pragma once

#include "kernels/exec/cuda.hpp"
#include "kernels/lapack/bisection.hpp"
#include "lapack/cuda/bisection_kernels.hpp"
#include "lapack/cuda/launch.cuh"

namespace onepass::lapack {

template <class R, kernels::Form form>
Status BisectionKernels<R, form>::load() {
  return load_kernel<kernels::Bisection<R, form>, kernels::BisectionArgs>();
}

template <class R, kernels::Form form>
Status BisectionKernels<R, form>::bisect(const kernels::BisectionArgs& args, int blocks, cudaStream_t stream) {
  return launch<kernels::Bisection<R, form>>("bisection", args, blocks, kernels::bisection_shared_bytes(), false,
                                             stream);
}

}  // namespace onepass::lapack
