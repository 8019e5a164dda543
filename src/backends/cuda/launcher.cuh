// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The one place from which CUDA kernels are launched, and the bodies behind instances.hpp: each generated file includes
// it with the launch of its family.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <atomic>
#include <mutex>

#include "backends/cuda/compiled.hpp"
#include "backends/cuda/cuda_status.hpp"
#include "backends/cuda/current_device.hpp"
#include "backends/cuda/instances.hpp"
#include "kernels/exec/cuda.hpp"
#include "launch/launch.hpp"
#include "problem/status.hpp"

namespace onepass::cuda {

template <class Kernel, class Args>
__global__ void __launch_bounds__(Kernel::max_threads, Kernel::min_blocks) entry(const __grid_constant__ Args args) {
  Kernel::run(exec::Cuda{}, args);
}

// The most shared memory of a block that a kernel may have on each device, as far as it was asked for.
template <class Kernel, class Args>
struct Granted {
  static inline std::array<std::atomic<std::size_t>, most_devices> bytes;
  static inline std::mutex mutex;

  static std::atomic<std::size_t>& on(int device) { return bytes[static_cast<std::size_t>(device) % bytes.size()]; }
};

// Asks CUDA for shared memory of a block, once per device and more of it: a launch then only looks at a number.
template <class Kernel, class Args>
cudaError_t ask_for_shared(std::size_t bytes) {
  int device = 0;
  if (const cudaError_t error = current_device(&device); error != cudaSuccess) return error;
  std::atomic<std::size_t>& here = Granted<Kernel, Args>::on(device);
  if (bytes <= here.load(std::memory_order_acquire)) return cudaSuccess;
  const std::lock_guard lock(Granted<Kernel, Args>::mutex);
  if (bytes <= here.load(std::memory_order_relaxed)) return cudaSuccess;
  const cudaError_t error =
      cudaFuncSetAttribute(entry<Kernel, Args>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  if (error == cudaSuccess) here.store(bytes, std::memory_order_release);
  return error;
}

struct Launcher {
  static constexpr std::size_t most_unasked = 48 * 1024;  // shared memory of a block that a kernel just gets
  cudaStream_t stream = nullptr;
  bool may_overlap = false;  // the device can start a kernel before the one ahead of it has ended (sm_90 and newer)

  template <class Kernel, class Args>
  Status run(Grid grid, int threads, std::size_t shared_bytes, const Args& args, int cluster = 1) const {
    const dim3 blocks(static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y), static_cast<unsigned>(grid.z));
    void* parameters[] = {const_cast<Args*>(&args)};
    if (shared_bytes > most_unasked)
      if (const cudaError_t error = ask_for_shared<Kernel, Args>(shared_bytes); error != cudaSuccess)
        return result("asking for shared memory", error);
    cudaLaunchAttribute attributes[2]{};
    unsigned count = 0;
    if (may_overlap) {
      attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
      attributes[count++].val.programmaticStreamSerializationAllowed = 1;
    }
    if (cluster > 1) {
      attributes[count].id = cudaLaunchAttributeClusterDimension;
      attributes[count++].val.clusterDim = {static_cast<unsigned>(cluster), 1, 1};
    }
    cudaLaunchConfig_t config{};
    config.gridDim = blocks;
    config.blockDim = dim3(static_cast<unsigned>(threads));
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = attributes;
    config.numAttrs = count;
    return result("the launch of a kernel",
                  cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(entry<Kernel, Args>), parameters));
  }
};

// Puts a launch into a node of a graph.
struct NodeWriter {
  cudaGraphNode_t node;

  template <class Kernel, class Args>
  Status run(Grid grid, int threads, std::size_t shared_bytes, const Args& args) const {
    void* parameters[] = {const_cast<Args*>(&args)};
    cudaKernelNodeParams launch{};
    launch.func = reinterpret_cast<void*>(entry<Kernel, Args>);
    launch.gridDim = dim3(static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y), static_cast<unsigned>(grid.z));
    launch.blockDim = dim3(static_cast<unsigned>(threads));
    launch.sharedMemBytes = static_cast<unsigned>(shared_bytes);
    launch.kernelParams = parameters;
    return result("writing a node of a graph", cudaGraphKernelNodeSetParams(node, &launch));
  }
};

// Loads a kernel as its first launch would. What was granted to it is forgotten: the device may have been reset since.
template <class Kernel, class Args>
Status load_kernel() {
  int device = 0;
  if (const cudaError_t error = current_device(&device); error != cudaSuccess) return result("cudaGetDevice", error);
  Granted<Kernel, Args>::on(device).store(0, std::memory_order_release);
  cudaFuncAttributes attributes;
  return result("loading a kernel", cudaFuncGetAttributes(&attributes, entry<Kernel, Args>));
}

// What the compiler made of a kernel, and how many blocks of it a device holds.
template <class Kernel, class Args>
Status inspect_kernel(int threads, std::size_t shared_bytes, Compiled* found) {
  const auto* kernel = reinterpret_cast<const void*>(entry<Kernel, Args>);
  cudaFuncAttributes attributes;
  int blocks = 0, device = 0, most = 0;
  cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
  if (error == cudaSuccess && shared_bytes > Launcher::most_unasked) error = ask_for_shared<Kernel, Args>(shared_bytes);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes);
  if (error == cudaSuccess) error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  if (error != cudaSuccess) return result("the attributes of a kernel", error);
  *found = {.registers = attributes.numRegs,
            .local_bytes = static_cast<int>(attributes.localSizeBytes),
            .shared_bytes = static_cast<int>(attributes.sharedSizeBytes + shared_bytes),
            .resident_blocks = blocks,
            .occupancy = static_cast<double>(blocks * threads) / most};
  return {};
}

// Asks for a kernel's attributes in place of launching it.
struct Inspector {
  Compiled* found;

  template <class Kernel, class Args>
  Status run(Grid, int threads, std::size_t shared_bytes, const Args&, int = 1) const {
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
