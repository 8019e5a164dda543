// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/cpu/plan.hpp"

#include <algorithm>
#include <cmath>

#include "problem/cost.hpp"

namespace onepass::cpu {
namespace {

// A second thread pays from 128 KiB on: waking it costs about as long as reading half of that.
constexpr double bytes_per_thread = 64 * 1024;
// The packed x and the pieces of y each stay under this, all threads together.
constexpr std::int64_t scratch_limit = 4 * 1024 * 1024;

// Columns of a triangle come in groups of four.
constexpr std::int64_t column_grain = 16;

constexpr std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Threads that have enough to do.
int useful_threads(double bytes, int threads) {
  return static_cast<int>(std::clamp(bytes / bytes_per_thread, 1.0, static_cast<double>(std::max(1, threads))));
}

// Whether threads take whole products of a batch: those are small, or many.
bool shares_products(const Problem& p, double bytes, int threads) {
  return threads > 1 && p.batch > 1 &&
         (bytes < 2 * bytes_per_thread * static_cast<double>(p.batch) || p.batch >= 4 * threads);
}

std::size_t workspace_bytes(const Plan& plan) {
  return scratch(plan).team_bytes * static_cast<std::size_t>(shares_batch(plan) ? plan.threads : 1);
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
  plan.threads = useful_threads(bytes, threads);

  if (shares_products(problem, bytes, plan.threads)) {
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
  plan.workspace_bytes = workspace_bytes(plan);
  return plan;
}

Plan plan_symv(const Problem& problem, int threads) {
  const double bytes = cost(problem).matrix_bytes;
  Plan plan = {.problem = problem, .backend = BackendId::cpu, .variant = Variant::cpu_symv};
  plan.threads = useful_threads(bytes, threads);
  plan.chunk = problem.n;
  if (shares_products(problem, bytes, plan.threads)) {
    plan.threads = static_cast<int>(std::min<std::int64_t>(plan.threads, problem.batch));
  } else {
    plan.threads = static_cast<int>(std::min<std::int64_t>(plan.threads, std::max<std::int64_t>(1, problem.n / 32)));
    plan.splits = plan.threads;
  }
  const auto fits = [&] {
    const Scratch s = scratch(plan);
    return s.panel_terms == problem.n && s.panel_outputs == problem.n;
  };
  if (!fits()) plan.threads = 1, plan.splits = 1;
  if (!fits()) plan.variant = Variant::loops;
  plan.workspace_bytes = workspace_bytes(plan);
  return plan;
}

// The first k of s shares are k / s of the triangle: the columns up to n sqrt(k / s) of an upper one, and all but the
// last n sqrt(1 - k / s) of a lower one.
Range columns_of(const Plan& plan, std::int64_t part) {
  const std::int64_t n = plan.problem.n;
  const auto near_corner = [&](std::int64_t shares) {
    if (shares == 0 || shares == plan.splits) return shares == 0 ? std::int64_t{0} : n;
    const double columns =
        static_cast<double>(n) * std::sqrt(static_cast<double>(shares) / static_cast<double>(plan.splits));
    return static_cast<std::int64_t>(columns) / column_grain * column_grain;
  };
  if (stored(plan.problem).uplo == Uplo::upper) return {.begin = near_corner(part), .end = near_corner(part + 1)};
  return {.begin = n - near_corner(plan.splits - part), .end = n - near_corner(plan.splits - part - 1)};
}

Scratch scratch(const Plan& plan) {
  const Problem& p = plan.problem;
  if (plan.variant == Variant::loops) return {};
  const bool transposed = plan.variant == Variant::cpu_t;
  const std::int64_t teams = shares_batch(plan) ? plan.threads : 1;
  Scratch s = {
      .packs_x = plan.variant != Variant::cpu_n && p.incx != 1,
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
