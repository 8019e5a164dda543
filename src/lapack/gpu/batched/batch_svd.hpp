// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gesvd of many small matrices on a device: the plan and its launch. Knows nothing of CUDA.
//
// With more than 32 columns, M being A or A^H, if that is wide:
//
//   M^H M = V L V^H    the steps of a batch of eigenproblems
//   W = M V            whose columns are orthogonal but for errors, which are large beside small ones
//   W, V := W Q, V Q   with Q near 1, some times, until they are (batch_refine.hpp); then W = U diag(s)
//
// Singular values alone are those of a bidiagonal form, by bisection.
//
// Small matrices are solved by Jacobi rotations in registers, or likewise by some lanes each. What Q is not near 1 for,
// what these leave, and tall and narrow matrices a block solves by Jacobi rotations, one matrix after the other.
// Columns that shared memory does not hold are in a workspace. A large batch is solved in pieces that share a
// workspace. What is computed for a matrix depends on nothing but its elements, m, n and the job.
#pragma once

#include <cstddef>
#include <string>

#include "lapack/gpu/batched/batch.hpp"
#include "lapack/problem.hpp"
#include "plan/device_traits.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

struct BatchSvdPlan {
  LapackProblem problem;
  int slots = 0;                     // elements of a column that a lane has; 0: nothing is to be done
  bool whole = false;                // columns of V are kept with those of M
  int warps = 0;                     // of a block
  int m_on_chip = 0, v_on_chip = 0;  // columns in shared memory
  int blocks = 0;
  int pair_rows = 0;        // rows of columns that lanes rotate in registers; 0: matrices are larger
  int lanes = 0;            // of a matrix of up to 32 rows from eigenvectors of M^H M; 0: another way
  int bidiagonal_rows = 0;  // of the square that registers hold, on the way to singular values alone; 0: another way
  bool refined = false;     // larger ones from eigenvectors of M^H M; rotations are for what is left
  std::int64_t piece = 0;   // matrices at a time
  BatchPlan eigen;          // of a piece
  std::size_t workspace_bytes = 0;

  bool operator==(const BatchSvdPlan&) const = default;
};

// Takes a batched problem that passed its check. A piece takes `most_bytes`, or as many as a matrix for each
// multiprocessor takes. Pure.
Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, BatchSvdPlan* plan,
                 std::int64_t most_bytes = std::int64_t{1} << 30);
std::string explain(const BatchSvdPlan& plan);
// That rotations need of a block.
std::size_t shared_bytes(const BatchSvdPlan& plan);

inline bool uses_products(const BatchSvdPlan&) { return false; }
// Kernels of every size and of both jobs: the next call may want others.
inline StepGroups groups_of(const BatchSvdPlan& plan) {
  return groups_of(plan.eigen) | groups(StepGroup::batch_refine, StepGroup::batch_svd, StepGroup::batch_bidiagonal);
}

Status run(const BatchSvdPlan& plan, const LapackOperands& operands, void* workspace, Queue& queue);

}  // namespace onepass::lapack
