// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/cpu/plan.hpp"

#include <algorithm>

#include "problem/cost.hpp"

namespace onepass::cpu {
namespace {

// A second thread pays from 128 KiB on: waking it costs about as long as reading half of that.
constexpr double bytes_per_thread = 64 * 1024;
// The packed x and the pieces of y each stay under this, all threads together.
constexpr std::int64_t scratch_limit = 4 * 1024 * 1024;

constexpr std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

Plan plan_gemv(const Problem& problem, int threads) {
  const Stored a = stored(problem);
  const double bytes = cost(problem).matrix_bytes;
  Plan plan = {
      .problem = problem,
      .backend = BackendId::cpu,
      .variant = a.transposed ? Variant::cpu_t : Variant::cpu_n,
  };
  plan.threads = static_cast<int>(std::clamp(bytes / bytes_per_thread, 1.0, static_cast<double>(std::max(1, threads))));

  if (plan.threads > 1 && problem.batch > 1 &&
      (bytes < 2 * bytes_per_thread * static_cast<double>(problem.batch) || problem.batch >= 4 * plan.threads)) {
    plan.threads = static_cast<int>(std::min<std::int64_t>(plan.threads, problem.batch));
  } else if (plan.threads > 1) {
    // Whole columns for each thread, so that it reads without a jump; rows are shared only where
    // columns are few or too long for one private sum per thread.
    const bool by_rows =
        a.cols < 16 * plan.threads || plan.threads * a.rows * size_of_sum(problem.type_a) > scratch_limit;
    const std::int64_t most = by_rows ? std::max<std::int64_t>(1, a.rows / 64) : a.cols;
    plan.threads = static_cast<int>(std::min<std::int64_t>(plan.threads, most));
    (by_rows == a.transposed ? plan.splits : plan.tiles) = plan.threads;
  }
  plan.chunk = length_x(problem);
  if (plan.splits > 1) plan.chunk = (plan.chunk + plan.splits - 1) / plan.splits;

  const Scratch s = scratch(plan);
  plan.workspace_bytes = s.team_bytes * static_cast<std::size_t>(shares_batch(plan) ? plan.threads : 1);
  return plan;
}

Scratch scratch(const Plan& plan) {
  const Problem& p = plan.problem;
  const bool transposed = plan.variant == Variant::cpu_t;
  const std::int64_t teams = shares_batch(plan) ? plan.threads : 1;
  Scratch s = {
      .packs_x = transposed && p.incx != 1,
      .direct_y = p.type_y == sum_type(p.type_a) && (transposed || p.incy == 1),
      .panel_terms = length_x(p),
      .panel_outputs = length_y(p),
  };
  s.sums = s.direct_y ? plan.splits - 1 : plan.splits;
  if (s.packs_x) {
    const std::int64_t size = size_of(p.type_x);
    s.panel_terms = std::min(s.panel_terms, scratch_limit / (teams * size) / 64 * 64);
    s.x_bytes = static_cast<std::size_t>(round_up(s.panel_terms * size, 256));
  }
  if (s.sums > 0) {
    const std::int64_t size = size_of_sum(p.type_a);
    s.panel_outputs = std::min(s.panel_outputs, scratch_limit / (teams * s.sums * size) / 64 * 64);
    s.sum_bytes = static_cast<std::size_t>(round_up(s.panel_outputs * size, 256));
  }
  s.team_bytes = s.x_bytes + static_cast<std::size_t>(s.sums) * s.sum_bytes;
  return s;
}

}  // namespace onepass::cpu
