// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the run of a plan is given on a CUDA device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "lapack/cuda/cublas.hpp"
#include "lapack/cuda/queue.hpp"
#include "lapack/problem.hpp"

namespace onepass::lapack {

struct DeviceCall {
  LapackOperands operands;
  void* workspace = nullptr;           // of the plan's bytes
  Cublas* cublas = nullptr;            // null if the plan does not use it
  std::uint32_t* timed_out = nullptr;  // as in the launches of products, or null
  cudaStream_t stream = nullptr;
};

// A step of it, with operands and memory of its own.
inline DeviceCall nested(DeviceCall call, const LapackOperands& operands, void* workspace) {
  call.operands = operands;
  call.workspace = workspace;
  return call;
}

// For plans that are written against a queue.
template <class Plan>
concept Queued = requires(const Plan& plan) {
  groups_of(plan);
};
template <Queued Plan>
bool uses_cublas(const Plan& plan) {
  return uses_products(plan);
}
template <Queued Plan>
Status load(const Plan& plan) {
  const Type type = plan.problem.type;
  for (std::size_t i = 0; i < step_group_count; ++i) {
    const auto group = static_cast<StepGroup>(i);
    if ((groups_of(plan) & groups(group)) != 0)
      if (Status bad = load_kernels(group, is_real(group) ? real_type(type) : type); !bad.ok()) return bad;
  }
  return {};
}
template <Queued Plan>
Status run(const Plan& plan, const DeviceCall& call) {
  CudaQueue queue(call.stream, call.cublas, call.timed_out);
  return run(plan, call.operands, call.workspace, queue);
}

}  // namespace onepass::lapack
