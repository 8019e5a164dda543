// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gebrd on a device: the plan, and the launches as they follow each other. Knows nothing of CUDA.
//
//   the matrix   its copy or its adjoint into the workspace, if panels cannot work on it where it is
//                its largest element, and the matrix scaled if that is very large or very small   two launches
//   a panel      32 columns and rows, d, e, U, V, and P and Q for the update                      one launch
//                A := A - P Q^H, of what is left                                                  one launch
//   on the chip  columns until the next smaller shape takes what is left                          one launch
//   the matrix   back, if it was copied
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lapack/gpu/queue.hpp"
#include "lapack/gpu/reductions/bidiagonal_stages.hpp"
#include "lapack/problem.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

// What panels reduce. They want columns that are multiples of 16 bytes apart, better of 128, and at least as many rows
// as columns: the lower bidiagonal form of a wide A is the adjoint of the upper one of A^H. Rows of A hold the
// conjugate vectors of P, which are those that the columns of A^H hold; so Q and P change places, and nothing else.
enum class Reduced : int { in_place, copy, adjoint };

struct GebrdPlan {
  LapackProblem problem;
  Reduced reduced = Reduced::in_place;
  std::vector<BidiagonalStage> stages;
  int scale_blocks = 0;
  int copy_blocks = 0;  // of the launch that makes an adjoint
  std::size_t workspace_bytes = 0;

  bool operator==(const GebrdPlan&) const = default;
};

// Of a problem that passed its check. Pure. Of matrices that fit, those with at most so many rows stay on the chip.
Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, GebrdPlan* plan,
                 int most_on_chip = all_that_fit);
// By these stages.
GebrdPlan make_plan(const LapackProblem& problem, const DeviceTraits& traits, Reduced reduced,
                    std::vector<BidiagonalStage> stages);
inline bool has_panels(const GebrdPlan& plan) { return !plan.stages.empty() && plan.stages.front().is_panel(); }
inline bool uses_products(const GebrdPlan&) { return false; }
std::string explain(const GebrdPlan& plan);

inline StepGroups groups_of(const GebrdPlan&) {
  return groups(StepGroup::scale, StepGroup::matrices, StepGroup::bidiagonal);
}

Status run(const GebrdPlan& plan, const LapackOperands& operands, void* workspace, Queue& queue);

}  // namespace onepass::lapack
