// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// syevd and heevd of many small matrices on a device: the plan, and the launches as they follow each other. Knows
// nothing of CUDA.
//
//   up to 32 rows    one launch: a warp, or a part of one, solves a matrix from its load to its store
//   more rows        A = Q T Q^H             a block for each matrix
//                    eigenvalues of T        bisection, a thread for each; or, with eigenvectors:
//                    T = Z diag(w) Z^T       divide and conquer: the kernels of one large T, which here is that of all
//                                            matrices one behind the other, and never merged beyond one of them
//                    V = Q Z                 some blocks for each matrix
//
// A large batch is solved in pieces that share a workspace. What is computed for a matrix depends on nothing but its
// elements and n.
#pragma once

#include <cstddef>
#include <string>

#include "kernels/lapack/batch_args.hpp"
#include "kernels/lapack/divide_args.hpp"
#include "lapack/problem.hpp"
#include "plan/device_traits.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

struct BatchPlan {
  LapackProblem problem;
  int lanes = 0;             // of a matrix of up to 32 rows; 0: there are more
  bool held = false;         // the block that reduces one of more keeps it in registers
  int off_chip = 0;          // columns that shared memory does not hold of one that it does not
  int leaf = 0, levels = 0;  // of divide and conquer
  int rows = 0;              // leaf 2^levels, or n without eigenvectors
  std::int64_t piece = 0;    // matrices at a time
  std::size_t workspace_bytes = 0;

  bool operator==(const BatchPlan&) const = default;
};

// Of a batched problem that passed its check. A piece takes `most_bytes`, or as many as a matrix for each
// multiprocessor takes. Pure.
Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, BatchPlan* plan,
                 std::int64_t most_bytes = std::int64_t{512} << 20);
inline bool uses_cublas(const BatchPlan&) { return false; }
std::string explain(const BatchPlan& plan);

// What a device does, in the order of the calls.
class BatchDevice {
 public:
  virtual ~BatchDevice() = default;
  virtual Status clear(int* info, std::int64_t count) = 0;
  virtual Status solve_small(const kernels::BatchArgs& args, int lanes, int blocks) = 0;
  virtual Status reduce(const kernels::BatchTridiagonalArgs& args, bool held, int blocks) = 0;
  virtual Status find_values(const kernels::BatchValuesArgs& args, int blocks) = 0;
  virtual Status solve_leaves(const kernels::DivideLeafArgs& args, int blocks) = 0;
  virtual Status deflate(const kernels::DivideLevelArgs& args, int blocks) = 0;
  virtual Status find_roots(const kernels::DivideLevelArgs& args, int blocks) = 0;
  virtual Status order(const kernels::DivideLevelArgs& args, int blocks) = 0;
  virtual Status make_columns(const kernels::DivideLevelArgs& args, int blocks) = 0;
  virtual Status multiply(const kernels::BatchProductArgs& args, int blocks) = 0;
  virtual Status make_factors(const kernels::BatchBackArgs& args, int blocks) = 0;
  virtual Status transform_back(const kernels::BatchBackArgs& args, int blocks) = 0;
};

Status run_batch(const BatchPlan& plan, const LapackOperands& operands, void* workspace, BatchDevice& device);

}  // namespace onepass::lapack
