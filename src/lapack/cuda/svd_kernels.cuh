// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind svd_kernels.hpp; included once per element type.
#pragma once

#include "kernels/exec/cuda.hpp"
#include "kernels/lapack/copy_triangle.hpp"
#include "kernels/lapack/exchange.hpp"
#include "lapack/cuda/launch.cuh"
#include "lapack/cuda/svd_kernels.hpp"

namespace onepass::lapack {

template <class A>
Status SvdKernels<A>::load() {
  if (Status bad = load_kernel<kernels::CopyTriangle<A>, kernels::MatrixCopy>(); !bad.ok()) return bad;
  return load_kernel<kernels::Exchange<A>, kernels::ExchangeArgs>();
}

template <class A>
Status SvdKernels<A>::exchange(const kernels::ExchangeArgs& args, int blocks, cudaStream_t stream) {
  return launch<kernels::Exchange<A>>("exchanging two matrices", args, blocks,
                                      kernels::exchange_shared_bytes(sizeof(A)), false, stream);
}

template <class A>
Status SvdKernels<A>::copy_triangle(const kernels::MatrixCopy& copy, int blocks, cudaStream_t stream) {
  return launch<kernels::CopyTriangle<A>>("copying a triangle", copy, blocks, 0, false, stream);
}

}  // namespace onepass::lapack
