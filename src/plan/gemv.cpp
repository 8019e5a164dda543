// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "kernels/args.hpp"
#include "plan/gemv_shape.hpp"

namespace onepass {
namespace {

// Blocks that a split aims at: two sit on each SM.
std::int64_t wanted_blocks(const DeviceTraits& traits) { return 2 * static_cast<std::int64_t>(traits.sm_count); }

const char* decline_n(const Gemv& p, const DeviceTraits&) {
  return stored(p).transposed ? "the outputs lie across the contiguous dimension of A" : nullptr;
}

Plan plan_n(const Gemv& p, const DeviceTraits& traits) {
  const Stored s = stored(p);
  const std::int64_t words = words_of_column(p);
  int threads = 256;
  const std::int64_t most = threads / classes_to_keep_apart(p);
  std::int64_t lanes = std::min<std::int64_t>({ceil_power_of_two(words), 16, most});
  const auto tiles = [&](std::int64_t l) { return ceil_div(s.rows, rows_in_lanes(p, l)) * p.batch; };
  while (2 * lanes <= most && tiles(2 * lanes) >= wanted_blocks(traits)) lanes *= 2;
  const std::int64_t groups = threads / lanes;
  std::int64_t splits = wanted_blocks(traits) / tiles(lanes);
  splits = std::min(splits, s.cols / (groups * 4));
  return shape_n(p, threads, static_cast<int>(lanes), splits);
}

const char* decline_t(const Gemv& p, const DeviceTraits&) {
  return stored(p).transposed ? nullptr : "the outputs lie along the contiguous dimension of A";
}

Plan plan_t(const Gemv& p, const DeviceTraits& traits) {
  const Stored s = stored(p);
  const std::int64_t words = words_of_column(p);
  const int threads = 256;
  const auto tiles = [&](std::int64_t lanes) {
    return ceil_div(s.cols, threads / lanes * kernels::gemv_t_bundle) * p.batch;
  };
  std::int64_t lanes = std::clamp<std::int64_t>(ceil_power_of_two(words), 1, 32);
  while (lanes < threads && tiles(lanes) < wanted_blocks(traits) && words >= 2 * lanes * kernels::gemv_t_in_flight)
    lanes *= 2;
  std::int64_t splits = wanted_blocks(traits) / tiles(lanes);
  splits = std::min(splits, words / (lanes * kernels::gemv_t_in_flight));
  return shape_t(p, threads, static_cast<int>(lanes), splits);
}

constexpr std::array variants = {
    VariantEntry{.variant = Variant::gemv_n, .decline = decline_n, .plan = plan_n},
    VariantEntry{.variant = Variant::gemv_t, .decline = decline_t, .plan = plan_t},
};

}  // namespace

std::span<const VariantEntry> gemv_variants() { return variants; }

Plan plan_gemv(const Gemv& p, const DeviceTraits& traits, BackendId backend) {
  for (const VariantEntry& entry : variants) {
    if (entry.decline(p, traits) != nullptr) continue;
    Plan plan = entry.plan(p, traits);
    plan.backend = backend;
    return plan;
  }
  return {};  // one of the two accepts
}

}  // namespace onepass
