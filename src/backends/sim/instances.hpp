// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of a family for one list of element types, compiled for the simulator: each in a file of its own.
#pragma once

#include "backends/sim/memory/memory_map.hpp"
#include "launch/launcher.hpp"
#include "plan/plan.hpp"
#include "problem/elements.hpp"
#include "problem/status.hpp"

namespace onepass::sim {

template <class E, Family family>
struct Instances {
  static Status launch(MemoryMap* memory, const Plan& plan, const Operands& operands, Workspace workspace);
};

}  // namespace onepass::sim
