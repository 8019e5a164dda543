// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gesvd of many small matrices on a device: the plan and its launch. Knows nothing of CUDA.
//
// A block solves one matrix after the other by Jacobi rotations, from its load to its store, in one launch. Columns
// that shared memory does not hold are in a workspace. What is computed for a matrix depends on nothing but its
// elements, m, n and the job.
#pragma once

#include <cstddef>
#include <string>

#include "kernels/lapack/batch_svd_args.hpp"
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
  std::size_t workspace_bytes = 0;

  bool operator==(const BatchSvdPlan&) const = default;
};

// Of a batched problem that passed its check. Pure.
Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, BatchSvdPlan* plan);
inline bool uses_cublas(const BatchSvdPlan&) { return false; }
std::string explain(const BatchSvdPlan& plan);
// Of a launch of the plan.
std::size_t shared_bytes(const BatchSvdPlan& plan);

class BatchSvdDevice {
 public:
  virtual ~BatchSvdDevice() = default;
  virtual Status clear(int* info, std::int64_t count) = 0;
  virtual Status solve(const BatchSvdPlan& plan, const kernels::BatchSvdArgs& args) = 0;
};

Status run_batch(const BatchSvdPlan& plan, const LapackOperands& operands, void* workspace, BatchSvdDevice& device);

}  // namespace onepass::lapack
