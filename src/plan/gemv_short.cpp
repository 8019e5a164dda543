// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_short.hpp"

#include <algorithm>
#include <bit>

#include "kernels/args.hpp"
#include "plan/gemv_large.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/occupancy.hpp"
#include "plan/registry.hpp"
#include "problem/cost.hpp"
#include "tuning/lookup.hpp"

namespace onepass {
namespace {

constexpr int threads = kernels::gemv_max_threads;

// As few lanes as cover a column, and at least one for each column in flight.
std::int64_t lanes_of(const Problem& p, Loads loads) {
  const std::int64_t of_lane = kernels::gemv_t_short_vectors(loads);
  return std::max<std::int64_t>(ceil_power_of_two(ceil_div(vectors_of_column(p), of_lane)),
                                kernels::gemv_t_short_columns(loads));
}

// Outputs of a block at a time.
std::int64_t columns_of_block(const Plan& plan) {
  return plan.threads / params<GemvParams>(plan).lanes * kernels::gemv_t_short_columns(plan.kernel.loads);
}

// Columns as the tiles count them: groups of different classes side by side, each with the columns of a visit.
std::int64_t columns_to_cover(const Plan& plan) {
  const std::int64_t run = alignment_classes(plan.problem) * kernels::gemv_t_short_columns(plan.kernel.loads);
  return ceil_div(stored(plan.problem).cols, run) * run;
}

const char* why_impossible(const Problem& p) {
  constexpr std::int64_t most = std::int64_t{1} << 29;  // columns are counted in 32 bits, some ahead
  if (!is_plain(p)) return "a batch, or scalars on the device";
  if (!find_kernel({Variant::gemv_t_short, Form::plain, Loads::many})->serves(elements_of(p)))
    return "the sums have more digits than usual";
  if (stored(p).rows < vector_length(p)) return "the columns are shorter than a vector";
  if (lanes_of(p, Loads::many) > 32) return "the columns are too long for a warp";
  return stored(p).cols > most ? "the matrix is too large" : nullptr;
}

}  // namespace

const char* why_no_short_gemv(const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = why_impossible(p); reason != nullptr) return reason;
  // On an H200 columns of three vectors and more take 0.6 to 0.95 of the time of gemv_t, alone, but for those of 16 and
  // fewer elements that leave no lane of gemv_t without work, which take up to 1.06.
  if (vectors_of_column(p) < 3) return "the columns have fewer than three vectors";
  if (size_of(p.type_a) > 2 && cost(p).matrix_bytes < 24e6) return "the matrix is not large";  // not measured
  // Whole columns in a round of gemv_t_once are faster: z 55x305799 takes 0.96 of the time on an H200.
  if (size_of(p.type_a) == 16 &&
      4 * kernels::gemv_t_short_vectors(Loads::many) * lanes_of(p, Loads::many) > 5 * vectors_of_column(p) &&
      large_gemv_t(p, traits))
    return "too many lanes have no vector";
  // A block on every fourth SM.
  const Plan plan = plan_short_gemv(p, traits);
  if (stored(p).cols < 2000 || 4 * stored(p).cols < columns_of_block(plan) * traits.sm_count)
    return "the columns are too few for the device";
  return is_gemv_of_user(traits, p) ? "the user's table has a launch" : nullptr;
}

// One vector of a lane where that leaves no more lanes without work than three do, or where three would leave fewer
// than eight lanes. Blocks visit columns as long as the device holds them all, once or, of large matrices, twice: x is
// converted once. Of more than two bytes an element more and shorter visits are 1 to 3 % faster on an H200, from 64 MB
// on with one vector and from 200 MB on with three. Share of the floor in a queue: b 55 to 645 rows 0.93 to 0.98 at 100
// MB, s and d 24 to 68 rows 0.91 to 0.96, 110 to 350 rows 0.95 to 1.02, where gemv_t and gemv_t_once have 0.68 to 0.93.
Plan plan_short_gemv(const Problem& p, const DeviceTraits& traits) {
  const auto slots = [&](Loads loads) { return lanes_of(p, loads) * kernels::gemv_t_short_vectors(loads); };
  const bool one = lanes_of(p, Loads::few) <= 32 &&
                   (20 * slots(Loads::few) <= 21 * slots(Loads::many) || lanes_of(p, Loads::many) < 8);
  const Loads loads = one ? Loads::few : Loads::many;
  Plan plan{.problem = p,
            .kernel = {.variant = Variant::gemv_t_short, .form = Form::plain, .loads = loads},
            .threads = threads,
            .params = GemvParams{.lanes = static_cast<int>(lanes_of(p, loads))}};
  GemvParams& g = params<GemvParams>(plan);
  const std::int64_t at_a_time = columns_of_block(plan), visits = ceil_div(columns_to_cover(plan), at_a_time);
  const double bytes = cost(p).matrix_bytes;
  const bool half = size_of(p.type_a) == 2;
  const int many = half ? 2 : one ? 6 : 4, waves = bytes < (one ? (half ? 2e8 : 64e6) : (half ? 6e8 : 2e8)) ? 1 : many;
  const std::int64_t blocks = waves * std::max<std::int64_t>(blocks_of_wave(plan, traits), 1);
  g.tile = at_a_time * ceil_div(visits, blocks);
  g.tiles = ceil_div(columns_to_cover(plan), g.tile);
  g.chunk = vectors_of_column(p);
  return plan;
}

std::string why_illegal_short_gemv(const Plan& plan) {
  const Problem& p = plan.problem;
  const GemvParams& g = params<GemvParams>(plan);
  if (const char* reason = why_impossible(p); reason != nullptr) return reason;
  if (!stored(p).transposed) return "the variant sums along the other dimension";
  if (plan.threads != threads) return "threads must be 256";
  if (g.lanes < kernels::gemv_t_short_columns(plan.kernel.loads) || g.lanes > 32 ||
      !std::has_single_bit(static_cast<unsigned>(g.lanes)) ||
      g.lanes * kernels::gemv_t_short_vectors(plan.kernel.loads) < vectors_of_column(p))
    return "the lanes do not cover a column";
  if (g.tile < 1 || g.tile > INT32_MAX || g.tile % columns_of_block(plan) != 0)
    return "the tile does not fit the lanes";
  if (g.tiles < 1 || g.tiles > INT32_MAX || g.tiles != ceil_div(columns_to_cover(plan), g.tile))
    return "the tiles do not cover the outputs";
  if (g.splits != 1 || g.chunk != vectors_of_column(p)) return "nothing is split here";
  if (g.products_per_block != 1) return "the products of a block do not fit the batch";
  if (g.prefetch_blocks != 0 || g.prefetch_vectors != 0) return "nothing is prefetched here";
  if (plan.shared_bytes != 0) return "shared_bytes is wrong";
  if (plan.workspace_bytes != 0) return "workspace_bytes is wrong";
  return "";
}

}  // namespace onepass
