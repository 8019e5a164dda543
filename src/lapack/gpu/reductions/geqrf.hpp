// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// geqrf on a device: the plan, and the launches and products as they follow each other. Knows nothing of CUDA.
//
//   before     the counters of the grid barriers are cleared
//   a panel    up to 32 columns and their V and T, or a matrix of up to 64 columns whole          one launch
//              C := C - V (T^H (V^H C)), of the columns of its block, or of all behind it         three products
//   a block    of up to four panels, where there are many columns behind it:
//              G = V^H V, and T of all its reflectors from G and tau             one product and one launch
//              C := C - V (T^H (V^H C)), of all columns behind it                three products
//
// Blocks are there because a panel of 32 is narrow for level 3: its update passes over C twice, and has 128 flops for
// each element; that of a block of 96 has 384.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lapack/gpu/reductions/q.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

struct QrStage {
  int first = 0;    // row and column of the matrix where it begins
  int columns = 0;  // of the panel
  int width = 0;    // columns of the kernel: 32 or 64
  int block = 0;    // where its block begins
  bool ends_block = false;
  bool has_t = false;  // T is wanted: the last panel of a block leaves it to the block
  int blocks = 0;      // of the launch, on the device at once
  int rows_of_block = 0, rows_on_chip = 0;
  std::size_t shared_bytes = 0;

  bool operator==(const QrStage&) const = default;
};

struct GeqrfPlan {
  LapackProblem problem;
  std::int64_t block_width = 0;  // columns of a block; that of a panel if there are none
  std::vector<QrStage> stages;
  std::size_t workspace_bytes = 0;

  bool operator==(const GeqrfPlan&) const = default;
};

// Panels of a block, at most, and the columns of a matrix from which on there are blocks; the columns of a matrix that
// is one panel at most; rows of a block of a launch, where there are enough; bytes of a panel that one block takes
// alone.
struct QrBlocking {
  int panels = 4;
  std::int64_t many = 512;
  int whole = 64;
  int rows = 64;
  std::int64_t alone = 128 * 1024;
};

// Of a problem that passed its check. Pure.
Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, GeqrfPlan* plan, QrBlocking blocking = {});
inline bool uses_products(const GeqrfPlan& plan) {
  return !plan.stages.empty() && plan.problem.n > plan.stages.front().columns;
}
std::string explain(const GeqrfPlan& plan);

inline StepGroups groups_of(const GeqrfPlan&) { return groups(StepGroup::qr_panel, StepGroup::q); }

Status run(const GeqrfPlan& plan, const LapackOperands& operands, void* workspace, Queue& queue);

}  // namespace onepass::lapack
