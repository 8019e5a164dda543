// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the memory of a device is clocked for.
#pragma once

#include <cuda_runtime_api.h>

namespace onepass::cuda {

// In bytes per second, both edges of the clock; 0 where the device does not say.
inline double pin_bandwidth(int device) {
  int kilohertz = 0, bits = 0;
  if (cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, device) != cudaSuccess)
    return 0;
  return 2e3 * kilohertz * bits / 8;
}

}  // namespace onepass::cuda
