// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The rule of gemv_n_small: sums along the rows.
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

// Whether all columns of 16-byte elements start on sectors.
bool on_sectors(const Problem& p) { return p.alignment_a >= 32 && p.lda % 2 == 0; }

// Sums of z with more digits, up to where vectors in gemv_n are as fast.
bool is_middling_z(const Problem& p) {
  const auto fits = [](std::int64_t n) { return n >= 900 && n <= 5000; };
  return p.accumulate == Accumulate::twice && p.type_a == Type::z && fits(stored(p).rows) && fits(stored(p).cols);
}

// Elements of two bytes that single loads bring sooner than vectors. On an H200, alone, us, of gemv_n where s of the
// same shape takes gemv_n_small: 188x645 3.2 and 2.6, 645x645 3.8 and 2.9, 188x2212 3.9 and 3.1, 188x7585 4.7
// and 4.7.
constexpr std::int64_t most_halves = 600'000;

// Sums of a few terms, and very many of them: a thread has a whole one, and nothing is added up in shared memory. On an
// H200, share of the floor in a queue and alone: b 305799x16 0.69 and 0.47, and 0.42 and 0.36 with gemv_n, s 1048575x16
// 0.98 and 0.85, and 0.69 and 0.66, d 305799x42 0.97 and 0.85, and 0.92 and 0.77. With more terms alone is slower: b
// 89181x26 0.39, and 0.44. Of 16 terms, all of which a thread has in flight, some ten thousand rows are enough: alone s
// 26008x16 takes 2.2 us, and 2.5 with two groups, c 2.8 and 2.9, 305799x16 11.7, and 14.0.
constexpr std::int64_t very_many_rows = 80'000;
bool is_tall(const Problem& p) {
  if (p.accumulate != Accumulate::standard) return false;
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

// Beyond, the bus is what counts, which loads of 16 bytes fill with fewer instructions; and sums have more terms than a
// block has in flight at once, or nearly.
SmallRule::Limits limits(const Problem& p) {
  const std::int64_t rows = stored(p).rows;
  if (is_middling_z(p)) return {SmallRule::any_size, 5000};
  if (is_tall(p)) return {SmallRule::any_size, 64};
  switch (size_a(p)) {
    case 2: return {2.0 * most_halves, 512};
    case 4: return {stored(p).cols >= 400 && !is_accurate(p) ? 6e6 : 4e6, 1030};
    case 8: return {12e6, 1030};
    default: break;
  }
  if (!is_plain_z(p)) return {5e6, 300};
  return {rows <= 40'000 && (on_sectors(p) || rows < 1500 || rows >= 4000) ? 25e6 : 5e6, 700};
}

// Blocks of a cluster that share a sum, 1 if none: of sums that are too long for one block, or too few for the device.
// On an H200, alone, where partial sums go through mailboxes else: s 55x2212 takes 2.5 us, and 3.1; 55x26008 as
// long; z 55x2212 3.4, and 4.1.
int cluster(const Problem& p) {
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

// Lanes for a sector or more, such that a device has some hundred blocks; threads that take the columns of a block in
// one round of loads, or two.
Plan plan_cluster(const Problem& p, int blocks) {
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

// z of 5 MB and more: groups that have all columns in flight at once or nearly, four blocks for each
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
Plan plan(const Problem& p, std::int64_t sms) {
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

// Where the launch before would miss the bus, prefetching costs more than it saves.
bool is_prefetched(const Problem& p) { return !is_tall(p) && cost(p).matrix_bytes < (size_a(p) > 8 ? 2e6 : 4e6); }

}  // namespace

const SmallRule small_n_rule = {.limits = limits,
                                .cluster = cluster,
                                .why_not = [](const Problem&, std::int64_t) -> const char* { return nullptr; },
                                .plan = plan,
                                .plan_cluster = plan_cluster,
                                .is_prefetched = is_prefetched};

}  // namespace onepass
