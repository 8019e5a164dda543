// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_canonical.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/args.hpp"
#include "plan/device_traits.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/registry.hpp"
#include "problem/canonical_order.hpp"
#include "problem/cost.hpp"

namespace onepass {
namespace {

constexpr std::int64_t partial_sums = canonical::partial_sums;
constexpr int most_threads = kernels::gemv_max_threads, most_small_threads = kernels::gemv_small_max_threads;

const GemvParams& gemv(const Plan& plan) { return params<GemvParams>(plan); }

bool is_n(const Problem& p) { return !stored(p).transposed; }
std::int64_t chunks_of(const Problem& p) { return ceil_div(length_x(p), canonical::chunk); }
bool is_power(std::int64_t v) { return v > 0 && std::has_single_bit(static_cast<std::uint64_t>(v)); }

// Null, or why a kernel cannot serve a problem, however it is launched.
const char* why_not_served(Variant variant, const Problem& p) {
  constexpr std::int64_t most = std::int64_t{1} << 30;  // rows and columns are counted in 32 bits, some ahead
  if (p.order != Order::canonical) return "no canonical order is asked for";
  if (stored(p).transposed != sums_along_columns(variant))
    return stored(p).transposed ? "the outputs lie across the contiguous dimension of A"
                                : "the outputs lie along the contiguous dimension of A";
  if (variant == Variant::gemv_n_canonical || variant == Variant::gemv_t_canonical) return nullptr;
  if (!is_plain(p)) return "a batch, or scalars on the device";
  if (variant != Variant::gemv_n_rows_canonical) return p.m > most || p.n > most ? "the matrix is too large" : nullptr;
  if (stored(p).cols > canonical::chunk) return "a row is more than a chunk";
  constexpr KernelId kernel{Variant::gemv_n_rows_canonical, Form::plain, Loads::many};
  return find_kernel(kernel)->serves(elements_of(p)) ? nullptr : "a row is too much for the registers of a thread";
}

// Nodes of the tree of which a thread or warp has some: units of eight columns, or chunks.
std::int64_t log2_units(const Problem& p) { return 2 + kernels::canonical_log2_terms(stored(p).cols); }
std::int64_t nodes_of_sum(const Problem& p) { return is_n(p) ? chunks_of(p) << log2_units(p) : chunks_of(p); }
// Neighbours among them, so many of which begin at one offset from a 16-byte boundary.
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
bool is_one_chunk(const Problem& p) { return stored(p).rows <= canonical::chunk; }
// Places for the sums of a block.
std::int64_t outputs_of(const Problem& p, const GemvParams& g) { return is_n(p) ? g.lanes * vector_length(p) : g.tile; }

// Those that a warp sums at once.
int columns_of_warp(const Plan& plan) {
  return is_n(plan.problem) ? 0 : static_cast<int>(gemv(plan).tile * gemv(plan).lanes / plan.threads);
}

// Null, or why no launch has these numbers.
const char* why_no_launch(const Problem& p, int threads, int lanes, int columns, std::int64_t nodes) {
  if (const char* reason = why_no_block(threads, kernels::gemv_max_threads, lanes); reason != nullptr) return reason;
  if (!is_power(nodes) || nodes > most_nodes(p))
    return "the chunk must be a power of two, and of columns that start alike";
  if (is_n(p)) return nullptr;
  if (!is_power(columns) || columns < 2 || columns > (size_of(p.type_a) > 8 ? 8 : 16))
    return "a bundle has 2, 4, 8 or 16 columns";
  if (lanes < (stored(p).rows <= 16 ? 16 : 32)) return "a warp is needed for a column";
  if (is_one_chunk(p) && (lanes > 32 || nodes > 1)) return "one chunk is for one warp";
  return !is_one_chunk(p) && columns > 4 ? "a bundle of several chunks has 2 or 4 columns" : nullptr;
}

// Null, or why a plan does not follow from its numbers, or the device has no room for it.
const char* why_not_launched(const Plan& plan, const Plan& shaped) {
  const GemvParams& g = gemv(plan);
  if (const char* reason = why_not_as_shaped(plan, shaped); reason != nullptr) return reason;
  if (g.splits > (plan.kernel.loads == Loads::few ? 1 : kernels::canonical_most_splits))
    return "the splits are too many";
  return g.splits > 1 && outputs_of(plan.problem, g) > plan.threads ? "a split has more outputs than threads" : nullptr;
}

// launch + combine + (stream^(3/2) + issue^(3/2) + latency^(3/2))^(2/3), as gemv_model.cpp has it; microseconds.
double modelled(const Plan& plan, const DeviceTraits& traits) {
  const Problem& p = plan.problem;
  const GemvParams& g = gemv(plan);
  const double sms = traits.sm_count, threads = plan.threads;
  const double blocks = static_cast<double>(g.tiles * g.splits * p.batch), per_sm = blocks / sms;
  const double resident = resident_blocks(plan, traits);
  const double size = static_cast<double>(size_of(p.type_a)), nodes = static_cast<double>(g.chunk);
  const double bandwidth = traits.ceilings.bytes_per_second > 0 ? traits.ceilings.bytes_per_second : 35e9 * sms;
  double rounds = nodes, loads = 8, run = 16.0 * g.lanes;
  if (!is_n(p)) {
    const int columns = columns_of_warp(plan);
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

Plan plan_large(const Problem& p, const DeviceTraits& traits) {
  if (!is_n(p) && is_plain(p) && size_of(p.type_a) <= 8) {
    const LaunchOfT t = is_one_chunk(p) ? one_chunk(p) : several_chunks(p);
    Plan plan = shape_canonical(p, t.threads, t.lanes, t.columns, t.nodes);
    params<GemvParams>(plan).prefetch_blocks = t.prefetch ? prefetching_blocks(plan, traits) : 0;
    if (why_illegal_canonical(plan).empty()) return plan;
  }
  Plan chosen;
  double least = 0;
  const auto consider = [&](int threads, int lanes, int columns, std::int64_t nodes) {
    if (why_no_launch(p, threads, lanes, columns, nodes) != nullptr) return;
    // Twice as many nodes as there are serve nobody.
    if (nodes > 1 && nodes * sharing(p, threads, lanes) >= 2 * nodes_of_sum(p)) return;
    const Plan plan = shape_canonical(p, threads, lanes, columns, nodes);
    const bool legal = why_not_launched(plan, plan) == nullptr;
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
  if (is_plain(p))
    params<GemvParams>(chosen).prefetch_blocks = single_prefetch_pays(chosen) ? prefetching_blocks(chosen, traits) : 0;
  return chosen;
}

// The kernels for small matrices.
std::int64_t most_of_tile(const Plan& plan) {
  const std::int64_t lanes = gemv(plan).lanes;
  return is_n(plan.problem) ? lanes : plan.threads / lanes * kernels::gemv_t_small_canonical_columns(plan.kernel.loads);
}

// Null, or why groups and chunks do not make the tree.
const char* why_no_tree(const Plan& plan) {
  const GemvParams& g = gemv(plan);
  const Problem& p = plan.problem;
  const std::int64_t n = plan.threads / g.lanes;
  if (!is_power(g.chunk) || g.chunk > kernels::gemv_n_small_canonical_chunks) return "a thread has 1, 2 or 4 chunks";
  if (!is_n(p)) {
    if (g.lanes < 32) return "a warp is needed for a column";
    return g.lanes / 32 * g.chunk < chunks_of(p) ? "the chunks do not cover the rows" : nullptr;
  }
  if (plan.kernel.loads == Loads::few) {
    if (n < 8 || n > partial_sums) return "a chunk has 8, 16 or 32 groups";
    return g.chunk != 1 || chunks_of(p) > 1 ? "few loads are for one chunk" : nullptr;
  }
  if (n < partial_sums || n > 8 * partial_sums) return "there must be 32 groups for each warp of an output, at most 8";
  return n / partial_sums * g.chunk < chunks_of(p) ? "the chunks do not cover the columns" : nullptr;
}

// From timings on an H200, 500 shapes of s and d: beyond that the bus is what counts, and loads of 16 bytes fill it
// with fewer instructions.
const char* why_not_small(const Problem& p) {
  const std::int64_t size = size_of(p.type_a), rows = stored(p).rows, cols = stored(p).cols;
  const double bytes = cost(p).matrix_bytes;
  constexpr const char* too_large = "the matrix is too large for loads of single elements";
  if (!is_n(p)) {
    if (is_one_chunk(p)) return "a warp has whole sums";
    if (rows > 16384) return "the sums are too long for one block";
    if (cols < 16 || (rows > 8192 && cols < 60)) return "the sums are too few for the device";
    return bytes > (size == 4 ? 45e6 : 25e6) ? too_large : nullptr;
  }
  if (cols <= canonical::chunk)
    return bytes > (size == 8 ? 12.5e6 : 4e6) || (cols <= 42 && rows > 12000) ? too_large : nullptr;
  if (cols > 2048) return "the sums are too long for one block";
  return rows > (cols > 1024 ? 256 : cols > 512 ? 1024 : 2112) || bytes > (size == 4 ? 4e6 : 8e6) ? too_large : nullptr;
}

// One chunk: as many groups as take all columns in one round of loads, in blocks that the device holds at once; or many
// small blocks. More chunks: two of them for each thread, four rows side by side where rows are few.
Plan plan_small_n(const Problem& p, const DeviceTraits& traits) {
  const std::int64_t rows = stored(p).rows, size = size_of(p.type_a);
  if (chunks_of(p) == 1) {
    const int in_flight = kernels::gemv_n_small_in_flight(Loads::few, static_cast<int>(size));
    const std::int64_t wanted =
        std::clamp<std::int64_t>(ceil_power_of_two(ceil_div(stored(p).cols, in_flight)), 8, partial_sums);
    const std::int64_t most = std::min<std::int64_t>(32, most_small_threads / wanted);
    const std::int64_t lanes = std::clamp<std::int64_t>(ceil_power_of_two(ceil_div(rows, 64)), 8, most);
    const Plan plan =
        shape_small_canonical(p, Loads::few, static_cast<int>(lanes * wanted), static_cast<int>(lanes), 1);
    if (gemv(plan).tiles <= blocks_of_wave(plan, traits)) return plan;
    const auto line = static_cast<int>(128 / size);
    return shape_small_canonical(p, Loads::few, 8 * line, line, 1);
  }
  const std::int64_t all = ceil_power_of_two(chunks_of(p));
  const std::int64_t lanes = rows <= 128 || all == 8 ? 4 : rows <= 528 ? 8 : 16;
  const std::int64_t wanted = std::min(partial_sums * all / 2, most_small_threads / lanes);
  return shape_small_canonical(p, Loads::many, static_cast<int>(lanes * wanted), static_cast<int>(lanes),
                               all * partial_sums / wanted);
}

// T: warps of a group, and chunks of each of them.
struct Warps {
  std::int64_t warps, chunks;
};
// A warp for each chunk as far as a block has them; from a few MB on some chunks for each, and blocks of fewer warps.
Warps warps_of(const Problem& p) {
  const std::int64_t all = ceil_power_of_two(chunks_of(p)), most = most_small_threads / 32;
  const double bytes = cost(p).matrix_bytes;
  if (all > most) return bytes < 2e7 || all > 32 ? Warps{most, all / most} : Warps{most / 2, 2 * all / most};
  if (bytes < 8e6 || all <= 4) return {all, 1};
  if (all == 8) return {4, 2};
  return size_of(p.type_a) == 4 ? Warps{4, 4} : Warps{8, 2};
}

// Two columns of a group share x, but not where the bus has pauses for more blocks to fill.
Plan plan_small_t(const Problem& p) {
  const std::int64_t cols = stored(p).cols;
  const double bytes = cost(p).matrix_bytes;
  const auto [warps, chunks] = warps_of(p);
  Loads loads = Loads::many;
  std::int64_t threads = 128;
  if (size_of(p.type_a) == 4) {
    if (bytes < 7e5 || (bytes >= 2e6 && bytes < 8e6)) loads = Loads::few;
    threads = bytes < 7e5   ? std::clamp<std::int64_t>(64 * warps, 256, most_small_threads)
              : bytes < 2e6 ? most_small_threads
                            : 128;
  } else {
    if (cols <= 60 || (bytes >= 3e6 && warps > 2)) loads = Loads::few;
    if (cols > 200 && bytes < 8e6) threads = 256;
  }
  const std::int64_t lanes = 32 * warps;
  return shape_small_canonical(p, loads, static_cast<int>(std::max(threads, lanes)), static_cast<int>(lanes), chunks);
}

Plan shape_rows(const Problem& p, int threads) {
  Plan plan = gemv_plan(p, {Variant::gemv_n_rows_canonical, Form::plain, Loads::many}, threads, threads);
  GemvParams& g = params<GemvParams>(plan);
  g.tile = threads;
  g.tiles = ceil_div(stored(p).rows, threads);
  g.chunk = stored(p).cols;
  return plan;
}

}  // namespace

const char* decline_canonical(Variant variant, const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = why_not_served(variant, p); reason != nullptr) return reason;
  if (variant == Variant::gemv_n_canonical || variant == Variant::gemv_t_canonical) return nullptr;
  if (traits.sm_count < 64) return "a device with few SMs";
  if (variant != Variant::gemv_n_rows_canonical) return why_not_small(p);
  // On an H200 s 13674x16 takes 1.2 us and not 1.8, d 22146x16 2.4 and not 2.9; but s 13674x110 4.0 and not 3.6.
  const std::int64_t least_rows = stored(p).cols <= 64 ? 12000 : 20000;
  return stored(p).rows < least_rows ? "the rows are too few for the device" : nullptr;
}

Plan shape_canonical(const Problem& p, int threads, int lanes, int columns, std::int64_t nodes) {
  const bool n = is_n(p), has_few_columns = stored(p).cols <= 128;
  Plan plan =
      gemv_plan(p,
                {n ? Variant::gemv_n_canonical : Variant::gemv_t_canonical, is_plain(p) ? Form::plain : Form::general,
                 (n ? has_few_columns : is_one_chunk(p)) ? Loads::few : Loads::many},
                threads, lanes);
  GemvParams& g = params<GemvParams>(plan);
  g.tile = n ? rows_in_lanes(vector_length(p), vectors_fit(p), lanes) : threads / lanes * columns;
  g.tiles = ceil_div(n ? stored(p).rows : stored(p).cols, g.tile);
  g.splits = ceil_div(nodes_of_sum(p), nodes * sharing(p, threads, lanes));
  g.chunk = nodes;
  g.products_per_block = std::max<std::int64_t>(ceil_div(p.batch, gemv_most_in_grid), 1);
  if (is_plain(p)) {  // until the device is known
    g.prefetch_blocks = INT32_MAX;
    g.prefetch_vectors = 1;
  }
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

Plan shape_small_canonical(const Problem& p, Loads loads, int threads, int lanes, std::int64_t chunks) {
  const Variant variant = is_n(p) ? Variant::gemv_n_small_canonical : Variant::gemv_t_small_canonical;
  Plan plan = gemv_plan(p, {variant, Form::plain, loads}, threads, lanes);
  params<GemvParams>(plan).chunk = chunks;
  share_outputs(plan, most_of_tile(plan));
  // N: the sums of every group and chunk for every row of the tile and a place more; behind them, where an output has
  // several warps, one for each warp. T: where a group has several warps, the sums of each of them.
  const std::int64_t n = threads / lanes;
  std::int64_t sums = 0;
  if (is_n(p)) sums = chunks * n * (lanes + 1) + (n > partial_sums ? threads / 32 : 0);
  if (!is_n(p) && lanes > 32) sums = lanes / 32 * most_of_tile(plan);
  plan.shared_bytes = static_cast<std::size_t>(sums * size_of(p.type_a));
  return plan;
}

Plan plan_canonical(Variant variant, const Problem& p, const DeviceTraits& traits) {
  if (variant == Variant::gemv_n_canonical || variant == Variant::gemv_t_canonical) return plan_large(p, traits);
  const bool rows = variant == Variant::gemv_n_rows_canonical;
  Plan plan = rows ? shape_rows(p, 128) : is_n(p) ? plan_small_n(p, traits) : plan_small_t(p);
  const bool pays = rows ? stored(p).cols <= partial_sums
                         : cost(p).matrix_bytes < (is_n(p)                  ? 4e6
                                                   : size_of(p.type_a) == 4 ? 2e6
                                                                            : 3e6);
  if (pays) params<GemvParams>(plan).prefetch_blocks = prefetching_blocks(plan, traits);
  return plan;
}

std::string why_illegal_canonical(const Plan& plan) {
  const Problem& p = plan.problem;
  const GemvParams& g = gemv(plan);
  const Variant variant = plan.kernel.variant;
  const bool small = variant == Variant::gemv_n_small_canonical || variant == Variant::gemv_t_small_canonical;
  const char* reason = why_not_served(variant, p);
  if (reason == nullptr) reason = why_no_block(plan.threads, small ? most_small_threads : most_threads, g.lanes);
  if (reason != nullptr) return reason;
  if (variant == Variant::gemv_n_rows_canonical) {
    reason = why_not_as_shaped(plan, shape_rows(p, plan.threads));
  } else if (small) {
    reason = why_no_tree(plan);
    if (reason == nullptr)
      reason = why_not_as_shaped(plan, shape_small_canonical(p, plan.kernel.loads, plan.threads, g.lanes, g.chunk));
  } else if (g.tile < 1 || g.tile > 4096) {
    reason = "the tile does not fit the lanes";
  } else {
    const int columns = columns_of_warp(plan);
    reason = why_no_launch(p, plan.threads, g.lanes, columns, g.chunk);
    if (reason == nullptr) reason = why_not_launched(plan, shape_canonical(p, plan.threads, g.lanes, columns, g.chunk));
  }
  return reason == nullptr ? "" : reason;
}

}  // namespace onepass
