// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gehrd on a device: the plan, and the launches and products as they follow each other. Knows nothing of CUDA.
//
//   the matrix   its copy into the workspace, if its columns are no multiple of 128 bytes apart
//                its largest element, and the matrix scaled if that is very large or very small   two launches
//   a panel      32 columns, V, T, and Y = A V T in the rows below                                one launch
//                Y in the rows above, A := A - Y V^H there                                        three products
//                A := (I - V T^H V^H) (A - Y V^H) below                                           five products
//                A := (I - V T^H V^H) A in the columns behind ihi                                 three products
//   on the chip  all that is left between ilo and ihi, once it fits                               one launch
//                its Q on the rows above and on the columns behind                                q_steps.hpp
//   the matrix   scaled back, and copied back                                                     one launch
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lapack/gpu/reductions/chip_shapes.hpp"
#include "lapack/gpu/reductions/q.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

struct HessenbergStage : ChipLaunch {
  int first = 0;    // column of the matrix
  int m = 0;        // rows below its diagonal, up to ihi
  int columns = 0;  // that are reduced
  int vectors = 0;  // of a thread in a column of a panel
  int parts = 1;    // of a column of a panel: of so many blocks

  bool is_panel() const { return shape < 0; }
  bool operator==(const HessenbergStage&) const = default;
};

struct GehrdPlan {
  LapackProblem problem;
  bool copies = false;
  std::vector<HessenbergStage> stages;
  QPlan above, behind;  // Q of the stage on the chip, for what is not
  int scale_blocks = 0;
  std::size_t workspace_bytes = 0;

  bool operator==(const GehrdPlan&) const = default;
};

// Of a problem that passed its check. Pure. Of matrices that fit, those with at most so many rows stay on the chip.
Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, GehrdPlan* plan,
                 int most_on_chip = all_that_fit);
inline bool has_panels(const GehrdPlan& plan) { return !plan.stages.empty() && plan.stages.front().is_panel(); }
inline bool uses_products(const GehrdPlan& plan) {
  return has_panels(plan) || !is_empty(plan.above.problem) || !is_empty(plan.behind.problem);
}
std::string explain(const GehrdPlan& plan);

inline StepGroups groups_of(const GehrdPlan&) { return groups(StepGroup::scale, StepGroup::hessenberg, StepGroup::q); }

Status run(const GehrdPlan& plan, const LapackOperands& operands, void* workspace, Queue& queue);

}  // namespace onepass::lapack
