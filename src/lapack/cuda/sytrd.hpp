// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// sytrd and hetrd on a CUDA device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <vector>

#include "lapack/cuda/cublas.hpp"
#include "lapack/cuda/stages.hpp"
#include "lapack/problem.hpp"
#include "plan/device_traits.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

struct SytrdPlan {
  LapackProblem problem;
  std::vector<TridiagonalStage> stages;
  int scale_blocks = 0;
  std::size_t workspace_bytes = 0;

  bool has_panels() const { return !stages.empty() && stages.front().shape < 0; }
  bool operator==(const SytrdPlan&) const = default;
};

// Of a problem that passed its check.
Status plan_sytrd(const LapackProblem& problem, const DeviceTraits& traits, SytrdPlan* plan);

// Loads the kernels of a type into the current device.
Status load_sytrd(Type type);

// `cublas` may be null if the plan has no panels; `timed_out`: as in the launches of products, or null.
Status run_sytrd(const SytrdPlan& plan, const LapackOperands& operands, void* workspace, Cublas* cublas,
                 std::uint32_t* timed_out, cudaStream_t stream);

}  // namespace onepass::lapack
