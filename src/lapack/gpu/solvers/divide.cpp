// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/gpu/solvers/divide.hpp"

namespace onepass::lapack {

Status make_plan(const DivideProblem& p, const DeviceTraits& traits, DividePlan* plan, int most_leaf) {
  DivideTree tree;
  if (Status bad = make_tree(kernels::Form::tridiagonal, p.type, p.n, traits, most_leaf, &tree); !bad.ok()) return bad;
  if (Status bad = check_leading_dimension("ldz", p.ldz, p.n); !bad.ok()) return bad;
  *plan = {.problem = p, .tree = tree, .workspace_bytes = workspace_bytes(tree)};
  return {};
}

std::string explain(const DividePlan& plan) { return plan.problem.n == 0 ? "  no eigenvectors\n" : explain(plan.tree); }

Status run(const DividePlan& plan, const DivideOperands& o, void* workspace, Queue& queue) {
  return run_tree(plan.tree,
                  {.d = o.d,
                   .e = o.e,
                   .w = o.w,
                   .q = o.z,
                   .ldq = plan.problem.ldz,
                   .info = o.info,
                   .failure = static_cast<int>(2 * plan.problem.n + 1)},
                  workspace, queue);
}

}  // namespace onepass::lapack
