// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The SYMV kernels of one element type, as the host sees them: each type is compiled in its own file.
#pragma once

#include <cuda_runtime_api.h>

#include "launch/launcher.hpp"
#include "plan/plan.hpp"
#include "problem/problem.hpp"
#include "problem/status.hpp"
#include "types/elements.hpp"

namespace onepass::cuda {

template <class T>
struct SymvInstances {
  static Status launch(cudaStream_t stream, bool may_overlap, const Plan& plan, const Operands& operands,
                       Workspace workspace);
  static Status load();
};

}  // namespace onepass::cuda
