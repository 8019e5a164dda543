// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The constants of the device's time floor, measured by kernels that only read.
#pragma once

#include <cstddef>
#include <vector>

#include "measure/cuda/device.hpp"
#include "problem/cost.hpp"

namespace onepass::tools {

struct DeviceCeilings {
  double empty_kernel = 0;  // seconds, one behind the other
  double between = 0;       // likewise, of the kernel between two calls that are timed alone
  Ceilings memory;          // its empty_seconds: a read of 0.25 MB, the least that a launch takes which reads
  Ceilings cache;           // the same with the bandwidth of data that stays in the L2
  Ceilings alone;           // from memory, with another kernel between any two reads
};

DeviceCeilings measure_ceilings(const CudaStream& stream);

// Seconds of the kernel between two calls that are timed alone, behind its like.
double measure_between(const CudaStream& stream);

// What the best shape of a launch reaches with so many bytes, again and again: bytes read, or read and written.
struct Bandwidth {
  std::size_t bytes = 0;
  double read = 0, copy = 0;  // bytes per second
};

// From 64 KiB to 2 GiB, each size four times the one before.
std::vector<Bandwidth> measure_bandwidths(const CudaStream& stream);

}  // namespace onepass::tools
