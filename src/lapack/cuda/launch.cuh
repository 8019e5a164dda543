// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The one launch of the reductions' kernels, and how they are loaded.
#pragma once

#include "backends/cuda/cuda_status.hpp"
#include "kernels/exec/cuda.hpp"

namespace onepass::lapack {

template <class Kernel, class Args>
__global__ void __launch_bounds__(Kernel::max_threads, Kernel::min_blocks) entry(const __grid_constant__ Args args) {
#ifndef ONEPASS_EMPTY_KERNELS  // cmake/cuda.cmake: a build that only links
  Kernel::run(exec::Cuda{}, args);
#endif
}

// `together`: all blocks are on the device at once, and may meet at grid barriers; so many of a cluster. `threads`: 0
// for all that the kernel may have.
template <class Kernel, class Args>
Status launch(const char* what, const Args& args, int blocks, std::size_t shared_bytes, bool together,
              cudaStream_t stream, int cluster = 1, int threads = 0) {
  cudaLaunchAttribute attributes[2]{};
  unsigned count = 0;
  if (together) {
    attributes[count].id = cudaLaunchAttributeCooperative;
    attributes[count++].val.cooperative = 1;
  }
  if (cluster > 1) {
    attributes[count].id = cudaLaunchAttributeClusterDimension;
    attributes[count++].val.clusterDim = {static_cast<unsigned>(cluster), 1, 1};
  }
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(threads > 0 ? threads : Kernel::max_threads));
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = count;
  return cuda::result(what, cudaLaunchKernelEx(&config, entry<Kernel, Args>, args));
}

// Loads a kernel, and lets it have all the shared memory that a block can have.
template <class Kernel, class Args>
Status load_kernel() {
  int device = 0, most = 0;
  cudaFuncAttributes attributes{};
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, entry<Kernel, Args>);
  if (error == cudaSuccess)
    error = cudaFuncSetAttribute(entry<Kernel, Args>, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
  return cuda::result("loading a kernel", error);
}

}  // namespace onepass::lapack
