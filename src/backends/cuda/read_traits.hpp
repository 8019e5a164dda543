// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What CUDA says of a device, for plans: the one place that reads it.
#pragma once

#include <cuda_runtime_api.h>

#include "backends/cuda/pin_bandwidth.hpp"
#include "plan/device_traits.hpp"

namespace onepass::cuda {

// All but tables of measured launches, and clusters.
inline cudaError_t read_traits(int device, DeviceTraits* traits) {
  cudaDeviceProp properties{};
  if (const cudaError_t error = cudaGetDeviceProperties(&properties, device); error != cudaSuccess) return error;
  int kilohertz = 0;
  if (cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device) != cudaSuccess) kilohertz = 0;
  DeviceTraits& t = *traits;
  t.name = properties.name;
  t.arch = 10 * properties.major + properties.minor;
  t.sm_count = properties.multiProcessorCount;
  t.max_threads_per_sm = properties.maxThreadsPerMultiProcessor;
  t.max_blocks_per_sm = properties.maxBlocksPerMultiProcessor;
  t.registers_per_sm = properties.regsPerMultiprocessor;
  t.shared_bytes_per_sm = static_cast<int>(properties.sharedMemPerMultiprocessor);
  t.l2_bytes = properties.l2CacheSize;
  t.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
  t.clock_hertz = 1e3 * kilohertz;
  // Until `onepass bench --ceilings` measures them: a read sweep reaches about 94.5 % of the pins.
  t.ceilings = {.empty_seconds = 1.1e-6, .launch_seconds = 0.9e-6, .bytes_per_second = 0.945 * pin_bandwidth(device)};
  return cudaSuccess;
}

}  // namespace onepass::cuda
