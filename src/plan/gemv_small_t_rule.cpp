// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The rule of gemv_t_small: sums down the columns.
#include <algorithm>

#include "kernels/args.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/gemv_small.hpp"
#include "plan/gemv_small_rule.hpp"
#include "problem/cost.hpp"

// From timings on an H200 (about 400 shapes of each type up to 40 MB, from memory, behind another kernel and in a
// queue) beside the launches of the built-in table.
namespace onepass {
namespace {

std::int64_t size_a(const Problem& p) { return size_of(p.type_a); }

// Down long columns, and many of them, sums with more digits are as fast or faster this way whatever their size: their
// instructions are few and have no predicates. On an H200 d 8192x8192 takes 121.4 us, and 126 with gemv_t.
bool is_large_accurate(const Problem& p) {
  return p.accumulate != Accumulate::standard && stored(p).rows >= 1000 && stored(p).cols >= 1000;
}

// The best of some twenty launches of squares of n = 1024 to 8192 there.
Plan plan_large_accurate(const Problem& p) {
  const std::int64_t rows = stored(p).rows;
  const int lanes = rows <= 5000 ? 64 : 128;
  switch (p.type_a) {
    case Type::s: return shape_small_gemv(p, Loads::many, 128, rows <= 3000 ? 64 : 128);
    case Type::d: return shape_small_gemv(p, Loads::few, 128, lanes);
    case Type::z:
      return rows <= 3000 ? shape_small_gemv(p, Loads::few, 128, 32) : shape_small_gemv(p, Loads::many, 128, 128);
    default: return shape_small_gemv(p, Loads::many, 128, lanes);
  }
}

// Beyond, the bus is what counts, which loads of 16 bytes fill with fewer instructions: later than along the rows,
// since whole warps have a sum; and sums have more terms than a block has in flight at once, or nearly.
SmallRule::Limits limits(const Problem& p) {
  constexpr std::int64_t terms = 9000;
  const std::int64_t rows = stored(p).rows;
  if (is_large_accurate(p)) return {SmallRule::any_size, terms};
  if (is_plain_z(p)) return {(rows > 32 && rows <= 64) || rows >= 400 ? 40e6 : 12e6, terms};
  return {size_a(p) == 4 ? 24e6 : size_a(p) == 8 ? 40e6 : 12e6, terms};
}

// Blocks of a cluster that share a sum, 1 if none: of sums that are too long for one block, or too few for the device.
// On an H200, alone, where partial sums go through mailboxes else: s 26008x16 takes 2.8 us, and 3.5; z 7585x16
// 3.0, and 3.8.
int cluster(const Problem& p) {
  const std::int64_t rows = stored(p).rows, cols = stored(p).cols;
  if (size_a(p) == 16) {
    if (rows <= 1500 || rows > 30'000 || cols > 140) return 1;
    return cols > 64 ? (rows > 9000 ? 1 : 2) : rows > 9000 ? 8 : 4;
  }
  if (size_a(p) == 2 || cols > 64) return 1;
  if (rows > 9000) return rows <= 100'000 && cost(p).matrix_bytes <= 8e6 ? 8 : 1;
  return rows > 4096 ? 4 : 1;
}

Plan plan_cluster(const Problem& p, int blocks) {
  if (size_a(p) == 16) {
    if (blocks == 8 && stored(p).cols > 32) return shape_small_gemv(p, Loads::many, 512, 512, blocks);
    const int threads = stored(p).rows > 4096 || blocks == 2 ? 256 : 128;
    return shape_small_gemv(p, Loads::few, threads, threads, blocks);
  }
  const int threads = blocks == 8 && stored(p).cols <= 32 ? 512 : 256;
  return shape_small_gemv(p, Loads::few, threads, threads, blocks);
}

// z: a column of each group in one round of loads; where the bus is what counts in four, or fewer.
Plan plan_t_of_16_bytes(const Problem& p, std::int64_t sms) {
  const std::int64_t rows = stored(p).rows, cols = stored(p).cols;
  const bool large = cost(p).matrix_bytes >= 12e6;
  const bool is_short = rows <= 130 && cols >= 700 && !large;
  const std::int64_t lanes = is_short ? (rows <= 32   ? 8
                                         : rows <= 64 ? 16
                                                      : 32)
                                      : std::clamp<std::int64_t>(ceil_power_of_two(ceil_div(rows, large ? 32 : 8)),
                                                                 rows <= 64 && !large ? 16 : 8, 256);
  const Loads loads = is_short ? Loads::many : Loads::few;
  const std::int64_t columns = kernels::gemv_t_small_columns(loads, false);
  std::int64_t threads = is_short || cost(p).matrix_bytes >= 5e6 ? 128 : 256;
  while (threads > std::max<std::int64_t>(lanes, 64) && ceil_div(cols, threads / lanes * columns) < sms / 2)
    threads /= 2;
  return shape_small_gemv(p, loads, static_cast<int>(std::max(threads, lanes)), static_cast<int>(lanes));
}

// Lanes that take a column in one round of loads, as far as a block has them. Several columns of a group share x where
// columns are short and many, and where the bus is what counts. Smaller blocks where they would leave SMs without one.
Plan plan(const Problem& p, std::int64_t sms) {
  const std::int64_t rows = stored(p).rows, cols = stored(p).cols;
  const double bytes = cost(p).matrix_bytes;
  if (is_large_accurate(p)) return plan_large_accurate(p);
  const bool fills = cols >= 4 * sms && !(rows > 2048 && cols < 6 * sms);
  // Between 8 and 12 MB four columns of a group are as fast alone, and faster in a queue: z 712x936 4.8 and 2.6 us, and
  // 5.0 and 3.5 with one.
  if (is_plain_z(p) && !(rows > 256 && fills && bytes >= 8e6 && bytes < 12e6)) return plan_t_of_16_bytes(p, sms);
  const Loads loads = (rows <= 130 && cols >= 700) || (bytes >= 5e6 && fills) ? Loads::many : Loads::few;
  const std::int64_t most_lanes = loads == Loads::many && rows <= 2048 && cols > 512 ? 256 : 512;
  const std::int64_t in_round = ceil_power_of_two(
      ceil_div(rows, kernels::gemv_t_small_in_flight(loads, is_deep(p), static_cast<int>(size_a(p)))));
  const std::int64_t lanes = std::clamp<std::int64_t>(in_round, 4, most_lanes);
  const std::int64_t columns = kernels::gemv_t_small_columns(loads, is_deep(p));
  std::int64_t threads = 256;
  while (threads > std::max<std::int64_t>(lanes, 64) && ceil_div(cols, threads / lanes * columns) < sms / 2)
    threads /= 2;
  return shape_small_gemv(p, loads, static_cast<int>(std::max(threads, lanes)), static_cast<int>(lanes));
}

// Blocks of 512 threads with many loads, of which an SM has one at a time: whether some SMs have a round more than
// others, so that the device waits for them. Sums of more than 2048 rows have more rounds of loads as well, and in
// gemv_t splits that spread evenly.
bool leaves_sms_idle(const Plan& plan, std::int64_t sms) {
  if (plan.threads < 512 || plan.kernel.loads != Loads::many) return false;
  const std::int64_t blocks = params<GemvParams>(plan).tiles, rounds = ceil_div(blocks, sms);
  return rounds > 1 && static_cast<double>(rounds * sms) > 1.15 * static_cast<double>(blocks);
}

const char* why_not(const Problem& p, std::int64_t sms) {
  const std::int64_t rows = stored(p).rows;
  const double bytes = cost(p).matrix_bytes;
  if (stored(p).cols < (size_a(p) == 16 && is_accurate(p) ? 60 : 16))
    return "the sums are too few for the device";  // not measured
  if (rows <= 32 && (rows < (is_plain_z(p) ? 12 : 20) || size_a(p) == 4 || bytes < 1e6))
    return "the columns are too short for the lanes of a group";
  if (rows > 2048 && bytes >= 5e6 && leaves_sms_idle(plan(p, sms), sms))
    return "its blocks would leave SMs without work at the end";
  return nullptr;
}

// Where the launch before would miss the bus, prefetching costs more than it saves.
bool is_prefetched(const Problem& p) { return cost(p).matrix_bytes < 1e6; }

}  // namespace

const SmallRule small_t_rule = {.limits = limits,
                                .cluster = cluster,
                                .why_not = why_not,
                                .plan = plan,
                                .plan_cluster = plan_cluster,
                                .is_prefetched = is_prefetched};

}  // namespace onepass
