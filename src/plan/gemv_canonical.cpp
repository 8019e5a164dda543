// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>

#include "kernels/gemv/args.hpp"
#include "numbers/canonical_order.hpp"
#include "plan/gemv.hpp"
#include "plan/gemv_shape.hpp"
#include "problem/cost.hpp"

namespace onepass {
namespace {

constexpr int most_threads = kernels::gemv_max_threads, most_small_threads = kernels::gemv_small_max_threads;

bool is_n(const Problem& p) { return !stored(p).transposed; }
bool is_small(Variant variant) {
  return variant == Variant::gemv_n_small_canonical || variant == Variant::gemv_t_small_canonical;
}
bool is_power(std::int64_t v) { return v > 0 && std::has_single_bit(static_cast<std::uint64_t>(v)); }
std::int64_t chunks_of(const Problem& p) { return ceil_div(length_x(p), canonical::chunk); }
bool is_one_chunk(const Problem& p) { return chunks_of(p) <= 1; }

// Nodes of the tree of a chunk of which a thread or warp has some: units, or the chunk itself.
std::int64_t nodes_of_chunk(const Problem& p, const CanonicalLaunch& c) {
  const auto size = static_cast<std::size_t>(size_of(p.type_a));
  const int log2_units =
      kernels::canonical_log2_units(kernels::canonical_log2_terms(stored(p).cols),
                                    kernels::canonical_n_log2_in_flight(!is_small(c.variant), c.loads, size));
  return is_n(p) ? std::int64_t{1} << log2_units : 1;
}
std::int64_t nodes_of_sum(const Problem& p, const CanonicalLaunch& c) { return chunks_of(p) * nodes_of_chunk(p, c); }
// Those of a thread or warp at most: of units whose columns start at one offset from a 16-byte boundary.
std::int64_t most_nodes(const Problem& p, const CanonicalLaunch& c) {
  const std::int64_t classes = alignment_classes(p);
  return !is_n(p) || is_small(c.variant) || classes == 1
             ? kernels::canonical_most_units
             : std::min(nodes_of_chunk(p, c) / classes, kernels::canonical_most_units);
}
int most_columns(const Problem& p) {
  return kernels::canonical_t_most_columns(is_one_chunk(p), static_cast<std::size_t>(size_of(p.type_a)));
}

// Null, or why a variant cannot serve a problem, however it is launched.
const char* why_not_served(Variant variant, const Problem& p) {
  if (p.order != Order::canonical) return "no canonical order is asked for";
  if (stored(p).transposed != sums_along_columns(variant))
    return stored(p).transposed ? "the outputs lie across the contiguous dimension of A"
                                : "the outputs lie along the contiguous dimension of A";
  return is_small(variant) && !is_plain(p) ? "a batch, or scalars on the device" : nullptr;
}

// As many units to a thread as leave a block for each SM. Its groups have all of a sum if that can be; or they are
// wider than high, as the matrix is.
//
// Small matrices, from timings on an H200, 500 shapes of s and d: as many units as leave no more threads than the
// device holds. Few loads of a chunk; of more chunks, or very many rows, 32 registers of them: with a thread for each
// row s 94089x68 takes 9.3 us, and 12.4 in vectors. Beyond that the bus is what counts, and vectors fill it with fewer
// instructions.
CanonicalLaunch launch_n(const Problem& p, const DeviceTraits& traits) {
  const std::int64_t size = size_of(p.type_a), rows = stored(p).rows, cols = stored(p).cols, sms = traits.sm_count;
  const bool has_many_rows = is_one_chunk(p) && rows > (cols <= 64 ? 12000 : 20000) && size <= 8;
  const bool small = is_plain(p) && sms >= 64 && cols <= 2048 && (cols <= 1024 || rows <= 256) &&
                     (cost(p).matrix_bytes <= (size == 8 ? 10e6 : 4e6) || has_many_rows);
  CanonicalLaunch c{.variant = small ? Variant::gemv_n_small_canonical : Variant::gemv_n_canonical,
                    .loads = is_one_chunk(p) && !has_many_rows ? Loads::few : Loads::many};
  const std::int64_t units = nodes_of_sum(p, c), most = small ? most_small_threads : most_threads;
  const std::int64_t vectors = small ? rows : ceil_div(rows, vector_length(p)) + (vectors_fit(p) ? 0 : 1);
  const std::int64_t of_thread = ceil_div(vectors * units * p.batch, (small ? 1024 : most_threads) * sms);
  c.nodes = std::min({ceil_power_of_two(of_thread), ceil_power_of_two(units), most_nodes(p, c)});
  const std::int64_t groups = ceil_power_of_two(ceil_div(units, c.nodes)), whole = most / groups;
  std::int64_t lanes = 4;
  if (small) {
    const std::int64_t least = is_one_chunk(p) ? 8 : 4;
    lanes = std::clamp<std::int64_t>(ceil_power_of_two(ceil_div(rows, 66)), least, has_many_rows ? 128 : 32);
    lanes = std::min(lanes, whole);
  } else {
    while (lanes * lanes < vectors) lanes *= 2;
    lanes = whole >= std::min<std::int64_t>(16, lanes) ? whole : std::min(lanes, most / vector_length(p));
    lanes = std::min(lanes, ceil_power_of_two(vectors));
  }
  c.lanes = static_cast<int>(lanes);
  c.threads = static_cast<int>(std::clamp<std::int64_t>(lanes * groups, 32, most));
  return c;
}

// From timings on an H200, 400 shapes of s and d. One chunk: as many columns to a warp as leave two blocks for each SM,
// but no more than a warp has in flight in a few rounds. With four of them s 26x8443 takes 2.4 us, and 1.65 with
// sixteen; d 68x13674 4.1, and 4.7 with eight.
CanonicalLaunch launch_t(const Problem& p, const DeviceTraits& traits) {
  const std::int64_t size = size_of(p.type_a), rows = stored(p).rows, cols = stored(p).cols;
  const std::int64_t chunks = chunks_of(p), all = ceil_power_of_two(chunks);
  const double bytes = cost(p).matrix_bytes;
  const bool small = is_plain(p) && traits.sm_count >= 64 && rows <= 16384 && cols >= (rows > 8192 ? 60 : 16) &&
                     bytes <= (size == 4 ? 45e6 : 25e6);
  CanonicalLaunch c{.variant = Variant::gemv_t_canonical, .threads = 128};
  std::int64_t warps = 1;
  if (is_one_chunk(p)) {
    const double most_bytes = size == 4 || bytes < 15e6 ? 4096 : 6144;
    const std::int64_t wanted = ceil_div(cols * p.batch, 8 * std::int64_t{traits.sm_count});
    const auto pays = [&](int columns) {
      return columns < 2 * wanted && static_cast<double>(columns * rows * size) <= most_bytes;
    };
    for (c.columns = 2; 2 * c.columns <= most_columns(p) && pays(2 * c.columns);) c.columns *= 2;
    c.lanes = rows <= 16 ? 16 : 32;
    return c;
  }
  if (small) {
    // Whole sums in a block: a warp for each chunk, or from a few MB on blocks of fewer warps. Two columns of a warp
    // share x, but not where the bus has pauses for more blocks to fill.
    c.variant = Variant::gemv_t_small_canonical;
    warps = std::min<std::int64_t>(all, bytes < 8e6 ? 16 : std::max<std::int64_t>(all / 4, 4));
    c.nodes = all / warps;
    c.loads = (size == 4 ? bytes < 7e5 : cols <= 60 || bytes >= 3e6) ? Loads::few : Loads::many;
    if (bytes < 8e6) c.threads = 256;
  } else {
    // Blocks share sums. Where that leaves four warps for each SM, chunks come one after the other: idle warps are
    // worse than long loops.
    c.columns = most_columns(p);
    const std::int64_t bundles = ceil_div(cols, c.columns) * p.batch;
    const bool has_many = bundles * ceil_div(chunks, 8) >= 4 * std::int64_t{traits.sm_count};
    if (!has_many || chunks > 64) warps = std::min<std::int64_t>(all, 4);
    if (has_many) c.nodes = chunks > 64 ? 2 : std::min<std::int64_t>(all, 8);
  }
  c.lanes = static_cast<int>(32 * warps);
  c.threads = std::max(c.threads, c.lanes);
  return c;
}

CanonicalLaunch launch_for(const Problem& p, const DeviceTraits& traits) {
  CanonicalLaunch c = is_n(p) ? launch_n(p, traits) : launch_t(p, traits);
  // Of very long sums blocks have more, until their number is legal.
  for (;;) {
    const Plan plan = shape_canonical(p, c);
    const std::int64_t splits = params<GemvParams>(plan).splits;
    if (splits <= kernels::canonical_most_splits && plan.workspace_bytes <= workspace_limit) return c;
    if (c.nodes < most_nodes(p, c))
      c.nodes *= 2;
    else if (c.lanes > 1 && is_n(p))
      c.lanes /= 2;
    else if (c.lanes < most_threads && !is_n(p))
      c.threads = std::max(c.threads, c.lanes *= 2);
    else
      return c;
  }
}

}  // namespace

const char* decline_canonical(Variant variant, const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = why_not_served(variant, p); reason != nullptr) return reason;
  if (launch_for(p, traits).variant == variant) return nullptr;
  return is_small(variant) ? "the matrix is too large for blocks with whole sums, or they would be too few"
                           : "the matrix is small enough for blocks with whole sums";
}

