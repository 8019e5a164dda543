// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular values of an upper bidiagonal matrix on a device, by bisection: one launch, no workspace. Knows nothing of
// CUDA.
#pragma once

#include <cstdint>
#include <string>

#include "lapack/gpu/solvers/tridiagonal_values.hpp"
#include "problem/problem.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

struct BidiagonalValuesProblem {
  Type type = Type::d;  // s or d
  std::int64_t n = 0;

  bool operator==(const BidiagonalValuesProblem&) const = default;
};

struct BidiagonalValuesPlan {
  BidiagonalValuesProblem problem;
  int blocks = 0;  // of the launch; 0: there is none

  bool operator==(const BidiagonalValuesPlan&) const = default;
};

// Memory of the device. d and e are only read, and must not overlap with s.
struct BidiagonalValuesOperands {
  const void* d = nullptr;  // n
  const void* e = nullptr;  // n - 1
  void* s = nullptr;        // n, descending
  int* info = nullptr;      // 0, or n where d or e is not finite: s is NaN then
};

// Names the first argument that is wrong. Pure.
Status make_plan(const BidiagonalValuesProblem& problem, BidiagonalValuesPlan* plan);
std::string explain(const BidiagonalValuesPlan& plan);

inline StepGroups groups_of(const BidiagonalValuesPlan&) { return groups(StepGroup::bisection); }

Status run(const BidiagonalValuesPlan& plan, const BidiagonalValuesOperands& operands, Queue& queue);

}  // namespace onepass::lapack
