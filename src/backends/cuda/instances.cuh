// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind instances.hpp: each generated file includes them with the launch of its family.
#pragma once

#include "backends/cuda/instances.hpp"
#include "backends/cuda/launcher.cuh"
#include "launch/launch.hpp"

namespace onepass::cuda {

// Asks for a kernel's attributes in place of launching it.
struct Inspector {
  Compiled* found;

  template <class Kernel, class Args>
  Status run(Grid, int threads, std::size_t shared_bytes, const Args&, Meets = {}) const {
    return inspect_kernel<Kernel, Args>(threads, shared_bytes, found);
  }
};

template <class E, Family family>
Status Instances<E, family>::launch(cudaStream_t stream, bool may_overlap, const Plan& plan, const Operands& operands,
                                    Workspace workspace) {
  return launch_plan<E, family>(Launcher{stream, may_overlap}, plan, operands, workspace);
}

template <class E, Family family>
Status Instances<E, family>::put_into([[maybe_unused]] cudaGraphNode_t node,
                                      [[maybe_unused]] const JoinedProducts& products) {
  if constexpr (family == Family::gemv)
    return LaunchOf<family>::template run_joined<E>(NodeWriter{node}, products);
  else
    return {ONEPASS_STATUS_INVALID_PLAN, "only products of gemv are joined"};
}

// A kernel's other instances, if it has them: with loads before the grid-dependency wait, with several products, for
// clusters, and for operands that are aligned.
template <class Launch, class E, KernelId id, class Args>
Status load_others() {
  Status status;
  if constexpr (requires { typename Launch::template Early<E, id>; })
    status = load_kernel<typename Launch::template Early<E, id>, Args>();
  if constexpr (requires { Launch::template joins<E, id>; })
    if constexpr (Launch::template joins<E, id>)
      if (status.ok()) status = load_kernel<typename Launch::template Joined<E, id>, kernels::GemvJoinedArgs>();
  if constexpr (requires { typename Launch::template Clustered<E, id, false>; }) {
    if (status.ok()) status = load_kernel<typename Launch::template Clustered<E, id, false>, Args>();
    if (status.ok()) status = load_kernel<typename Launch::template Clustered<E, id, true>, Args>();
  }
  if constexpr (requires { typename Launch::template Aligned<E, id, false>; }) {
    if (status.ok()) status = load_kernel<typename Launch::template Aligned<E, id, false>, Args>();
    if (status.ok()) status = load_kernel<typename Launch::template Aligned<E, id, true>, Args>();
  }
  return status;
}

template <class E, Family family>
Status Instances<E, family>::load() {
  Status first_bad;
  for_each_kernel<family, id_of<E>>([&]<KernelId id>() {
    if (first_bad.ok()) first_bad = load_kernel<KernelOf<E, family, id>, ArgsOf<family, id>>();
    if (first_bad.ok()) first_bad = load_others<LaunchOf<family>, E, id, ArgsOf<family, id>>();
  });
  return first_bad;
}

template <class E, Family family>
Status Instances<E, family>::inspect(const Plan& plan, Compiled* found) {
  Status status{ONEPASS_STATUS_INVALID_PLAN, "no such kernel"};
  for_each_kernel<family, id_of<E>>([&]<KernelId id>() {
    if (plan.kernel == id)
      status = inspect_kernel<KernelOf<E, family, id>, ArgsOf<family, id>>(plan.threads, plan.shared_bytes, found);
  });
  return status;
}

}  // namespace onepass::cuda
