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

// Where a thread has no more vectors than that: 97 % of such shapes were fastest so on an H200. And where few
// registers let more threads in.
bool few_loads_pay(const Plan& plan) {
  if (is_accurate(plan.problem)) return false;
  const std::int64_t size = size_of(plan.problem.type_a), vectors = vectors_of_thread(plan);
  if (is_n(plan)) return vectors <= kernels::gemv_n_in_flight(Loads::few) || (size == 16 && vectors > 8);
  const bool large = cost(plan.problem).matrix_bytes > 4e6 * static_cast<double>(plan.problem.batch);
  return vectors <= kernels::gemv_t_in_flight(Loads::few) || (size == 2 && vectors <= 8 && large);
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

Plan shaped(Plan plan, std::int64_t splits) {
  const Problem& p = plan.problem;
  GemvParams& g = params<GemvParams>(plan);
  fit_grid(plan);
  g.tile = most_outputs_of_tile(plan);
  g.tiles = ceil_div(outputs_to_cover(plan), g.tile);
  // Equal shares: tiles of equal height, on sectors where the columns are.
  if (is_n(plan)) {
    const std::int64_t unit = vectors_should_fit(p) ? std::max<std::int64_t>(32 / size_of(p.type_a), 1) : 1;
    g.tile = std::min(g.tile, ceil_div(ceil_div(stored(p).rows, g.tiles), unit) * unit);
    g.tiles = ceil_div(stored(p).rows, g.tile);
  }
  const std::int64_t length = terms(plan), unit = is_n(plan) ? 1 : 8;
  const std::int64_t room =
      static_cast<std::int64_t>(workspace_limit) / (g.tiles * p.batch * outputs(plan) * size_of_sum(p));
  splits = std::min({splits, ceil_div(length, unit), room + 1, most_in_grid});
  if (outputs(plan) > plan.threads) splits = 1;
  splits = std::max<std::int64_t>(splits, 1);
  g.chunk = ceil_div(ceil_div(length, splits), unit) * unit;
  g.splits = ceil_div(length, g.chunk);
  g.products_per_block = ceil_div(p.batch, most_in_grid);
  plan.kernel.form = is_plain(p) ? Form::plain : Form::general;
  plan.kernel.loads = few_loads_pay(plan) ? Loads::few : Loads::many;
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
  const std::int64_t v = vector_length(p);
  return lanes * v - (vectors_should_fit(p) ? 0 : v - 1);
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
int log2_grouped(const Plan& plan) {
  constexpr std::int64_t polled = 2, most_trips = 4;
  const std::int64_t parts = gemv(plan).splits - 1, teams = plan.threads / outputs(plan);
  if (parts <= most_trips * polled * std::max<std::int64_t>(teams, 1)) return 0;
  return (static_cast<int>(std::bit_width(static_cast<std::uint64_t>(parts))) + 1) / 2;  // libstdc++ 12: not an int
}

std::int64_t vectors_of_thread(const Plan& plan) {
  const GemvParams& g = gemv(plan);
  if (is_n(plan)) return ceil_div(g.chunk, plan.threads / g.lanes);
  // A chunk is whole lines; a column may end before.
  return ceil_div(std::min(g.chunk, vectors_of_column(plan.problem)), g.lanes);
}

const char* why_not_once(const Plan& plan) {
  const Problem& p = plan.problem;
  const GemvParams& g = gemv(plan);
  if (!is_plain(p)) return "a batch, or scalars on the device";
  const KernelRow* const kernel = find_kernel({Variant::gemv_t_once, Form::plain, plan.kernel.loads});
  if (!kernel->serves(elements_of(p))) return "the sums have more digits than usual";
  if (p.incx != 1) return "x has gaps";
  if (g.splits != 1) return "its sums are split";
  if (g.lanes < std::max<std::int64_t>(vector_length(p), kernels::gemv_t_bundle)) return "too few lanes for its edges";
  if (vectors_of_column(p) > std::int64_t{kernels::gemv_t_in_flight(plan.kernel.loads)} * g.lanes)
    return "a thread has more vectors of a column than loads in flight";
  return nullptr;
}

void prefer_once(Plan& plan) {
  if (!is_n(plan) && why_not_once(plan) == nullptr) plan.kernel.variant = Variant::gemv_t_once;
}

std::int64_t outputs(const Plan& plan) {
  if (is_n(plan)) return gemv(plan).lanes * vector_length(plan.problem);
  return plan.threads / gemv(plan).lanes * kernels::gemv_t_bundle;
}

std::int64_t bundle_step(const Plan& plan) {
  return std::max<std::int64_t>(plan.threads / gemv(plan).lanes, alignment_classes(plan.problem));
}

bool column_in_one_go(const Plan& plan) { return vectors_of_column(plan.problem) <= gemv(plan).lanes; }

double requested_sectors(const Plan& plan) {
  const Problem& p = plan.problem;
  const std::int64_t size = size_of(p.type_a);
  if ((p.alignment_a >= 32 && p.lda * size % 32 == 0) || column_in_one_go(plan)) return 1;
  // A run of vectors starts in the middle of a sector, every other one or all of them; some of its first and
  // last vector is wanted by a neighbour too.
  const double run = 16.0 * gemv(plan).lanes, cut = p.lda * size % 32 == 0 ? 32 : 16;
  if (!sums_along_columns(plan.kernel.variant)) return (run + cut) / static_cast<double>(gemv(plan).tile * size);
  const double column = static_cast<double>(stored(p).rows * size),
               shared = vectors_fit(p) ? 0 : static_cast<double>(16 - size);
  return (run + cut) / run * (1 + shared / column);
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
