// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues of a symmetric tridiagonal matrix and singular values of an upper bidiagonal one on a device, by
// bisection: one launch, no workspace. Knows nothing of CUDA.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/lapack/solvers/form.hpp"
#include "lapack/gpu/queue.hpp"
#include "lapack/problem.hpp"
#include "problem/problem.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

// Eigenvalues of a symmetric tridiagonal matrix on a device, by bisection: one launch, no workspace. Knows nothing of
// CUDA.
using onepass::Wanted;

struct TridiagonalValuesProblem {
  Type type = Type::d;  // s or d
  std::int64_t n = 0;
  Wanted wanted = Wanted::all;
  std::int64_t il = 1, iu = 0;  // counted from 1
  double vl = 0, vu = 0;

  bool operator==(const TridiagonalValuesProblem&) const = default;
};

struct TridiagonalValuesPlan {
  TridiagonalValuesProblem problem;
  int blocks = 0;  // of the launch; 0: there is none

  bool operator==(const TridiagonalValuesPlan&) const = default;
};

// Memory of the device. d and e are only read, and must not overlap with w.
struct TridiagonalValuesOperands {
  const void* d = nullptr;  // n
  const void* e = nullptr;  // n - 1
  void* w = nullptr;        // ascending; n of them have room, or iu - il + 1 by index
  int* found = nullptr;     // how many there are; may be null
  int* info = nullptr;      // 0, or n where d or e is not finite: w is NaN then
};

// Names the first argument that is wrong. Pure.
Status make_plan(const TridiagonalValuesProblem& problem, TridiagonalValuesPlan* plan);
std::string explain(const TridiagonalValuesPlan& plan);

inline StepGroups groups_of(const TridiagonalValuesPlan&) { return groups(StepGroup::bisection); }

Status run(const TridiagonalValuesPlan& plan, const TridiagonalValuesOperands& operands, Queue& queue);

// How bisection is launched.
Work bisection(Type type, kernels::Form form, int blocks);

// Singular values of an upper bidiagonal matrix on a device, by bisection: one launch, no workspace. Knows nothing of
// CUDA.
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
