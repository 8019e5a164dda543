// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_wide.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "kernels/args.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/registry.hpp"
#include "problem/cost.hpp"
#include "tuning/lookup.hpp"
#include "types/elements.hpp"

namespace onepass {
namespace {

const GemvParams& gemv(const Plan& plan) { return params<GemvParams>(plan); }

bool is_wide(const Plan& plan) { return plan.kernel.variant == Variant::gemv_n_wide; }

// Terms of a sum that a block can have in flight, in units of the chunk.
std::int64_t most_terms(const Plan& plan) {
  const std::int64_t groups = is_wide(plan) ? plan.threads / gemv(plan).lanes : gemv(plan).lanes;
  return groups * (is_wide(plan) ? kernels::gemv_n_wide_in_flight(plan.kernel.loads)
                                 : kernels::gemv_t_tall_in_flight(plan.kernel.loads));
}
std::int64_t terms(const Plan& plan) {
  return is_wide(plan) ? stored(plan.problem).cols : vectors_of_column(plan.problem);
}
// The columns of a chunk are whole sets of those that start differently.
std::int64_t unit(const Plan& plan) { return is_wide(plan) ? alignment_classes(plan.problem) : 4; }

// Places for the outputs of a tile, and outputs at most.
std::int64_t room(const Plan& plan) {
  return is_wide(plan) ? gemv(plan).lanes * vector_length(plan.problem) : kernels::gemv_t_tall_columns;
}
std::int64_t most_outputs(const Plan& plan) {
  return is_wide(plan) ? rows_in_lanes(plan.problem, gemv(plan).lanes) : kernels::gemv_t_tall_columns;
}
std::int64_t outputs_of_product(const Plan& plan) {
  return is_wide(plan) ? stored(plan.problem).rows : stored(plan.problem).cols;
}

std::size_t workspace_bytes(const Plan& plan) {
  const GemvParams& g = gemv(plan);
  std::int64_t bytes = 0;
  return __builtin_mul_overflow(g.tiles * room(plan) * size_of_sum(plan.problem), g.splits, &bytes)
             ? SIZE_MAX
             : static_cast<std::size_t>(bytes);
}
// Wide: a part for each set of columns of a warp, with room for rows before the tile. Tall: one for each warp.
std::size_t shared_bytes(const Plan& plan) {
  const std::int64_t warps = plan.threads / 32, v = vector_length(plan.problem);
  const std::int64_t parts = is_wide(plan) ? warps * 8 / gemv(plan).lanes : warps;
  return static_cast<std::size_t>(parts * (room(plan) + (is_wide(plan) ? v : 0)) * size_of_sum(plan.problem));
}

Variant variant_of_sums(const Problem& p) { return stored(p).transposed ? Variant::gemv_t_tall : Variant::gemv_n_wide; }

const char* why_impossible(const Problem& p) {
  // Elements are counted in 32 bits, of columns that a block looks ahead to as well.
  constexpr std::int64_t most = std::int64_t{1} << 30, ahead = 4096;
  const Stored s = stored(p);
  if (!is_plain(p)) return "a batch, or scalars on the device";
  if (!find_kernel({variant_of_sums(p), Form::plain, Loads::few})->serves(elements_of(p)))
    return "the elements have more than two bytes, or the sums more digits than usual";
  if (s.transposed && p.incx != 1) return "incx is not 1";
  if (!s.transposed && s.rows < 2 * vector_length(p)) return "the columns are shorter than two vectors";
  const std::int64_t cols = s.cols + (s.transposed ? kernels::gemv_t_tall_columns : ahead);
  if (cols > most / p.lda || (!s.transposed && cols > most / std::abs(p.incx))) return "the matrix is too large";
  return nullptr;
}

// Splits that the lanes which gather poll in one trip; a second one takes 0.8 us.
constexpr std::int64_t most_in_a_trip = 128;

// Sums are shared by a wave of blocks; there is no gain where that is few.
constexpr int fewest_multiprocessors = 64;

// The launches below were timed on an H200, alone and in a queue: 38 shapes of gemv_n_wide and 18 of gemv_t_tall.
// Blocks of the smallest size and with the fewest loads that have a share in flight at once.
Plan plan_in_flight(const Problem& p, std::int64_t splits) {
  Plan plan;
  for (const LongSumsLaunch c : {LongSumsLaunch{Loads::few, 256, splits}, LongSumsLaunch{Loads::few, 512, splits},
                                 LongSumsLaunch{Loads::many, 512, splits}}) {
    plan = shape_long_sums(p, c);
    if (gemv(plan).splits <= splits) break;
  }
  return plan;
}

// One or two tiles have all splits of a trip, more of them a wave of blocks, those that gather among them.
Plan plan_wide(const Problem& p, const DeviceTraits& traits) {
  constexpr std::int64_t to_spare = 12;
  const std::int64_t tiles = gemv(shape_long_sums(p, {})).tiles;
  const std::int64_t blocks = traits.sm_count * (tiles == 2 ? 2 : 1) - to_spare;
  return plan_in_flight(p, std::min(blocks / tiles, most_in_a_trip));
}

// Three vectors of a column in a thread of 256, in 64 blocks and more. Where one trip is too few, as many as it takes.
Plan plan_tall(const Problem& p, const DeviceTraits& traits) {
  constexpr std::int64_t fewest = 64, of_block = 96;
  const std::int64_t most = std::min<std::int64_t>(traits.sm_count, most_in_a_trip);
  const std::int64_t splits = std::clamp(ceil_div(vectors_of_column(p), of_block), fewest, most);
  const Plan plan = plan_in_flight(p, splits);
  return gemv(plan).splits <= splits ? plan : shape_long_sums(p, {Loads::few, 512, splits});
}

const char* why_not_wide(const Problem& p, const DeviceTraits& traits) {
  const Stored s = stored(p);
  if (s.rows > 192) return "there are too many sums";
  if (s.rows * s.cols < 640'000 && (vectors_of_column(p) > 2 || s.cols < 12'000)) return "the sums are too short";
  if (cost(p).matrix_bytes > 6.5e6 || gemv(plan_wide(p, traits)).splits > most_in_a_trip)
    return "the matrix is large enough for blocks with several rounds of loads";
  return nullptr;
}

// Up to 16 columns are a tile. gemv_t_tensor has 17 to 24 in clusters as good as these while they are shorter, and 25
// and more of any length; so it has columns that all start on 16 bytes.
const char* why_not_tall(const Problem& p) {
  const Stored s = stored(p);
  const bool one_tile = s.cols <= kernels::gemv_t_tall_columns;
  if (s.cols < 9 || s.cols > 24) return "there are too few sums, or too many";
  if (s.rows < (one_tile && !vectors_fit(p) ? 35'000 : 80'000)) return "the sums are too short";
  if (s.rows > (one_tile ? 460'000 : 160'000)) return "the sums are too long";
  return nullptr;
}

}  // namespace

