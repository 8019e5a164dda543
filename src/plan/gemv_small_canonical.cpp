// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_small_canonical.hpp"

#include <algorithm>
#include <bit>

#include "kernels/args.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/gemv_small.hpp"
#include "plan/occupancy.hpp"
#include "problem/canonical_order.hpp"
#include "problem/cost.hpp"

namespace onepass {
namespace {

constexpr std::int64_t partial_sums = canonical::partial_sums, most_threads = kernels::gemv_small_max_threads;

const GemvParams& gemv(const Plan& plan) { return params<GemvParams>(plan); }

bool is_n(const Problem& p) { return !stored(p).transposed; }
std::int64_t terms_of(const Problem& p) { return is_n(p) ? stored(p).cols : stored(p).rows; }
std::int64_t chunks_of(const Problem& p) { return ceil_div(terms_of(p), canonical::chunk); }

std::int64_t groups(const Plan& plan) { return plan.threads / gemv(plan).lanes; }

std::int64_t most_of_tile(const Plan& plan) {
  return is_n(plan.problem) ? gemv(plan).lanes
                            : groups(plan) * kernels::gemv_t_small_canonical_columns(plan.kernel.loads);
}

// N: the sums of every group and chunk for every row of the tile and a place more; behind them, where an output has
// several warps, one for each warp. T: where a group has several warps, the sums of each of them.
std::size_t shared_bytes(const Plan& plan) {
  const GemvParams& g = gemv(plan);
  const std::int64_t n = groups(plan);
  std::int64_t sums = 0;
  if (is_n(plan.problem)) sums = g.chunk * n * (g.lanes + 1) + (n > partial_sums ? plan.threads / 32 : 0);
  if (!is_n(plan.problem) && g.lanes > 32) sums = g.lanes / 32 * most_of_tile(plan);
  return static_cast<std::size_t>(sums * size_of(plan.problem.type_a));
}

const char* why_not(const Problem& p) {
  constexpr std::int64_t most = std::int64_t{1} << 30;  // rows and columns are counted in 32 bits, some ahead
  if (p.order != Order::canonical) return "no canonical order is asked for";
  if (!is_plain(p)) return "a batch, or scalars on the device";
  if (p.m > most || p.n > most) return "the matrix is too large";
  return nullptr;
}

// Empty, or why groups and chunks do not make the tree.
const char* why_no_tree(const Plan& plan) {
  const GemvParams& g = gemv(plan);
  const Problem& p = plan.problem;
  const std::int64_t n = groups(plan);
  if (!std::has_single_bit(static_cast<std::uint64_t>(std::max<std::int64_t>(g.chunk, 0))) ||
      g.chunk > kernels::gemv_n_small_canonical_chunks)
    return "a thread has 1, 2 or 4 chunks";
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

// One chunk: as many groups as take all columns in one round of loads, in blocks that the device holds at once; or many
// small blocks. More chunks: two of them for each thread, four rows side by side where rows are few.
Plan plan_n(const Problem& p, const DeviceTraits& traits) {
  const std::int64_t rows = stored(p).rows, size = size_of(p.type_a);
  if (chunks_of(p) == 1) {
    const int in_flight = kernels::gemv_n_small_in_flight(Loads::few, static_cast<int>(size));
    const std::int64_t wanted =
        std::clamp<std::int64_t>(ceil_power_of_two(ceil_div(stored(p).cols, in_flight)), 8, partial_sums);
    const std::int64_t most = std::min<std::int64_t>(32, most_threads / wanted);
    const std::int64_t lanes = std::clamp<std::int64_t>(ceil_power_of_two(ceil_div(rows, 64)), 8, most);
    const Plan plan =
        shape_small_canonical(p, Loads::few, static_cast<int>(lanes * wanted), static_cast<int>(lanes), 1);
    if (gemv(plan).tiles <= blocks_of_wave(plan, traits)) return plan;
    const auto line = static_cast<int>(128 / size);
    return shape_small_canonical(p, Loads::few, 8 * line, line, 1);
  }
  const std::int64_t all = ceil_power_of_two(chunks_of(p));
  const std::int64_t lanes = rows <= 128 || all == 8 ? 4 : rows <= 528 ? 8 : 16;
  const std::int64_t wanted = std::min(partial_sums * all / 2, most_threads / lanes);
  return shape_small_canonical(p, Loads::many, static_cast<int>(lanes * wanted), static_cast<int>(lanes),
                               all * partial_sums / wanted);
}

// T: warps of a group, and chunks of each of them.
struct Warps {
  std::int64_t warps, chunks;
};
// A warp for each chunk as far as a block has them; from a few MB on some chunks for each, and blocks of fewer warps.
Warps warps_of(const Problem& p) {
  const std::int64_t all = ceil_power_of_two(chunks_of(p)), most = most_threads / 32;
  const double bytes = cost(p).matrix_bytes;
  if (all > most) return bytes < 2e7 || all > 32 ? Warps{most, all / most} : Warps{most / 2, 2 * all / most};
  if (bytes < 8e6 || all <= 4) return {all, 1};
  if (all == 8) return {4, 2};
  return size_of(p.type_a) == 4 ? Warps{4, 4} : Warps{8, 2};
}

// Two columns of a group share x, but not where the bus has pauses for more blocks to fill.
Plan plan_t(const Problem& p, const DeviceTraits&) {
  const std::int64_t cols = stored(p).cols;
  const double bytes = cost(p).matrix_bytes;
  const auto [warps, chunks] = warps_of(p);
  Loads loads = Loads::many;
  std::int64_t threads = 128;
  if (size_of(p.type_a) == 4) {
    if (bytes < 7e5 || (bytes >= 2e6 && bytes < 8e6)) loads = Loads::few;
    threads = bytes < 7e5 ? std::clamp<std::int64_t>(64 * warps, 256, most_threads) : bytes < 2e6 ? most_threads : 128;
  } else {
    if (cols <= 60 || (bytes >= 3e6 && warps > 2)) loads = Loads::few;
    if (cols > 200 && bytes < 8e6) threads = 256;
  }
  const std::int64_t lanes = 32 * warps;
  return shape_small_canonical(p, loads, static_cast<int>(std::max(threads, lanes)), static_cast<int>(lanes), chunks);
}

}  // namespace

// From timings on an H200, 500 shapes of s and d: beyond that the bus is what counts, and loads of 16 bytes fill it
// with fewer instructions.
const char* why_no_small_canonical(const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = why_not(p); reason != nullptr) return reason;
  if (traits.sm_count < 64) return "a device with few SMs";
  const std::int64_t size = size_of(p.type_a), rows = stored(p).rows, cols = stored(p).cols;
  const double bytes = cost(p).matrix_bytes;
  constexpr const char* too_large = "the matrix is too large for loads of single elements";
  if (!is_n(p)) {
    if (chunks_of(p) == 1) return "a warp has whole sums";
    if (rows > 16384) return "the sums are too long for one block";
    if (cols < 16 || (rows > 8192 && cols < 60)) return "the sums are too few for the device";
    return bytes > (size == 4 ? 45e6 : 25e6) ? too_large : nullptr;
  }
  if (cols <= canonical::chunk)
    return bytes > (size == 8 ? 12.5e6 : 4e6) || (cols <= 42 && rows > 12000) ? too_large : nullptr;
  if (cols > 2048) return "the sums are too long for one block";
  return rows > (cols > 1024 ? 256 : cols > 512 ? 1024 : 2112) || bytes > (size == 4 ? 4e6 : 8e6) ? too_large : nullptr;
}

Plan shape_small_canonical(const Problem& p, Loads loads, int threads, int lanes, std::int64_t chunks) {
  Plan plan{.problem = p,
            .kernel = {.variant = is_n(p) ? Variant::gemv_n_small_canonical : Variant::gemv_t_small_canonical,
                       .form = Form::plain,
                       .loads = loads},
            .threads = threads,
            .params = GemvParams{.lanes = lanes, .chunk = chunks}};
  GemvParams& g = params<GemvParams>(plan);
  share_outputs(p, most_of_tile(plan), &g);
  plan.shared_bytes = shared_bytes(plan);
  return plan;
}

Plan plan_small_canonical(const Problem& p, const DeviceTraits& traits) {
  Plan plan = is_n(p) ? plan_n(p, traits) : plan_t(p, traits);
  const double bytes = cost(p).matrix_bytes;
  if (bytes < (is_n(p) ? 4e6 : size_of(p.type_a) == 4 ? 2e6 : 3e6))
    params<GemvParams>(plan).prefetch_blocks = std::min<std::int64_t>(prefetching_blocks(plan, traits), INT32_MAX);
  return plan;
}

std::string why_illegal_small_canonical(const Plan& plan) {
  const Problem& p = plan.problem;
  const GemvParams& g = gemv(plan);
  if (const char* reason = why_not(p); reason != nullptr) return reason;
  if ((plan.kernel.variant == Variant::gemv_n_small_canonical) != is_n(p))
    return "the variant sums along the other dimension";
  if (plan.threads < 32 || plan.threads > most_threads || !std::has_single_bit(static_cast<unsigned>(plan.threads)))
    return "threads must be a power of two from 32 to 512";
  if (g.lanes < 1 || g.lanes > plan.threads || !std::has_single_bit(static_cast<unsigned>(g.lanes)))
    return "lanes must be a power of two and at most the threads";
  if (const char* reason = why_no_tree(plan); reason != nullptr) return reason;
  return why_illegal_shares(plan, most_of_tile(plan), shared_bytes(plan));
}

}  // namespace onepass
