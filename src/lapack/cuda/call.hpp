// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the run of a plan is given on a CUDA device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "lapack/cuda/cublas.hpp"
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

}  // namespace onepass::lapack
