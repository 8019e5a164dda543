// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind divide_kernels.hpp; included once per real type.
#pragma once

#include "kernels/exec/cuda.hpp"
#include "kernels/lapack/divide_deflate.hpp"
#include "kernels/lapack/divide_leaf.hpp"
#include "kernels/lapack/divide_secular.hpp"
#include "kernels/lapack/divide_vectors.hpp"
#include "lapack/cuda/divide_kernels.hpp"
#include "lapack/cuda/launch.cuh"

namespace onepass::lapack {

template <class R>
using DeflateFew = kernels::DivideDeflate<R, kernels::deflate_few_threads>;
template <class R>
using DeflateMany = kernels::DivideDeflate<R, kernels::deflate_many_threads>;

template <class R>
Status DivideKernels<R>::load() {
  for (Status (*one)() :
       {load_kernel<kernels::DivideSetup<R>, kernels::DivideSetupArgs>,
        load_kernel<kernels::DivideLeaf<R>, kernels::DivideLeafArgs>, load_kernel<DeflateFew<R>, Level>,
        load_kernel<DeflateMany<R>, Level>, load_kernel<kernels::DivideSecular<R>, Level>,
        load_kernel<kernels::DivideOrder<R>, Level>, load_kernel<kernels::DivideColumns<R>, Level>,
        load_kernel<kernels::DivideFinish<R>, kernels::DivideFinishArgs>})
    if (Status bad = one(); !bad.ok()) return bad;
  return {};
}

template <class R>
Status DivideKernels<R>::set_up(const kernels::DivideSetupArgs& args, cudaStream_t stream) {
  return launch<kernels::DivideSetup<R>>("cutting a tridiagonal matrix", args, 1,
                                         kernels::divide_setup_shared_bytes(sizeof(R)), false, stream);
}
template <class R>
Status DivideKernels<R>::solve_leaves(const kernels::DivideLeafArgs& args, int blocks, cudaStream_t stream) {
  return launch<kernels::DivideLeaf<R>>("the leaves of divide and conquer", args, blocks,
                                        kernels::divide_leaf_shared_bytes(args.leaf, sizeof(R)), false, stream);
}
template <class R>
Status DivideKernels<R>::deflate(const Level& args, bool many_threads, int blocks, cudaStream_t stream) {
  if (many_threads)
    return launch<DeflateMany<R>>("deflation", args, blocks,
                                  kernels::divide_deflate_shared_bytes(kernels::deflate_many_threads), false, stream);
  return launch<DeflateFew<R>>("deflation", args, blocks,
                               kernels::divide_deflate_shared_bytes(kernels::deflate_few_threads), false, stream);
}
template <class R>
Status DivideKernels<R>::find_roots(const Level& args, int blocks, cudaStream_t stream) {
  return launch<kernels::DivideSecular<R>>("the secular equation", args, blocks, 0, false, stream);
}
template <class R>
Status DivideKernels<R>::order(const Level& args, int blocks, cudaStream_t stream) {
  return launch<kernels::DivideOrder<R>>("the order of eigenvalues", args, blocks, 0, false, stream);
}
template <class R>
Status DivideKernels<R>::make_columns(const Level& args, int blocks, cudaStream_t stream) {
  return launch<kernels::DivideColumns<R>>("the vectors of a merge", args, blocks, 0, false, stream);
}
template <class R>
Status DivideKernels<R>::finish(const kernels::DivideFinishArgs& args, int blocks, cudaStream_t stream) {
  return launch<kernels::DivideFinish<R>>("scaling eigenvalues back", args, blocks, 0, false, stream);
}

}  // namespace onepass::lapack
