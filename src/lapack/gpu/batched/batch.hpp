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

#include "lapack/gpu/queue.hpp"
#include "lapack/problem.hpp"
#include "plan/device_traits.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

struct BatchPlan {
  LapackProblem problem;
  int lanes = 0;             // of a matrix of up to 32 rows; 0: there are more
  int blocks = 0;            // of the launch for all of these
  bool held = false;         // the block that reduces one of more keeps it in registers
  int off_chip = 0;          // columns that shared memory does not hold of one that it does not
  int leaf = 0, levels = 0;  // of divide and conquer
  int rows = 0;              // leaf 2^levels, or n without eigenvectors
  std::int64_t piece = 0;    // matrices at a time
  std::size_t workspace_bytes = 0;

  bool operator==(const BatchPlan&) const = default;
};

// Takes a batched problem that passed its check. A piece takes `most_bytes`, or as many as a matrix for each
// multiprocessor takes. Pure.
Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, BatchPlan* plan,
                 std::int64_t most_bytes = std::int64_t{512} << 20);
std::string explain(const BatchPlan& plan);

inline bool uses_products(const BatchPlan&) { return false; }
// Kernels of every size and of both jobs: the next call may want others.
inline StepGroups groups_of(const BatchPlan&) { return groups(StepGroup::batch, StepGroup::batch_real); }

Status run(const BatchPlan& plan, const LapackOperands& operands, void* workspace, Queue& queue);

// Eigenvalues of tridiagonal matrices, or singular values of bidiagonal ones, of this real type; a block for each.
Status find_values(Type type, const kernels::BatchValuesArgs& args, Queue& queue);

}  // namespace onepass::lapack
