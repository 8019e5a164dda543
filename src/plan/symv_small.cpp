// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/symv_small.hpp"

#include <bit>

#include "kernels/symv_args.hpp"
#include "plan/gemv_shape.hpp"
#include "types/elements.hpp"

namespace onepass {
namespace {

constexpr std::int64_t side = kernels::symv_small_side;

// x and the sums of each warp.
std::size_t shared_bytes(const Plan& plan) {
  const std::int64_t vectors = params<SymvSmallParams>(plan).products * (1 + small_warps(plan));
  return static_cast<std::size_t>(vectors * small_strips(plan.problem) * side * size_of_sum(plan.problem));
}

// Before the grid-dependency wait.
bool addresses_are_known(const Problem& p) { return !p.pointer_array && p.scalars == Scalars::host; }

}  // namespace

std::int64_t small_strips(const Problem& p) { return ceil_div(p.n, side); }

std::int64_t small_pieces(const Problem& p) {
  return small_strips(p) * (small_strips(p) + 1) / 2 * kernels::symv_small_pieces(static_cast<int>(size_of_sum(p)));
}

std::int64_t small_warps(const Plan& plan) { return plan.threads / side / params<SymvSmallParams>(plan).products; }

const char* why_not_small(const Problem& p) {
  if (p.n > kernels::symv_small_max_strips * side) return "the matrices are too large for one block";
  if (p.lda > INT32_MAX / size_of(p.type_a)) return "the columns lie too far apart";
  if (p.order == Order::canonical) return "its order of sums is another";
  if (p.accumulate != Accumulate::standard) return "the sums have more digits than usual";
  return nullptr;
}

const char* why_not_vectors(const Problem& p) {
  if (p.type_a != Type::s) return "vectors are faster than elements of four bytes only";
  if (!vectors_fit(p)) return "not every column starts on a 16-byte boundary";
  if (p.n % vector_length(p) != 0) return "columns do not end on a 16-byte boundary";
  return nullptr;
}

Plan shape_small(const Problem& p, std::int64_t warps, std::int64_t products, Variant variant) {
  Plan plan{.problem = p,
            .kernel = {.variant = variant},
            .threads = static_cast<int>(products * warps * side),
            .params = SymvSmallParams{.products = products,
                                      .blocks = ceil_div(p.batch, products),
                                      .pieces = ceil_div(small_pieces(p), warps),
                                      .prefetch = addresses_are_known(p) && prefetch_pays(p)}};
  plan.shared_bytes = shared_bytes(plan);
  return plan;
}

std::string why_illegal_small(const Plan& plan) {
  const Problem& p = plan.problem;
  const SymvSmallParams& shape = params<SymvSmallParams>(plan);
  if (const char* reason = why_not_small(p); reason != nullptr) return reason;
  if (const char* reason = why_not_vectors(p); plan.kernel.variant == Variant::symv_small_vectors && reason != nullptr)
    return reason;
  if (plan.threads < side || plan.threads > kernels::symv_small_max_threads || plan.threads % side != 0)
    return "threads must be a multiple of 32 from 32 to 288";
  if (shape.products < 1 || !std::has_single_bit(static_cast<std::uint64_t>(shape.products)))
    return "the products of a block must be a power of two";
  if (plan.threads / side % shape.products != 0) return "the products of a block have different numbers of warps";
  if (small_warps(plan) < small_strips(p)) return "threads leave too few warps for a product";
  if (shape.blocks < 1 || shape.blocks > INT32_MAX || shape.blocks != ceil_div(p.batch, shape.products))
    return "the blocks do not cover the batch";
  if (shape.pieces != ceil_div(small_pieces(p), small_warps(plan))) return "the warps do not cover the pieces";
  if ((small_warps(plan) - 1) * shape.pieces >= small_pieces(p)) return "a warp has no piece";
  if (plan.workspace_bytes != 0) return "nothing is split here";
  if (shape.prefetch && !addresses_are_known(p)) return "what lies behind pointers cannot be prefetched";
  if (plan.shared_bytes != shared_bytes(plan)) return "shared_bytes is wrong";
  return "";
}

}  // namespace onepass
