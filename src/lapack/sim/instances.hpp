// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of a group of steps for one element type on the simulator: each is compiled in a file of its own.
#pragma once

#include "backends/sim/memory/grid_memory.hpp"
#include "lapack/gpu/queue.hpp"

namespace onepass::lapack {

template <StepGroup group, class A>
struct SimKernels {
  // `memory` is what the launch may touch; afterwards it says what was loaded.
  static Status launch(sim::GridMemory& memory, Step step, const Work& work, const void* args);
};

}  // namespace onepass::lapack
