// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular values and vectors of an upper bidiagonal matrix on a device, by divide and conquer: the plan. Knows nothing
// of CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "lapack/gpu/solvers/divide_tree.hpp"
#include "plan/device_traits.hpp"
#include "problem/problem.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

struct BidiagonalVectorsProblem {
  Type type = Type::d;  // s or d
  std::int64_t n = 0, ldu = 1, ldvt = 1;

  bool operator==(const BidiagonalVectorsProblem&) const = default;
};

struct BidiagonalVectorsPlan {
  BidiagonalVectorsProblem problem;
  DivideTree tree;
  std::size_t workspace_bytes = 0;

  bool operator==(const BidiagonalVectorsPlan&) const = default;
};

// Memory of the device, B = U diag(s) V^T. d and e are read first and not changed, and s may take the place of d.
struct BidiagonalVectorsOperands {
  const void* d = nullptr;  // n
  const void* e = nullptr;  // n - 1
  void* s = nullptr;        // n, descending
  void* u = nullptr;        // n x n: column i belongs to s(i)
  void* vt = nullptr;       // n x n: row i belongs to s(i)
  int* info = nullptr;      // 0; n where d or e is not finite: s, U and V^T are NaN then
};

// `most_leaf`: rows of a leaf, at most, and at most 31. Names the first argument that is wrong. Pure.
Status make_plan(const BidiagonalVectorsProblem& problem, const DeviceTraits& traits, BidiagonalVectorsPlan* plan,
                 int most_leaf = 8);
inline bool uses_products(const BidiagonalVectorsPlan& plan) { return plan.tree.levels > 0; }
std::string explain(const BidiagonalVectorsPlan& plan);

inline StepGroups groups_of(const BidiagonalVectorsPlan&) { return groups(StepGroup::divide); }

Status run(const BidiagonalVectorsPlan& plan, const BidiagonalVectorsOperands& operands, void* workspace, Queue& queue);

}  // namespace onepass::lapack
