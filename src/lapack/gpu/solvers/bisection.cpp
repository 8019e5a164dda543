// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/gpu/solvers/bisection.hpp"

#include <limits>

#include "lapack/gpu/solvers/bisection.hpp"
#include "lapack/gpu/solvers/form_shape.hpp"

namespace onepass::lapack {

namespace {

// Where n + 511 is an int.
constexpr std::int64_t most = std::numeric_limits<int>::max() - kernels::bisection_rows;

Status outside(const char* name, std::int64_t value, std::int64_t least, std::int64_t last) {
  return {ONEPASS_STATUS_INVALID_SIZE, std::string(name) + " = " + std::to_string(value) + ": must be " +
                                           std::to_string(least) + " to " + std::to_string(last)};
}

std::int64_t count(const TridiagonalValuesProblem& p) { return p.wanted == Wanted::by_index ? p.iu - p.il + 1 : p.n; }

}  // namespace

Status make_plan(const TridiagonalValuesProblem& p, TridiagonalValuesPlan* plan) {
  if (p.type != Type::s && p.type != Type::d)
    return {ONEPASS_STATUS_INVALID_TYPES, "type: a tridiagonal matrix is real, s or d"};
  if (p.n < 0 || p.n > most) return outside("n", p.n, 0, most);
  if (p.wanted == Wanted::by_index && p.n > 0) {
    if (p.il < 1 || p.il > p.n) return outside("il", p.il, 1, p.n);
    if (p.iu < p.il || p.iu > p.n) return outside("iu", p.iu, p.il, p.n);
  }
  if (p.wanted == Wanted::by_value && !(p.vl < p.vu))
    return {ONEPASS_STATUS_INVALID_ARGUMENT,
            "vl = " + std::to_string(p.vl) + ": must be less than vu = " + std::to_string(p.vu)};
  *plan = {.problem = p};
  if (p.n > 0) plan->blocks = static_cast<int>((count(p) + kernels::bisection_warps - 1) / kernels::bisection_warps);
  return {};
}

std::string explain(const TridiagonalValuesPlan& plan) {
  const TridiagonalValuesProblem& p = plan.problem;
  if (plan.blocks == 0) return "  no eigenvalues\n";
  return "  bisection: a warp for each of " + std::to_string(count(p)) + " eigenvalues, " +
         std::to_string(plan.blocks) + " blocks of " + std::to_string(kernels::bisection_threads) + " threads\n";
}

Status run(const TridiagonalValuesPlan& plan, const TridiagonalValuesOperands& o, Queue& queue) {
  if (plan.blocks == 0) return {};
  const TridiagonalValuesProblem& p = plan.problem;
  return queue.launch<Step::bisection>(bisection(p.type, kernels::Form::tridiagonal, plan.blocks),
                                       {.d = o.d,
                                        .e = o.e,
                                        .w = o.w,
                                        .n = static_cast<int>(p.n),
                                        .first = p.wanted == Wanted::by_index ? static_cast<int>(p.il - 1) : 0,
                                        .count = static_cast<int>(count(p)),
                                        .by_value = p.wanted == Wanted::by_value,
                                        .lower = p.vl,
                                        .upper = p.vu,
                                        .found = o.found,
                                        .info = o.info});
}

Work bisection(Type type, kernels::Form form, int blocks) {
  return {.type = type, .shape = form_shape(form), .blocks = blocks, .shared_bytes = kernels::bisection_shared_bytes()};
}

Status make_plan(const BidiagonalValuesProblem& p, BidiagonalValuesPlan* plan) {
  // Where 2 n + 1023, rows that are padded, is an int.
  constexpr std::int64_t most_rows = std::numeric_limits<int>::max() / 2 - kernels::bisection_rows;
  if (p.type != Type::s && p.type != Type::d)
    return {ONEPASS_STATUS_INVALID_TYPES, "type: a bidiagonal matrix is real, s or d"};
  if (p.n < 0 || p.n > most_rows)
    return {ONEPASS_STATUS_INVALID_SIZE, "n = " + std::to_string(p.n) + ": must be 0 to " + std::to_string(most_rows)};
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
