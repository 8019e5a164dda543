// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The GEMV kernels of one element type, as the host sees them: each type is compiled in its own file.
#pragma once

#include <cuda_runtime_api.h>

#include "backends/cuda/compiled.hpp"
#include "kernels/args.hpp"
#include "plan/plan.hpp"
#include "problem/status.hpp"
#include "types/elements.hpp"

namespace onepass::cuda {

template <class T>
struct GemvInstances {
  static Status launch(cudaStream_t stream, bool may_overlap, const Plan& plan, const kernels::GemvArgs& args);
  static Status load();
  static Status inspect(const Plan& plan, Compiled* found);
};

}  // namespace onepass::cuda
