// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv_rows, symv_squares and symv_small: single elements, whole outputs or squares.
#include <algorithm>
#include <bit>

#include "kernels/symv_args.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/symv_shape.hpp"
#include "types/elements.hpp"

namespace onepass {

std::string why_different(const Plan& plan, Plan right) {
  right.backend = plan.backend;
  return plan == right ? "" : "its blocks, shared memory or workspace do not follow from its threads and their shares";
}

namespace {

const SymvRowsParams& shape_of(const Plan& plan) { return params<SymvRowsParams>(plan); }

// For each output of a block the sums of its row in every warp, and those of its column.
std::size_t rows_bytes(const Plan& plan) {
  if (plan.kernel.loads == Loads::few) return 0;
  const std::int64_t outputs = shape_of(plan).outputs, warps = plan.threads / kernels::symv_lanes;
  const std::int64_t of_columns = plan.threads / std::min<std::int64_t>(plan.threads / outputs, kernels::symv_lanes);
  return static_cast<std::size_t>((warps * outputs + of_columns) * size_of_sum(plan.problem));
}

std::int64_t blocks_of(const Plan& plan) {
  return ceil_div(plan.problem.n, shape_of(plan).outputs * (plan.threads / rows_team(plan)));
}

}  // namespace

std::int64_t rows_team(const Plan& plan) {
  return plan.kernel.loads == Loads::few ? kernels::symv_lanes : plan.threads;
}

const char* why_not_rows(const Problem& p) {
  if (!is_plain(p)) return "a batch, or scalars on the device";
  if (p.order == Order::canonical) return "its order of sums is another";
  if (p.accumulate != Accumulate::standard) return "the sums have more digits than usual";
  return nullptr;
}

Plan shape_rows(const Problem& p, Loads loads, int threads, std::int64_t outputs) {
  Plan plan{.problem = p,
            .kernel = {.variant = Variant::symv_rows, .form = Form::plain, .loads = loads},
            .threads = threads,
            .params = SymvRowsParams{.outputs = outputs}};
  params<SymvRowsParams>(plan).blocks = blocks_of(plan);
  plan.shared_bytes = rows_bytes(plan);
  return plan;
}

std::string why_illegal_rows(const Plan& plan) {
  const SymvRowsParams& shape = shape_of(plan);
  if (const char* reason = why_not_rows(plan.problem); reason != nullptr) return reason;
  if (!is_power_of_two(plan.threads, kernels::symv_lanes, kernels::symv_rows_max_threads))
    return "threads must be a power of two from 32 to 512";
  if (!is_power_of_two(shape.outputs, 1, kernels::symv_lanes))
    return "the outputs of a team must be a power of two from 1 to 32";
  Plan right = shape_rows(plan.problem, plan.kernel.loads, plan.threads, shape.outputs);
  params<SymvRowsParams>(right).prefetch = shape.prefetch;
  return why_different(plan, right);
}

constexpr std::int64_t countable = 1 << 20;  // far more rows than have workspace; beyond, numbers would wrap

const char* why_not_squares(const Problem& p) {
  if (!is_plain(p)) return "a batch, or scalars on the device";
  if (p.order == Order::canonical) return "its order of sums is another";
  if (p.accumulate != Accumulate::standard) return "the sums have more digits than usual";
  if (p.type_a == Type::w) return "it serves s, d, c, z, h and b";
  if (p.n > countable || shape_squares(p, Loads::many, 1).workspace_bytes > workspace_limit)
    return "its partial sums need more workspace";
  return nullptr;
}

Plan shape_squares(const Problem& p, Loads loads, std::int64_t squares) {
  const int side = kernels::symv_square_side(loads, static_cast<int>(size_of(p.type_a))),
            threads = kernels::symv_square_threads(side),
            log2_run = std::countr_zero(static_cast<std::uint64_t>(squares));
  const std::int64_t sums = (threads / kernels::symv_lanes + 1) * side + threads;  // that wait in shared memory
  const std::int64_t count = ceil_div(p.n, side), size = size_of_sum(p);
  return {.problem = p,
          .kernel = {.variant = Variant::symv_squares, .form = Form::plain, .loads = loads},
          .threads = threads,
          .params = SymvSquaresParams{.squares = squares,
                                      .blocks = kernels::symv_square_blocks(static_cast<int>(count), log2_run) + count},
          .shared_bytes = static_cast<std::size_t>(sums * size),
          .workspace_bytes = static_cast<std::size_t>(count > 1 ? count * count * side * size : 0)};
}

std::string why_illegal_squares(const Plan& plan) {
  const Problem& p = plan.problem;
  const SymvSquaresParams& shape = params<SymvSquaresParams>(plan);
  if (const char* reason = why_not_squares(p); reason != nullptr) return reason;
  if (!is_power_of_two(shape.squares, 1, countable)) return "the squares of a block must be a power of two";
  Plan right = shape_squares(p, plan.kernel.loads, shape.squares);
  if (right.workspace_bytes > workspace_limit) return "its partial sums need more workspace";
  params<SymvSquaresParams>(right).prefetch = shape.prefetch;
  return why_different(plan, right);
}

namespace {

constexpr std::int64_t side = kernels::symv_small_side;

// x and the sums of each warp.
std::size_t shared_bytes(const Plan& plan) {
  const std::int64_t vectors = params<SymvSmallParams>(plan).products * (1 + small_warps(plan));
  return static_cast<std::size_t>(vectors * small_strips(plan.problem) * side * size_of_sum(plan.problem));
}

// Before the grid-dependency wait.
bool addresses_are_known(const Problem& p) { return !p.pointer_array && p.scalars == Scalars::host; }

}  // namespace

std::int64_t small_strips(const Problem& p) { return ceil_div(p.n, side); }

std::int64_t small_pieces(const Problem& p) {
  return small_strips(p) * (small_strips(p) + 1) / 2 * kernels::symv_small_pieces(static_cast<int>(size_of_sum(p)));
}

std::int64_t small_warps(const Plan& plan) { return plan.threads / side / params<SymvSmallParams>(plan).products; }

const char* why_not_small(const Problem& p) {
  if (p.n > kernels::symv_small_max_strips * side) return "the matrices are too large for one block";
  if (p.lda > INT32_MAX / size_of(p.type_a)) return "the columns lie too far apart";
  if (p.order == Order::canonical) return "its order of sums is another";
  if (p.accumulate != Accumulate::standard) return "the sums have more digits than usual";
  return nullptr;
}

Plan shape_small(const Problem& p, std::int64_t warps, std::int64_t products) {
  Plan plan{.problem = p,
            .kernel = {.variant = Variant::symv_small},
            .threads = static_cast<int>(products * warps * side),
            .params = SymvSmallParams{.products = products,
                                      .blocks = ceil_div(p.batch, products),
                                      .pieces = ceil_div(small_pieces(p), warps),
                                      .prefetch = addresses_are_known(p) && prefetch_pays(p)}};
  plan.shared_bytes = shared_bytes(plan);
  return plan;
}

std::string why_illegal_small(const Plan& plan) {
  const Problem& p = plan.problem;
  const SymvSmallParams& shape = params<SymvSmallParams>(plan);
  if (const char* reason = why_not_small(p); reason != nullptr) return reason;
  if (plan.threads < side || plan.threads > kernels::symv_small_max_threads || plan.threads % side != 0)
    return "threads must be a multiple of 32 from 32 to 288";
  if (!is_power_of_two(shape.products, 1, plan.threads / side) || plan.threads / side % shape.products != 0)
    return "the products of a block must be a power of two, and have as many warps each";
  if (small_warps(plan) < small_strips(p)) return "threads leave too few warps for a product";
  Plan right = shape_small(p, small_warps(plan), shape.products);
  if (params<SymvSmallParams>(right).blocks > INT32_MAX) return "the products are more than a grid has blocks for";
  if ((small_warps(plan) - 1) * params<SymvSmallParams>(right).pieces >= small_pieces(p)) return "a warp has no piece";
  if (shape.prefetch && !addresses_are_known(p)) return "what lies behind pointers cannot be prefetched";
  params<SymvSmallParams>(right).prefetch = shape.prefetch;
  return why_different(plan, right);
}

}  // namespace onepass
