// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_shape.hpp"

#include <algorithm>
#include <bit>

#include "kernels/args.hpp"
#include "plan/registry.hpp"
#include "problem/cost.hpp"
#include "types/elements.hpp"

namespace onepass {
namespace {

constexpr std::int64_t most_in_grid = 65535;  // blocks along its second and third dimension

const GemvParams& gemv(const Plan& plan) { return params<GemvParams>(plan); }

bool is_n(const Plan& plan) { return !sums_along_columns(plan.kernel.variant); }

// Terms of the sum that a split can share, in units of the chunk.
std::int64_t terms(const Plan& plan) {
  return is_n(plan) ? stored(plan.problem).cols : vectors_of_column(plan.problem);
}

// Outputs as the tiles count them: bundles whose columns lie a step apart are whole.
std::int64_t outputs_to_cover(const Plan& plan) {
  if (is_n(plan)) return stored(plan.problem).rows;
  const std::int64_t run = bundle_step(plan) * kernels::gemv_t_bundle;
  return ceil_div(stored(plan.problem).cols, run) * run;
}

std::int64_t most_outputs_of_tile(const Plan& plan) {
  return is_n(plan) ? rows_in_lanes(plan.problem, gemv(plan).lanes) : outputs(plan);
}

std::size_t workspace_bytes(const Plan& plan) {
  const GemvParams& g = gemv(plan);
  const std::int64_t of_a_split = g.tiles * plan.problem.batch * outputs(plan) * size_of_sum(plan.problem);
  // A plan that was read may ask for more splits than any workspace has room for.
  std::int64_t bytes = 0;
  return __builtin_mul_overflow(of_a_split, g.splits - 1, &bytes) ? SIZE_MAX : static_cast<std::size_t>(bytes);
}

// The sums of each thread (gemv_n) or warp (gemv_t); behind them room to add them up.
std::size_t shared_bytes(const Plan& plan) {
  const std::int64_t parts = is_n(plan) ? plan.threads * vector_length(plan.problem)
                                        : plan.threads / std::min(gemv(plan).lanes, 32) * kernels::gemv_t_bundle;
  return static_cast<std::size_t>((parts + plan.threads) * size_of_sum(plan.problem));
}

// Whether the first vectors had better be prefetched. 49 shapes on an H200: with gemv_n it saves 1 to 3 % of nearly
// all; with gemv_t a tenth of small matrices and 3 to 5 % of large ones, and it costs up to 15 % between, or with short
// columns.
bool single_prefetch_pays(const Plan& plan) {
  const double bytes = cost(plan.problem).matrix_bytes;
  return is_n(plan) || bytes < 3.8e6 ||
         (bytes > 3e7 && stored(plan.problem).rows * size_of(plan.problem.type_a) >= 2048);
}

// A grid has 2^31 - 1 tiles. Of more, larger ones: wider along the rows, of more columns down them.
void fit_grid(Plan& plan) {
  GemvParams& g = params<GemvParams>(plan);
  const std::int64_t classes = classes_to_keep_apart(plan.problem);
  while (ceil_div(outputs_to_cover(plan), most_outputs_of_tile(plan)) > INT32_MAX) {
    const bool has_room =
        is_n(plan) ? plan.threads / g.lanes / 2 % classes == 0 && plan.threads > g.lanes : g.lanes > 1;
    if (has_room)
      g.lanes = is_n(plan) ? 2 * g.lanes : g.lanes / 2;
    else if (plan.threads < kernels::gemv_max_threads)
      plan.threads *= 2;
    else
      return;
  }
}

GemvSplit split(GemvTiles of, std::int64_t terms, std::int64_t unit, std::int64_t wished, std::int64_t bytes_of_split) {
  if (wished > 1) {
    const std::int64_t room = static_cast<std::int64_t>(workspace_limit) / (of.tiles * bytes_of_split);
    wished = std::min({wished, ceil_div(terms, unit), room + 1, most_in_grid});
  }
  wished = std::max<std::int64_t>(wished, 1);
  const std::int64_t chunk = ceil_div(ceil_div(terms, wished), unit) * unit;
  return {.tile = of.tile, .tiles = of.tiles, .splits = ceil_div(terms, chunk), .chunk = chunk};
}

Plan shaped(Plan plan, std::int64_t splits) {
  const Problem& p = plan.problem;
  GemvParams& g = params<GemvParams>(plan);
  fit_grid(plan);
  const std::int64_t bytes = p.batch * outputs(plan) * size_of_sum(p),
                     wished = outputs(plan) > plan.threads ? 1 : splits;
  const Stored s = stored(p);
  const GemvSplit split = is_n(plan)
                              ? split_n(s.rows, s.cols, most_outputs_of_tile(plan),
                                        vectors_should_fit(p) ? 32 / size_of(p.type_a) : 1, wished, bytes)
                              : split_t(s.cols, vectors_of_column(p), outputs(plan), bundle_step(plan), wished, bytes);
  g.tile = split.tile;
  g.tiles = split.tiles;
  g.splits = split.splits;
  g.chunk = split.chunk;
  g.products_per_block = ceil_div(p.batch, most_in_grid);
  plan.kernel.form = is_plain(p) ? Form::plain : Form::general;
  set_prefetch(plan, is_plain(p) && single_prefetch_pays(plan), g.tiles * g.splits);  // until the device is known
  plan.workspace_bytes = workspace_bytes(plan);
  plan.shared_bytes = shared_bytes(plan);
  return plan;
}

}  // namespace

std::int64_t ceil_power_of_two(std::int64_t v) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(v)));
}

