// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/gpu/solvers/bidiagonal_values.hpp"

#include <limits>

namespace onepass::lapack {

Status make_plan(const BidiagonalValuesProblem& p, BidiagonalValuesPlan* plan) {
  // Where 2 n + 1023, rows that are padded, is an int.
  constexpr std::int64_t most = std::numeric_limits<int>::max() / 2 - kernels::bisection_rows;
  if (p.type != Type::s && p.type != Type::d)
    return {ONEPASS_STATUS_INVALID_TYPES, "type: a bidiagonal matrix is real, s or d"};
  if (p.n < 0 || p.n > most)
    return {ONEPASS_STATUS_INVALID_SIZE, "n = " + std::to_string(p.n) + ": must be 0 to " + std::to_string(most)};
  *plan = {.problem = p, .blocks = static_cast<int>((p.n + kernels::bisection_warps - 1) / kernels::bisection_warps)};
  return {};
}

std::string explain(const BidiagonalValuesPlan& plan) {
  if (plan.blocks == 0) return "  no singular values\n";
  return "  bisection: a warp for each of " + std::to_string(plan.problem.n) + " singular values, " +
         std::to_string(plan.blocks) + " blocks of " + std::to_string(kernels::bisection_threads) + " threads\n";
}

Status run(const BidiagonalValuesPlan& plan, const BidiagonalValuesOperands& o, Queue& queue) {
  if (plan.blocks == 0) return {};
  const int n = static_cast<int>(plan.problem.n);
  return queue.launch<Step::bisection>(bisection(plan.problem.type, kernels::Form::bidiagonal, plan.blocks),
                                       {.d = o.d, .e = o.e, .w = o.s, .n = n, .count = n, .info = o.info});
}

}  // namespace onepass::lapack
