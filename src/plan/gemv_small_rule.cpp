// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_small_rule.hpp"

#include <algorithm>

#include "kernels/args.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/gemv_small.hpp"
#include "plan/occupancy.hpp"
#include "problem/cost.hpp"
#include "tuning/lookup.hpp"

// From timings on an H200 (s d c z b, about 400 shapes each up to 40 MB, from memory, behind another kernel and in a
// queue) beside the launches of the built-in table.
namespace onepass {
namespace {

std::int64_t size_a(const Problem& p) { return size_of(p.type_a); }

bool is_plain_z(const Problem& p) { return size_a(p) == 16 && !is_accurate(p); }

// Whether all columns of 16-byte elements start on sectors.
bool on_sectors(const Problem& p) { return p.alignment_a >= 32 && p.lda % 2 == 0; }

// Down long columns, and many of them, sums with more digits are as fast or faster this way whatever their size: their
// instructions are few and have no predicates. On an H200 d 8192x8192 takes 121.4 us, and 126 with gemv_t.
bool is_large_accurate(const Problem& p) {
  return p.accumulate != Accumulate::standard && stored(p).transposed && stored(p).rows >= 1000 &&
         stored(p).cols >= 1000;
}

// The best of some twenty launches of squares of n = 1024 to 8192 there.
Plan plan_large_accurate(const Problem& p) {
  const std::int64_t rows = stored(p).rows;
  const int lanes = rows <= 5000 ? 64 : 128;
  switch (p.type_a) {
    case Type::s: return shape_small_gemv(p, Loads::many, 128, 128);
    case Type::d: return shape_small_gemv(p, Loads::few, 128, lanes);
    case Type::z:
      return rows <= 3000 ? shape_small_gemv(p, Loads::few, 128, 32) : shape_small_gemv(p, Loads::many, 128, 128);
    default: return shape_small_gemv(p, Loads::many, 128, lanes);
  }
}

// Along the rows those of z, up to where vectors in gemv_n are as fast.
bool is_middling_z(const Problem& p) {
  const auto fits = [](std::int64_t n) { return n >= 900 && n <= 5000; };
  return p.accumulate == Accumulate::twice && p.type_a == Type::z && !stored(p).transposed && fits(stored(p).rows) &&
         fits(stored(p).cols);
}

// Elements of two bytes that single loads bring sooner than vectors. On an H200, alone, us, of gemv_n where s of the
// same shape takes gemv_n_small: N 188x645 3.2 and 2.6, 645x645 3.8 and 2.9, 188x2212 3.9 and 3.1, 188x7585 4.7
// and 4.7.
constexpr std::int64_t most_halves = 600'000;

// Along the rows sums of a few terms, and very many of them: a thread has a whole one, and nothing is added up in
// shared memory. On an H200, share of the floor in a queue and alone: b 305799x16 0.69 and 0.47, and 0.42 and 0.36 with
// gemv_n, s 1048575x16 0.98 and 0.85, and 0.69 and 0.66, d 305799x42 0.97 and 0.85, and 0.92 and 0.77. With more terms
// alone is slower: b 89181x26 0.39, and 0.44. Of 16 terms, all of which a thread has in flight, some ten thousand rows
// are enough: alone s 26008x16 takes 2.2 us, and 2.5 with two groups, c 2.8 and 2.9, 305799x16 11.7, and 14.0.
constexpr std::int64_t very_many_rows = 80'000;
bool is_tall(const Problem& p) {
  if (stored(p).transposed || p.accumulate != Accumulate::standard) return false;
  const std::int64_t rows = stored(p).rows, cols = stored(p).cols;
  if (cols < 12) return false;  // not measured
  if (rows < very_many_rows) return rows >= 15'000 && cols <= 16 && size_a(p) <= 8;
  switch (p.type_a) {
    case Type::s: return cols <= 30;
    case Type::d: return cols <= 55;
    case Type::c: return cols <= 16;
    default: return cols <= 18 && size_a(p) == 2 && rows <= 600'000;
  }
}

Plan plan_tall(const Problem& p) {
  const bool few = stored(p).rows >= very_many_rows && p.type_a != Type::s && p.type_a != Type::c;
  const int threads = few && size_a(p) == 2 ? 128 : 256;
  return shape_small_gemv(p, few ? Loads::few : Loads::many, threads, threads);
}

// From here on the bus is what counts, and loads of 16 bytes fill it with fewer instructions. Down the columns sums
// along whole warps stay ahead for longer.
double most_bytes(const Problem& p) {
  const std::int64_t size = size_a(p);
  if (is_large_accurate(p) || is_middling_z(p) || is_tall(p)) return 1e300;
  const std::int64_t rows = stored(p).rows;
  if (stored(p).transposed) {
    if (is_plain_z(p)) return (rows > 32 && rows <= 64) || rows >= 400 ? 40e6 : 12e6;
    return size == 4 ? 24e6 : size == 8 ? 40e6 : 12e6;
  }
  if (is_plain_z(p) && rows <= 40'000) return on_sectors(p) || rows < 1500 || rows >= 4000 ? 25e6 : 5e6;
  return size == 2   ? 2.0 * most_halves
         : size == 4 ? (stored(p).cols >= 400 && !is_accurate(p) ? 6e6 : 4e6)
         : size == 8 ? 12e6
                     : 5e6;
}

// Of a sum: what a block has in flight at once, or nearly.
std::int64_t most_terms(const Problem& p) {
  if (stored(p).transposed) return 9000;
  if (is_middling_z(p)) return 5000;
  return is_plain_z(p) ? 700 : size_a(p) > 8 ? 300 : size_a(p) == 2 ? 512 : 1030;
}

// Blocks of a cluster that share a sum, 1 if none: of sums that are too long for one block, or too few for the device.
// On an H200, alone, where partial sums go through mailboxes else: s N 55x2212 takes 2.5 us, and 3.1; T 26008x16 2.8,
// and 3.5; s N 55x26008 as long. z N 55x2212 3.4, and 4.1; T 7585x16 3.0, and 3.8.
int cluster_t(const Problem& p) {
  const std::int64_t rows = stored(p).rows, cols = stored(p).cols;
  if (size_a(p) == 16) {
    if (rows <= 1500 || rows > 30'000 || cols > 140) return 1;
    return cols > 64 ? (rows > 9000 ? 1 : 2) : rows > 9000 ? 8 : 4;
  }
  if (size_a(p) == 2 || cols > 64) return 1;
  if (rows > 9000) return rows <= 100'000 && cost(p).matrix_bytes <= 8e6 ? 8 : 1;
  return rows > 4096 ? 4 : 1;
}
int cluster_n(const Problem& p) {
  const std::int64_t rows = stored(p).rows, cols = stored(p).cols;
  const double bytes = cost(p).matrix_bytes;
  switch (size_a(p)) {
    case 2:  // as many elements as of four bytes take as long, where lanes for a sector have all columns in flight
      if (rows * cols > most_halves || cols > (rows <= 64 ? 8192 : 4096)) return 1;
      if (cols > 512) return cols > 1030 || rows >= 400 ? 8 : 4;
      return rows >= 400 && cols >= 400 && bytes >= 5e5 ? 4 : 1;
    case 16: return cols > 1030 && cols <= 8192 && bytes <= 24e6 ? 8 : 1;
    default: break;
  }
  if (cols > 1030) return cols > 8192 || bytes > 6.5e6 ? 1 : rows >= 400 && bytes >= 4e6 ? 4 : 8;
  // Of fewer terms, which one block has in flight, four blocks have their sums sooner: s 55x645 takes 2.2 us, and 2.4.
  if (cols > 512 && rows < (size_a(p) == 4 ? 400 : 100)) return 4;
  return rows >= 400 && rows <= 1500 && cols >= 400 && bytes >= 1e6 && bytes <= 6.5e6 ? 4 : 1;
}
int cluster(const Problem& p, const DeviceTraits& traits) {
  const bool transposed = stored(p).transposed;
  if (traits.arch < 90 || is_accurate(p)) return 1;
  if ((transposed ? stored(p).cols : stored(p).rows) < 16) return 1;  // not measured
  return transposed ? cluster_t(p) : cluster_n(p);
}

// Lanes for a sector or more, such that a device has some hundred blocks; threads that take the columns of a block in
// one round of loads, or two.
Plan plan_n_cluster(const Problem& p, int blocks) {
  const std::int64_t rows = stored(p).rows, chunk = ceil_div(stored(p).cols, blocks), size = size_a(p);
  // Of few rows less than a sector, so that a block takes all its columns in one round.
  const bool few_rows = rows <= (size == 2 ? 64 : 32);
  const std::int64_t least_chunk = size == 2 ? 512 : size == 4 ? 200 : 0;
  const std::int64_t least_lanes = size == 16 ? 2 : few_rows && chunk > least_chunk ? 4 : 8;
  const std::int64_t lanes =
      std::clamp<std::int64_t>(ceil_power_of_two(ceil_div(rows, size == 16 || (size == 2 && few_rows) ? 24 : 12)),
                               least_lanes, size == 2 ? 16 : 32);
  const Loads loads = size == 16 && rows >= 100 && rows < 400 && chunk < 600 ? Loads::few : Loads::many;
  const int in_flight = kernels::gemv_n_small_in_flight(loads, static_cast<int>(size));
  const int most_threads = size == 16 ? 256 : 512;
  int threads = 128;
  while (threads < most_threads && threads / lanes * in_flight < chunk) threads *= 2;
  return shape_small_gemv(p, loads, threads, static_cast<int>(lanes), blocks);
}

Plan plan_t_cluster(const Problem& p, int blocks) {
  if (size_a(p) == 16) {
    if (blocks == 8 && stored(p).cols > 32) return shape_small_gemv(p, Loads::many, 512, 512, blocks);
    const int threads = stored(p).rows > 4096 || blocks == 2 ? 256 : 128;
    return shape_small_gemv(p, Loads::few, threads, threads, blocks);
  }
  const int threads = blocks == 8 && stored(p).cols <= 32 ? 512 : 256;
  return shape_small_gemv(p, Loads::few, threads, threads, blocks);
}

// z of 5 MB and more, along the rows: groups that have all columns in flight at once or nearly, four blocks for each
// SM.
Plan plan_n_of_16_bytes(const Problem& p, std::int64_t sms) {
  const std::int64_t rows = stored(p).rows, cols = stored(p).cols;
  if (rows < 1500) return shape_small_gemv(p, on_sectors(p) ? Loads::few : Loads::many, 256, on_sectors(p) ? 4 : 8);
  const std::int64_t share = ceil_power_of_two(rows / (4 * sms) + 1);
  const bool wide = rows >= 4000 && cols > 100;
  const std::int64_t least_lanes = cols > 128 ? 4 : cols > 64 ? 8 : 16;
  const std::int64_t lanes = std::clamp<std::int64_t>(rows < 4000 ? share / 2
                                                      : wide      ? 2 * share
                                                                  : share,
                                                      least_lanes, 64);
  return shape_small_gemv(p, Loads::many, wide ? 256 : 128, static_cast<int>(lanes));
}

// A block for each SM as far as there are rows, lanes for a sector at least. As many groups as take all columns in one
// round of loads; few of them in flight where that is enough.
Plan plan_n(const Problem& p, std::int64_t sms) {
  if (is_tall(p)) return plan_tall(p);
  if (is_middling_z(p)) return shape_small_gemv(p, Loads::many, 256, stored(p).rows <= 1500 ? 8 : 16);
  const std::int64_t rows = stored(p).rows, cols = stored(p).cols;
  const double bytes = cost(p).matrix_bytes;
  // Where the bus is what counts more and smaller blocks: z 2212x645 takes 8.2 us, and 9.3 with gemv_n; c 26008x55 5.0,
  // and 6.3 with 204 blocks of 512 threads.
  if (is_plain_z(p) && bytes >= 5e6) return plan_n_of_16_bytes(p, sms);
  if (size_a(p) == 8 && bytes >= 8e6 && cols <= 64 && !is_accurate(p))
    return shape_small_gemv(p, Loads::many, 256, 128);
  // A sector or more; where sums are long, as few lanes as that.
  const bool long_z = is_plain_z(p) && cols > 128;
  const std::int64_t least_lanes = size_a(p) == 2 ? 16 : size_a(p) == 8 ? 4 : !long_z ? 8 : cols > 300 ? 2 : 4;
  const std::int64_t lanes = std::clamp<std::int64_t>(ceil_power_of_two(ceil_div(rows, sms)), least_lanes, 128);
  const auto threads = [&](Loads loads) {
    const int in_flight = kernels::gemv_n_small_in_flight(loads, static_cast<int>(size_a(p)));
    return lanes * ceil_power_of_two(ceil_div(cols, in_flight));
  };
  const Loads loads = threads(Loads::few) <= 256 && !long_z ? Loads::few : Loads::many;
  // In a queue launches with more digits, which are longer, stand beside each other better in smaller blocks: d
  // 1024x1024 takes 2.6 us so, and 3.4.
  const std::int64_t most_threads = is_accurate(p) && bytes > 8e6 ? 256 : 512;
  return shape_small_gemv(p, loads, static_cast<int>(std::clamp<std::int64_t>(threads(loads), 64, most_threads)),
                          static_cast<int>(lanes));
}

// z down the columns: a column of each group in one round of loads; where the bus is what counts in four, or fewer.
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
Plan plan_t(const Problem& p, std::int64_t sms) {
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

// Where the launch before would miss the bus, prefetching costs more than it saves.
bool prefetch_pays_small(const Problem& p) {
  return !is_tall(p) && cost(p).matrix_bytes < (stored(p).transposed ? 1e6 : size_a(p) > 8 ? 2e6 : 4e6);
}

}  // namespace

const char* why_no_small_gemv(const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = why_not_small_gemv(p); reason != nullptr) return reason;
  if (traits.sm_count < 64) return "a device with few SMs";  // this was measured with 132
  const Stored s = stored(p);
  const double bytes = cost(p).matrix_bytes;
  if (cluster(p, traits) == 1) {
    if (bytes > most_bytes(p)) return "the matrix is too large for loads of single elements";
    if ((s.transposed ? s.rows : s.cols) > most_terms(p)) return "the sums are too long for one block";
  }
  if (s.transposed && s.cols < (size_a(p) == 16 && is_accurate(p) ? 60 : 16))
    return "the sums are too few for the device";  // not measured
  if (s.transposed && s.rows <= 32 && (s.rows < (is_plain_z(p) ? 12 : 20) || size_a(p) == 4 || bytes < 1e6))
    return "the columns are too short for the lanes of a group";
  if (is_gemv_of_user(traits, p)) return "the user's table has a launch";
  if (s.transposed && s.rows > 2048 && bytes >= 5e6 && leaves_sms_idle(plan_t(p, traits.sm_count), traits.sm_count))
    return "its blocks would leave SMs without work at the end";
  return nullptr;
}

Plan plan_small_gemv(const Problem& p, const DeviceTraits& traits) {
  const std::int64_t sms = std::max(traits.sm_count, 1);
  const int blocks = cluster(p, traits);
  if (blocks > 1) {
    return stored(p).transposed ? plan_t_cluster(p, blocks) : plan_n_cluster(p, blocks);
  }
  Plan plan = stored(p).transposed ? plan_t(p, sms) : plan_n(p, sms);
  if (prefetch_pays_small(p))
    params<GemvParams>(plan).prefetch_blocks = std::min<std::int64_t>(prefetching_blocks(plan, traits), INT32_MAX);
  return plan;
}

}  // namespace onepass
