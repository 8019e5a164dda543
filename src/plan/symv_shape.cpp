// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/symv_shape.hpp"

#include <algorithm>
#include <bit>

#include "kernels/symv/symv_args.hpp"
#include "plan/gemv_shape.hpp"
#include "problem/elements.hpp"

namespace onepass {
namespace {

constexpr std::int64_t lanes = kernels::symv_lanes;
constexpr std::size_t most_shared = std::size_t{227} << 10;         // of a block
constexpr std::size_t most_shared_of_two = std::size_t{113} << 10;  // of each of two on an SM
constexpr std::size_t most_shared_of_four = std::size_t{56} << 10;

constexpr const char* not_plain = "a batch, or scalars on the device";
constexpr const char* other_order = "its order of sums is another";

std::int64_t warps(const Plan& plan) { return plan.threads / lanes; }

// What symv_rows and symv_small have in common.
const char* why_not_standard(const Problem& p) {
  if (p.order == Order::canonical) return other_order;
  if (p.accumulate != Accumulate::standard) return "the sums have more digits than usual";
  return nullptr;
}

// Before the grid-dependency wait.
bool addresses_are_known(const Problem& p) { return !p.pointer_array && p.scalars == Scalars::host; }

// Far more rows or tiles than have workspace; beyond, numbers would wrap.
constexpr std::int64_t countable = 1 << 20;

std::int64_t squares_along(const Plan& plan) {
  return ceil_div(std::min(plan.problem.n, countable),
                  params<SymvSquaresParams>(plan).tiles * squares_tile(plan.problem, plan.kernel.loads));
}

const SymvParams& tiles(const Plan& plan) { return params<SymvParams>(plan); }

// Of a block that multiplies, which is more than one that gathers needs, with `held` sums of columns, and those of a
// segment's rows.
std::size_t bytes_of_tiles(const Plan& plan, std::int64_t held, bool keeps_rows) {
  const ElementsId elements = elements_of(plan.problem);
  const bool twice = elements == ElementsId::d_twice || elements == ElementsId::z_twice;
  const std::int64_t size = size_of_sum(plan.problem);
  return static_cast<std::size_t>(kernels::symv_tiles_room(static_cast<int>(tiles(plan).strip_rows),
                                                           static_cast<int>(warps(plan)), static_cast<int>(held),
                                                           keeps_rows, static_cast<int>(size),
                                                           static_cast<int>(twice ? size / 2 : size), twice)
                                      .end);
}

// Of a block beside others.
std::size_t most_shared_beside(const Plan& plan) {
  return plan.threads > 128 ? most_shared_of_two : most_shared_of_four;
}

// Of each strip's columns, and of the rows of each segment, which is what a block has of a strip.
std::int64_t tiles_mailboxes(const Plan& plan) {
  const std::int64_t strips = tiles(plan).strips;
  return (strips * (strips + 1) / 2 + tiles(plan).blocks + strips - 1) * tiles(plan).strip_rows;
}

}  // namespace

std::string why_different(const Plan& plan, Plan right) {
  right.backend = plan.backend;
  if (right.workspace_bytes > symv_workspace_limit(plan.problem)) return "its partial sums need more workspace";
  if (right.shared_bytes > most_shared) return "shared_bytes passes the limit";
  return plan == right ? "" : "its blocks, shared memory or workspace do not follow from its threads and their shares";
}

std::int64_t rows_team(const Plan& plan) { return plan.kernel.loads == Loads::few ? lanes : plan.threads; }

const char* why_not_rows(const Problem& p) { return is_plain(p) ? why_not_standard(p) : not_plain; }

Plan shape_rows(const Problem& p, Loads loads, int threads, std::int64_t outputs) {
  Plan plan{.problem = p,
            .kernel = {.variant = Variant::symv_rows, .form = Form::plain, .loads = loads},
            .threads = threads,
            .params = SymvRowsParams{.outputs = outputs}};
  params<SymvRowsParams>(plan).blocks = ceil_div(p.n, outputs * (threads / rows_team(plan)));
  if (loads == Loads::few) return plan;
  // For each output of a block the sums of its row in every warp, and those of its column.
  const std::int64_t of_columns = threads / std::min(threads / outputs, lanes);
  plan.shared_bytes = static_cast<std::size_t>((warps(plan) * outputs + of_columns) * size_of_sum(p));
  return plan;
}

std::string why_illegal_rows(const Plan& plan) {
  const SymvRowsParams& shape = params<SymvRowsParams>(plan);
  if (const char* reason = why_not_rows(plan.problem); reason != nullptr) return reason;
  if (!is_power_of_two(plan.threads, lanes, kernels::symv_rows_max_threads))
    return "threads must be a power of two from 32 to 512";
  if (!is_power_of_two(shape.outputs, 1, lanes)) return "the outputs of a team must be a power of two from 1 to 32";
  Plan right = shape_rows(plan.problem, plan.kernel.loads, plan.threads, shape.outputs);
  params<SymvRowsParams>(right).prefetch = shape.prefetch;
  return why_different(plan, right);
}

std::int64_t small_strips(const Problem& p) { return ceil_div(p.n, kernels::symv_small_side); }

std::int64_t small_pieces(const Problem& p) {
  return small_strips(p) * (small_strips(p) + 1) / 2 * kernels::symv_small_pieces(static_cast<int>(size_of_sum(p)));
}

std::int64_t small_warps(const Plan& plan) { return warps(plan) / params<SymvSmallParams>(plan).products; }

const char* why_not_small(const Problem& p) {
  if (p.n > kernels::symv_small_max_strips * kernels::symv_small_side)
    return "the matrices are too large for one block";
  if (p.lda > INT32_MAX / size_of(p.type_a)) return "the columns lie too far apart";
  return why_not_standard(p);
}

Plan shape_small(const Problem& p, std::int64_t warps, std::int64_t products) {
  const std::int64_t sums = products * (1 + warps) * small_strips(p) * kernels::symv_small_side;  // x, and of each warp
  return {.problem = p,
          .kernel = {.variant = Variant::symv_small},
          .threads = static_cast<int>(products * warps * lanes),
          .params = SymvSmallParams{.products = products,
                                    .blocks = ceil_div(p.batch, products),
                                    .pieces = ceil_div(small_pieces(p), warps),
                                    .prefetch = addresses_are_known(p) && prefetch_pays(p)},
          .shared_bytes = static_cast<std::size_t>(sums * size_of_sum(p))};
}

std::string why_illegal_small(const Plan& plan) {
  const Problem& p = plan.problem;
  const SymvSmallParams& shape = params<SymvSmallParams>(plan);
  if (const char* reason = why_not_small(p); reason != nullptr) return reason;
  if (plan.threads < lanes || plan.threads > kernels::symv_small_max_threads || plan.threads % lanes != 0)
    return "threads must be a multiple of 32 from 32 to 288";
  if (!is_power_of_two(shape.products, 1, warps(plan)) || warps(plan) % shape.products != 0)
    return "the products of a block must be a power of two, and have as many warps each";
  if (small_warps(plan) < small_strips(p)) return "threads leave too few warps for a product";
  Plan right = shape_small(p, small_warps(plan), shape.products);
  if (params<SymvSmallParams>(right).blocks > INT32_MAX) return "the products are more than a grid has blocks for";
  if ((small_warps(plan) - 1) * params<SymvSmallParams>(right).pieces >= small_pieces(p)) return "a warp has no piece";
  if (shape.prefetch && !addresses_are_known(p)) return "what lies behind pointers cannot be prefetched";
  params<SymvSmallParams>(right).prefetch = shape.prefetch;
  return why_different(plan, right);
}

std::int64_t squares_tile(const Problem& p, Loads loads) {
  return kernels::symv_square_tile(loads, static_cast<int>(size_of(p.type_a)));
}

// For the columns of each square off the diagonal, and for the rows of each block but those behind, on the diagonal.
std::int64_t squares_mailboxes(const Plan& plan) {
  const SymvSquaresParams& shape = params<SymvSquaresParams>(plan);
  const std::int64_t count = squares_along(plan), squares = count * (count - 1) / 2, blocks = shape.blocks - count;
  return (squares + blocks) * shape.tiles * squares_tile(plan.problem, plan.kernel.loads);
}

std::int64_t squares_products(const Plan& plan) {
  const std::int64_t bytes = squares_mailboxes(plan) * size_of_sum(plan.problem),
                     room = bytes > 0 ? static_cast<std::int64_t>(plan.workspace_bytes) / bytes : plan.problem.batch;
  return std::clamp<std::int64_t>(room, 1, std::min<std::int64_t>(plan.problem.batch, gemv_most_in_grid));
}

// Squares of many tiles keep the sums of as many rows for each warp, and leave room for few warps on an SM.
Plan shape_squares(const Problem& p, Loads loads, std::int64_t tiles, std::int64_t squares) {
  const int log2_run = std::countr_zero(static_cast<std::uint64_t>(squares)),
            tile = static_cast<int>(squares_tile(p, loads)), size = static_cast<int>(size_of_sum(p));
  Plan plan{.problem = p,
            .kernel = {.variant = Variant::symv_squares,
                       .form = is_plain(p) && tiles == 1 ? Form::plain : Form::general,
                       .loads = loads},
            .threads = kernels::symv_square_threads(tile, size),
            .params = SymvSquaresParams{.tiles = tiles, .squares = squares}};
  const std::int64_t count = squares_along(plan);
  params<SymvSquaresParams>(plan).blocks = kernels::symv_square_blocks(static_cast<int>(count), log2_run) + count;
  // Of rows for each warp, of columns, and of the teams that gather.
  const auto shared = [&] {
    return static_cast<std::size_t>(((warps(plan) + 1) * tiles * tile + plan.threads) * size);
  };
  while (shared() > most_shared_of_two && plan.threads > std::max(tile, kernels::symv_lanes)) plan.threads /= 2;
  plan.shared_bytes = shared();
  const std::int64_t bytes = squares_mailboxes(plan) * size,
                     room = std::max<std::int64_t>(
                         static_cast<std::int64_t>(symv_workspace_limit(p)) / std::max<std::int64_t>(bytes, 1), 1);
  plan.workspace_bytes = static_cast<std::size_t>(bytes * std::min(p.batch, room));
  return plan;
}

std::string why_illegal_squares(const Plan& plan) {
  const Problem& p = plan.problem;
  const SymvSquaresParams& shape = params<SymvSquaresParams>(plan);
  if (p.order == Order::canonical) return other_order;
  if (!is_power_of_two(shape.squares, 1, countable)) return "the squares of a block must be a power of two";
  if (shape.tiles < 1 || shape.tiles > countable) return "the tiles along a square are too many or too few";
  Plan right = shape_squares(p, plan.kernel.loads, shape.tiles, shape.squares);
  if (p.n > countable) return "its partial sums need more workspace";
  if (right.kernel.form == Form::plain) params<SymvSquaresParams>(right).prefetch = shape.prefetch;
  return why_different(plan, right);
}

Plan shape_tiles(const Problem& p, int threads, std::int64_t strip_rows, std::int64_t blocks) {
  Plan plan{.problem = p,
            .kernel = {.variant = Variant::symv_tiles, .form = Form::plain, .loads = Loads::many},
            .threads = threads,
            .params = SymvParams{.strip_rows = strip_rows, .strips = ceil_div(p.n, strip_rows)}};
  SymvParams& shape = params<SymvParams>(plan);
  const std::int64_t units = tiles_list(plan).units;
  shape.blocks = std::clamp<std::int64_t>(blocks, 1, units);
  shape.units = ceil_div(units, shape.blocks);
  plan.workspace_bytes = static_cast<std::size_t>(tiles_mailboxes(plan) * size_of_sum(p));
  plan.shared_bytes = bytes_of_tiles(plan, tiles_held(plan), tiles_keep_rows(plan));
  return plan;
}

std::int64_t tiles_unit(const Plan& plan) { return warps(plan) * kernels::symv_tile_columns; }

// Whole units, as many as a block has, or as there is room for beside other blocks. A block that has an SM for itself
// had better hold none: on an H200 z n = 4096 takes 44.4 us so and 45.2 with all held, 8192 160 and 165.
std::int64_t tiles_held(const Plan& plan) {
  const std::size_t others = bytes_of_tiles(plan, 0, false), limit = most_shared_beside(plan);
  const std::int64_t unit = tiles_unit(plan), size = unit * size_of_sum(plan.problem);
  const std::int64_t room = others < limit && size > 0 ? static_cast<std::int64_t>(limit - others) / size : 0;
  return unit * std::min(tiles(plan).units, room);
}

// Where the columns of all units of a block have their places, too.
bool tiles_keep_rows(const Plan& plan) {
  const std::int64_t held = tiles(plan).units * tiles_unit(plan);
  return tiles_held(plan) == held && bytes_of_tiles(plan, held, true) <= most_shared_beside(plan);
}

std::int64_t tiles_larger(const Plan& plan) {
  return tiles_list(plan).units - (tiles(plan).units - 1) * tiles(plan).blocks;
}

// Blocks that gather take places from the next launch: of one wave (n = 3301 to 5300) as few as have a thread for each
// output.
std::int64_t tiles_gathered(const Plan& plan) {
  const std::int64_t n = plan.problem.n, most = elements_of(plan.problem) == ElementsId::z_twice ? 6000 : 1500;
  return std::min<std::int64_t>(plan.threads, n <= most ? 64 : n > 3300 && n <= 5300 ? 256 : 128);
}

// A triangle that passes through the L2 once pushes out the partial sums, which are read again.
bool tiles_stream(const Plan& plan) {
  constexpr double least_bytes = 120e6;
  const auto n = static_cast<double>(plan.problem.n);
  return n * n / 2 * static_cast<double>(size_of(plan.problem.type_a)) > least_bytes;
}

TilesList tiles_list(const Plan& plan) {
  const Problem& p = plan.problem;
  const std::int64_t all = ceil_div(p.n, tiles_unit(plan)), strips = tiles(plan).strips,
                     tile_units = tiles(plan).strip_rows / tiles_unit(plan);
  const bool upper = stored(p).uplo == Uplo::upper;
  const std::int64_t least = upper ? all - (strips - 1) * tile_units : tile_units;
  const std::int64_t most = upper ? (strips - 1) * tile_units + least : all;
  return {.tile_units = tile_units,
          .least_units = strips == 1 ? most : least,
          .most_units = most,
          .units = (strips - 1) * (strips - 2) / 2 * tile_units + (strips - 1) * least + most};
}

const char* why_not_tiles(const Problem& p) {
  if (!is_plain(p)) return not_plain;
  if (p.order == Order::canonical) return other_order;
  if (!is_accurate(p)) return "the sums have no more digits than usual";
  if (!vectors_fit(p) || p.n % vector_length(p) != 0) return "its columns do not start and end on 16-byte boundaries";
  return nullptr;
}

std::string why_illegal_tiles(const Plan& plan) {
  const std::int64_t rows = tiles(plan).strip_rows;
  if (const char* reason = why_not_tiles(plan.problem); reason != nullptr) return reason;
  if (!is_power_of_two(plan.threads, lanes, kernels::symv_tiles_max_threads))
    return "threads must be a power of two from 32 to 512";
  if (rows < 1 || rows > 1024 || rows % (lanes * vector_length(plan.problem)) != 0 || rows % tiles_unit(plan) != 0)
    return "the strips are not whole tiles and units";
  const Plan right = shape_tiles(plan.problem, plan.threads, rows, tiles(plan).blocks);
  if (tiles(right).strips > 65535 || tiles_list(right).units > INT32_MAX / 2) return "the list of units is too long";
  return why_different(plan, right);
}

}  // namespace onepass
