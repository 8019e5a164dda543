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

Status CudaDevice::prepare(const GpuPlan& plan, Type type) {
  for (std::size_t i = 0; i < step_group_count; ++i) {
    const auto group = static_cast<StepGroup>(i);
    if ((groups_of(plan) & groups(group)) == 0) continue;
    const Type of_group = is_real(group) ? real_type(type) : type;
    StepGroups& loaded = loaded_[static_cast<std::size_t>(of_group)];
    if ((loaded & groups(group)) != 0) continue;
    if (Status bad = load_kernels(group, of_group); !bad.ok()) return bad;
    loaded |= groups(group);
  }
  return uses_products(plan) && cublas_ == nullptr ? Cublas::open(&cublas_) : Status{};
}

Status CudaDevice::workspace_bytes(const LapackProblem& problem, std::size_t* bytes) {
  GpuPlan plan;
  if (Status bad = make_plan(problem, traits_, &plan); !bad.ok()) return bad;
  if (Status bad = prepare(plan, problem.type); !bad.ok()) return bad;
  *bytes = lapack::workspace_bytes(plan);
  return {};
}

Status CudaDevice::run(const LapackProblem& problem, const LapackOperands& operands, void* workspace, std::size_t bytes,
                       Stream stream) {
  GpuPlan plan;
  if (Status bad = make_plan(problem, traits_, &plan); !bad.ok()) return bad;
  Workspace memory;
  if (Status bad = workspace_of_call(workspaces_, stream, workspace, bytes, lapack::workspace_bytes(plan), &memory);
      !bad.ok())
    return bad;
  if (Status bad = prepare(plan, problem.type); !bad.ok()) return bad;
  CudaQueue queue(stream, cublas_.get(), memory.timed_out);
  return lapack::run(plan, operands, memory.data, queue);
}

Status CudaDevice::explain(const LapackProblem& problem, std::string* text) {
  GpuPlan plan;
  if (Status bad = make_plan(problem, traits_, &plan); !bad.ok()) return bad;
  *text = lapack::explain(plan);
  return {};
}

}  // namespace onepass::lapack
