// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_shape.hpp"

#include <algorithm>
#include <bit>

#include "kernels/args.hpp"
#include "plan/gemv.hpp"
#include "plan/gemv_flat.hpp"
#include "plan/symv.hpp"
#include "problem/cost.hpp"

namespace onepass {
namespace {

constexpr std::int64_t most_in_grid = 65535;  // blocks along its second and third dimension

// Terms of the sum that a split can share, in units of plan.chunk.
std::int64_t terms(const Plan& plan) {
  return plan.variant == Variant::gemv_n ? stored(plan.problem).cols : words_of_column(plan.problem);
}

// Outputs as the tiles count them: bundles whose columns lie a step apart are whole.
std::int64_t outputs_to_cover(const Plan& plan) {
  if (plan.variant == Variant::gemv_n) return stored(plan.problem).rows;
  const std::int64_t run = bundle_step(plan) * kernels::gemv_t_bundle;
  return ceil_div(stored(plan.problem).cols, run) * run;
}

std::int64_t most_outputs_of_tile(const Plan& plan) {
  return plan.variant == Variant::gemv_n ? rows_in_lanes(plan.problem, plan.lanes) : outputs(plan);
}

std::size_t workspace_bytes(const Plan& plan) {
  const std::int64_t of_a_split = plan.tiles * plan.problem.batch * outputs(plan) * size_of_sum(plan.problem.type_a);
  // A plan that was read may ask for more splits than any workspace has room for.
  std::int64_t bytes = 0;
  return __builtin_mul_overflow(of_a_split, plan.splits - 1, &bytes) ? SIZE_MAX : static_cast<std::size_t>(bytes);
}

// The sums of each thread (gemv_n) or warp (gemv_t); behind them room to add them up.
std::size_t shared_bytes(const Plan& plan) {
  const std::int64_t parts = plan.variant == Variant::gemv_n
                                 ? plan.threads * vector_length(plan.problem)
                                 : plan.threads / std::min(plan.lanes, 32) * kernels::gemv_t_bundle;
  return static_cast<std::size_t>((parts + plan.threads) * size_of_sum(plan.problem.type_a));
}

// Where a thread has no more words than that: 97 % of such shapes were fastest so on an H200. And where few
// registers let more threads in.
bool shallow_pays(const Plan& plan) {
  const std::int64_t size = size_of(plan.problem.type_a), words = words_of_thread(plan);
  if (plan.variant == Variant::gemv_n)
    return words <= kernels::gemv_n_in_flight(kernels::Depth::shallow) || (size == 16 && words > 8);
  const bool large = cost(plan.problem).matrix_bytes > 4e6 * static_cast<double>(plan.problem.batch);
  return words <= kernels::gemv_t_in_flight(kernels::Depth::shallow) || (size == 2 && words <= 8 && large);
}

// Whether the first words had better be asked for early. 49 shapes on an H200: with gemv_n it saves 1 to 3 % of nearly
// all; with gemv_t a tenth of small matrices and 3 to 5 % of large ones, and it costs up to 15 % between, or with short
// columns.
bool early_pays(const Plan& plan) {
  const double bytes = cost(plan.problem).matrix_bytes;
  const Stored s = stored(plan.problem);
  return plan.variant == Variant::gemv_n || bytes < 3.8e6 ||
         (bytes > 3e7 && s.rows * size_of(plan.problem.type_a) >= 2048);
}

Plan shaped(Plan plan, std::int64_t splits) {
  const Problem& p = plan.problem;
  plan.tile = most_outputs_of_tile(plan);
  plan.tiles = ceil_div(outputs_to_cover(plan), plan.tile);
  // Equal shares: tiles of equal height, on sectors where the columns are.
  if (plan.variant == Variant::gemv_n) {
    const std::int64_t unit = words_should_fit(p) ? std::max<std::int64_t>(32 / size_of(p.type_a), 1) : 1;
    plan.tile = std::min(plan.tile, ceil_div(ceil_div(stored(p).rows, plan.tiles), unit) * unit);
    plan.tiles = ceil_div(stored(p).rows, plan.tile);
  }
  const std::int64_t length = terms(plan), unit = plan.variant == Variant::gemv_n ? 1 : 8;
  const std::int64_t room =
      static_cast<std::int64_t>(workspace_limit) / (plan.tiles * p.batch * outputs(plan) * size_of_sum(p.type_a));
  splits = std::min({splits, ceil_div(length, unit), room + 1, most_in_grid});
  if (outputs(plan) > plan.threads) splits = 1;
  splits = std::max<std::int64_t>(splits, 1);
  plan.chunk = ceil_div(ceil_div(length, splits), unit) * unit;
  plan.splits = ceil_div(length, plan.chunk);
  plan.turns = ceil_div(p.batch, most_in_grid);
  plan.combine = plan.splits > 1 ? Combine::letters : Combine::none;
  plan.shallow = shallow_pays(plan);
  plan.prefetch = is_plain(p) && early_pays(plan);
  plan.wave = std::min<std::int64_t>(plan.tiles * plan.splits, INT32_MAX);  // until the device is known
  plan.workspace_bytes = workspace_bytes(plan);
  plan.shared_bytes = shared_bytes(plan);
  return plan;
}

std::string why_illegal_on_device(const Plan& plan) {
  const Problem& p = plan.problem;
  if (plan.threads < 32 || plan.threads > kernels::gemv_max_threads ||
      !std::has_single_bit(static_cast<unsigned>(plan.threads)))
    return "threads must be a power of two from 32 to 256";
  if (plan.lanes < 1 || plan.lanes > plan.threads || !std::has_single_bit(static_cast<unsigned>(plan.lanes)))
    return "lanes must be a power of two and at most the threads";
  if (plan.variant == Variant::gemv_flat) return why_illegal_flat(plan);
  if (plan.variant == Variant::gemv_n && plan.threads / plan.lanes % classes_to_keep_apart(p) != 0)
    return "lanes leave too few groups for this lda";
  if (plan.chunk < 1) return "the chunk is empty";
  if (plan.tile < 1 || plan.tile > most_outputs_of_tile(plan) ||
      (plan.variant != Variant::gemv_n && plan.tile != outputs(plan)))
    return "the tile does not fit the lanes";
  if (plan.tiles < 1 || plan.tiles > INT32_MAX || plan.tiles != ceil_div(outputs_to_cover(plan), plan.tile))
    return "the tiles do not cover the outputs";
  if (plan.splits < 1 || plan.splits > most_in_grid || plan.splits != ceil_div(terms(plan), plan.chunk))
    return "the splits do not cover the sum";
  if (plan.splits > 1 && outputs(plan) > plan.threads) return "a split has more outputs than threads";
  if (plan.turns < 1 || plan.turns > p.batch || ceil_div(p.batch, plan.turns) > most_in_grid)
    return "the turns do not fit the batch";
  if (plan.wave < 0 || plan.wave > INT32_MAX) return "no device holds such a wave";
  if ((plan.combine == Combine::none) != (plan.splits == 1)) return "the combination does not fit the splits";
  if (plan.shared_bytes != shared_bytes(plan)) return "shared_bytes is wrong";
  if (plan.workspace_bytes != workspace_bytes(plan)) return "workspace_bytes is wrong";
  if (plan.workspace_bytes > workspace_limit) return "workspace_bytes passes the limit";
  return "";
}

}  // namespace

std::int64_t ceil_power_of_two(std::int64_t v) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(v)));
}

