// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_canonical.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/args.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/occupancy.hpp"
#include "problem/canonical_order.hpp"
#include "problem/cost.hpp"

namespace onepass {
namespace {

constexpr std::int64_t most_in_grid = 65535;  // blocks along its second and third dimension

bool is_n(const Problem& p) { return !stored(p).transposed; }

// Nodes of the tree of which a thread or warp has some: units of eight columns, or chunks.
std::int64_t log2_units(const Problem& p) { return 2 + kernels::canonical_log2_terms(stored(p).cols); }
std::int64_t nodes_of_sum(const Problem& p) {
  const std::int64_t chunks = ceil_div(length_x(p), canonical::chunk);
  return is_n(p) ? chunks << log2_units(p) : chunks;
}
// Of those with neighbouring numbers, so many begin at one offset from a 16-byte boundary.
std::int64_t most_nodes(const Problem& p) {
  const std::int64_t classes = alignment_classes(p);
  return !is_n(p) || classes == 1
             ? kernels::canonical_most_units
             : std::min((std::int64_t{1} << log2_units(p)) / classes, kernels::canonical_most_units);
}
// Threads or warps of a block that share a sum.
std::int64_t sharing(const Problem& p, int threads, int lanes) {
  return is_n(p) ? threads / lanes : std::max(lanes / 32, 1);
}
// Columns that a warp sums at once.
bool is_one_chunk(const Problem& p) { return stored(p).rows <= canonical::chunk; }
// Sums that no split shares.
bool has_few_columns(const Problem& p) { return stored(p).cols <= 128; }
// Places for the sums of a block.
std::int64_t outputs_of(const Problem& p, const GemvParams& g) { return is_n(p) ? g.lanes * vector_length(p) : g.tile; }

std::string why_not(const Problem& p, int threads, int lanes, int columns, std::int64_t nodes) {
  const auto is_power = [](std::int64_t v) { return v > 0 && std::has_single_bit(static_cast<std::uint64_t>(v)); };
  if (!is_power(threads) || threads < 32 || threads > kernels::gemv_max_threads)
    return "threads must be a power of two from 32 to 256";
  if (!is_power(lanes) || lanes > threads) return "lanes must be a power of two and at most the threads";
  if (!is_power(nodes) || nodes > most_nodes(p))
    return "the chunk must be a power of two, and of columns that start alike";
  if (is_n(p)) return "";
  if (!is_power(columns) || columns < 2 || columns > (size_of(p.type_a) > 8 ? 8 : 16))
    return "a bundle has 2, 4, 8 or 16 columns";
  if (lanes < (stored(p).rows <= 16 ? 16 : 32)) return "a warp is needed for a column";
  if (is_one_chunk(p) && (lanes > 32 || nodes > 1)) return "one chunk is for one warp";
  if (!is_one_chunk(p) && columns > 4) return "a bundle of several chunks has 2 or 4 columns";
  return "";
}

// launch + combine + (stream^(3/2) + issue^(3/2) + latency^(3/2))^(2/3), as gemv_model.cpp has it; microseconds.
double modelled(const Plan& plan, const DeviceTraits& traits) {
  const Problem& p = plan.problem;
  const GemvParams& g = params<GemvParams>(plan);
  const double sms = traits.sm_count, threads = plan.threads;
  const double blocks = static_cast<double>(g.tiles * g.splits * p.batch), per_sm = blocks / sms;
  const double resident = resident_blocks(plan, traits);
  const double size = static_cast<double>(size_of(p.type_a)), nodes = static_cast<double>(g.chunk);
  const double bandwidth = traits.ceilings.bytes_per_second > 0 ? traits.ceilings.bytes_per_second : 35e9 * sms;
  double rounds = nodes, loads = 8, run = 16.0 * g.lanes;
  if (!is_n(p)) {
    const int columns = static_cast<int>(g.tile * g.lanes / plan.threads);
    const double terms = std::min(8.0, std::ceil(static_cast<double>(stored(p).rows) / 32));
    const double in_flight = kernels::canonical_t_in_flight(static_cast<std::size_t>(size_of(p.type_a)), columns);
    loads = columns * std::ceil(terms / in_flight) * in_flight;
    rounds *= std::ceil(terms / in_flight);
    run = std::min(static_cast<double>(stored(p).rows), static_cast<double>(canonical::chunk)) * size;
  }
  // Columns of neighbouring groups are neighbours where a warp has a chunk.
  if (is_n(p) && g.tiles == 1) run = std::max(run, g.chunk == g.lanes ? 512.0 : run);
  const double requested = is_n(p) ? static_cast<double>(outputs_of(p, g)) / static_cast<double>(g.tile) : 1;
  const double stream = 1e6 * cost(p).matrix_bytes / bandwidth * (1 + 1.03 * 32 / run) * (1 + 0.4 * (requested - 1));
  const double issue = std::ceil(per_sm) * requested * (loads * nodes * threads * 0.001 + threads * 1.5) * 1e-3;
  const double latency = std::ceil(blocks / (sms * resident)) * rounds * 0.7;
  double combine = 0;
  if (g.splits > 1) {
    const double received = static_cast<double>(g.splits - 1), sums = static_cast<double>(outputs_of(p, g));
    combine = 0.6 + 0.2 * std::ceil(received / (8 * std::max(1.0, threads / sums))) + 0.1 * received * sums / threads;
  }
  const auto power = [](double time) { return time * std::sqrt(time); };
  const double core = std::cbrt(power(stream) + power(issue) + power(latency));
  return 0.8 + combine + core * core;
}

// gemv_t_canonical, single products of elements of four and eight bytes: from timings on an H200, 400 shapes of s and
// d. Columns of one chunk: more of them to a warp where they are short and the bus is what counts. Others: four of four
// bytes, two of eight; a chunk for each warp below 12 MB, two or four of them, one after the other, above.
struct LaunchOfT {
  int threads, lanes, columns;
  std::int64_t nodes;
  bool prefetch;
};
LaunchOfT one_chunk(const Problem& p) {
  const std::int64_t rows = stored(p).rows;
  const double bytes = cost(p).matrix_bytes;
  const int lanes = rows <= 16 ? 16 : 32;
  if (size_of(p.type_a) == 4) {
    // With four columns to a warp 26x8443 is 528 blocks and takes 2.4 us, and 1.65 with sixteen.
    constexpr std::int64_t most_blocks = 300;
    const bool many = rows <= 42 && stored(p).cols > most_blocks * (128 / lanes * 4);
    const int few = stored(p).cols <= 2000 ? 2 : 4;
    const int columns = bytes < 1e6 && !many ? few : rows <= 42 ? 16 : rows <= 128 ? 8 : 4;
    return {.threads = 128, .lanes = lanes, .columns = columns, .nodes = 1, .prefetch = bytes < 2e6};
  }
  if (bytes < 1e6) return {.threads = 128, .lanes = lanes, .columns = rows <= 42 ? 4 : 2, .nodes = 1, .prefetch = true};
  if (rows > 128) return {.threads = 128, .lanes = lanes, .columns = 2, .nodes = 1, .prefetch = bytes < 2e6};
  if (bytes < 3.2e6)
    return {.threads = 256, .lanes = lanes, .columns = rows <= 32 ? 8 : 4, .nodes = 1, .prefetch = true};
  // 68x13674: 4.1 us, with eight columns 4.7; 110x13674: 5.2 and 6.1.
  if (rows > 48 && bytes < 15e6)
    return {
        .threads = rows <= 96 ? 64 : 128, .lanes = lanes, .columns = rows <= 96 ? 4 : 2, .nodes = 1, .prefetch = false};
  const bool few = rows <= 48;
  return {.threads = few ? 128 : 256, .lanes = lanes, .columns = few || rows > 80 ? 8 : 4, .nodes = 1, .prefetch = few};
}
LaunchOfT several_chunks(const Problem& p) {
  const bool four_bytes = size_of(p.type_a) == 4;
  const std::int64_t chunks = ceil_div(stored(p).rows, canonical::chunk), power = ceil_power_of_two(chunks);
  const double bytes = cost(p).matrix_bytes;
  const int columns = four_bytes ? 4 : 2, wide = static_cast<int>(std::min<std::int64_t>(32 * power, 128));
  if (bytes < 12e6) return {.threads = 128, .lanes = wide, .columns = columns, .nodes = 1, .prefetch = bytes < 5e6};
  // Idle warps are worse than long loops.
  if (chunks < 8 && chunks != 4)
    return {.threads = 128, .lanes = 32, .columns = chunks > 2 ? 2 : columns, .nodes = power, .prefetch = false};
  if (!four_bytes && chunks > 8 && chunks <= 64)
    return {.threads = 128, .lanes = 32, .columns = 2, .nodes = bytes < 7e7 ? 4 : 8, .prefetch = false};
  return {.threads = 128, .lanes = chunks > 4 ? 128 : 64, .columns = columns, .nodes = 2, .prefetch = false};
}
Plan plan_t(const Problem& p, const DeviceTraits& traits) {
  const LaunchOfT launch = is_one_chunk(p) ? one_chunk(p) : several_chunks(p);
  Plan plan = shape_canonical(p, launch.threads, launch.lanes, launch.columns, launch.nodes);
  params<GemvParams>(plan).prefetch_blocks = launch.prefetch ? prefetching_blocks(plan, traits) : 0;
  return plan;
}

}  // namespace

const char* decline_canonical(const Problem& p, Variant variant) {
  if (is_canonical(variant) != (p.order == Order::canonical))
    return p.order == Order::canonical ? "its order of sums is another" : "no canonical order is asked for";
  return nullptr;
}

Plan shape_canonical(const Problem& p, int threads, int lanes, int columns, std::int64_t nodes) {
  const bool n = is_n(p);
  GemvParams g{.lanes = lanes, .chunk = nodes};
  g.tile = n ? lanes * vector_length(p) - (vectors_fit(p) ? 0 : vector_length(p) - 1) : threads / lanes * columns;
  g.tiles = ceil_div(n ? stored(p).rows : stored(p).cols, g.tile);
  g.splits = ceil_div(nodes_of_sum(p), nodes * sharing(p, threads, lanes));
  g.products_per_block = std::max<std::int64_t>(ceil_div(p.batch, most_in_grid), 1);
  if (is_plain(p)) {
    g.prefetch_blocks = INT32_MAX;
    g.prefetch_vectors = 1;
  }
  Plan plan{.problem = p,
            .kernel = {.variant = n ? Variant::gemv_n_canonical : Variant::gemv_t_canonical,
                       .form = is_plain(p) ? Form::plain : Form::general,
                       .loads = (n ? has_few_columns(p) : is_one_chunk(p)) ? Loads::few : Loads::many},
            .threads = threads,
            .params = g};
  // The sums of threads or warps; behind them a place for each thread.
  const std::int64_t parts = n ? threads * vector_length(p) : std::max(threads / 32, 1) * columns;
  plan.shared_bytes = static_cast<std::size_t>((parts + threads) * size_of(p.type_a));
  std::int64_t bytes = 0;
  plan.workspace_bytes =
      __builtin_mul_overflow(g.tiles * p.batch * outputs_of(p, g) * size_of(p.type_a), g.splits - 1, &bytes)
          ? SIZE_MAX
          : static_cast<std::size_t>(bytes);
  return plan;
}

std::string why_illegal_canonical(const Plan& plan) {
  const Problem& p = plan.problem;
  const GemvParams& g = params<GemvParams>(plan);
  if (decline_canonical(p, plan.kernel.variant) != nullptr ||
      (plan.kernel.variant == Variant::gemv_n_canonical) != is_n(p))
    return "the variant sums in another order, or along the other dimension";
  if (g.tile < 1 || g.tile > 4096 || g.lanes < 1) return "the tile does not fit the lanes";
  const auto columns = static_cast<int>(is_n(p) ? 0 : g.tile * g.lanes / std::max(plan.threads, 1));
  if (std::string why = why_not(p, plan.threads, g.lanes, columns, g.chunk); !why.empty()) return why;
  Plan right = shape_canonical(p, plan.threads, g.lanes, columns, g.chunk);
  right.backend = plan.backend;
  if (plan.kernel.form == Form::general) right.kernel.form = Form::general;
  GemvParams& r = params<GemvParams>(right);
  if (g.products_per_block >= r.products_per_block && g.products_per_block <= p.batch)
    r.products_per_block = g.products_per_block;
  if (is_plain(p) && g.prefetch_blocks >= 0 && g.prefetch_blocks <= INT32_MAX) r.prefetch_blocks = g.prefetch_blocks;
  if (plan != right) return "tiles, splits and memory do not follow from threads, lanes and chunk";
  if (g.tiles > INT32_MAX) return "the tiles are too many";
  if (g.splits > (plan.kernel.loads == Loads::few ? 1 : kernels::canonical_most_splits))
    return "the splits are too many";
  if (g.splits > 1 && outputs_of(p, g) > plan.threads) return "a split has more outputs than threads";
  if (plan.workspace_bytes > workspace_limit) return "workspace_bytes passes the limit";
  return "";
}

Plan plan_canonical(const Problem& p, const DeviceTraits& traits) {
  if (!is_n(p) && is_plain(p) && size_of(p.type_a) <= 8) {
    const Plan plan = plan_t(p, traits);
    if (why_illegal_canonical(plan).empty()) return plan;
  }
  Plan chosen;
  double least = 0;
  const auto consider = [&](int threads, int lanes, int columns, std::int64_t nodes) {
    if (!why_not(p, threads, lanes, columns, nodes).empty()) return;
    // Twice as many nodes as there are serve nobody.
    if (nodes > 1 && nodes * sharing(p, threads, lanes) >= 2 * nodes_of_sum(p)) return;
    const Plan plan = shape_canonical(p, threads, lanes, columns, nodes);
    const bool legal = why_illegal_canonical(plan).empty();
    if (least > 0 && !legal) return;
    const double time = legal ? modelled(plan, traits) : 1e300;
    if (least > 0 && !(time < least)) return;
    chosen = plan;
    least = time;
  };
  for (const int threads : {256, 128, 64, 32}) {
    if (threads < 128 && p.batch == 1) break;
    for (int lanes = threads; lanes >= 1; lanes /= 2) {
      if (is_n(p) && lanes > 2 && lanes * vector_length(p) >= 2 * (stored(p).rows + vector_length(p))) continue;
      if (!is_n(p) && (lanes == 32 && threads > 32 && stored(p).rows <= 16)) continue;
      // Idle threads serve nobody.
      if (!is_n(p) && sharing(p, threads, lanes) >= 2 * nodes_of_sum(p)) continue;
      for (int columns = is_n(p) ? 2 : 16; columns >= 2; columns /= 2)
        for (std::int64_t nodes = 1; nodes <= kernels::canonical_most_units; nodes *= 2)
          consider(threads, lanes, columns, nodes);
    }
  }
  GemvParams& g = params<GemvParams>(chosen);
  if (is_plain(p)) {
    const double bytes = cost(p).matrix_bytes;
    const bool pays = is_n(p) || bytes < 3.8e6 || (bytes > 3e7 && stored(p).rows * size_of(p.type_a) >= 2048);
    g.prefetch_blocks = pays ? prefetching_blocks(chosen, traits) : 0;
  }
  return chosen;
}

}  // namespace onepass
