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

#include "kernels/lapack/adjoint_args.hpp"
#include "lapack/cuda/divide_steps.hpp"
#include "lapack/cuda/tridiagonal_values_steps.hpp"
#include "lapack/gpu/q.hpp"
#include "lapack/gpu/sytrd.hpp"

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
inline bool uses_cublas(const SyevdPlan& plan) {
  return uses_products(plan.reduction) || uses_cublas(plan.divide) || plan.apply.width > 0;
}
std::string explain(const SyevdPlan& plan);

// What a device does, in the order of the calls.
class SyevdDevice {
 public:
  virtual ~SyevdDevice() = default;
  virtual Status clear(int* number) = 0;
  virtual Status reduce(const SytrdPlan& plan, const LapackOperands& operands, void* workspace) = 0;
  virtual Status find_values(const TridiagonalValuesPlan& plan, const TridiagonalValuesOperands& operands) = 0;
  virtual Status divide(const DividePlan& plan, const DivideOperands& operands, void* workspace) = 0;
  virtual Status widen(const kernels::MatrixCopy& copy, int blocks) = 0;
  virtual Status apply(const QPlan& plan, const LapackOperands& operands, void* workspace) = 0;
  virtual Status copy(const kernels::MatrixCopy& copy) = 0;
  virtual Status copy_values(const void* from, void* to, std::int64_t count) = 0;
};

Status run_syevd(const SyevdPlan& plan, const LapackOperands& operands, void* workspace, SyevdDevice& device);

}  // namespace onepass::lapack
