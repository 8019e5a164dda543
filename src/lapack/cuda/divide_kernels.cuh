// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind divide_kernels.hpp; included once per real type and form.
#pragma once

#include <type_traits>

#include "kernels/exec/cuda.hpp"
#include "kernels/lapack/bidiagonal_leaf.hpp"
#include "kernels/lapack/divide_deflate.hpp"
#include "kernels/lapack/divide_leaf.hpp"
#include "kernels/lapack/divide_secular.hpp"
#include "kernels/lapack/divide_vectors.hpp"
#include "lapack/cuda/divide_kernels.hpp"
#include "lapack/cuda/launch.cuh"

namespace onepass::lapack {

template <class R, kernels::Form form>
using DeflateFew = kernels::DivideDeflate<R, kernels::deflate_few_threads, form>;
template <class R, kernels::Form form>
using DeflateMany = kernels::DivideDeflate<R, kernels::deflate_many_threads, form>;
template <class R, kernels::Form form>
using DivideLeafOf =
    std::conditional_t<form == kernels::Form::bidiagonal, kernels::BidiagonalLeaf<R>, kernels::DivideLeaf<R>>;

template <class R, kernels::Form form>
Status DivideKernels<R, form>::load() {
  for (Status (*one)() :
       {load_kernel<kernels::DivideSetup<R, form>, kernels::DivideSetupArgs>,
        load_kernel<DivideLeafOf<R, form>, kernels::DivideLeafArgs>, load_kernel<DeflateFew<R, form>, Level>,
        load_kernel<DeflateMany<R, form>, Level>, load_kernel<kernels::DivideSecular<R, form>, Level>,
        load_kernel<kernels::DivideOrder<R, form>, Level>, load_kernel<kernels::DivideColumns<R, form>, Level>,
        load_kernel<kernels::DivideFinish<R, form>, kernels::DivideFinishArgs>})
    if (Status bad = one(); !bad.ok()) return bad;
  return {};
}

template <class R, kernels::Form form>
Status DivideKernels<R, form>::set_up(const kernels::DivideSetupArgs& args, cudaStream_t stream) {
  return launch<kernels::DivideSetup<R, form>>("cutting a matrix", args, 1,
                                               kernels::divide_setup_shared_bytes(sizeof(R)), false, stream);
}
template <class R, kernels::Form form>
Status DivideKernels<R, form>::solve_leaves(const kernels::DivideLeafArgs& args, int blocks, cudaStream_t stream) {
  const std::size_t shared = form == kernels::Form::bidiagonal
                                 ? kernels::bidiagonal_leaf_shared_bytes(args.leaf, sizeof(R))
                                 : kernels::divide_leaf_shared_bytes(args.leaf, sizeof(R));
  return launch<DivideLeafOf<R, form>>("the leaves of divide and conquer", args, blocks, shared, false, stream);
}
template <class R, kernels::Form form>
Status DivideKernels<R, form>::deflate(const Level& args, bool many_threads, int blocks, cudaStream_t stream) {
  if (many_threads)
    return launch<DeflateMany<R, form>>(
        "deflation", args, blocks, kernels::divide_deflate_shared_bytes(kernels::deflate_many_threads), false, stream);
  return launch<DeflateFew<R, form>>("deflation", args, blocks,
                                     kernels::divide_deflate_shared_bytes(kernels::deflate_few_threads), false, stream);
}
template <class R, kernels::Form form>
Status DivideKernels<R, form>::find_roots(const Level& args, int blocks, cudaStream_t stream) {
  return launch<kernels::DivideSecular<R, form>>("the secular equation", args, blocks, 0, false, stream);
}
template <class R, kernels::Form form>
Status DivideKernels<R, form>::order(const Level& args, int blocks, cudaStream_t stream) {
  return launch<kernels::DivideOrder<R, form>>("the order of values", args, blocks, 0, false, stream);
}
template <class R, kernels::Form form>
Status DivideKernels<R, form>::make_columns(const Level& args, int blocks, cudaStream_t stream) {
  return launch<kernels::DivideColumns<R, form>>("the vectors of a merge", args, blocks, 0, false, stream);
}
template <class R, kernels::Form form>
Status DivideKernels<R, form>::finish(const kernels::DivideFinishArgs& args, int blocks, cudaStream_t stream) {
  return launch<kernels::DivideFinish<R, form>>("scaling values back", args, blocks, 0, false, stream);
}

}  // namespace onepass::lapack
