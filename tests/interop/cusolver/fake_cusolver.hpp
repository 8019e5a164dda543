// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A cuSOLVER that computes nothing: what its handle holds, what it says of workspaces, and with what it was called.
#pragma once

#include <cusolverDn.h>

#include <cstdint>
#include <string>
#include <vector>

struct FakeCusolver {
  cudaStream_t stream = nullptr;
  int elements = 0;  // answers of ..._bufferSize
  std::size_t device_bytes = 0, host_bytes = 0;
  std::string last;                     // the function that was called last
  std::vector<std::int64_t> arguments;  // its arguments, pointers by their addresses
};
extern "C" FakeCusolver fake_cusolver;

// What a call returns that was passed on.
inline constexpr cusolverStatus_t passed_on = CUSOLVER_STATUS_INVALID_LICENSE;
