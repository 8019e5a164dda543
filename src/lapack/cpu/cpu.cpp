// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The cpu backend of the reductions: widths of panels, and which class runs a routine.
#include <algorithm>

#include "backends/cpu/team.hpp"
#include "lapack/backend.hpp"
#include "lapack/cpu/batch.hpp"
#include "lapack/cpu/gebrd.hpp"
#include "lapack/cpu/gehrd.hpp"
#include "lapack/cpu/geqrf.hpp"
#include "lapack/cpu/gesvd.hpp"
#include "lapack/cpu/panel.hpp"
#include "lapack/cpu/q.hpp"
#include "lapack/cpu/syevd.hpp"
#include "lapack/cpu/sytrd.hpp"

namespace onepass {
namespace lapack {
namespace {

// Calls `f` with what runs a plan; memory is null where its bytes are to be counted.
template <class F>
void with_runner(const LapackPlan& plan, Scratch& scratch, F f) {
  by_type(plan.problem.type, [&]<class T>(T) {
    switch (plan.problem.routine) {
      case LapackRoutine::sytrd: return f(Tridiagonal<T>(plan.problem, plan.threads, plan.panel, scratch));
      case LapackRoutine::gebrd: return f(Bidiagonal<T>(plan.problem, plan.threads, plan.panel, scratch));
      case LapackRoutine::gehrd: return f(Hessenberg<T>(plan.problem, plan.threads, plan.panel, scratch));
      case LapackRoutine::syevd:
        if (is_batched(plan.problem)) return f(EigenBatch<T>(plan.problem, plan.threads, plan.panel, scratch));
        return f(Eigen<T>(plan.problem, plan.threads, plan.panel, scratch));
      case LapackRoutine::geqrf: return f(QrFactorization<T>(plan.problem, plan.threads, plan.panel, scratch));
      case LapackRoutine::gesvd:
        if (is_batched(plan.problem)) return f(SvdBatch<T>(plan.problem, plan.threads, plan.panel, scratch));
        return f(Svd<T>(plan.problem, plan.threads, plan.panel, scratch));
      case LapackRoutine::orgtr:
      case LapackRoutine::orgbr:
      case LapackRoutine::orghr:
      case LapackRoutine::orgqr: return f(GenerateQ<T>(plan.problem, plan.threads, plan.panel, scratch));
      case LapackRoutine::ormtr:
      case LapackRoutine::ormbr:
      case LapackRoutine::ormhr:
      case LapackRoutine::ormqr: return f(ApplyQ<T>(plan.problem, plan.threads, plan.panel, scratch));
    }
  });
}

std::int64_t panel_of(const LapackProblem& p) {
  if (p.routine == LapackRoutine::syevd) return std::max<std::int64_t>(1, panel_width(LapackRoutine::sytrd, p.n));
  if (p.routine == LapackRoutine::geqrf) return qr_panel(std::min(p.m, p.n));
  if (p.routine == LapackRoutine::gesvd)
    return std::max<std::int64_t>(1, panel_width(LapackRoutine::gebrd, std::min(p.m, p.n)));
  const bool general = p.routine == LapackRoutine::gebrd;
  const std::int64_t width = is_reduction(p.routine) ? panel_width(p.routine, general ? std::min(p.m, p.n) : p.n)
                                                     : block_width(p.type, reflectors(p).count);
  return std::max<std::int64_t>(1, width);
}

LapackPlan make_plan(const LapackProblem& problem, int threads) {
  LapackPlan plan = {.problem = problem,
                     .backend = BackendId::cpu,
                     .threads = threads > 0 ? threads : cpu::default_threads(),
                     .panel = panel_of(problem)};
  Scratch scratch;
  with_runner(plan, scratch, [](const auto&) {});
  plan.workspace_bytes = scratch.bytes();
  return plan;
}

Status run(const LapackPlan& plan, const LapackOperands& operands, void* workspace) {
  Scratch scratch(workspace);
  with_runner(plan, scratch, [&](const auto& runner) { runner.run(operands); });
  return {};
}

}  // namespace
}  // namespace lapack

const LapackBackend& lapack_cpu() {
  static constexpr LapackBackend backend = {.id = BackendId::cpu, .plan = lapack::make_plan, .run = lapack::run};
  return backend;
}

}  // namespace onepass
