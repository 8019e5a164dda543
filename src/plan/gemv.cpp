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

using Shape = Plan (*)(const Gemv& p, int threads, int lanes, std::int64_t splits);

// Sectors that are requested twice come from the L2 the second time. Where the matrix is small, that is
// cheaper than blocks too few for the device; where it is large, the bus is what counts.
constexpr double small_matrix_bytes = 8e6;
constexpr double most_sectors = 1.25;

bool allowed(const Plan& plan) {
  return cost(plan.problem).matrix_bytes < small_matrix_bytes || modelled_sectors(plan) <= most_sectors;
}

// The best of all threads, lanes and splits, as the model sees them.
Plan best(const Gemv& p, const DeviceTraits& traits, Shape shape, std::int64_t least_lanes,
          std::int64_t least_groups) {
  constexpr double shares_of_device[] = {0.5, 1, 1.5, 2, 3, 4, 6, 8};  // blocks of a split, per SM
  constexpr double least_share = 1500;                                 // bytes of a block
  Plan chosen;
  double seconds = 0;
  const auto consider = [&](const Plan& plan) {
    const double modelled = modelled_seconds(plan, traits);
    if (seconds > 0 && !(modelled < seconds)) return;
    seconds = modelled;
    chosen = plan;
  };
  const double bytes = cost(p).matrix_bytes;
  const std::int64_t most_lanes = ceil_power_of_two(words_of_column(p));
  least_lanes = std::min(least_lanes, most_lanes);
  for (const int threads : {256, 128, 64, 32}) {
    if (threads < 128 && p.batch == 1) break;
    for (std::int64_t lanes = std::min<std::int64_t>(most_lanes, threads / least_groups); lanes >= least_lanes; lanes /= 2) {
      const Plan whole = shape(p, threads, static_cast<int>(lanes), 1);
      if (!allowed(whole) && seconds > 0) break;
      consider(whole);
      const double tiles = static_cast<double>(whole.tiles * p.batch);
      std::int64_t last = 1;
      for (const double share : shares_of_device) {
        const double splits = share * traits.sm_count / tiles;
        if (splits < 2 || bytes / (tiles * splits) < least_share) continue;
        const Plan split = shape(p, threads, static_cast<int>(lanes), static_cast<std::int64_t>(splits));
        if (split.splits == last) continue;
        last = split.splits;
        consider(split);
      }
    }
  }
  return chosen;
}

const char* decline_n(const Gemv& p, const DeviceTraits&) {
  return stored(p).transposed ? "the outputs lie across the contiguous dimension of A" : nullptr;
}
Plan plan_n(const Gemv& p, const DeviceTraits& traits) { return best(p, traits, shape_n, 2, classes_to_keep_apart(p)); }

const char* decline_t(const Gemv& p, const DeviceTraits&) {
  return stored(p).transposed ? nullptr : "the outputs lie along the contiguous dimension of A";
}
Plan plan_t(const Gemv& p, const DeviceTraits& traits) { return best(p, traits, shape_t, 1, 1); }

// gemv_t_short: columns of at most two words per lane of a warp, and more of them than the device holds.
const char* decline_t_short(const Gemv& p, const DeviceTraits&) {
  if (const char* reason = decline_t(p, {}); reason != nullptr) return reason;
  if (words_of_column(p) > 64) return "the columns as stored are longer than 64 words of 16 bytes";
  return stored(p).cols >= 40000 ? nullptr : "the columns are too few to walk along";
}
Plan plan_t_short(const Gemv& p, const DeviceTraits& traits) {
  const std::int64_t lanes = ceil_power_of_two(ceil_div(words_of_column(p), kernels::gemv_t_in_flight));
  const int threads = lanes * alignment_classes(p) <= 128 ? 128 : 256;
  return shape_t_short(p, threads, static_cast<int>(lanes), 768 / threads * traits.sm_count / p.batch);
}

constexpr std::array variants = {
    VariantEntry{.variant = Variant::gemv_t_short, .decline = decline_t_short, .plan = plan_t_short},
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
