// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The one place from which CUDA kernels are launched.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <atomic>
#include <mutex>

#include "backends/cuda/compiled.hpp"
#include "backends/cuda/cuda_status.hpp"
#include "backends/cuda/current_device.hpp"
#include "kernels/exec/cuda.hpp"
#include "launch/launcher.hpp"
#include "problem/status.hpp"

namespace onepass::cuda {

template <class Kernel, class Args>
__global__ void __launch_bounds__(Kernel::max_threads, Kernel::min_blocks) entry(const __grid_constant__ Args args) {
#ifndef ONEPASS_EMPTY_KERNELS  // cmake/cuda.cmake: a build that only links
  Kernel::run(exec::Cuda{}, args);
#endif
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
  Status run(Grid grid, int threads, std::size_t shared_bytes, const Args& args, Meets meets = {}) const {
    const dim3 blocks(static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y), static_cast<unsigned>(grid.z));
    void* parameters[] = {const_cast<Args*>(&args)};
    if (shared_bytes > most_unasked)
      if (const cudaError_t error = ask_for_shared<Kernel, Args>(shared_bytes); error != cudaSuccess)
        return result("asking for shared memory", error);
    cudaLaunchAttribute attributes[3]{};
    unsigned count = 0;
    if (may_overlap) {
      attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
      attributes[count++].val.programmaticStreamSerializationAllowed = 1;
    }
    if (meets.grid) {
      attributes[count].id = cudaLaunchAttributeCooperative;
      attributes[count++].val.cooperative = 1;
    }
    if (meets.cluster > 1) {
      attributes[count].id = cudaLaunchAttributeClusterDimension;
      attributes[count++].val.clusterDim = {static_cast<unsigned>(meets.cluster), 1, 1};
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

}  // namespace onepass::cuda
