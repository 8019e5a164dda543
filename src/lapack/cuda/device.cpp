// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/device.hpp"

#include <cuda_runtime_api.h>

#include "backends/cuda/cuda_memory.hpp"
#include "backends/cuda/cuda_status.hpp"
#include "backends/cuda/read_traits.hpp"
#include "lapack/cuda/clusters.hpp"
#include "lapack/cuda/queue.hpp"
#include "lapack/cuda/workspace.hpp"

namespace onepass::lapack {
namespace {

using cuda::result;

// Which routine runs a problem.
Status plan_of(const LapackProblem& problem, const DeviceTraits& traits, DevicePlan* plan) {
  switch (problem.routine) {
    case LapackRoutine::sytrd: return make_plan(problem, traits, &plan->emplace<SytrdPlan>());
    case LapackRoutine::gebrd: return make_plan(problem, traits, &plan->emplace<GebrdPlan>());
    case LapackRoutine::gehrd: return make_plan(problem, traits, &plan->emplace<GehrdPlan>());
    case LapackRoutine::syevd:
      if (is_batched(problem)) return make_plan(problem, traits, &plan->emplace<BatchPlan>());
      return make_plan(problem, traits, &plan->emplace<SyevdPlan>());
    case LapackRoutine::geqrf: return make_plan(problem, traits, &plan->emplace<GeqrfPlan>());
    case LapackRoutine::gesvd:
      if (is_batched(problem)) return make_plan(problem, traits, &plan->emplace<BatchSvdPlan>());
      return make_plan(problem, traits, &plan->emplace<GesvdPlan>());
    default: return make_plan(problem, traits, &plan->emplace<QPlan>());
  }
}

std::size_t bytes_of(const DevicePlan& plan) {
  return std::visit([](const auto& p) { return p.workspace_bytes; }, plan);
}

// Not the cuda backend's: products find zeros in a workspace that a graph has left, and reductions leave anything.
const DeviceMemory& memory() {
  static const cuda::CudaMemory<DeviceMemory> memory;
  return memory;
}

}  // namespace

std::string why_no_device() {
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) {
    (void)cudaGetLastError();  // the question was ours, and so is its error
    return std::string("no usable GPU: ") + cudaGetErrorString(error);
  }
  return count == 0 ? "no GPU in this machine" : "";
}

Status CudaDevice::open(std::unique_ptr<CudaDevice>* made) {
  std::unique_ptr<CudaDevice> device(new CudaDevice);
  DeviceTraits& traits = device->traits_;
  cudaError_t error = cudaGetDevice(&device->device_);
  if (error == cudaSuccess) error = cuda::read_traits(device->device_, &traits);
  if (error != cudaSuccess) return result("asking the device", error);
  if (Status bad = count_clusters(4, &traits.clusters_of_four); !bad.ok()) return bad;
  if (Status bad = device->workspaces_.open(&memory(), 0); !bad.ok()) return bad;
  *made = std::move(device);
  return {};
}

Status CudaDevice::check() {
  int current = 0;
  if (const cudaError_t error = cudaGetDevice(&current); error != cudaSuccess) return result("cudaGetDevice", error);
  if (current != device_)
    return {ONEPASS_STATUS_WRONG_DEVICE, "device " + std::to_string(current) +
                                             " is current, and the handle was made on " + std::to_string(device_) +
                                             ": cudaSetDevice(" + std::to_string(device_) + ")"};
  return workspaces_.report_timeout();
}

Status CudaDevice::prepare(const DevicePlan& plan) {
  return std::visit(
      [&](const auto& p) -> Status {
        bool& loaded = loaded_[static_cast<std::size_t>(p.problem.type)][plan.index()];
        if (!loaded) {
          if (Status bad = load(p); !bad.ok()) return bad;
          loaded = true;
        }
        return uses_products(p) && cublas_ == nullptr ? Cublas::open(&cublas_) : Status{};
      },
      plan);
}

Status CudaDevice::workspace_bytes(const LapackProblem& problem, std::size_t* bytes) {
  DevicePlan plan;
  if (Status bad = plan_of(problem, traits_, &plan); !bad.ok()) return bad;
  if (Status bad = prepare(plan); !bad.ok()) return bad;
  *bytes = bytes_of(plan);
  return {};
}

Status CudaDevice::run(const LapackProblem& problem, const LapackOperands& operands, void* workspace, std::size_t bytes,
                       Stream stream) {
  DevicePlan plan;
  if (Status bad = plan_of(problem, traits_, &plan); !bad.ok()) return bad;
  Workspace memory;
  if (Status bad = workspace_of_call(workspaces_, stream, workspace, bytes, bytes_of(plan), &memory); !bad.ok())
    return bad;
  if (Status bad = prepare(plan); !bad.ok()) return bad;
  CudaQueue queue(stream, cublas_.get(), memory.timed_out);
  return std::visit([&](const auto& p) { return lapack::run(p, operands, memory.data, queue); }, plan);
}

Status CudaDevice::explain(const LapackProblem& problem, std::string* text) {
  DevicePlan plan;
  if (Status bad = plan_of(problem, traits_, &plan); !bad.ok()) return bad;
  *text = std::visit([](const auto& p) { return lapack::explain(p); }, plan);
  return {};
}

}  // namespace onepass::lapack
