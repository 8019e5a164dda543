// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime.h>

#include "backends/cuda/cuda_status.hpp"
#include "lapack/cuda/clusters.hpp"

namespace onepass::lapack {
namespace {

__global__ void on_an_sm_alone() {}

}  // namespace

Status count_clusters(int blocks, int* count) {
  *count = 0;
  int device = 0, major = 0, most = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (error == cudaSuccess && major < 9) return {};
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (error == cudaSuccess)
    error = cudaFuncSetAttribute(on_an_sm_alone, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {static_cast<unsigned>(blocks), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(32);
  config.dynamicSmemBytes = static_cast<std::size_t>(most);
  config.attrs = &cluster;
  config.numAttrs = 1;
  if (error == cudaSuccess) error = cudaOccupancyMaxActiveClusters(count, on_an_sm_alone, &config);
  return cuda::result("counting clusters", error);
}

}  // namespace onepass::lapack
