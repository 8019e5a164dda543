// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_shape.hpp"

#include <algorithm>
#include <bit>

#include "kernels/args.hpp"
#include "problem/cost.hpp"
#include "types/elements.hpp"

namespace onepass {
namespace {

const GemvParams& gemv(const Plan& plan) { return params<GemvParams>(plan); }

bool is_n(const Plan& plan) { return !sums_along_columns(plan.kernel.variant); }

std::int64_t groups(const Plan& plan) { return plan.threads / gemv(plan).lanes; }

// At a time, by kernels that sum along columns.
std::int64_t columns_of_group(const Plan& plan) {
  switch (plan.kernel.variant) {
    case Variant::gemv_t_small: return kernels::gemv_t_small_columns(plan.kernel.loads, is_deep(plan.problem));
    case Variant::gemv_t_short: return kernels::gemv_t_short_columns(plan.kernel.loads);
    case Variant::gemv_t_tensor: return kernels::gemv_t_tensor_columns(plan.kernel.loads);
    default: return kernels::gemv_t_bundle;
  }
}

std::int64_t most_rows_of_tile(const Plan& plan) {
  return rows_in_lanes(vector_length(plan.problem), vectors_should_fit(plan.problem), gemv(plan).lanes);
}

// Bundles whose columns lie a step apart are whole.
std::int64_t tiles_of_bundles(std::int64_t cols, std::int64_t step, std::int64_t outputs) {
  const std::int64_t run = step * kernels::gemv_t_bundle;
  return ceil_div(ceil_div(cols, run) * run, outputs);
}

// A grid has 2^31 - 1 tiles. Of more, larger ones: wider along the rows, of more columns down them.
void fit_grid(Plan& plan) {
  GemvParams& g = params<GemvParams>(plan);
  const Stored s = stored(plan.problem);
  const std::int64_t classes = classes_to_keep_apart(plan.problem);
  const auto tiles = [&] {
    return is_n(plan) ? ceil_div(s.rows, most_rows_of_tile(plan))
                      : tiles_of_bundles(s.cols, step_of_columns(plan), outputs(plan));
  };
  while (tiles() > INT32_MAX) {
    const bool has_room = is_n(plan) ? groups(plan) / 2 % classes == 0 && plan.threads > g.lanes : g.lanes > 1;
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
    wished = std::min({wished, ceil_div(terms, unit), room + 1, gemv_most_in_grid});
  }
  wished = std::max<std::int64_t>(wished, 1);
  const std::int64_t chunk = ceil_div(ceil_div(terms, wished), unit) * unit;
  return {.tile = of.tile, .tiles = of.tiles, .splits = ceil_div(terms, chunk), .chunk = chunk};
}

Plan shape_split(const Problem& p, Variant variant, int threads, int lanes, std::int64_t splits) {
  Plan plan = gemv_plan(p, {.variant = variant, .form = is_plain(p) ? Form::plain : Form::general}, threads, lanes);
  fit_grid(plan);
  GemvParams& g = params<GemvParams>(plan);
  const Stored s = stored(p);
  const std::int64_t sums = outputs(plan), bytes = p.batch * sums * size_of_sum(p),
                     wished = sums > plan.threads ? 1 : splits;
  const GemvSplit split = is_n(plan)
                              ? split_n(s.rows, s.cols, most_rows_of_tile(plan),
                                        vectors_should_fit(p) ? 32 / size_of(p.type_a) : 1, wished, bytes)
                              : split_t(s.cols, vectors_of_column(p), sums, step_of_columns(plan), wished, bytes);
  g.tile = split.tile;
  g.tiles = split.tiles;
  g.splits = split.splits;
  g.chunk = split.chunk;
  g.products_per_block = ceil_div(p.batch, gemv_most_in_grid);
  set_prefetch(plan, is_plain(p) && single_prefetch_pays(plan), g.tiles * g.splits);  // until the device is known
  plan.workspace_bytes = static_cast<std::size_t>((g.splits - 1) * g.tiles * bytes);
  // The sums of each thread (gemv_n) or warp (gemv_t); behind them room to add them up.
  const std::int64_t parts =
      is_n(plan) ? plan.threads * vector_length(p) : plan.threads / std::min(g.lanes, 32) * kernels::gemv_t_bundle;
  plan.shared_bytes = static_cast<std::size_t>((parts + plan.threads) * size_of_sum(p));
  return plan;
}

// The sums of each tile by a cluster of as many blocks as have terms: few leave none for some. In front of a block's
// sums lie the parts of the others.
void share_terms(Plan& plan, std::int64_t terms, std::int64_t cluster, std::int64_t sums) {
  GemvParams& g = params<GemvParams>(plan);
  for (g.splits = cluster; !has_terms_for(g.splits, terms);) g.splits /= 2;
  g.chunk = ceil_div(terms, g.splits);
  const std::int64_t others = g.splits - 1, word = others > 0 ? kernels::cluster_word_bytes : 0;
  plan.shared_bytes = static_cast<std::size_t>(word + (sums + others * outputs(plan)) * size_of_sum(plan.problem));
}

// The kernel gemv_flat divides by multiplication, which is exact for numbers below this.
constexpr std::int64_t small = std::int64_t{1} << 16;
constexpr std::int64_t most_shared_bytes_of_flat = 48 << 10;

// Vectors of a run of elements at the worst of its offsets.
std::int64_t vectors_of(const Problem& p, std::int64_t elements) {
  const std::int64_t v = vector_length(p);
  return ceil_div(elements + v - 1, v);
}

// A block has so many outputs.
std::int64_t vectors_of_flat(const Problem& p, std::int64_t outputs) {
  return vectors_of(p, outputs / flat(p).outputs_of_unit * flat(p).unit);
}

// The elements of a block, behind them its products' x.
std::int64_t shared_bytes_of_flat(const Problem& p, std::int64_t outputs) {
  const Flat f = flat(p);
  const std::int64_t products = f.along ? outputs / f.outputs_of_unit : ceil_div(outputs - 1, f.outputs_of_product) + 1;
  return 16 * vectors_of_flat(p, outputs) + products * f.terms * size_of_sum(p);
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

int blocks_of_cluster(const Plan& plan) {
  return may_be_clustered(plan.kernel.variant) ? static_cast<int>(gemv(plan).splits) : 1;
}

int rows_of_small_lane(const Problem& p, std::int64_t groups) {
  constexpr int packed = kernels::gemv_n_small_packed_rows;
  return groups == 1 && size_of(p.type_a) == 2 && p.alignment_a >= 2 * packed && p.lda % packed == 0 &&
                 stored(p).rows % packed == 0
             ? packed
             : 1;
}

bool is_deep(const Problem& p) {
  return kernels::gemv_t_small_is_deep(static_cast<int>(size_of(p.type_a)), static_cast<int>(size_of_sum(p)));
}

int lanes_of_short_gemv(const Problem& p, Loads loads) {
  const std::int64_t of_lane = kernels::gemv_t_short_vectors(loads);
  return static_cast<int>(ceil_power_of_two(ceil_div(vectors_of_column(p), of_lane)));
}

std::int64_t outputs(const Plan& plan) {
  if (plan.kernel.variant == Variant::gemv_n_small)
    return gemv(plan).lanes * rows_of_small_lane(plan.problem, groups(plan));
  return is_n(plan) ? gemv(plan).lanes * vector_length(plan.problem) : groups(plan) * columns_of_group(plan);
}

std::int64_t step_of_short(const Problem& p, std::int64_t lanes) {
  return std::max<std::int64_t>(alignment_classes(p), 32 / lanes);
}

std::int64_t step_of_columns(const Plan& plan) {
  if (plan.kernel.variant == Variant::gemv_t_short) return step_of_short(plan.problem, gemv(plan).lanes);
  const std::int64_t classes = alignment_classes(plan.problem);
  return plan.kernel.variant == Variant::gemv_t_tensor ? classes : std::max<std::int64_t>(groups(plan), classes);
}

// 49 shapes on an H200: with gemv_n it saves 1 to 3 % of nearly
// all; with gemv_t a tenth of small matrices and 3 to 5 % of large ones, and it costs up to 15 % between, or with short
// columns.
bool single_prefetch_pays(const Plan& plan) {
  const double bytes = cost(plan.problem).matrix_bytes;
  return is_n(plan) || bytes < 3.8e6 ||
         (bytes > 3e7 && stored(plan.problem).rows * size_of(plan.problem.type_a) >= 2048);
}

// As long as that is not so much that it disturbs the launch before. Timed at a few shapes.
bool prefetch_pays(const Problem& p) { return cost(p).matrix_bytes <= 12e6; }

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
  return split({.tile = outputs, .tiles = tiles_of_bundles(cols, step, outputs)}, vectors, 8, wished, bytes_of_split);
}

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

Plan gemv_plan(const Problem& p, KernelId kernel, int threads, int lanes) {
  return {.problem = p, .kernel = kernel, .threads = threads, .params = GemvParams{.lanes = lanes}};
}

Plan shape_n(const Problem& p, int threads, int lanes, std::int64_t splits) {
  return shape_split(p, Variant::gemv_n, threads, lanes, splits);
}

Plan shape_t(const Problem& p, int threads, int lanes, std::int64_t splits) {
  return shape_split(p, Variant::gemv_t, threads, lanes, splits);
}

void share_outputs(Plan& plan, std::int64_t most) {
  const Problem& p = plan.problem;
  const Stored s = stored(p);
  GemvParams& g = params<GemvParams>(plan);
  most = std::max<std::int64_t>(most, 1);
  const std::int64_t unit = vectors_fit(p) ? 32 / size_of(p.type_a) : rows_of_small_lane(p, groups(plan));
  const GemvTiles of = s.transposed ? GemvTiles{most, ceil_div(s.cols, most)} : share_rows(s.rows, most, unit);
  g.tile = of.tile;
  g.tiles = of.tiles;
}

Plan shape_small_gemv(const Problem& p, Loads loads, int threads, int lanes, std::int64_t cluster) {
  const Stored s = stored(p);
  Plan plan =
      gemv_plan(p, {s.transposed ? Variant::gemv_t_small : Variant::gemv_n_small, Form::plain, loads}, threads, lanes);
  share_outputs(plan, outputs(plan));
  // gemv_n_small: the sums of every group for every row of the tile and a place more; behind them, where an output has
  // several warps, one for each warp. gemv_t_small: where a group has several warps, the sums of each of them.
  const std::int64_t n = groups(plan);
  std::int64_t sums = 0;
  if (is_n(plan) && n > 1) sums = n * (lanes + 1) + (n > 32 ? threads / 32 : 0);
  if (!is_n(plan) && lanes > 32) sums = lanes / 32 * outputs(plan);
  share_terms(plan, s.transposed ? s.rows : s.cols, cluster, sums);
  return plan;
}

Plan shape_tensor_gemv(const Problem& p, Loads loads, int threads, int lanes, std::int64_t cluster) {
  Plan plan = gemv_plan(p, {Variant::gemv_t_tensor, Form::plain, loads}, threads, lanes);
  GemvParams& g = params<GemvParams>(plan);
  // Each block has columns that start alike.
  const std::int64_t classes = alignment_classes(p);
  g.tile = outputs(plan);
  g.tiles = classes * ceil_div(ceil_div(stored(p).cols, classes), g.tile);
  share_terms(plan, vectors_of_column(p), cluster, threads / 32 * g.tile);  // the sums of each warp
  return plan;
}

Plan shape_short_gemv(const Problem& p, Loads loads, std::int64_t visits) {
  Plan plan = gemv_plan(p, {Variant::gemv_t_short, Form::plain, loads}, kernels::gemv_max_threads,
                        lanes_of_short_gemv(p, loads));
  GemvParams& g = params<GemvParams>(plan);
  const std::int64_t run = step_of_short(p, g.lanes) * columns_of_group(plan);
  g.tile = outputs(plan) * visits;
  g.tiles = ceil_div(ceil_div(stored(p).cols, run) * run, g.tile);
  g.chunk = vectors_of_column(p);
  return plan;
}

const char* why_no_block(int threads, int most_threads, int lanes) {
  if (threads < 32 || threads > most_threads || !std::has_single_bit(static_cast<unsigned>(threads)))
    return most_threads > 256 ? "threads must be a power of two from 32 to 512"
                              : "threads must be a power of two from 32 to 256";
  if (lanes < 1 || lanes > threads || !std::has_single_bit(static_cast<unsigned>(lanes)))
    return "lanes must be a power of two and at most the threads";
  return nullptr;
}

const char* why_not_as_shaped(const Plan& plan, Plan shaped) {
  constexpr const char* other = "its tiles, splits, prefetch or memory do not follow from its threads, lanes and share";
  shaped.backend = plan.backend;
  if (auto* const of = std::get_if<FlatParams>(&shaped.params); of != nullptr) {
    of->prefetch = params<FlatParams>(plan).prefetch;
    if (plan != shaped) return other;
    if (of->blocks < 1 || of->blocks > INT32_MAX) return "a unit is too large for a block, or the blocks are too many";
    return plan.shared_bytes > most_shared_bytes_of_flat ? "a block has more shared memory than there is" : nullptr;
  }
  const Problem& p = plan.problem;
  const Variant variant = plan.kernel.variant;
  const GemvParams& g = gemv(plan);
  GemvParams& of = params<GemvParams>(shaped);
  if (plan.kernel.form == Form::general) shaped.kernel.form = Form::general;
  if (g.products_per_block >= of.products_per_block && g.products_per_block <= p.batch)
    of.products_per_block = g.products_per_block;
  const bool prefetches = is_plain(p) && !has_columns_alike(variant);
  if (prefetches && g.prefetch_blocks >= 0 && g.prefetch_blocks <= INT32_MAX) of.prefetch_blocks = g.prefetch_blocks;
  if (prefetches && g.prefetch_vectors >= 0 && g.prefetch_vectors <= kernels::gemv_n_most_prefetched &&
      (variant == Variant::gemv_n || variant == Variant::gemv_t || variant == Variant::gemv_t_once))
    of.prefetch_vectors = g.prefetch_vectors;
  if (plan != shaped) return other;
  if (g.tile > INT32_MAX || g.tiles * blocks_of_cluster(plan) > INT32_MAX)
    return "the tiles are too many or too large for a grid";
  return plan.workspace_bytes > workspace_limit ? "workspace_bytes passes the limit" : nullptr;
}

bool is_all_aligned(const Plan& plan, const void* x) {
  const Problem& p = plan.problem;
  return gemv(plan).splits == 1 && vectors_fit(p) && stored(p).rows % vector_length(p) == 0 &&
         reinterpret_cast<std::uintptr_t>(x) % 16 == 0;
}

Flat flat(const Problem& p) {
  const Stored s = stored(p);
  if (s.transposed)
    return {.along = false, .unit = s.rows, .outputs_of_unit = 1, .outputs_of_product = s.cols, .terms = s.rows};
  return {
      .along = true, .unit = s.rows * s.cols, .outputs_of_unit = s.rows, .outputs_of_product = s.rows, .terms = s.cols};
}

const char* why_not_flat(const Problem& p) {
  const Stored s = stored(p);
  if (p.batch == 1) return "a single product";
  if (p.accumulate != Accumulate::standard) return "the sums have more digits than usual";
  if (p.pointer_array) return "the matrices lie behind pointers";
  if (p.scalars == Scalars::device) return "the scalars lie on the device";
  if (p.lda != s.rows || p.stride_a != s.rows * s.cols) return "the matrices have gaps";
  const Flat f = flat(p);
  const std::int64_t most_vectors = kernels::gemv_flat_vectors * kernels::gemv_max_threads;
  if (f.unit > small || vectors_of(p, f.unit) > most_vectors / 2) return "the matrices are too large for shared memory";
  if (f.outputs_of_product >= small / 2) return "a product has too many outputs";
  return nullptr;
}

std::int64_t flat_x_offset(const Plan& plan) {
  return 16 * vectors_of_flat(plan.problem, params<FlatParams>(plan).outputs);
}

FlatShape flat_shape(const Problem& p, int threads, std::int64_t bytes) {
  const Flat f = flat(p);
  const std::int64_t v = vector_length(p), vectors = kernels::gemv_flat_vectors * threads;
  std::int64_t units = bytes / (f.unit * size_of(p.type_a));
  units = std::min({units, ((vectors - 1) * v + 1) / f.unit, small / 2 / f.outputs_of_unit, small / 2 / f.terms});
  FlatShape shape;
  for (units = std::max<std::int64_t>(units, 1); units >= 1; units = units == 1 ? 0 : units / 2) {
    shape.outputs = units * f.outputs_of_unit;
    shape.shared_bytes = shared_bytes_of_flat(p, shape.outputs);
    if (shape.shared_bytes <= most_shared_bytes_of_flat) break;
  }
  if (vectors_of_flat(p, shape.outputs) <= vectors)
    shape.blocks = ceil_div(f.outputs_of_product * p.batch, shape.outputs);
  return shape;
}

Plan shape_flat(const Problem& p, int threads, int lanes, std::int64_t bytes) {
  const FlatShape shape = flat_shape(p, threads, bytes);
  return {
      .problem = p,
      .kernel = {.variant = Variant::gemv_flat},
      .threads = threads,
      .params =
          FlatParams{.lanes = lanes, .outputs = shape.outputs, .blocks = shape.blocks, .prefetch = prefetch_pays(p)},
      .shared_bytes = static_cast<std::size_t>(shape.shared_bytes)};
}

}  // namespace onepass
