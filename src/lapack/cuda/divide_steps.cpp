// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/divide_steps.hpp"

namespace onepass::lapack {

DivideTree tree_of(const DividePlan& plan) {
  return {.form = kernels::Form::tridiagonal,
          .type = plan.problem.type,
          .n = plan.problem.n,
          .leaf = plan.leaf,
          .levels = plan.levels,
          .grid = plan.grid};
}

Status make_plan(const DivideProblem& p, const DeviceTraits& traits, DividePlan* plan, int most_leaf) {
  DivideTree tree;
  if (Status bad = make_tree(kernels::Form::tridiagonal, p.type, p.n, traits, most_leaf, &tree); !bad.ok()) return bad;
  if (Status bad = check_leading_dimension("ldz", p.ldz, p.n); !bad.ok()) return bad;
  *plan = {.problem = p,
           .leaf = tree.leaf,
           .levels = tree.levels,
           .grid = tree.grid,
           .workspace_bytes = workspace_bytes(tree)};
  return {};
}

std::string explain(const DividePlan& plan) {
  return plan.problem.n == 0 ? "  no eigenvectors\n" : explain(tree_of(plan));
}

DivideMatrices matrices_of(const DividePlan& plan, const DivideOperands& o) {
  return {.d = o.d,
          .e = o.e,
          .w = o.w,
          .q = o.z,
          .ldq = plan.problem.ldz,
          .info = o.info,
          .failure = static_cast<int>(2 * plan.problem.n + 1)};
}

Status run_divide(const DividePlan& plan, const DivideOperands& operands, void* workspace, DivideDevice& device) {
  return run_tree(tree_of(plan), matrices_of(plan, operands), workspace, device);
}

}  // namespace onepass::lapack
