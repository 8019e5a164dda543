// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/gpu/solvers/bidiagonal_vectors.hpp"

namespace onepass::lapack {

Status make_plan(const BidiagonalVectorsProblem& p, const DeviceTraits& traits, BidiagonalVectorsPlan* plan,
                 int most_leaf) {
  DivideTree tree;
  if (Status bad = make_tree(kernels::Form::bidiagonal, p.type, p.n, traits, most_leaf, &tree); !bad.ok()) return bad;
  if (Status bad = check_leading_dimension("ldu", p.ldu, p.n); !bad.ok()) return bad;
  if (Status bad = check_leading_dimension("ldvt", p.ldvt, p.n); !bad.ok()) return bad;
  *plan = {.problem = p, .tree = tree, .workspace_bytes = workspace_bytes(tree)};
  return {};
}

std::string explain(const BidiagonalVectorsPlan& plan) {
  return plan.problem.n == 0 ? "  no singular vectors\n" : explain(plan.tree);
}

Status run(const BidiagonalVectorsPlan& plan, const BidiagonalVectorsOperands& o, void* workspace, Queue& queue) {
  return run_tree(plan.tree,
                  {.d = o.d,
                   .e = o.e,
                   .w = o.s,
                   .q = o.u,
                   .ldq = plan.problem.ldu,
                   .vt = o.vt,
                   .ldvt = plan.problem.ldvt,
                   .info = o.info,
                   .failure = static_cast<int>(plan.problem.n)},
                  workspace, queue);
}

}  // namespace onepass::lapack
