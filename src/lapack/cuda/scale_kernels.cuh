// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind scale_kernels.hpp; included once per element type.
#pragma once

#include "kernels/exec/cuda.hpp"
#include "kernels/lapack/scale.hpp"
#include "lapack/cuda/launch.cuh"
#include "lapack/cuda/scale_kernels.hpp"

namespace onepass::lapack {

template <class A>
Status ScaleKernels<A>::load() {
  if (Status bad = load_kernel<kernels::LargestElement<A>, kernels::ScaleArgs>(); !bad.ok()) return bad;
  if (Status bad = load_kernel<kernels::RescaleHessenberg<A>, kernels::ScaleArgs>(); !bad.ok()) return bad;
  return load_kernel<kernels::ScaleMatrix<A>, kernels::ScaleArgs>();
}

template <class A>
Status ScaleKernels<A>::run(const kernels::ScaleArgs& args, int blocks, cudaStream_t stream) {
  const Status found = launch<kernels::LargestElement<A>>("the largest element", args, blocks, 256, false, stream);
  if (!found.ok()) return found;
  return launch<kernels::ScaleMatrix<A>>("scaling", args, blocks, 0, false, stream);
}

template <class A>
Status ScaleKernels<A>::undo(const kernels::ScaleArgs& args, int blocks, cudaStream_t stream) {
  return launch<kernels::RescaleHessenberg<A>>("scaling back", args, blocks, 0, false, stream);
}

}  // namespace onepass::lapack
