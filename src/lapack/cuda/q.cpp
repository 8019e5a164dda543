// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/q.hpp"

#include "lapack/cuda/element.hpp"
#include "lapack/cuda/queue.hpp"

namespace onepass::lapack {
Status load(const QPlan& plan) {
  return by_device_type(plan.problem.type, []<class A>() { return QKernels<A>::load(); });
}

Status run(const QPlan& plan, const DeviceCall& call) {
  if (uses_cublas(plan))
    if (Status bad = call.cublas->use(call.stream, products_workspace(plan, call.workspace), cublas_workspace_bytes);
        !bad.ok())
      return bad;
  return by_device_type(plan.problem.type, [&]<class A>() {
    QQueue<A, Queue<A, QDevice>> queue(plan.problem.type, call);
    return run_q(plan, call.operands, call.workspace, queue);
  });
}

}  // namespace onepass::lapack
