// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of rank-1 updates that a plan may choose, fastest first. Pure: needs no device and touches no memory.
#include <algorithm>
#include <bit>
#include <cstdlib>

#include "kernels/ger/ger_args.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/registry.hpp"
#include "problem/cost.hpp"

namespace onepass {
namespace {

int element(const Problem& p) { return static_cast<int>(size_of(p.type_a)); }
std::int64_t slot(const Problem& p) { return kernels::ger_slot(element(p)); }

// Elements that lie in the lines of so many, at the worst of their offsets.
std::int64_t in_lines(const Problem& p, std::int64_t elements) { return elements + kernels::ger_line(element(p)) - 1; }

Plan of(const Problem& p, Variant variant, Params params) {
  return {.problem = p,
          .kernel = {.variant = variant, .form = is_plain(p) ? Form::plain : Form::general},
          .threads = kernels::ger_threads,
          .params = params};
}

const char* decline_flat(const Problem& p, const DeviceTraits&) {
  constexpr std::int64_t most = INT32_MAX;
  if (p.lda != stored(p).rows) return "there are gaps between the columns of A";
  if (p.m > most || p.n > most || std::abs(p.incx) > most || std::abs(p.incy) > most)
    return "an index does not fit into 31 bits";
  return nullptr;
}

// As many lanes as a column has vectors, up to a block; columns enough for one round of loads.
Plan in_tiles(const Problem& p, Variant variant, std::int64_t vectors, std::int64_t in_flight) {
  const auto lanes = static_cast<int>(std::min<std::int64_t>(ceil_power_of_two(vectors), kernels::ger_threads));
  const std::int64_t round = std::int64_t{kernels::ger_threads} / lanes * in_flight;
  const std::int64_t rounds = ceil_div(ceil_div(stored(p).cols, round), gemv_most_in_grid);
  return shape_ger(p, variant, lanes, round * rounds);
}

// Measured on an H200: below 16 MB the flat array is faster, with its prefetch and more loads at a time. In columns
// with gaps there is no such choice.
const char* why_not_aligned(const Problem& p) {
  return p.alignment_a >= 32 && p.lda * size_of(p.type_a) % 32 == 0 ? nullptr : "the columns do not begin on 32 bytes";
}
const char* decline_aligned(const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = why_not_aligned(p); reason != nullptr) return reason;
  if (decline_flat(p, traits) != nullptr) return nullptr;
  const double bytes = cost(p).matrix_bytes / 2 / static_cast<double>(p.batch);
  if (bytes < 16e6) return "the matrix is small";
  if (stored(p).cols < kernels::ger_aligned_in_flight) return "there are few columns";
  if (stored(p).rows * size_of(p.type_a) < 8192) return "the columns are short";
  return nullptr;
}
Plan plan_aligned(const Problem& p, const DeviceTraits&) {
  const std::int64_t vectors = ceil_div(stored(p).rows, vector_length(p));
  return in_tiles(p, Variant::ger_aligned, vectors, kernels::ger_aligned_in_flight);
}

Plan plan_ger(const Problem& p, const DeviceTraits&) {
  return in_tiles(p, Variant::ger, ceil_div(in_lines(p, stored(p).rows), slot(p)), kernels::ger_in_flight(element(p)));
}

std::string why_illegal_flat(const Plan& plan) {
  if (const char* reason = decline_flat(plan.problem, {}); reason != nullptr) return reason;
  Plan right = shape_ger_flat(plan.problem);
  params<GerFlatParams>(right).prefetch = params<GerFlatParams>(plan).prefetch && is_plain(plan.problem);
  right.backend = plan.backend;
  if (params<GerFlatParams>(right).blocks > INT32_MAX) return "the matrix is too large for one launch";
  return plan == right ? "" : "the blocks do not cover the matrix";
}

std::string why_illegal_tiles(const Plan& plan) {
  const GerParams& g = params<GerParams>(plan);
  if (g.lanes < 1 || g.lanes > kernels::ger_threads || !std::has_single_bit(static_cast<unsigned>(g.lanes)))
    return "lanes must be a power of two up to the threads of a block";
  if (g.columns < 1 || g.columns > INT32_MAX) return "a block has no columns, or too many";
  if (plan.kernel.variant == Variant::ger_aligned)
    if (const char* reason = why_not_aligned(plan.problem); reason != nullptr) return reason;
  Plan right = shape_ger(plan.problem, plan.kernel.variant, g.lanes, g.columns);
  right.backend = plan.backend;
  const GerParams& wanted = params<GerParams>(right);
  if (wanted.tiles > INT32_MAX || wanted.column_blocks > gemv_most_in_grid) return "a grid cannot have so many blocks";
  return plan == right ? "" : "the tiles do not cover the matrix";
}

std::string for_each_product(const Plan& plan) {
  return plan.problem.batch == 1 ? "" : ", for each of " + std::to_string(plan.problem.batch) + " products";
}
std::string flat_in_words(const Plan& plan) {
  return std::to_string(params<GerFlatParams>(plan).blocks) + " blocks of " + std::to_string(plan.threads) +
         " threads share A as one array" + for_each_product(plan);
}
std::string tiles_in_words(const Plan& plan) {
  const GerParams& g = params<GerParams>(plan);
  return std::to_string(g.tiles) + " tiles of rows x " + std::to_string(g.column_blocks) + " of " +
         std::to_string(g.columns) + " columns, blocks of " + std::to_string(plan.threads) +
         " threads: " + std::to_string(g.lanes) + " along a column, " + std::to_string(plan.threads / g.lanes) +
         (g.lanes == plan.threads ? " column at a time" : " columns at a time") + for_each_product(plan);
}
constexpr const char* rule = "the rule for rank-1 updates";

Plan plan_flat(const Problem& p, const DeviceTraits&) { return shape_ger_flat(p); }
const char* decline_nothing(const Problem&, const DeviceTraits&) { return nullptr; }

constexpr VariantRow rows[] = {
    {Variant::ger_aligned, decline_aligned, plan_aligned, why_illegal_tiles, tiles_in_words, rule},
    {Variant::ger_flat, decline_flat, plan_flat, why_illegal_flat, flat_in_words, rule},
    {Variant::ger, decline_nothing, plan_ger, why_illegal_tiles, tiles_in_words, rule},
};

}  // namespace

std::span<const VariantRow> ger_rows() { return rows; }

Plan shape_ger_flat(const Problem& p) {
  const std::int64_t share = kernels::ger_threads * kernels::ger_in_flight(element(p)) * slot(p);
  const std::int64_t blocks = ceil_div(in_lines(p, stored(p).rows * stored(p).cols), share);
  // Measured on an H200: an L2 prefetch of everything saves up to a quarter of small updates; of large ones it would
  // keep the launch before from its own.
  const bool prefetch = is_plain(p) && cost(p).matrix_bytes <= 4e7;
  return of(p, Variant::ger_flat, GerFlatParams{.blocks = blocks, .prefetch = prefetch});
}

Plan shape_ger(const Problem& p, Variant variant, int lanes, std::int64_t columns) {
  const bool aligned = variant == Variant::ger_aligned;
  const std::int64_t rows = stored(p).rows;
  const std::int64_t tiles = aligned ? ceil_div(rows, lanes * vector_length(p))
                                     : ceil_div(in_lines(p, rows), lanes * slot(p));  // from a line on
  const std::int64_t column_blocks = ceil_div(stored(p).cols, columns);
  return of(p, variant, GerParams{.lanes = lanes, .tiles = tiles, .column_blocks = column_blocks, .columns = columns});
}

}  // namespace onepass
