// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The constants of the device's time floor, measured by kernels that only read.
#pragma once

#include "measure/cuda/device.hpp"
#include "problem/cost.hpp"

namespace onepass::tools {

struct DeviceCeilings {
  double empty_kernel = 0;  // seconds, one behind the other
  Ceilings memory;          // its empty_seconds: a read of 0.25 MB, the least that a launch takes which reads
  Ceilings cache;           // the same with the bandwidth of data that stays in the L2
};

DeviceCeilings measure_ceilings(const CudaStream& stream);

}  // namespace onepass::tools
