// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/batch.hpp"

#include "lapack/cuda/batch_queue.hpp"
#include "lapack/gpu/elements.hpp"

namespace onepass::lapack {

// Kernels of every size and of both jobs: the next call may want others.
Status load(const BatchPlan& plan) {
  return by_device_type(plan.problem.type, []<class A>() -> Status {
    if (Status bad = BatchKernels<A>::load(); !bad.ok()) return bad;
    return BatchRealKernels<RealOf<A>>::load();
  });
}

Status run(const BatchPlan& plan, const DeviceCall& call) {
  return by_device_type(plan.problem.type, [&]<class A>() {
    BatchQueue<A> queue(call.stream);
    return run_batch(plan, call.operands, call.workspace, queue);
  });
}

}  // namespace onepass::lapack