Plan shape_canonical(const Problem& p, const CanonicalLaunch& c) {
  const bool n = is_n(p), small = is_small(c.variant), has_few_terms = n ? stored(p).cols <= 128 : is_one_chunk(p);
  const Loads loads = small ? c.loads : has_few_terms ? Loads::few : Loads::many;
  const std::int64_t groups = c.threads / c.lanes, rows = small ? 1 : vector_length(p);  // of a thread
  const std::int64_t columns = small ? kernels::canonical_t_small_columns(loads) : c.columns;
  Plan plan{.problem = p,
            .kernel = {c.variant, is_plain(p) ? Form::plain : Form::general, loads},
            .threads = c.threads,
            .params = GemvParams{.lanes = c.lanes}};
  GemvParams& g = params<GemvParams>(plan);
  const std::int64_t outputs = n ? c.lanes * rows : groups * columns;
  g.tile = n ? rows_in_lanes(rows, rows == 1 || vectors_fit(p), c.lanes) : outputs;
  g.tiles = ceil_div(length_y(p), g.tile);
  g.splits = ceil_div(nodes_of_sum(p, c), c.nodes * (n ? groups : std::max(c.lanes / 32, 1)));
  g.chunk = c.nodes;
  g.products_per_block = std::max<std::int64_t>(ceil_div(p.batch, gemv_most_in_grid), 1);
  if (is_plain(p)) g.prefetch_blocks = INT32_MAX;  // until the device is known
  // The sums of threads or warps; behind them a place for each thread.
  const std::int64_t parts = !n ? std::max(c.threads / 32, 1) * columns : rows > 1 ? c.threads * rows : 0;
  plan.shared_bytes = static_cast<std::size_t>((parts + c.threads) * size_of(p.type_a));
  std::int64_t bytes = 0;
  plan.workspace_bytes = __builtin_mul_overflow(g.tiles * p.batch * outputs * size_of(p.type_a), g.splits - 1, &bytes)
                             ? SIZE_MAX
                             : static_cast<std::size_t>(bytes);
  return plan;
}

