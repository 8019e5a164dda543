// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// sytrd and hetrd on a CUDA device.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lapack/cuda/call.hpp"
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
Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, SytrdPlan* plan);
Status load(const SytrdPlan& plan);
// For the rank-2k update behind a panel; of double precision we have one.
inline bool uses_cublas(const SytrdPlan& plan) { return plan.has_panels() && real_type(plan.problem.type) == Type::s; }
Status run(const SytrdPlan& plan, const DeviceCall& call);
std::string explain(const SytrdPlan& plan);

}  // namespace onepass::lapack