std::int64_t vector_length(const Problem& p) { return 16 / size_of(p.type_a); }

bool words_fit(const Problem& p) { return p.alignment_a >= 16 && p.lda % vector_length(p) == 0; }

bool words_should_fit(const Problem& p) {
  return words_fit(p) || (p.pointer_array && p.alignment_a == 0 && p.lda % vector_length(p) == 0);
}

std::int64_t alignment_classes(const Problem& p) {
  const auto v = static_cast<std::uint64_t>(vector_length(p));
  const std::uint64_t step = static_cast<std::uint64_t>(p.lda) & (v - 1);
  return static_cast<std::int64_t>(step == 0 ? 1 : v >> std::countr_zero(step));
}

std::int64_t classes_to_keep_apart(const Problem& p) {
  return std::min(alignment_classes(p), ceil_power_of_two(stored(p).cols));
}

std::int64_t words_of_column(const Problem& p) {
  const std::int64_t v = vector_length(p);
  return ceil_div(stored(p).rows + (words_should_fit(p) ? 0 : v - 1), v);
}

std::int64_t rows_in_lanes(const Problem& p, std::int64_t lanes) {
  const std::int64_t v = vector_length(p);
  return lanes * v - (words_should_fit(p) ? 0 : v - 1);
}

// As long as that is not so much that it disturbs the launch before. Timed at a few shapes.
bool prefetch_pays(const Problem& p) { return cost(p).matrix_bytes <= 12e6; }

