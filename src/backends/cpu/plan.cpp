// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/cpu/plan.hpp"

#include <algorithm>
#include <cmath>

#include "problem/cost.hpp"
#include "problem/elements.hpp"

namespace onepass::cpu {
namespace {

// A second thread pays from 256 KiB on: waking it costs about as long as reading half of that from a cache.
constexpr double bytes_per_thread = 128 * 1024;
// The packed x and the pieces of y each stay under this, all threads together.
constexpr std::int64_t scratch_limit = 4 * 1024 * 1024;

// Columns of a triangle come in groups of four.
constexpr std::int64_t column_grain = 16;

constexpr std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// What the threads of a plan share: the products of a batch, or rows or columns of the stored matrix.
enum class Cut : std::uint8_t { none, products, rows, columns };

Cut cut_of(const Plan& plan) {
  if (host(plan).tiles == 1 && host(plan).splits == 1) return plan.threads > 1 ? Cut::products : Cut::none;
  const bool by_rows = plan.kernel.variant == Variant::cpu_t
                           ? host(plan).splits > 1
                           : plan.kernel.variant == Variant::cpu_n && host(plan).tiles > 1;
  return by_rows ? Cut::rows : Cut::columns;
}

// More would leave threads without work, and splits without a term of their sum.
std::int64_t most_threads(const Problem& p, Cut cut) {
  const Stored a = stored(p);
  switch (cut) {
    case Cut::none: return 1;
    case Cut::products: return p.batch;
    case Cut::rows: return std::max<std::int64_t>(1, a.rows / 64);
    case Cut::columns: return is_triangle(p) ? std::max<std::int64_t>(1, p.n / 32) : a.cols;
  }
  return 1;
}

// All of a plan that follows from what is chosen: the variant, the threads and what they share.
Plan shape(const Problem& p, Variant variant, std::int64_t threads, Cut cut) {
  threads = std::min(threads, most_threads(p, cut));
  HostParams params;
  if (cut == Cut::rows) (variant == Variant::cpu_t ? params.splits : params.tiles) = threads;
  if (cut == Cut::columns) (variant == Variant::cpu_t ? params.tiles : params.splits) = threads;
  Plan plan = {.problem = p,
               .backend = BackendId::cpu,
               .kernel = {.variant = variant},
               .threads = static_cast<int>(threads),
               .params = params};
  plan.workspace_bytes = scratch(plan).team_bytes * static_cast<std::size_t>(shares_batch(plan) ? plan.threads : 1);
  return plan;
}

// Whether the vectors of a triangle fit into the scratch memory.
bool fits(const Plan& plan) {
  const Scratch s = scratch(plan);
  return s.panel_terms == plan.problem.n && s.panel_outputs == plan.problem.n;
}

bool is_of_family(Variant variant, const Problem& p) {
  if (p.order == Order::canonical) return variant == Variant::cpu_canonical;
  if (is_accurate(p)) return variant == Variant::cpu_accurate;
  switch (family(p)) {
    case Family::gemv: return variant == (stored(p).transposed ? Variant::cpu_t : Variant::cpu_n);
    case Family::symv: return variant == Variant::cpu_symv || variant == Variant::cpu_loops;
    case Family::ger: return variant == Variant::cpu_ger;
  }
  return false;
}

}  // namespace

int useful_threads(double bytes, int threads) {
  return static_cast<int>(std::clamp(bytes / bytes_per_thread, 1.0, static_cast<double>(std::max(1, threads))));
}

bool shares_products(const Problem& p, double bytes, int threads) {
  return threads > 1 && p.batch > 1 &&
         (bytes < 2 * bytes_per_thread * static_cast<double>(p.batch) || p.batch >= 4 * threads);
}

Plan plan_gemv(const Problem& problem, int threads) {
  const Stored a = stored(problem);
  const double bytes = cost(problem).matrix_bytes;
  const Variant variant = a.transposed ? Variant::cpu_t : Variant::cpu_n;
  threads = useful_threads(bytes, threads);
  if (threads == 1) return shape(problem, variant, 1, Cut::none);
  if (shares_products(problem, bytes, threads)) return shape(problem, variant, threads, Cut::products);
  // Whole columns for each thread, so that it reads without a jump; rows are shared only where
  // columns are few or too long for one private sum per thread.
  const bool by_rows = a.cols < 16 * threads || threads * a.rows * size_of_sum(problem) > scratch_limit;
  return shape(problem, variant, threads, by_rows ? Cut::rows : Cut::columns);
}

Plan plan_symv(const Problem& problem, int threads) {
  const double bytes = cost(problem).matrix_bytes;
  threads = useful_threads(bytes, threads);
  const Cut cut = shares_products(problem, bytes, threads) ? Cut::products : Cut::columns;
  const Plan plan = shape(problem, Variant::cpu_symv, threads, cut);
  if (fits(plan)) return plan;
  const Plan alone = shape(problem, Variant::cpu_symv, 1, Cut::none);
  return fits(alone) ? alone : shape(problem, Variant::cpu_loops, 1, Cut::none);
}

std::string why_illegal(const Plan& plan) {
  const Problem& p = plan.problem;
  if (is_empty(p)) return "";  // never launched
  if (!is_of_family(plan.kernel.variant, p) || !std::holds_alternative<HostParams>(plan.params))
    return "the cpu variant does not fit the problem";
  if (plan.kernel.variant == Variant::cpu_accurate || plan.kernel.variant == Variant::cpu_canonical)
    return plan.threads >= 1 && plan.threads <= 4096 &&
                   plan == (p.order == Order::canonical ? canonical_shape : accurate_shape)(p, plan.threads)
               ? ""
               : "a plan of this kind has threads alone";
  if (plan.kernel.variant == Variant::cpu_ger) {
    // All threads share one product, or each has products of its own.
    const bool fits = plan.threads >= 1 && plan.threads <= 4096 &&
                      (host(plan).tiles == plan.threads || (host(plan).tiles == 1 && plan.threads <= p.batch));
    return fits && plan == ger_shape(p, plan.threads, host(plan).tiles) ? "" : "the threads do not share the update";
  }
  const Cut cut = cut_of(plan);
  const std::int64_t most =
      plan.kernel.variant == Variant::cpu_loops ? 1 : std::min<std::int64_t>(most_threads(p, cut), 4096);
  if (plan.threads < 1 || plan.threads > most)
    return "threads = " + std::to_string(plan.threads) + ": must be 1 to " + std::to_string(most);
  const Plan right = shape(p, plan.kernel.variant, plan.threads, cut);
  const auto wrong = [](const char* field, auto value, auto wanted) {
    return std::string(field) + " = " + std::to_string(value) + ": must be " + std::to_string(wanted);
  };
  if (host(plan).tiles != host(right).tiles) return wrong("tiles", host(plan).tiles, host(right).tiles);
  if (host(plan).splits != host(right).splits) return wrong("splits", host(plan).splits, host(right).splits);
  if (plan.workspace_bytes != right.workspace_bytes)
    return wrong("workspace_bytes", plan.workspace_bytes, right.workspace_bytes);
  if (plan != right) return "a plan of the cpu backend has threads, tiles, splits and workspace_bytes only";
  if (plan.kernel.variant == Variant::cpu_symv && !fits(plan)) return "the vectors do not fit into the scratch memory";
  return "";
}

// The first k of s shares are k / s of the triangle: the columns up to n sqrt(k / s) of an upper one, and all but the
// last n sqrt(1 - k / s) of a lower one.
Range columns_of(const Plan& plan, std::int64_t part) {
  const std::int64_t n = plan.problem.n;
  const auto near_corner = [&](std::int64_t shares) {
    if (shares == 0 || shares == host(plan).splits) return shares == 0 ? std::int64_t{0} : n;
    const double columns =
        static_cast<double>(n) * std::sqrt(static_cast<double>(shares) / static_cast<double>(host(plan).splits));
    return static_cast<std::int64_t>(columns) / column_grain * column_grain;
  };
  if (stored(plan.problem).uplo == Uplo::upper) return {.begin = near_corner(part), .end = near_corner(part + 1)};
  return {.begin = n - near_corner(host(plan).splits - part), .end = n - near_corner(host(plan).splits - part - 1)};
}

Scratch scratch(const Plan& plan) {
  const Problem& p = plan.problem;
  if (plan.kernel.variant == Variant::cpu_loops) return {};
  const bool transposed = plan.kernel.variant == Variant::cpu_t;
  const std::int64_t teams = shares_batch(plan) ? plan.threads : 1;
  Scratch s = {
      .packs_x = plan.kernel.variant != Variant::cpu_n && p.incx != 1,
      .direct_y = p.type_y == scalar_type(p.type_a) && (transposed || p.incy == 1),
      .panel_terms = length_x(p),
      .panel_outputs = length_y(p),
  };
  s.sums = s.direct_y ? host(plan).splits - 1 : host(plan).splits;
  if (s.packs_x) {
    const std::int64_t size = size_of(p.type_x);
    s.panel_terms = std::min(s.panel_terms, scratch_limit / (teams * size) / 64 * 64);
    s.x_bytes = static_cast<std::size_t>(round_up(s.panel_terms * size, 256));
  }
  if (s.sums > 0) {
    const std::int64_t size = size_of_sum(p);
    s.panel_outputs = std::min(s.panel_outputs, scratch_limit / (teams * s.sums * size) / 64 * 64);
    s.sum_bytes = static_cast<std::size_t>(round_up(s.panel_outputs * size, 256));
  }
  s.team_bytes = s.x_bytes + static_cast<std::size_t>(s.sums) * s.sum_bytes;
  return s;
}

}  // namespace onepass::cpu
