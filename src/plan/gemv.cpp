// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv.hpp"

#include <algorithm>
#include <array>

#include "kernels/args.hpp"
#include "plan/gemv_model.hpp"
#include "plan/gemv_shape.hpp"
#include "problem/cost.hpp"

namespace onepass {
namespace {

using Shape = Plan (*)(const Problem& p, int threads, int lanes, std::int64_t splits);

// Sectors that are requested twice come from the L2 the second time. Where the matrix is small or its
// columns short, that is cheaper than lanes without work and blocks too few for the device; where it is
// large, the bus is what counts.
double most_sectors(const Problem& p, double bytes) {
  const bool large = bytes >= 8e6 && stored(p).rows * size_of(p.type_a) >= 2048;
  return large ? 1.24 : 1.8;
}

// What is tried: threads of a block, the fewest lanes, and how many threads of an SM a split may fill. More
// than that fight for the memory: on an H200, gemv_n with 384 threads on an SM takes 12 % less time than with 512.
struct Space {
  Shape shape;
  std::int64_t least_lanes, least_groups;
  double most_threads;
};

// The best of all threads, lanes and splits, as the model sees them.
Plan best(const Problem& p, const DeviceTraits& traits, const Space& space) {
  constexpr double shares_of_device[] = {64, 128, 256, 384, 512, 768};  // threads of a split, per SM
  constexpr double least_share = 1500;                                  // bytes of a block
  Plan chosen;
  double seconds = 0;
  const auto consider = [&](const Plan& plan) {
    const double modelled = modelled_seconds(plan, traits);
    if (seconds > 0 && !(modelled < seconds)) return;
    seconds = modelled;
    chosen = plan;
  };
  const double bytes = cost(p).matrix_bytes, sectors = most_sectors(p, bytes);
  const std::int64_t most_lanes = ceil_power_of_two(words_of_column(p));
  const std::int64_t least_lanes = std::min(space.least_lanes, most_lanes);
  for (const int threads : {256, 128, 64, 32}) {
    if (threads < 128 && p.batch == 1) break;
    std::int64_t lanes = std::min<std::int64_t>(most_lanes, threads / space.least_groups);
    for (; lanes >= least_lanes; lanes /= 2) {
      const Plan whole = space.shape(p, threads, static_cast<int>(lanes), 1);
      if (modelled_sectors(whole) > sectors && seconds > 0) continue;
      consider(whole);
      const double tiles = static_cast<double>(whole.tiles * p.batch);
      std::int64_t last = 1;
      for (const double share : shares_of_device) {
        const double splits = share / threads * traits.sm_count / tiles;
        if (share > space.most_threads || splits < 2 || bytes / (tiles * splits) < least_share) continue;
        const Plan split = space.shape(p, threads, static_cast<int>(lanes), static_cast<std::int64_t>(splits));
        if (split.splits == last) continue;
        last = split.splits;
        consider(split);
      }
    }
  }
  return chosen;
}

const char* decline_n(const Problem& p, const DeviceTraits&) {
  return stored(p).transposed ? "the outputs lie across the contiguous dimension of A" : nullptr;
}
Plan plan_n(const Problem& p, const DeviceTraits& traits) {
  return best(p, traits,
              {.shape = shape_n, .least_lanes = 2, .least_groups = classes_to_keep_apart(p), .most_threads = 384});
}

const char* decline_t(const Problem& p, const DeviceTraits&) {
  return stored(p).transposed ? nullptr : "the outputs lie along the contiguous dimension of A";
}
Plan plan_t(const Problem& p, const DeviceTraits& traits) {
  return best(p, traits, {.shape = shape_t, .least_lanes = 1, .least_groups = 1, .most_threads = 768});
}

constexpr std::array variants = {
    VariantEntry{.variant = Variant::gemv_n, .decline = decline_n, .plan = plan_n},
    VariantEntry{.variant = Variant::gemv_t, .decline = decline_t, .plan = plan_t},
};

}  // namespace

std::span<const VariantEntry> gemv_variants() { return variants; }

Plan plan_gemv(const Problem& p, const DeviceTraits& traits, BackendId backend) {
  for (const VariantEntry& entry : variants) {
    if (entry.decline(p, traits) != nullptr) continue;
    Plan plan = entry.plan(p, traits);
    plan.backend = backend;
    return plan;
  }
  return {};  // one of the two accepts
}

}  // namespace onepass