std::int64_t words_of_thread(const Plan& plan) {
  if (plan.variant == Variant::gemv_n) return ceil_div(plan.chunk, plan.threads / plan.lanes);
  // A chunk is whole lines; a column may end before.
  return ceil_div(std::min(plan.chunk, words_of_column(plan.problem)), plan.lanes);
}

bool takes_one_round(const Plan& plan) {
  const Problem& p = plan.problem;
  const int words = kernels::gemv_t_in_flight(plan.shallow ? kernels::Depth::shallow : kernels::Depth::deep);
  return plan.variant == Variant::gemv_t && is_plain(p) && plan.splits == 1 && p.incx == 1 &&
         plan.lanes >= std::max<std::int64_t>(vector_length(p), kernels::gemv_t_bundle) &&
         words_of_column(p) <= words * plan.lanes;
}

std::int64_t outputs(const Plan& plan) {
  if (plan.variant == Variant::gemv_n) return plan.lanes * vector_length(plan.problem);
  return plan.threads / plan.lanes * kernels::gemv_t_bundle;
}

std::int64_t bundle_step(const Plan& plan) {
  return std::max<std::int64_t>(plan.threads / plan.lanes, alignment_classes(plan.problem));
}

Plan shape_n(const Problem& p, int threads, int lanes, std::int64_t splits) {
  return shaped({.problem = p, .variant = Variant::gemv_n, .threads = threads, .lanes = lanes}, splits);
}

Plan shape_t(const Problem& p, int threads, int lanes, std::int64_t splits) {
  return shaped({.problem = p, .variant = Variant::gemv_t, .threads = threads, .lanes = lanes}, splits);
}

std::string why_illegal(const Plan& plan) {
  const Problem& p = plan.problem;
  const bool transposed = stored(p).transposed;
  if (is_empty(p)) return "";  // never launched
  switch (plan.backend) {
    case BackendId::reference: return plan.variant == Variant::loops ? "" : "the reference backend has loops only";
    case BackendId::cpu:
      if (stores_triangle(p) ? plan.variant != Variant::cpu_symv && plan.variant != Variant::loops
                             : plan.variant != (transposed ? Variant::cpu_t : Variant::cpu_n))
        return "the cpu variant does not fit the problem";
      return plan.threads >= 1 && plan.threads <= 4096 ? "" : "threads are out of range";
    default: break;
  }
  if (stores_triangle(p)) return why_illegal_symv(plan);
  if (std::ranges::find(gemv_variants(), plan.variant, &VariantEntry::variant) == gemv_variants().end())
    return "no such variant on a device";
  if (plan.variant == (transposed ? Variant::gemv_n : Variant::gemv_t))
    return "the variant sums along the other dimension";
  return why_illegal_on_device(plan);
}

}  // namespace onepass