Plan plan_canonical(const Problem& p, const DeviceTraits& traits) {
  Plan plan = shape_canonical(p, launch_for(p, traits));
  const bool pays = plan.kernel.variant == Variant::gemv_n_canonical || cost(p).matrix_bytes < (is_n(p) ? 4e6 : 3e6);
  if (is_plain(p)) params<GemvParams>(plan).prefetch_blocks = pays ? prefetching_blocks(plan, traits) : 0;
  return plan;
}

std::string why_illegal_canonical(const Plan& plan) {
  const Problem& p = plan.problem;
  const GemvParams& g = params<GemvParams>(plan);
  const Variant variant = plan.kernel.variant;
  const bool small = is_small(variant), few = plan.kernel.loads == Loads::few;
  const char* reason = why_not_served(variant, p);
  if (reason == nullptr) reason = why_no_block(plan.threads, small ? most_small_threads : most_threads, g.lanes);
  if (reason != nullptr) return reason;
  if (g.tile < 1 || g.tile > 4096) return "the tile does not fit the lanes";
  const CanonicalLaunch c{.variant = variant,
                          .loads = plan.kernel.loads,
                          .threads = plan.threads,
                          .lanes = g.lanes,
                          .columns = static_cast<int>(g.tile * g.lanes / plan.threads),
                          .nodes = g.chunk};
  if (!is_power(c.nodes) || c.nodes > most_nodes(p, c))
    return "the chunk must be a power of two, and of columns that start alike";
  if (!is_n(p) && c.lanes < (stored(p).rows <= 16 && !small ? 16 : 32)) return "a warp is needed for a column";
  if (!is_n(p) && !small) {
    if (!is_power(c.columns) || c.columns < 2 || c.columns > most_columns(p))
      return "a bundle has 2 columns, or 4, or of one chunk up to 16";
    if (is_one_chunk(p) && (c.lanes > 32 || c.nodes > 1)) return "one chunk is for one warp";
  }
  if (reason = why_not_as_shaped(plan, shape_canonical(p, c)); reason != nullptr) return reason;
  if (g.splits > (small || few ? 1 : kernels::canonical_most_splits)) return "the splits are too many";
  if (g.splits > 1 && is_n(p) && c.lanes * vector_length(p) > c.threads) return "a split has more outputs than threads";
  return "";
}

}  // namespace onepass
