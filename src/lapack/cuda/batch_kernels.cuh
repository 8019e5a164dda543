// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind batch_kernels.hpp; included once per type.
#pragma once

#include "kernels/exec/cuda.hpp"
#include "kernels/lapack/batch_back.hpp"
#include "kernels/lapack/batch_leaf.hpp"
#include "kernels/lapack/batch_product.hpp"
#include "kernels/lapack/batch_small.hpp"
#include "kernels/lapack/batch_tridiagonal.hpp"
#include "kernels/lapack/batch_values.hpp"
#include "lapack/cuda/batch_kernels.hpp"
#include "lapack/cuda/launch.cuh"

namespace onepass::lapack {

template <class A, int threads>
using BatchReduction = kernels::BatchTridiagonal<A, threads, threads != kernels::batch_most_threads>;

template <class A>
Status BatchKernels<A>::load() {
  using kernels::BatchArgs, kernels::BatchTridiagonalArgs, kernels::BatchBackArgs;
  for (Status (*one)() :
       {load_kernel<kernels::BatchSmall<A, 8>, BatchArgs>, load_kernel<kernels::BatchSmall<A, 16>, BatchArgs>,
        load_kernel<kernels::BatchSmall<A, 32>, BatchArgs>,
        load_kernel<BatchReduction<A, kernels::batch_few_threads>, BatchTridiagonalArgs>,
        load_kernel<BatchReduction<A, kernels::batch_many_threads>, BatchTridiagonalArgs>,
        load_kernel<BatchReduction<A, kernels::batch_most_threads>, BatchTridiagonalArgs>,
        load_kernel<kernels::BatchBack<A, 2>, BatchBackArgs>, load_kernel<kernels::BatchBack<A, 4>, BatchBackArgs>,
        load_kernel<kernels::BatchBack<A, 6>, BatchBackArgs>, load_kernel<kernels::BatchBack<A, 12>, BatchBackArgs>,
        load_kernel<kernels::BatchBack<A, 8>, BatchBackArgs>, load_kernel<kernels::BatchBack<A, 16>, BatchBackArgs>})
    if (Status bad = one(); !bad.ok()) return bad;
  return {};
}

template <class A>
Status BatchKernels<A>::solve_small(const kernels::BatchArgs& args, int lanes, int blocks, cudaStream_t stream) {
  const char* const what = "small eigenproblems";
  const std::size_t bytes = kernels::batch_small_shared_bytes(lanes, sizeof(A), sizeof(RealOf<A>));
  if (lanes == 8) return launch<kernels::BatchSmall<A, 8>>(what, args, blocks, bytes, false, stream);
  if (lanes == 16) return launch<kernels::BatchSmall<A, 16>>(what, args, blocks, bytes, false, stream);
  return launch<kernels::BatchSmall<A, 32>>(what, args, blocks, bytes, false, stream);
}

template <class A>
Status BatchKernels<A>::reduce(const kernels::BatchTridiagonalArgs& args, int threads, int blocks,
                               cudaStream_t stream) {
  const char* const what = "tridiagonal forms";
  const std::size_t bytes =
      kernels::batch_tridiagonal_shared_bytes(args.batch.n, args.off_chip, threads, sizeof(A), sizeof(RealOf<A>));
  switch (threads) {
    case kernels::batch_few_threads:
      return launch<BatchReduction<A, kernels::batch_few_threads>>(what, args, blocks, bytes, false, stream);
    case kernels::batch_many_threads:
      return launch<BatchReduction<A, kernels::batch_many_threads>>(what, args, blocks, bytes, false, stream);
    default: return launch<BatchReduction<A, kernels::batch_most_threads>>(what, args, blocks, bytes, false, stream);
  }
}

template <class A>
Status BatchKernels<A>::transform_back(const kernels::BatchBackArgs& args, int blocks, cudaStream_t stream) {
  const char* const what = "eigenvectors";
  const std::size_t bytes = kernels::batch_back_shared_bytes(args.batch.n, sizeof(A));
  switch (kernels::batch_back_slots(args.batch.n)) {
    case 2: return launch<kernels::BatchBack<A, 2>>(what, args, blocks, bytes, false, stream);
    case 4: return launch<kernels::BatchBack<A, 4>>(what, args, blocks, bytes, false, stream);
    case 6: return launch<kernels::BatchBack<A, 6>>(what, args, blocks, bytes, false, stream);
    case 8: return launch<kernels::BatchBack<A, 8>>(what, args, blocks, bytes, false, stream);
    case 12: return launch<kernels::BatchBack<A, 12>>(what, args, blocks, bytes, false, stream);
    default: return launch<kernels::BatchBack<A, 16>>(what, args, blocks, bytes, false, stream);
  }
}

template <class R>
Status BatchRealKernels<R>::load() {
  if (Status bad = load_kernel<kernels::BatchValues<R>, kernels::BatchValuesArgs>(); !bad.ok()) return bad;
  if (Status bad = load_kernel<kernels::BatchLeaf<R>, kernels::DivideLeafArgs>(); !bad.ok()) return bad;
  return load_kernel<kernels::BatchProduct<R>, kernels::BatchProductArgs>();
}
template <class R>
Status BatchRealKernels<R>::find_values(const kernels::BatchValuesArgs& args, int blocks, cudaStream_t stream) {
  return launch<kernels::BatchValues<R>>("bisection", args, blocks, kernels::bisection_shared_bytes(), false, stream);
}
template <class R>
Status BatchRealKernels<R>::solve_leaves(const kernels::DivideLeafArgs& args, int blocks, cudaStream_t stream) {
  return launch<kernels::BatchLeaf<R>>("the leaves of divide and conquer", args, blocks,
                                       kernels::batch_leaf_shared_bytes(args.leaf, sizeof(R)), false, stream);
}
template <class R>
Status BatchRealKernels<R>::multiply(const kernels::BatchProductArgs& args, int blocks, cudaStream_t stream) {
  return launch<kernels::BatchProduct<R>>("products of merges", args, blocks,
                                          kernels::batch_product_shared_bytes(sizeof(R)), false, stream);
}

}  // namespace onepass::lapack
