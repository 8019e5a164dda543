// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind batch_svd_kernels.hpp; included once per type.
#pragma once

#include "kernels/exec/cuda.hpp"
#include "kernels/lapack/batch_bidiagonal.hpp"
#include "kernels/lapack/batch_refine.hpp"
#include "kernels/lapack/batch_refine_ends.hpp"
#include "kernels/lapack/batch_refine_product.hpp"
#include "kernels/lapack/batch_refine_small.hpp"
#include "kernels/lapack/batch_svd.hpp"
#include "kernels/lapack/batch_svd_pairs.hpp"
#include "lapack/cuda/batch_svd_kernels.hpp"
#include "lapack/cuda/launch.cuh"

namespace onepass::lapack {

template <class A>
Status BatchSvdKernels<A>::load() {
  using kernels::BatchSvd, kernels::BatchSvdArgs;
  for (Status (*one)() :
       {load_kernel<BatchSvd<A, 1, true>, BatchSvdArgs>, load_kernel<BatchSvd<A, 2, true>, BatchSvdArgs>,
        load_kernel<BatchSvd<A, 4, true>, BatchSvdArgs>, load_kernel<BatchSvd<A, 4, false>, BatchSvdArgs>,
        load_kernel<BatchSvd<A, 8, false>, BatchSvdArgs>})
    if (Status bad = one(); !bad.ok()) return bad;
  Status bad;
  for (const int rows : kernels::batch_svd_pair_rows)
    if (bad.ok())
      bad = kernels::with_pairs<A>(rows,
                                   [&]<class Kernel>() { return load_kernel<Kernel, kernels::BatchSvdPairsArgs>(); });
  return bad;
}

template <class A>
Status BatchSvdKernels<A>::rotate(const BatchSvdPlan& plan, const kernels::BatchSvdArgs& args, cudaStream_t stream) {
  const auto with = [&]<class Kernel>() {
    return launch<Kernel>("singular value decompositions", args, plan.blocks, shared_bytes(plan), false, stream, 1,
                          32 * plan.warps);
  };
  if (!plan.whole)
    return plan.slots == 8 ? with.template operator()<kernels::BatchSvd<A, 8, false>>()
                           : with.template operator()<kernels::BatchSvd<A, 4, false>>();
  switch (plan.slots) {
    case 1: return with.template operator()<kernels::BatchSvd<A, 1, true>>();
    case 2: return with.template operator()<kernels::BatchSvd<A, 2, true>>();
    default: return with.template operator()<kernels::BatchSvd<A, 4, true>>();
  }
}

template <class A>
Status BatchSvdKernels<A>::rotate_pairs(const kernels::BatchSvdPairsArgs& args, int rows, int blocks,
                                        cudaStream_t stream) {
  return kernels::with_pairs<A>(rows, [&]<class Kernel>() {
    return launch<Kernel>("small singular value decompositions", args, blocks, Kernel::shared_bytes, false, stream);
  });
}

template <class A>
Status BatchBidiagonalKernels<A>::load() {
  Status bad;
  for (const kernels::BatchHeldShape& shape : kernels::batch_bidiagonal_shapes(sizeof(A)))
    if (bad.ok())
      bad = kernels::with_bidiagonal<A>(
          shape.rows, [&]<class Kernel>() { return load_kernel<Kernel, kernels::BatchBidiagonalArgs>(); });
  return bad;
}
template <class A>
Status BatchBidiagonalKernels<A>::reduce(const kernels::BatchBidiagonalArgs& args, int blocks, cudaStream_t stream) {
  const kernels::BatchHeldShape shape =
      kernels::batch_bidiagonal_shape(args.svd.m > args.svd.n ? args.svd.m : args.svd.n, sizeof(A));
  const std::size_t bytes = kernels::batch_bidiagonal_shared_bytes(shape, sizeof(A), sizeof(RealOf<A>));
  return kernels::with_bidiagonal<A>(shape.rows, [&]<class Kernel>() {
    return launch<Kernel>("bidiagonal forms", args, blocks, bytes, false, stream);
  });
}

template <class A>
Status BatchRefineKernels<A>::load() {
  using enum kernels::RefineProduct;
  using kernels::BatchRefineProduct, kernels::RefineArgs, kernels::RefineSmallArgs;
  using kernels::BatchRefineSmall, kernels::BatchRefineSmallStart;
  for (Status (*one)() :
       {load_kernel<kernels::BatchRefineBegin<A>, RefineArgs>, load_kernel<kernels::BatchRefineEnd<A>, RefineArgs>,
        load_kernel<kernels::BatchAngles<A>, RefineArgs>, load_kernel<BatchRefineProduct<A, gram>, RefineArgs>,
        load_kernel<BatchRefineProduct<A, start>, RefineArgs>, load_kernel<BatchRefineProduct<A, again>, RefineArgs>,
        load_kernel<BatchRefineProduct<A, square>, RefineArgs>, load_kernel<BatchRefineProduct<A, fourth>, RefineArgs>,
        load_kernel<BatchRefineProduct<A, apply>, RefineArgs>,
        load_kernel<BatchRefineSmallStart<A, 8>, RefineSmallArgs>,
        load_kernel<BatchRefineSmallStart<A, 16>, RefineSmallArgs>,
        load_kernel<BatchRefineSmallStart<A, 32>, RefineSmallArgs>,
        load_kernel<BatchRefineSmall<A, 8>, RefineSmallArgs>, load_kernel<BatchRefineSmall<A, 16>, RefineSmallArgs>,
        load_kernel<BatchRefineSmall<A, 32>, RefineSmallArgs>})
    if (Status bad = one(); !bad.ok()) return bad;
  return {};
}
template <class A>
Status BatchRefineKernels<A>::start_small(const kernels::RefineSmallArgs& args, int lanes, int blocks,
                                          cudaStream_t stream) {
  using Start = kernels::RefineSmallStart<A>;
  const char* const what = "eigenvectors of small matrices";
  const std::size_t bytes = kernels::batch_small_shared_bytes(lanes, sizeof(Start), sizeof(RealOf<Start>));
  if (lanes == 8) return launch<kernels::BatchRefineSmallStart<A, 8>>(what, args, blocks, bytes, false, stream);
  if (lanes == 16) return launch<kernels::BatchRefineSmallStart<A, 16>>(what, args, blocks, bytes, false, stream);
  return launch<kernels::BatchRefineSmallStart<A, 32>>(what, args, blocks, bytes, false, stream);
}
template <class A>
Status BatchRefineKernels<A>::refine_small(const kernels::RefineSmallArgs& args, int lanes, int blocks,
                                           cudaStream_t stream) {
  const char* const what = "small singular value decompositions";
  const std::size_t bytes = kernels::refine_small_bytes(lanes, sizeof(A), sizeof(RealOf<A>));
  if (lanes == 8) return launch<kernels::BatchRefineSmall<A, 8>>(what, args, blocks, bytes, false, stream);
  if (lanes == 16) return launch<kernels::BatchRefineSmall<A, 16>>(what, args, blocks, bytes, false, stream);
  return launch<kernels::BatchRefineSmall<A, 32>>(what, args, blocks, bytes, false, stream);
}
template <class A>
Status BatchRefineKernels<A>::begin(const kernels::RefineArgs& args, int blocks, cudaStream_t stream) {
  return launch<kernels::BatchRefineBegin<A>>("scaled matrices", args, blocks, kernels::refine_begin_bytes, false,
                                              stream);
}
template <class A>
Status BatchRefineKernels<A>::multiply(kernels::RefineProduct which, const kernels::RefineArgs& args, int blocks,
                                       cudaStream_t stream) {
  using enum kernels::RefineProduct;
  const auto with = [&]<kernels::RefineProduct chosen>() {
    return launch<kernels::BatchRefineProduct<A, chosen>>("products of small matrices", args, blocks,
                                                          kernels::refine_product_bytes(sizeof(A), !is_complex<A>),
                                                          false, stream);
  };
  switch (which) {
    case gram: return with.template operator()<gram>();
    case start: return with.template operator()<start>();
    case again: return with.template operator()<again>();
    case square: return with.template operator()<square>();
    case fourth: return with.template operator()<fourth>();
    default: return with.template operator()<apply>();
  }
}
template <class A>
Status BatchRefineKernels<A>::find_angles(const kernels::RefineArgs& args, int blocks, cudaStream_t stream) {
  const auto columns = static_cast<std::size_t>(args.svd.m < args.svd.n ? args.svd.m : args.svd.n);
  return launch<kernels::BatchAngles<A>>("angles", args, blocks,
                                         kernels::refine_angles_bytes(columns, sizeof(RealOf<A>)), false, stream);
}
template <class A>
Status BatchRefineKernels<A>::finish(const kernels::RefineArgs& args, int blocks, cudaStream_t stream) {
  const auto columns = static_cast<std::size_t>(args.svd.m < args.svd.n ? args.svd.m : args.svd.n);
  return launch<kernels::BatchRefineEnd<A>>("singular vectors", args, blocks,
                                            kernels::refine_finish_bytes(columns, sizeof(A), sizeof(RealOf<A>)), false,
                                            stream);
}

}  // namespace onepass::lapack
