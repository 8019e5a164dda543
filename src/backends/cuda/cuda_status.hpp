// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A CUDA error as a status.
#pragma once

#include <cuda_runtime_api.h>

#include "problem/status.hpp"

namespace onepass::cuda {

inline Status result(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return {};
  return {error == cudaErrorMemoryAllocation ? ONEPASS_STATUS_OUT_OF_MEMORY : ONEPASS_STATUS_EXECUTION_FAILED,
          std::string(what) + ": " + cudaGetErrorString(error)};
}

}  // namespace onepass::cuda
