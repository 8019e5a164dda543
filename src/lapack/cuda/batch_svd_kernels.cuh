// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind batch_svd_kernels.hpp; included once per type.
#pragma once

#include "kernels/exec/cuda.hpp"
#include "kernels/lapack/batch_svd.hpp"
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
  return {};
}

template <class A>
Status BatchSvdKernels<A>::solve(const BatchSvdPlan& plan, const kernels::BatchSvdArgs& args, cudaStream_t stream) {
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

}  // namespace onepass::lapack
