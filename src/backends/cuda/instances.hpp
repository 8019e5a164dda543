// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of a family for one list of element types, as the host sees them: each is compiled in a file of its own.
#pragma once

#include <cuda_runtime_api.h>

#include "backends/cuda/compiled.hpp"
#include "launch/joined.hpp"
#include "launch/launcher.hpp"
#include "plan/plan.hpp"
#include "problem/elements.hpp"
#include "problem/status.hpp"

namespace onepass::cuda {

template <class E, Family family>
struct Instances {
  static Status launch(cudaStream_t stream, bool may_overlap, const Plan& plan, const Operands& operands,
                       Workspace workspace);
  // A node that was captured has these products in place of what it had.
  static Status put_into(cudaGraphNode_t node, const JoinedProducts& products);
  // All of them, as their first launches would.
  static Status load();
  // What the compiler made of the kernel of a plan.
  static Status inspect(const Plan& plan, Compiled* found);
};

}  // namespace onepass::cuda