Plan shape_long_sums(const Problem& p, const LongSumsLaunch& c) {
  Plan plan{.problem = p,
            .kernel = {.variant = variant_of_sums(p), .form = Form::plain, .loads = c.loads},
            .threads = c.threads,
            .params = GemvParams{}};
  GemvParams& g = params<GemvParams>(plan);
  const std::int64_t vectors = vectors_of_column(p);
  g.lanes = !is_wide(plan) ? c.threads / 8 : vectors <= 2 ? 2 : vectors <= 4 ? 4 : 8;
  g.tiles = ceil_div(outputs_of_product(plan), most_outputs(plan));
  // Equal shares; where columns lie on 16 bytes, tiles do.
  g.tile = !is_wide(plan) || (g.tiles > 1 && vectors_fit(p)) ? most_outputs(plan)
                                                             : ceil_div(outputs_of_product(plan), g.tiles);
  const std::int64_t wished = ceil_div(ceil_div(terms(plan), std::max<std::int64_t>(c.splits, 2)), unit(plan));
  g.chunk = std::min(wished * unit(plan), most_terms(plan));
  g.splits = ceil_div(terms(plan), g.chunk);
  plan.workspace_bytes = workspace_bytes(plan);
  plan.shared_bytes = shared_bytes(plan);
  return plan;
}

