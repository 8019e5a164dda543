// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/symv_small.hpp"

#include <bit>

#include "kernels/symv_args.hpp"
#include "plan/gemv_shape.hpp"

namespace onepass {
namespace {

constexpr std::int64_t side = kernels::symv_small_side;

// x and the sums of each warp.
std::size_t shared_bytes(const Plan& plan) {
  const std::int64_t vectors = small_products(plan) * (1 + small_warps(plan));
  return static_cast<std::size_t>(vectors * small_strips(plan.problem) * side * size_of_sum(plan.problem.type_a));
}

bool known_early(const Problem& p) { return !p.pointer_array && p.scalars == Scalars::host; }

}  // namespace

std::int64_t small_strips(const Problem& p) { return ceil_div(p.n, side); }

std::int64_t small_pieces(const Problem& p) {
  return small_strips(p) * (small_strips(p) + 1) / 2 *
         kernels::symv_small_pieces(static_cast<int>(size_of_sum(p.type_a)));
}

std::int64_t small_products(const Plan& plan) { return plan.tile / plan.problem.n; }

std::int64_t small_warps(const Plan& plan) { return plan.threads / side / small_products(plan); }

const char* why_not_small(const Problem& p) {
  if (p.n > kernels::symv_small_max_strips * side) return "the matrices are too large for one block";
  if (p.lda > INT32_MAX / size_of(p.type_a)) return "the columns lie too far apart";
  return nullptr;
}

Plan shape_small(const Problem& p, std::int64_t warps, std::int64_t products) {
  Plan plan{.problem = p,
            .variant = Variant::symv_small,
            .threads = static_cast<int>(products * warps * side),
            .lanes = static_cast<int>(side),
            .tile = products * p.n,
            .tiles = ceil_div(p.batch, products),
            .chunk = ceil_div(small_pieces(p), warps)};
  plan.prefetch = known_early(p) && prefetch_pays(p);
  plan.shared_bytes = shared_bytes(plan);
  return plan;
}

std::string why_illegal_small(const Plan& plan) {
  const Problem& p = plan.problem;
  if (const char* reason = why_not_small(p); reason != nullptr) return reason;
  if (plan.threads < side || plan.threads > kernels::symv_small_max_threads || plan.threads % side != 0)
    return "threads must be a multiple of 32 from 32 to 288";
  if (plan.lanes != side) return "lanes must be 32";
  const std::int64_t products = plan.tile / p.n;
  if (plan.tile < 1 || plan.tile % p.n != 0 || !std::has_single_bit(static_cast<std::uint64_t>(products)))
    return "the tile must be one product or a power of two of them";
  if (plan.threads / side % products != 0) return "the products of a tile have different numbers of warps";
  if (small_warps(plan) < small_strips(p)) return "threads leave too few warps for a product";
  if (plan.tiles < 1 || plan.tiles > INT32_MAX || plan.tiles != ceil_div(p.batch, products))
    return "the tiles do not cover the batch";
  if (plan.chunk != ceil_div(small_pieces(p), small_warps(plan))) return "the chunks do not cover the pieces";
  if ((small_warps(plan) - 1) * plan.chunk >= small_pieces(p)) return "a warp has no piece";
  if (plan.splits != 1 || plan.combine != Combine::none || plan.workspace_bytes != 0) return "nothing is split here";
  if (plan.prefetch && !known_early(p)) return "what lies behind pointers cannot be asked for early";
  if (plan.shared_bytes != shared_bytes(plan)) return "shared_bytes is wrong";
  return "";
}

}  // namespace onepass
