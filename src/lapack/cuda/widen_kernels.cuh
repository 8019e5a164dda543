// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind widen_kernels.hpp; included once per complex type.
#pragma once

#include "kernels/exec/cuda.hpp"
#include "kernels/lapack/widen.hpp"
#include "lapack/cuda/launch.cuh"
#include "lapack/cuda/widen_kernels.hpp"

namespace onepass::lapack {

template <class A>
Status WidenKernels<A>::load() {
  return load_kernel<kernels::Widen<A>, kernels::MatrixCopy>();
}

template <class A>
Status WidenKernels<A>::widen(const kernels::MatrixCopy& copy, int blocks, cudaStream_t stream) {
  return launch<kernels::Widen<A>>("making a matrix complex", copy, blocks, 0, false, stream);
}

}  // namespace onepass::lapack
