// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_large.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/args.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/occupancy.hpp"
#include "plan/registry.hpp"
#include "problem/cost.hpp"
#include "tuning/lookup.hpp"

namespace onepass {
namespace {

constexpr int threads_of_large = kernels::gemv_max_threads;

bool is_large_and_plain(const Problem& p, const DeviceTraits& traits) {
  constexpr double least = 75e6;
  return is_plain(p) && !is_accurate(p) && p.order == Order::standard && cost(p).matrix_bytes >= least &&
         !is_gemv_of_user(traits, p);
}

// Wide tiles, but for lanes without work. On an H200, tiles of 256 bytes have 0.93 of the speed of those of 2 KB, of
// 512 bytes 0.97, and half of that is lost where columns start on 16 bytes; 35 % of lanes without work cost 3 %.
// Outputs of a split have a thread each, and of 16-byte elements 128 lanes are no better than 64.
std::int64_t lanes_of_rows(const Problem& p) {
  const std::int64_t v = vector_length(p), most = std::min<std::int64_t>(threads_of_large / v, v == 1 ? 64 : 128);
  const auto vectors = static_cast<double>(vectors_of_column(p));
  const double narrow = vectors_should_fit(p) ? 0.5 : 1;
  std::int64_t best = 0;
  double least = 0;
  for (std::int64_t lanes = most; lanes >= 4; lanes /= 2) {
    if (threads_of_large / lanes % classes_to_keep_apart(p) != 0) continue;
    const auto slots = static_cast<double>(lanes * ceil_div(stored(p).rows, rows_in_lanes(p, lanes)));
    const double loss = 0.1 * (slots / vectors - 1) + narrow / static_cast<double>(lanes);
    if (best == 0 || loss < least) best = lanes, least = loss;
  }
  return best;
}

}  // namespace

// About 500 KB for a block, in whole waves. Where that is one, a place for each block that adds up parts is left free:
// the last blocks of the next launch, which add up its parts, would wait for it. On an H200, share of the floor in a
// queue: d 0.976 (0.944 with the table's launches), c 0.974 (0.922), z 0.966 (0.945), b 0.944 (0.905), and as much
// alone (0.86 to 0.91).
std::optional<Plan> large_gemv_n(const Problem& p, const DeviceTraits& traits) {
  constexpr double share = 500e3;
  const std::int64_t rows = stored(p).rows, size = size_of(p.type_a);
  if (!is_large_and_plain(p, traits) || rows < 16 || rows > (size == 2 ? 40000 : 3000)) return {};
  if (Tuning::is_aligned(p) && rows * size > 2048) return {};
  const std::int64_t lanes = lanes_of_rows(p);
  if (lanes == 0) return {};
  Plan plan = shape_n(p, threads_of_large, static_cast<int>(lanes), 1);
  plan.kernel.loads = Loads::few;
  const std::int64_t held = blocks_of_wave(plan, traits), tiles = params<GemvParams>(plan).tiles;
  constexpr std::int64_t most_waves = 8;
  const auto waves =
      std::min<std::int64_t>(most_waves, std::lround(cost(p).matrix_bytes / share / static_cast<double>(held)));
  const std::int64_t splits = waves > 1 ? (2 * waves * held + tiles) / (2 * tiles) : held / tiles - 1;
  if (splits < 2) return {};
  plan = shape_n(p, threads_of_large, static_cast<int>(lanes), splits);
  plan.kernel.loads = Loads::few;
  set_prefetch(plan, false, 0);
  return plan;
}

// Columns of 16-byte elements that a group has in one round of loads. On an H200, share of the floor in a queue, 16 to
// 188 rows: 0.93 to 0.99, where gemv_t and gemv_t_short have 0.90 to 0.96.
std::optional<Plan> large_gemv_t(const Problem& p, const DeviceTraits& traits) {
  const std::int64_t vectors = vectors_of_column(p);
  if (!is_large_and_plain(p, traits) || size_of(p.type_a) != 16 || vectors < 16 || vectors > 256) return {};
  const Loads loads = vectors > 16 ? Loads::many : Loads::few;
  Plan plan =
      shape_t(p, 128, static_cast<int>(ceil_power_of_two(ceil_div(vectors, kernels::gemv_t_in_flight(loads)))), 1);
  plan.kernel.loads = loads;
  set_prefetch(plan, false, 0);
  prefer_once(plan);
  return plan.kernel.variant == Variant::gemv_t_once ? std::optional(plan) : std::nullopt;
}

}  // namespace onepass