std::int64_t vector_length(const Problem& p) { return 16 / size_of(p.type_a); }

bool vectors_fit(const Problem& p) { return p.alignment_a >= 16 && p.lda % vector_length(p) == 0; }

bool vectors_should_fit(const Problem& p) {
  return vectors_fit(p) || (p.pointer_array && p.alignment_a == 0 && p.lda % vector_length(p) == 0);
}

std::int64_t alignment_classes(const Problem& p) {
  const auto v = static_cast<std::uint64_t>(vector_length(p));
  const std::uint64_t step = static_cast<std::uint64_t>(p.lda) & (v - 1);
  return static_cast<std::int64_t>(step == 0 ? 1 : v >> std::countr_zero(step));
}

std::int64_t classes_to_keep_apart(const Problem& p) {
  return std::min(alignment_classes(p), ceil_power_of_two(stored(p).cols));
}

std::int64_t vectors_of_column(const Problem& p) {
  const std::int64_t v = vector_length(p);
  return ceil_div(stored(p).rows + (vectors_should_fit(p) ? 0 : v - 1), v);
}

std::int64_t rows_in_lanes(const Problem& p, std::int64_t lanes) {
  return rows_in_lanes(vector_length(p), vectors_should_fit(p), lanes);
}

bool columns_on_sectors(const Problem& p) {
  return (p.alignment_a >= 32 || (p.pointer_array && p.alignment_a == 0)) && p.lda * size_of(p.type_a) % 32 == 0;
}

GemvTiles share_rows(std::int64_t rows, std::int64_t most, std::int64_t unit) {
  const std::int64_t tiles = ceil_div(rows, most);
  const std::int64_t tile = std::min(most, ceil_div(ceil_div(rows, tiles), unit) * unit);
  return {.tile = tile, .tiles = ceil_div(rows, tile)};
}

GemvSplit split_n(std::int64_t rows, std::int64_t cols, std::int64_t most_rows, std::int64_t unit, std::int64_t wished,
                  std::int64_t bytes_of_split) {
  return split(share_rows(rows, most_rows, std::max<std::int64_t>(unit, 1)), cols, 1, wished, bytes_of_split);
}

GemvSplit split_t(std::int64_t cols, std::int64_t vectors, std::int64_t outputs, std::int64_t step, std::int64_t wished,
                  std::int64_t bytes_of_split) {
  const std::int64_t run = step * kernels::gemv_t_bundle;
  return split({.tile = outputs, .tiles = ceil_div(ceil_div(cols, run) * run, outputs)}, vectors, 8, wished,
               bytes_of_split);
}

// As long as that is not so much that it disturbs the launch before. Timed at a few shapes.
bool prefetch_pays(const Problem& p) { return cost(p).matrix_bytes <= 12e6; }

// Where fewer blocks than the device holds have the bus, each of their threads may prefetch more.
void set_prefetch(Plan& plan, bool wanted, std::int64_t prefetching_blocks) {
  GemvParams& g = params<GemvParams>(plan);
  const std::int64_t usual = is_n(plan) ? kernels::gemv_n_prefetched : kernels::gemv_t_prefetched;
  const std::int64_t most = is_n(plan) ? kernels::gemv_n_most_prefetched : kernels::gemv_t_most_prefetched;
  const std::int64_t blocks = g.tiles * g.splits, held = std::min<std::int64_t>(prefetching_blocks, INT32_MAX);
  g.prefetch_blocks = wanted ? held : 0;
  g.prefetch_vectors =
      wanted ? static_cast<int>(std::clamp(usual * held / (is_n(plan) ? blocks : 2 * blocks), usual, most)) : 0;
}

// A block that adds up all has a trip to the L2 for every other part of an output that a thread polls. On an H200
// groups take 2 to 9 % less time from five such trips on, alone and in a queue, and 12 to 31 % less from twelve on;
// below that the second level is one trip too many.
int log2_grouped(std::int64_t splits, std::int64_t threads, std::int64_t outputs) {
  constexpr std::int64_t polled = 2, most_trips = 4;
  const std::int64_t parts = splits - 1, teams = threads / outputs;
  if (parts <= most_trips * polled * std::max<std::int64_t>(teams, 1)) return 0;
  return (static_cast<int>(std::bit_width(static_cast<std::uint64_t>(parts))) + 1) / 2;  // libstdc++ 12: not an int
}
int log2_grouped(const Plan& plan) { return log2_grouped(gemv(plan).splits, plan.threads, outputs(plan)); }

