// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_tensor.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/args.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/gemv_small.hpp"
#include "plan/registry.hpp"
#include "types/elements.hpp"

namespace onepass {
namespace {

const GemvParams& gemv(const Plan& plan) { return params<GemvParams>(plan); }

std::int64_t groups(const Plan& plan) { return plan.threads / gemv(plan).lanes; }  // of a warp
std::int64_t outputs_of_block(const Plan& plan) {
  return groups(plan) * kernels::gemv_t_tensor_columns(plan.kernel.loads);
}

// Each block has columns that start alike.
std::int64_t tiles(const Plan& plan) {
  const std::int64_t classes = alignment_classes(plan.problem);
  return classes * ceil_div(ceil_div(stored(plan.problem).cols, classes), outputs_of_block(plan));
}

// The sums of each warp; in front of them, the parts of the other blocks of a cluster.
std::size_t shared_bytes(const Plan& plan) {
  const std::int64_t others = gemv(plan).splits - 1, word = others > 0 ? kernels::cluster_word_bytes : 0;
  return static_cast<std::size_t>(word +
                                  (plan.threads / 32 + others) * outputs_of_block(plan) * size_of_sum(plan.problem));
}

}  // namespace

bool is_all_aligned(const Plan& plan, const void* x) {
  const Problem& p = plan.problem;
  return gemv(plan).splits == 1 && vectors_fit(p) && stored(p).rows % vector_length(p) == 0 &&
         reinterpret_cast<std::uintptr_t>(x) % 16 == 0;
}

Plan shape_tensor_gemv(const Problem& p, const TensorLaunch& c) {
  Plan plan{.problem = p,
            .kernel = {.variant = Variant::gemv_t_tensor, .form = Form::plain, .loads = c.loads},
            .threads = c.threads,
            .params = GemvParams{.lanes = c.threads / 32 * c.width}};
  GemvParams& g = params<GemvParams>(plan);
  g.tile = outputs_of_block(plan);
  g.tiles = tiles(plan);
  g.splits = c.cluster;
  const std::int64_t vectors = vectors_of_column(p);
  while (g.splits > 1 && ceil_div(vectors, ceil_div(vectors, g.splits)) != g.splits) g.splits /= 2;
  g.chunk = ceil_div(vectors, g.splits);
  plan.shared_bytes = shared_bytes(plan);
  return plan;
}

const char* why_not_tensor_gemv(const Problem& p) {
  constexpr std::int64_t most = std::int64_t{1} << 29;  // rows and columns are counted in 32 bits, some ahead
  if (!is_plain(p)) return "a batch, or scalars on the device";
  if (!find_kernel({Variant::gemv_t_tensor, Form::plain, Loads::many})->serves(elements_of(p)))
    return "the elements have more than two bytes, or the sums more digits than usual";
  if (p.incx != 1) return "incx is not 1";
  return stored(p).rows > most || stored(p).cols > most ? "the matrix is too large" : nullptr;
}

std::string why_illegal_tensor_gemv(const Plan& plan) {
  const Problem& p = plan.problem;
  const GemvParams& g = gemv(plan);
  if (const char* reason = why_not_tensor_gemv(p); reason != nullptr) return reason;
  if (!stored(p).transposed) return "the variant sums along the other dimension";
  if (plan.threads < 32 || plan.threads > kernels::gemv_max_threads ||
      !std::has_single_bit(static_cast<unsigned>(plan.threads)))
    return "threads must be a power of two from 32 to 256";
  if (g.lanes < 1 || g.lanes > plan.threads || !std::has_single_bit(static_cast<unsigned>(g.lanes)) || groups(plan) > 4)
    return "a warp must have one, two or four groups of lanes";
  if (g.splits < 1 || g.splits > 1 << kernels::gemv_log2_most_cluster ||
      !std::has_single_bit(static_cast<std::uint64_t>(g.splits)))
    return "a cluster must be a power of two of blocks, up to 8";
  if (g.chunk < 1 || g.splits != ceil_div(vectors_of_column(p), g.chunk)) return "the splits do not cover the sum";
  if (g.tile != outputs_of_block(plan)) return "the tile does not fit the lanes";
  if (g.tiles != tiles(plan) || g.tiles * g.splits > INT32_MAX) return "the tiles do not cover the outputs";
  if (g.products_per_block != 1) return "the products of a block do not fit the batch";
  if (g.prefetch_blocks != 0 || g.prefetch_vectors != 0) return "nothing is prefetched here";
  if (plan.shared_bytes != shared_bytes(plan)) return "shared_bytes is wrong";
  if (plan.workspace_bytes != 0) return "workspace_bytes is wrong";
  return "";
}

}  // namespace onepass
