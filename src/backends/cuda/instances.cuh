// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind instances.hpp; included once per element type and family, with the family's launch.
#pragma once

#include "backends/cuda/instances.hpp"
#include "backends/cuda/launcher.cuh"
#include "launch/launch.hpp"

namespace onepass::cuda {

template <class E, Family family>
Status Instances<E, family>::launch(cudaStream_t stream, bool may_overlap, const Plan& plan, const Operands& operands,
                                    Workspace workspace) {
  return launch_plan<E, family>(Launcher{stream, may_overlap}, plan, operands, workspace);
}

template <class E, Family family>
Status Instances<E, family>::load() {
  Status first_bad;
  for_each_kernel<family>([&]<KernelId id>() {
    if (first_bad.ok()) first_bad = load_kernel<KernelOf<E, family, id>, ArgsOf<family, id>>();
  });
  return first_bad;
}

template <class E, Family family>
Status Instances<E, family>::inspect(const Plan& plan, Compiled* found) {
  Status status{ONEPASS_STATUS_INVALID_PLAN, "no such kernel"};
  for_each_kernel<family>([&]<KernelId id>() {
    if (plan.kernel == id)
      status = inspect_kernel<KernelOf<E, family, id>, ArgsOf<family, id>>(plan.threads, plan.shared_bytes, found);
  });
  return status;
}

}  // namespace onepass::cuda
