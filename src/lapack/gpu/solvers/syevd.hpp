// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// syevd and heevd on a device: the plan, and the steps as they follow each other. Knows nothing of CUDA.
//
//   A = Q T Q^H             sytrd, in A
//   values of T             bisection; or, with vectors:
//   T = Z diag(w) Z^T       divide and conquer, Z in the workspace
//   V := Z                  one launch, where V is complex and Z real; else Z is V
//   V := Q V                ormtr, with the reflectors in A
//   A := V                  a copy
//
// Of some eigenvalues by index, bisection finds these alone; divide and conquer finds all, Q is applied to the
// eigenvectors that are wanted.
//
// The workspaces of the steps are one and the same memory. With V they take 2.5 n^2 elements at most, and the 4 MiB
// that are cuBLAS's, from n = 512 on: Q is applied in groups of fewer blocks where it would take more.
#pragma once

#include <cstddef>
#include <string>

#include "lapack/gpu/reductions/q.hpp"
#include "lapack/gpu/reductions/sytrd.hpp"
#include "lapack/gpu/solvers/bisection.hpp"
#include "lapack/gpu/solvers/divide.hpp"

namespace onepass::lapack {

struct SyevdPlan {
  LapackProblem problem;
  SytrdPlan reduction;
  TridiagonalValuesPlan values;  // of Job::values
  DividePlan divide;             // of Job::vectors, as what follows
  QPlan apply;
  int widen_blocks = 0;
  std::size_t workspace_bytes = 0;

  bool operator==(const SyevdPlan&) const = default;
};

// Of a problem that passed its check. Pure.
Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, SyevdPlan* plan);
inline bool uses_products(const SyevdPlan& plan) {
  return uses_products(plan.reduction) || uses_products(plan.divide) || uses_products(plan.apply);
}
std::string explain(const SyevdPlan& plan);

inline StepGroups groups_of(const SyevdPlan& plan) {
  return groups_of(plan.reduction) | groups_of(plan.values) | groups_of(plan.divide) | groups_of(plan.apply) |
         groups(StepGroup::matrices);
}

Status run(const SyevdPlan& plan, const LapackOperands& operands, void* workspace, Queue& queue);

}  // namespace onepass::lapack
