// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind batch_kernels.hpp; included once per type.
#pragma once

#include "kernels/exec/cuda.hpp"
#include "kernels/lapack/batch_back_shapes.hpp"
#include "kernels/lapack/batch_leaf.hpp"
#include "kernels/lapack/batch_product.hpp"
#include "kernels/lapack/batch_small.hpp"
#include "kernels/lapack/batch_tridiagonal.hpp"
#include "kernels/lapack/batch_tridiagonal_held.hpp"
#include "kernels/lapack/batch_values.hpp"
#include "kernels/lapack/divide_deflate.hpp"
#include "kernels/lapack/divide_secular.hpp"
#include "kernels/lapack/divide_vectors.hpp"
#include "lapack/cuda/batch_kernels.hpp"
#include "lapack/cuda/launch.cuh"

namespace onepass::lapack {

template <class A>
Status BatchKernels<A>::load() {
  using kernels::BatchArgs, kernels::BatchTridiagonalArgs, kernels::BatchBackArgs;
  for (Status (*one)() :
       {load_kernel<kernels::BatchSmall<A, 8>, BatchArgs>, load_kernel<kernels::BatchSmall<A, 16>, BatchArgs>,
        load_kernel<kernels::BatchSmall<A, 32>, BatchArgs>,
        load_kernel<kernels::BatchTridiagonal<A, 1>, BatchTridiagonalArgs>,
        load_kernel<kernels::BatchTridiagonal<A, 2>, BatchTridiagonalArgs>})
    if (Status bad = one(); !bad.ok()) return bad;
  Status bad;
  for (const kernels::BatchHeldShape& shape : kernels::batch_held_shapes(sizeof(A)))
    if (bad.ok())
      bad = kernels::with_held<A>(shape.rows,
                                  [&]<class Kernel>() { return load_kernel<Kernel, BatchTridiagonalArgs>(); });
  if constexpr (kernels::batch_applies_blocks(sizeof(RealOf<A>)))
    if (bad.ok()) bad = load_kernel<kernels::BatchFactors<A>, BatchBackArgs>();
  for (const int n : kernels::batch_back_orders)
    if (bad.ok()) bad = kernels::with_back<A>(n, [&]<class Kernel>() { return load_kernel<Kernel, BatchBackArgs>(); });
  return bad;
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
Status BatchKernels<A>::reduce(const kernels::BatchTridiagonalArgs& args, bool held, int blocks, cudaStream_t stream) {
  const char* const what = "tridiagonal forms";
  const std::int64_t n = args.batch.n;
  if (!held) {
    const std::size_t bytes = kernels::batch_packed_shared_bytes(n, args.off_chip, sizeof(A), sizeof(RealOf<A>));
    return kernels::with_packed<A>(
        args, [&]<class Kernel>() { return launch<Kernel>(what, args, blocks, bytes, false, stream); });
  }
  const kernels::BatchHeldShape shape = kernels::batch_held_shape(n, sizeof(A));
  const std::size_t bytes = kernels::batch_held_shared_bytes(shape, sizeof(A), sizeof(RealOf<A>));
  return kernels::with_held<A>(shape.rows, [&]<class Kernel>() {
    return launch<Kernel>(what, args, blocks, bytes, false, stream, shape.blocks);
  });
}

template <class A>
Status BatchKernels<A>::make_factors(const kernels::BatchBackArgs& args, int blocks, cudaStream_t stream) {
  if constexpr (kernels::batch_applies_blocks(sizeof(RealOf<A>)))
    return launch<kernels::BatchFactors<A>>("factors of reflectors", args, blocks, 0, false, stream);
  return {};
}

template <class A>
Status BatchKernels<A>::transform_back(const kernels::BatchBackArgs& args, int blocks, cudaStream_t stream) {
  const std::size_t bytes = kernels::batch_back_bytes(args.batch.n, sizeof(A), sizeof(RealOf<A>));
  return kernels::with_back<A>(
      args.batch.n, [&]<class Kernel>() { return launch<Kernel>("eigenvectors", args, blocks, bytes, false, stream); });
}

constexpr kernels::Form batch_form = kernels::Form::tridiagonal;
template <class R>
using BatchDeflate = kernels::DivideDeflate<R, kernels::deflate_few_threads, batch_form>;
template <class R>
using BatchSecular = kernels::DivideSecular<R, batch_form, kernels::batch_merge_lanes>;
template <class R>
using BatchOrder = kernels::DivideOrder<R, batch_form, kernels::batch_merge_lanes>;
template <class R>
using BatchColumns = kernels::DivideColumns<R, batch_form, kernels::batch_merge_lanes>;

template <class R>
Status BatchRealKernels<R>::load() {
  for (Status (*one)() :
       {load_kernel<kernels::BatchValues<R>, kernels::BatchValuesArgs>,
        load_kernel<kernels::BatchValues<R, kernels::Form::bidiagonal>, kernels::BatchValuesArgs>,
        load_kernel<kernels::BatchLeaf<R>, kernels::DivideLeafArgs>, load_kernel<BatchDeflate<R>, Level>,
        load_kernel<BatchSecular<R>, Level>, load_kernel<BatchOrder<R>, Level>, load_kernel<BatchColumns<R>, Level>,
        load_kernel<kernels::BatchProduct<R>, kernels::BatchProductArgs>})
    if (Status bad = one(); !bad.ok()) return bad;
  return {};
}
template <class R>
Status BatchRealKernels<R>::find_values(const kernels::BatchValuesArgs& args, int blocks, cudaStream_t stream) {
  const auto with = [&]<kernels::Form form>() {
    return launch<kernels::BatchValues<R, form>>("bisection", args, blocks,
                                                 kernels::batch_values_shared_bytes(args.order, args.batch.n), false,
                                                 stream, 1, kernels::batch_values_threads(args.batch.n));
  };
  using enum kernels::Form;
  return args.form == bidiagonal ? with.template operator()<bidiagonal>() : with.template operator()<tridiagonal>();
}
template <class R>
Status BatchRealKernels<R>::solve_leaves(const kernels::DivideLeafArgs& args, int blocks, cudaStream_t stream) {
  return launch<kernels::BatchLeaf<R>>("the leaves of divide and conquer", args, blocks,
                                       kernels::batch_leaf_shared_bytes(args.leaf, sizeof(R)), false, stream);
}
template <class R>
Status BatchRealKernels<R>::deflate(const Level& args, int blocks, cudaStream_t stream) {
  return launch<BatchDeflate<R>>("deflation", args, blocks,
                                 kernels::divide_deflate_shared_bytes(kernels::deflate_few_threads), false, stream);
}
template <class R>
Status BatchRealKernels<R>::find_roots(const Level& args, int blocks, cudaStream_t stream) {
  return launch<BatchSecular<R>>("the secular equation", args, blocks, 0, false, stream);
}
template <class R>
Status BatchRealKernels<R>::order(const Level& args, int blocks, cudaStream_t stream) {
  return launch<BatchOrder<R>>("the order of values", args, blocks, 0, false, stream);
}
template <class R>
Status BatchRealKernels<R>::make_columns(const Level& args, int blocks, cudaStream_t stream) {
  return launch<BatchColumns<R>>("the vectors of a merge", args, blocks, 0, false, stream);
}
template <class R>
Status BatchRealKernels<R>::multiply(const kernels::BatchProductArgs& args, int blocks, cudaStream_t stream) {
  return launch<kernels::BatchProduct<R>>("products of merges", args, blocks,
                                          kernels::batch_product_shared_bytes(sizeof(R)), false, stream);
}

}  // namespace onepass::lapack
