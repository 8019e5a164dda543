// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues and eigenvectors of a symmetric tridiagonal matrix on a device, by divide and conquer: the plan, and the
// launches and products as they follow each other. Sizes depend on n alone, so that nothing waits for the host. Knows
// nothing of CUDA.
//
//   the matrix   scaled, and cut into leaves                              one launch
//   a leaf       its eigenvectors, by QL                                  one launch for all
//   a level      D + rho z z^T of each two neighbours, deflated           one launch for all merges
//                roots of the secular equation                            one
//                z that has these roots, and the order of eigenvalues     one
//                U                                                        one
//                Q := diag(Q1, Q2) U                                      two products, one for each half of the rows
//   the matrix   eigenvalues scaled back                                  one launch
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "kernels/lapack/divide_args.hpp"
#include "lapack/cuda/product.hpp"
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
  int leaf = 0;    // rows of every leaf but the last
  int levels = 0;  // of merges
  int grid = 1;    // blocks of the last launch, at most
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
inline bool uses_cublas(const DividePlan& plan) { return plan.levels > 0; }
std::string explain(const DividePlan& plan);

// What a device does, in the order of the calls.
class DivideDevice {
 public:
  virtual ~DivideDevice() = default;
  virtual Status set_up(const kernels::DivideSetupArgs& args) = 0;
  virtual Status solve_leaves(const kernels::DivideLeafArgs& args, int blocks) = 0;
  virtual Status deflate(const kernels::DivideLevelArgs& args, bool many_threads, int blocks) = 0;
  virtual Status find_roots(const kernels::DivideLevelArgs& args, int blocks) = 0;
  virtual Status order(const kernels::DivideLevelArgs& args, int blocks) = 0;
  virtual Status make_columns(const kernels::DivideLevelArgs& args, int blocks) = 0;
  virtual Status multiply(const Product& product) = 0;
  virtual Status finish(const kernels::DivideFinishArgs& args, int blocks) = 0;
};

Status run_divide(const DividePlan& plan, const DivideOperands& operands, void* workspace, DivideDevice& device);

// The part of the workspace that is left to the products, which are told of it before.
void* products_workspace(const DividePlan& plan, void* workspace);

}  // namespace onepass::lapack
