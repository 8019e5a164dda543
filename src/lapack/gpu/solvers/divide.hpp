// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues and eigenvectors of a symmetric tridiagonal matrix on a device, by divide and conquer: the plan. Knows
// nothing of CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "lapack/gpu/solvers/divide_tree.hpp"
#include "plan/device_traits.hpp"
#include "problem/problem.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

struct DivideProblem {
  Type type = Type::d;  // s or d
  std::int64_t n = 0, ldz = 1;

  bool operator==(const DivideProblem&) const = default;
};

struct DividePlan {
  DivideProblem problem;
  DivideTree tree;
  std::size_t workspace_bytes = 0;

  bool operator==(const DividePlan&) const = default;
};

// Memory of the device. d and e are read first, and w may take the place of d.
struct DivideOperands {
  const void* d = nullptr;  // n
  const void* e = nullptr;  // n - 1
  void* w = nullptr;        // n, ascending
  void* z = nullptr;        // n x n: column i belongs to w(i)
  int* info =
      nullptr;  // 0; 2 n + 1, as LAPACK's stedc says it of rows 1 to n, where d or e is not finite: w and z are NaN
};

// `most_leaf`: rows of a leaf, at most, and at most 32: with 32 it is slower, at n = 256 by half. Pure.
Status make_plan(const DivideProblem& problem, const DeviceTraits& traits, DividePlan* plan, int most_leaf = 16);
inline bool uses_products(const DividePlan& plan) { return plan.tree.levels > 0; }
std::string explain(const DividePlan& plan);

inline StepGroups groups_of(const DividePlan&) { return groups(StepGroup::divide); }

Status run(const DividePlan& plan, const DivideOperands& operands, void* workspace, Queue& queue);

}  // namespace onepass::lapack
