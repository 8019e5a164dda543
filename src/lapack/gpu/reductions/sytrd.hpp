// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// sytrd and hetrd on a device: the plan, and the launches and products as they follow each other. Knows nothing of
// CUDA.
//
//   the matrix   its largest element, and the matrix scaled if that is very large or very small   two launches
//   a panel      32 columns, d, e, V and W                                                        one launch,
//                                                      or two, if the update before it has begun it
//                A := A - V W^H - W V^H, of what is left                                          one launch
//                                                      or product; two, if they begin the next panel
//   on the chip  columns until the next smaller shape takes what is left                          one launch
//   one block    all columns that are left                                                        one launch
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lapack/gpu/queue.hpp"
#include "lapack/gpu/reductions/tridiagonal_stages.hpp"
#include "lapack/problem.hpp"
#include "plan/device_traits.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

struct SytrdPlan {
  LapackProblem problem;
  std::vector<TridiagonalStage> stages;
  int scale_blocks = 0;
  std::size_t workspace_bytes = 0;

  bool operator==(const SytrdPlan&) const = default;
};

// Of a problem that passed its check. Pure.
Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, SytrdPlan* plan);
// By these stages.
SytrdPlan make_plan(const LapackProblem& problem, const DeviceTraits& traits, std::vector<TridiagonalStage> stages);
inline bool has_panels(const SytrdPlan& plan) { return !plan.stages.empty() && plan.stages.front().is_panel(); }
// For the update behind a panel in single precision, if columns are not 16-byte aligned.
inline bool uses_products(const SytrdPlan& plan) {
  const LapackProblem& p = plan.problem;
  return has_panels(plan) && real_type(p.type) == Type::s && p.lda * size_of(p.type) % 16 != 0;
}
std::string explain(const SytrdPlan& plan);

inline StepGroups groups_of(const SytrdPlan&) { return groups(StepGroup::scale, StepGroup::tridiagonal); }

Status run(const SytrdPlan& plan, const LapackOperands& operands, void* workspace, Queue& queue);

}  // namespace onepass::lapack
