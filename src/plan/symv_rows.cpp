// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/symv_rows.hpp"

#include <algorithm>
#include <bit>

#include "kernels/symv_args.hpp"
#include "plan/gemv_shape.hpp"
#include "types/elements.hpp"

namespace onepass {
namespace {

const SymvRowsParams& shape_of(const Plan& plan) { return params<SymvRowsParams>(plan); }

// x, then for each output of a block the sums of its row in every warp, and those of its column.
std::size_t shared_bytes(const Plan& plan) {
  if (plan.kernel.loads == Loads::few) return 0;
  const std::int64_t outputs = shape_of(plan).outputs, warps = plan.threads / kernels::symv_lanes;
  const std::int64_t of_columns = plan.threads / std::min<std::int64_t>(plan.threads / outputs, kernels::symv_lanes);
  return static_cast<std::size_t>(rows_sums_at(plan.problem) +
                                  (warps * outputs + of_columns) * size_of_sum(plan.problem));
}

std::int64_t blocks_of(const Plan& plan) {
  return ceil_div(plan.problem.n, shape_of(plan).outputs * (plan.threads / rows_team(plan)));
}

}  // namespace

std::int64_t rows_team(const Plan& plan) {
  return plan.kernel.loads == Loads::few ? kernels::symv_lanes : plan.threads;
}

std::int64_t rows_sums_at(const Problem& p) { return ceil_div(p.n * size_of_sum(p), 16) * 16; }

const char* why_not_rows(const Problem& p) {
  if (!is_plain(p)) return "a batch, or scalars on the device";
  if (p.order == Order::canonical) return "its order of sums is another";
  if (p.accumulate != Accumulate::standard) return "the sums have more digits than usual";
  if (p.n > kernels::symv_rows_most_rows) return "the matrix is too large to be loaded twice";
  return nullptr;
}

Plan shape_rows(const Problem& p, Loads loads, int threads, std::int64_t outputs) {
  Plan plan{.problem = p,
            .kernel = {.variant = Variant::symv_rows, .form = Form::plain, .loads = loads},
            .threads = threads,
            .params = SymvRowsParams{.outputs = outputs}};
  params<SymvRowsParams>(plan).blocks = blocks_of(plan);
  plan.shared_bytes = shared_bytes(plan);
  return plan;
}

std::string why_illegal_rows(const Plan& plan) {
  const SymvRowsParams& shape = shape_of(plan);
  if (const char* reason = why_not_rows(plan.problem); reason != nullptr) return reason;
  if (plan.threads < kernels::symv_lanes || plan.threads > kernels::symv_rows_max_threads ||
      !std::has_single_bit(static_cast<unsigned>(plan.threads)))
    return "threads must be a power of two from 32 to 512";
  if (shape.outputs < 1 || shape.outputs > kernels::symv_lanes ||
      !std::has_single_bit(static_cast<std::uint64_t>(shape.outputs)))
    return "the outputs of a team must be a power of two from 1 to 32";
  if (shape.blocks != blocks_of(plan)) return "the blocks do not cover the outputs";
  if (plan.workspace_bytes != 0) return "nothing is split here";
  if (plan.shared_bytes != shared_bytes(plan)) return "shared_bytes is wrong";
  return "";
}

const char* why_not_squares(const Problem& p) {
  if (!is_plain(p)) return "a batch, or scalars on the device";
  if (p.order == Order::canonical) return "its order of sums is another";
  if (p.accumulate != Accumulate::standard) return "the sums have more digits than usual";
  if (p.type_a == Type::w) return "its elements are large";
  constexpr std::int64_t countable = 1 << 20;  // far more rows than have workspace; beyond, numbers would wrap
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
  if (shape.squares < 1 || shape.squares > p.n || !std::has_single_bit(static_cast<std::uint64_t>(shape.squares)))
    return "the squares of a block must be a power of two";
  Plan shaped = shape_squares(p, plan.kernel.loads, shape.squares);
  params<SymvSquaresParams>(shaped).prefetch = shape.prefetch;
  shaped.backend = plan.backend;
  if (shaped.workspace_bytes > workspace_limit) return "its partial sums need more workspace";
  return shaped == plan ? "" : "its squares, their blocks or their partial sums are not those of the order";
}

}  // namespace onepass
