// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Problem + operands -> the memory that a product may touch.
#pragma once

#include "backends/backend.hpp"
#include "backends/sim/memory/memory_map.hpp"

namespace onepass::sim {

MemoryMap problem_memory(const Plan& plan, const Operands& operands, Workspace workspace);

}  // namespace onepass::sim
