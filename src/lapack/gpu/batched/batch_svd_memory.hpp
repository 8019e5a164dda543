// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The workspace of a batch of singular value decompositions, and what its plan and its steps count alike.
#pragma once

#include <algorithm>

#include "lapack/gpu/arena.hpp"
#include "lapack/gpu/batched/batch_svd.hpp"

namespace onepass::lapack {

inline std::int64_t rows_of(const LapackProblem& p) { return std::max(p.m, p.n); }
inline std::int64_t columns_of(const LapackProblem& p) { return std::min(p.m, p.n); }
inline bool wants_vectors(const BatchSvdPlan& plan) { return plan.problem.job == Job::vectors; }

// Elements that a block has in the workspace.
inline std::int64_t off_chip(const BatchSvdPlan& plan) {
  const std::int64_t rows = rows_of(plan.problem), columns = columns_of(plan.problem);
  return rows * (columns - plan.m_on_chip) + (wants_vectors(plan) ? columns * (columns - plan.v_on_chip) : 0);
}

inline kernels::RefineShape shape_of(const LapackProblem& p) {
  return {p.m, p.n, static_cast<std::size_t>(size_of(p.type))};
}

// One piece. What the eigenproblems need, the angles and what rotations need follow each other in one place.
struct RefineMemory {
  kernels::RefineArgs args;
  void *values = nullptr, *shared = nullptr;
  int* info = nullptr;
  std::size_t bytes = 0;

  RefineMemory(const BatchSvdPlan& plan, void* data) {
    const std::int64_t q = columns_of(plan.problem), count = plan.piece;
    const std::int64_t element = size_of(plan.problem.type), real = size_of_real(plan.problem.type);
    Arena arena(data);
    const kernels::RefineShape shape = shape_of(plan.problem);
    for (void*& x : args.x) x = arena.take(count * shape.of_x(), element);
    args.scale = arena.take(count, real);
    args.state = static_cast<int*>(arena.take(count, sizeof(int)));
    values = arena.take(count * q, real);
    info = static_cast<int*>(arena.take(count, sizeof(int)));
    shared = arena.take(0, 1);
    Arena angles(shared);
    args.t = angles.take(count * shape.of_t(), element);
    args.exponential = angles.take(count * shape.of_t(), element);
    const auto rotations = static_cast<std::size_t>(plan.blocks * off_chip(plan) * element);
    bytes = arena.bytes() + std::max({angles.bytes(), plan.eigen.workspace_bytes, rotations});
  }
};

// Singular values alone.
struct BidiagonalMemory {
  kernels::BatchBidiagonalArgs args;
  std::size_t bytes = 0;

  BidiagonalMemory(const BatchSvdPlan& plan, void* data) {
    const LapackProblem& p = plan.problem;
    args.order = static_cast<int>(columns_of(p) + (p.m < p.n ? 1 : 0));
    Arena arena(data);
    for (void** array : {&args.d, &args.e}) *array = arena.take(plan.piece * args.order, size_of_real(p.type));
    bytes = arena.bytes();
  }
};

// Likewise of matrices of up to 32 rows.
struct SmallMemory {
  kernels::RefineSmallArgs args;
  std::size_t bytes = 0;

  SmallMemory(const BatchSvdPlan& plan, void* data) {
    const std::int64_t q = columns_of(plan.problem);
    Arena arena(data);
    args.v = arena.take(plan.piece * q * q, size_of(plan.problem.type));
    args.state = static_cast<int*>(arena.take(plan.piece, sizeof(int)));
    bytes = arena.bytes();
  }
};

}  // namespace onepass::lapack
