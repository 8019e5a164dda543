// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The device of the calling thread. Every call wants to know; where there is only one, CUDA is asked once.
#pragma once

#include <cuda_runtime_api.h>

namespace onepass::cuda {

inline constexpr int most_devices = 64;  // that Onepass keeps things for

inline cudaError_t current_device(int* device) {
  static const bool one_alone = [] {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count == 1;
  }();
  *device = 0;
  return one_alone ? cudaSuccess : cudaGetDevice(device);
}

}  // namespace onepass::cuda
