// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_short.hpp"

#include <algorithm>
#include <bit>

#include "kernels/args.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/registry.hpp"

namespace onepass {
namespace {

constexpr int threads = kernels::gemv_max_threads;

// Outputs of a block at a time.
std::int64_t columns_of_block(const Plan& plan) {
  return plan.threads / params<GemvParams>(plan).lanes * kernels::gemv_t_short_columns(plan.kernel.loads);
}

// Columns as the tiles count them: groups of different classes side by side, each with the columns of a visit.
std::int64_t columns_to_cover(const Plan& plan) {
  const std::int64_t run = alignment_classes(plan.problem) * kernels::gemv_t_short_columns(plan.kernel.loads);
  return ceil_div(stored(plan.problem).cols, run) * run;
}

}  // namespace

int lanes_of_short_gemv(const Problem& p, Loads loads) {
  const std::int64_t of_lane = kernels::gemv_t_short_vectors(loads);
  return static_cast<int>(std::max<std::int64_t>(ceil_power_of_two(ceil_div(vectors_of_column(p), of_lane)),
                                                 kernels::gemv_t_short_columns(loads)));
}

const char* why_not_short_gemv(const Problem& p) {
  constexpr std::int64_t most = std::int64_t{1} << 29;  // columns are counted in 32 bits, some ahead
  if (!is_plain(p)) return "a batch, or scalars on the device";
  if (!find_kernel({Variant::gemv_t_short, Form::plain, Loads::many})->serves(elements_of(p)))
    return "the sums have more digits than usual";
  if (stored(p).rows < vector_length(p)) return "the columns are shorter than a vector";
  if (lanes_of_short_gemv(p, Loads::many) > 32) return "the columns are too long for a warp";
  return stored(p).cols > most ? "the matrix is too large" : nullptr;
}

std::int64_t visits_of_short_gemv(const Plan& plan) { return params<GemvParams>(plan).tile / columns_of_block(plan); }

Plan shape_short_gemv(const Problem& p, Loads loads, std::int64_t visits) {
  Plan plan{.problem = p,
            .kernel = {.variant = Variant::gemv_t_short, .form = Form::plain, .loads = loads},
            .threads = threads,
            .params = GemvParams{.lanes = lanes_of_short_gemv(p, loads)}};
  GemvParams& g = params<GemvParams>(plan);
  g.tile = columns_of_block(plan) * visits;
  g.tiles = ceil_div(columns_to_cover(plan), g.tile);
  g.chunk = vectors_of_column(p);
  return plan;
}

std::string why_illegal_short_gemv(const Plan& plan) {
  const Problem& p = plan.problem;
  const GemvParams& g = params<GemvParams>(plan);
  if (const char* reason = why_not_short_gemv(p); reason != nullptr) return reason;
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
