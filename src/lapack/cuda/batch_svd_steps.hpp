// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gesvd of many small matrices on a device: the plan and its launch. Knows nothing of CUDA.
//
// Of more than 32 columns, M being A or A^H, if that is wide:
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

#include "kernels/lapack/batch_refine_args.hpp"
#include "lapack/cuda/batch_steps.hpp"
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

// Of a batched problem that passed its check. A piece takes `most_bytes`, or as many as a matrix for each
// multiprocessor takes. Pure.
Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, BatchSvdPlan* plan,
                 std::int64_t most_bytes = std::int64_t{1} << 30);
inline bool uses_cublas(const BatchSvdPlan&) { return false; }
std::string explain(const BatchSvdPlan& plan);
// Of a launch of the plan.
std::size_t shared_bytes(const BatchSvdPlan& plan);

class BatchSvdDevice {
 public:
  virtual ~BatchSvdDevice() = default;
  virtual Status clear(int* info, std::int64_t count) = 0;
  virtual Status rotate(const BatchSvdPlan& plan, const kernels::BatchSvdArgs& args) = 0;
  virtual BatchDevice& eigen() = 0;
  virtual Status rotate_pairs(const kernels::BatchSvdPairsArgs& args, int rows, int blocks) = 0;
  virtual Status start_small(const kernels::RefineSmallArgs& args, int lanes, int blocks) = 0;
  virtual Status refine_small(const kernels::RefineSmallArgs& args, int lanes, int blocks) = 0;
  virtual Status make_bidiagonal(const kernels::BatchBidiagonalArgs& args, int blocks) = 0;
  virtual Status begin(const kernels::RefineArgs& args, int blocks) = 0;
  virtual Status multiply(kernels::RefineProduct which, const kernels::RefineArgs& args, int blocks) = 0;
  virtual Status find_angles(const kernels::RefineArgs& args, int blocks) = 0;
  virtual Status finish(const kernels::RefineArgs& args, int blocks) = 0;
};

Status run_batch(const BatchSvdPlan& plan, const LapackOperands& operands, void* workspace, BatchSvdDevice& device);

}  // namespace onepass::lapack