const char* why_no_long_sums(const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = why_impossible(p); reason != nullptr) return reason;
  const bool tall = stored(p).transposed;
  if (traits.sm_count < fewest_multiprocessors) return "the device has few multiprocessors";
  if (tall && traits.arch < 80) return "a device without such tensor cores";
  if (const char* reason = tall ? why_not_tall(p) : why_not_wide(p, traits); reason != nullptr) return reason;
  return is_gemv_of_user(traits, p) ? "the user's table has a launch" : nullptr;
}

Plan plan_long_sums(const Problem& p, const DeviceTraits& traits) {
  return stored(p).transposed ? plan_tall(p, traits) : plan_wide(p, traits);
}

int log2_gathering_lanes(const Plan& plan) {
  constexpr std::int64_t polled = 4;
  int lanes = 2;
  while (lanes < 5 && gemv(plan).splits > polled << lanes) ++lanes;
  return lanes;
}

std::int64_t gathering_rows(const Plan& plan) {
  const std::int64_t of_block = kernels::gemv_gathering_threads >> log2_gathering_lanes(plan);
  const std::int64_t tiles = gemv(plan).tiles;
  const std::int64_t fours = tiles == 1 ? ceil_div(outputs_of_product(plan), 4) : tiles * room(plan) / 4;
  return ceil_div(ceil_div(fours, of_block), tiles);
}

std::string why_illegal_long_sums(const Plan& plan) {
  constexpr std::int64_t most_in_grid = 65535;
  const Problem& p = plan.problem;
  const GemvParams& g = gemv(plan);
  if (const char* reason = why_impossible(p); reason != nullptr) return reason;
  if (stored(p).transposed == is_wide(plan)) return "the variant sums along the other dimension";
  if (plan.threads < 256 || plan.threads > 512 || !std::has_single_bit(static_cast<unsigned>(plan.threads)))
    return "threads must be 256 or 512";
  if (is_wide(plan) ? g.lanes != 2 && g.lanes != 4 && g.lanes != 8 : g.lanes != plan.threads / 8)
    return is_wide(plan) ? "lanes must be 2, 4 or 8" : "the lanes do not fit the threads";
  if (g.chunk < 1 || g.chunk > most_terms(plan) || g.chunk % unit(plan) != 0)
    return "the chunk is not in flight at once";
  if (g.splits < 2 || g.splits != ceil_div(terms(plan), g.chunk)) return "the splits do not cover the sum";
  if (g.tile < 1 || g.tile > most_outputs(plan) || (!is_wide(plan) && g.tile != most_outputs(plan)))
    return "the tile does not fit the lanes";
  if (is_wide(plan) && vectors_fit(p) && g.tile < stored(p).rows && g.tile % vector_length(p) != 0)
    return "the tile is not of whole vectors";
  if (g.tiles != ceil_div(outputs_of_product(plan), g.tile) || g.tiles > INT32_MAX / 64)
    return "the tiles do not cover the outputs";
  if (g.products_per_block != 1) return "the products of a block do not fit the batch";
  if (g.prefetch_blocks != 0 || g.prefetch_vectors != 0) return "nothing is prefetched here";
  if (plan.shared_bytes != shared_bytes(plan)) return "shared_bytes is wrong";
  if (plan.workspace_bytes != workspace_bytes(plan)) return "workspace_bytes is wrong";
  if (plan.workspace_bytes > workspace_limit) return "workspace_bytes passes the limit";
  if (g.splits + gathering_rows(plan) > most_in_grid) return "the grid is too large";
  return "";
}

}  // namespace onepass
