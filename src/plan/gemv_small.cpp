// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_small.hpp"

#include <algorithm>
#include <bit>

#include "kernels/args.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/registry.hpp"
#include "problem/cost.hpp"
#include "types/elements.hpp"

namespace onepass {
namespace {

const GemvParams& gemv(const Plan& plan) { return params<GemvParams>(plan); }

bool is_n(const Plan& plan) { return plan.kernel.variant == Variant::gemv_n_small; }

std::int64_t groups(const Plan& plan) { return plan.threads / gemv(plan).lanes; }

std::int64_t columns_of_group(const Plan& plan) {
  return kernels::gemv_t_small_columns(plan.kernel.loads, is_deep(plan.problem));
}

std::int64_t most_of_tile(const Plan& plan) {
  return is_n(plan) ? gemv(plan).lanes : groups(plan) * columns_of_group(plan);
}

std::int64_t outputs_of(const Problem& p) { return stored(p).transposed ? stored(p).cols : stored(p).rows; }
std::int64_t terms_of(const Problem& p) { return stored(p).transposed ? stored(p).rows : stored(p).cols; }

// gemv_n_small: the sums of every group for every row of the tile and a place more; behind them, where an output has
// several warps, one for each warp. gemv_t_small: where a group has several warps, the sums of each of them. In front
// of them, the parts of the other blocks of a cluster.
std::size_t shared_bytes(const Plan& plan) {
  const std::int64_t lanes = gemv(plan).lanes, n = groups(plan);
  std::int64_t sums = 0;
  if (is_n(plan) && n > 1) sums = n * (lanes + 1) + (n > 32 ? plan.threads / 32 : 0);
  if (!is_n(plan) && lanes > 32) sums = lanes / 32 * most_of_tile(plan);
  const std::int64_t others = gemv(plan).splits - 1, word = others > 0 ? kernels::cluster_word_bytes : 0;
  return static_cast<std::size_t>(word + (sums + others * most_of_tile(plan)) * size_of_sum(plan.problem));
}

}  // namespace

bool is_deep(const Problem& p) {
  return kernels::gemv_t_small_is_deep(static_cast<int>(size_of(p.type_a)), static_cast<int>(size_of_sum(p)));
}

int blocks_of_cluster(const Plan& plan) {
  return may_be_clustered(plan.kernel.variant) ? static_cast<int>(gemv(plan).splits) : 1;
}

// Many rows of few columns are added up before a prefetch is through.
bool small_prefetch_pays(const Problem& p) {
  constexpr std::int64_t many_rows = 15'000;
  const double bytes = cost(p).matrix_bytes;
  if (stored(p).transposed) return bytes < 1e6;
  return stored(p).rows < many_rows && bytes < (size_of(p.type_a) > 8 ? 2e6 : 4e6);
}

const char* why_not_small_gemv(const Problem& p) {
  constexpr std::int64_t most = std::int64_t{1} << 30;  // rows and columns are counted in 32 bits, some ahead
  if (!is_plain(p)) return "a batch, or scalars on the device";
  if (stored(p).transposed && size_of(p.type_a) == 2) return "dot products of two-byte elements one by one";
  const Variant variant = stored(p).transposed ? Variant::gemv_t_small : Variant::gemv_n_small;
  if (!find_kernel({variant, Form::plain, Loads::many})->serves(elements_of(p)))
    return "the sums have more digits than usual";
  if (p.m > most || p.n > most) return "the matrix is too large";
  return nullptr;
}

void share_outputs(const Problem& p, std::int64_t most, GemvParams* g) {
  const std::int64_t outputs = outputs_of(p);
  g->tile = std::max<std::int64_t>(most, 1);
  g->tiles = ceil_div(outputs, g->tile);
  if (stored(p).transposed) return;
  const GemvTiles of = share_rows(outputs, g->tile, vectors_fit(p) ? 32 / size_of(p.type_a) : 1);
  g->tile = of.tile;
  g->tiles = of.tiles;
}

std::string why_illegal_shares(const Plan& plan, std::int64_t most, std::size_t shared_bytes) {
  const Problem& p = plan.problem;
  const GemvParams& g = gemv(plan);
  if (g.tile < 1 || g.tile > most || (stored(p).transposed && g.tile != most)) return "the tile does not fit the lanes";
  if (g.tiles < 1 || g.tiles > INT32_MAX || g.tiles != ceil_div(outputs_of(p), g.tile))
    return "the tiles do not cover the outputs";
  if (g.splits != blocks_of_cluster(plan)) return "nothing is split here";
  if (g.products_per_block != 1) return "the products of a block do not fit the batch";
  if (g.prefetch_blocks < 0 || g.prefetch_blocks > INT32_MAX) return "no device holds so many blocks";
  if (g.prefetch_vectors != 0) return "prefetch_vectors is out of range";
  if (plan.shared_bytes != shared_bytes) return "shared_bytes is wrong";
  if (plan.workspace_bytes != 0) return "workspace_bytes is wrong";
  return "";
}

Plan shape_small_gemv(const Problem& p, Loads loads, int threads, int lanes, int cluster) {
  Plan plan{.problem = p,
            .kernel = {.variant = stored(p).transposed ? Variant::gemv_t_small : Variant::gemv_n_small,
                       .form = Form::plain,
                       .loads = loads},
            .threads = threads,
            .params = GemvParams{.lanes = lanes}};
  GemvParams& g = params<GemvParams>(plan);
  share_outputs(p, most_of_tile(plan), &g);
  // As many blocks as have terms. Few elements leave none for some.
  g.splits = cluster;
  while (g.splits > 1 && ceil_div(terms_of(p), ceil_div(terms_of(p), g.splits)) != g.splits) g.splits /= 2;
  g.chunk = ceil_div(terms_of(p), g.splits);
  plan.shared_bytes = shared_bytes(plan);
  return plan;
}

std::string why_illegal_small_gemv(const Plan& plan) {
  const Problem& p = plan.problem;
  const GemvParams& g = gemv(plan);
  const int threads = plan.threads;
  if (const char* reason = why_not_small_gemv(p); reason != nullptr) return reason;
  if (stored(p).transposed == is_n(plan)) return "the variant sums along the other dimension";
  if (threads < 32 || threads > kernels::gemv_small_max_threads || !std::has_single_bit(static_cast<unsigned>(threads)))
    return "threads must be a power of two from 32 to 512";
  if (g.lanes < 1 || g.lanes > threads || !std::has_single_bit(static_cast<unsigned>(g.lanes)))
    return "lanes must be a power of two and at most the threads";
  if (!is_n(plan) && g.lanes < columns_of_group(plan)) return "too few lanes for the columns of a group";
  if (g.splits < 1 || g.splits > 1 << kernels::gemv_log2_most_cluster ||
      !std::has_single_bit(static_cast<std::uint64_t>(g.splits)))
    return "a cluster must be a power of two of blocks, up to 8";
  if (g.chunk < 1 || g.splits != ceil_div(terms_of(p), g.chunk)) return "the splits do not cover the sum";
  if (g.splits > 1 && !may_be_clustered(plan.kernel, elements_of(p))) return "no cluster sums these types";
  if (g.splits > 1 && (is_n(plan) ? groups(plan) < 2 : g.lanes < 64)) return "lanes that a cluster cannot have";
  return why_illegal_shares(plan, most_of_tile(plan), shared_bytes(plan));
}

}  // namespace onepass