const char* why_never_once(const Problem& p) {
  constexpr std::int64_t most = std::int64_t{kernels::gemv_t_in_flight(Loads::many)} * kernels::gemv_max_threads;
  if (!is_plain(p)) return "a batch, or scalars on the device";
  if (!find_kernel({Variant::gemv_t_once, Form::plain, Loads::many})->serves(elements_of(p)))
    return "the sums have more digits than usual";
  if (p.incx != 1) return "x has gaps";
  return vectors_of_column(p) > most ? "the columns are too long for one round of loads" : nullptr;
}

const char* why_not_once(const Plan& plan) {
  const Problem& p = plan.problem;
  const GemvParams& g = gemv(plan);
  if (const char* reason = why_never_once(p); reason != nullptr) return reason;
  if (g.splits != 1) return "its sums are split";
  if (g.lanes < std::max<std::int64_t>(vector_length(p), kernels::gemv_t_bundle)) return "too few lanes for its edges";
  if (vectors_of_column(p) > std::int64_t{kernels::gemv_t_in_flight(plan.kernel.loads)} * g.lanes)
    return "a thread has more vectors of a column than loads in flight";
  return nullptr;
}

std::int64_t outputs(const Plan& plan) {
  if (is_n(plan)) return gemv(plan).lanes * vector_length(plan.problem);
  return plan.threads / gemv(plan).lanes * kernels::gemv_t_bundle;
}

std::int64_t bundle_step(const Plan& plan) {
  return std::max<std::int64_t>(plan.threads / gemv(plan).lanes, alignment_classes(plan.problem));
}

Plan shape_n(const Problem& p, int threads, int lanes, std::int64_t splits) {
  return shaped(
      {.problem = p, .kernel = {.variant = Variant::gemv_n}, .threads = threads, .params = GemvParams{.lanes = lanes}},
      splits);
}

Plan shape_t(const Problem& p, int threads, int lanes, std::int64_t splits) {
  return shaped(
      {.problem = p, .kernel = {.variant = Variant::gemv_t}, .threads = threads, .params = GemvParams{.lanes = lanes}},
      splits);
}

std::string why_illegal_gemv(const Plan& plan) {
  const Problem& p = plan.problem;
  const GemvParams& g = gemv(plan);
  if (plan.threads < 32 || plan.threads > kernels::gemv_max_threads ||
      !std::has_single_bit(static_cast<unsigned>(plan.threads)))
    return "threads must be a power of two from 32 to 256";
  if (g.lanes < 1 || g.lanes > plan.threads || !std::has_single_bit(static_cast<unsigned>(g.lanes)))
    return "lanes must be a power of two and at most the threads";
  if (stored(p).transposed == is_n(plan)) return "the variant sums along the other dimension";
  if (plan.kernel.form == Form::plain && !is_plain(p)) return "the plain form is for single products";
  if (is_n(plan) && plan.threads / g.lanes % classes_to_keep_apart(p) != 0)
    return "lanes leave too few groups for this lda";
  if (g.chunk < 1) return "the chunk is empty";
  if (g.tile < 1 || g.tile > most_outputs_of_tile(plan) || (!is_n(plan) && g.tile != outputs(plan)))
    return "the tile does not fit the lanes";
  if (g.tiles < 1 || g.tiles > INT32_MAX || g.tiles != ceil_div(outputs_to_cover(plan), g.tile))
    return "the tiles do not cover the outputs";
  if (g.splits < 1 || g.splits > most_in_grid || g.splits != ceil_div(terms(plan), g.chunk))
    return "the splits do not cover the sum";
  if (g.splits > 1 && outputs(plan) > plan.threads) return "a split has more outputs than threads";
  if (g.products_per_block < 1 || g.products_per_block > p.batch ||
      ceil_div(p.batch, g.products_per_block) > most_in_grid)
    return "the products of a block do not fit the batch";
  if (g.prefetch_blocks < 0 || g.prefetch_blocks > INT32_MAX) return "no device holds so many blocks";
  if (g.prefetch_blocks > 0 && !is_plain(p)) return "only single products with scalars on the host are prefetched";
  if (g.prefetch_vectors < 0 || g.prefetch_vectors > kernels::gemv_n_most_prefetched)
    return "prefetch_vectors is out of range";
  if (plan.kernel.variant == Variant::gemv_t_once)
    if (const char* reason = why_not_once(plan); reason != nullptr) return reason;
  if (plan.shared_bytes != shared_bytes(plan)) return "shared_bytes is wrong";
  if (plan.workspace_bytes != workspace_bytes(plan)) return "workspace_bytes is wrong";
  if (plan.workspace_bytes > workspace_limit) return "workspace_bytes passes the limit";
  return "";
}

}  // namespace onepass
