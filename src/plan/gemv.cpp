// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "kernels/args.hpp"
#include "plan/gemv_flat.hpp"
#include "plan/gemv_model.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/tuning.hpp"
#include "problem/cost.hpp"

namespace onepass {
namespace {

constexpr double least_share = 1200;  // bytes of a block, if a sum is split

using Shape = Plan (*)(const Problem& p, int threads, int lanes, std::int64_t splits);

// Sectors that are requested twice come from the L2 the second time. Where the matrix is small or its
// columns short, that is cheaper than lanes without work and blocks too few for the device; where it is
// large, the bus is what counts.
double most_sectors(const Problem& p) {
  const bool large = p.batch == 1 && cost(p).matrix_bytes >= 8e6 && stored(p).rows * size_of(p.type_a) >= 2048;
  return large ? 1.24 : stored(p).rows * size_of(p.type_a) <= 256 ? 3.2 : 1.8;
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
  Plan chosen;
  double seconds = 0;
  const auto consider = [&](const Plan& plan) {
    const double modelled = modelled_seconds(plan, traits);
    if (seconds > 0 && !(modelled < seconds)) return;
    seconds = modelled;
    chosen = plan;
  };
  const double bytes = cost(p).matrix_bytes, sectors = most_sectors(p);
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

// What was measured next to this shape, if the device has a table and the table has the shape.
std::optional<Plan> tuned(const Problem& p, const DeviceTraits& traits, const Space& space) {
  const Tuning* const table = tuning_of(traits);
  if (table == nullptr) return {};
  const Tuned cell = table->gemv(p).tuned;
  if (cell.threads == 0) return {};
  const std::int64_t lanes =
      std::min({std::int64_t{cell.lanes}, ceil_power_of_two(words_of_column(p)), cell.threads / space.least_groups});
  Plan plan = space.shape(p, cell.threads, static_cast<int>(lanes), 1);
  if (modelled_sectors(plan) > most_sectors(p)) return {};  // columns that start elsewhere than those of the cell
  if (cell.split_threads > 0) {
    const double blocks = static_cast<double>(cell.split_threads) / cell.threads * traits.sm_count;
    const double splits = std::min(blocks, cost(p).matrix_bytes / least_share) / static_cast<double>(plan.tiles);
    if (splits >= 2) plan = space.shape(p, cell.threads, static_cast<int>(lanes), static_cast<std::int64_t>(splits));
  }
  plan.shallow = cell.shallow;
  plan.prefetch = is_plain(p) && cell.prefetch;
  return plan;
}

Plan tuned_or_best(const Problem& p, const DeviceTraits& traits, const Space& space) {
  const std::optional<Plan> plan = tuned(p, traits, space);
  return plan ? *plan : best(p, traits, space);
}

Space space_n(const Problem& p) {
  return {.shape = shape_n, .least_lanes = 2, .least_groups = classes_to_keep_apart(p), .most_threads = 384};
}
constexpr Space space_t{.shape = shape_t, .least_lanes = 1, .least_groups = 1, .most_threads = 768};

const char* decline_n(const Problem& p, const DeviceTraits&) {
  return stored(p).transposed ? "the outputs lie across the contiguous dimension of A" : nullptr;
}
Plan plan_n(const Problem& p, const DeviceTraits& traits) { return tuned_or_best(p, traits, space_n(p)); }

const char* decline_t(const Problem& p, const DeviceTraits&) {
  return stored(p).transposed ? nullptr : "the outputs lie along the contiguous dimension of A";
}
Plan plan_t(const Problem& p, const DeviceTraits& traits) { return tuned_or_best(p, traits, space_t); }

// Measured on an H200 with batches of 4 to 65536: below about two thousand products, and from 32 x 32 floats on,
// blocks of their own are faster.
const char* decline_flat(const Problem& p, const DeviceTraits&) {
  if (const char* reason = why_not_flat(p); reason != nullptr) return reason;
  if (p.batch < 2048) return "the products are few enough for blocks of their own";
  if (p.m * p.n * size_of(p.type_a) > 2500) return "the matrices are large enough for blocks of their own";
  return nullptr;
}
Plan plan_flat(const Problem& p, const DeviceTraits& traits) {
  const double bytes = cost(p).matrix_bytes, terms = static_cast<double>(flat(p).terms);
  const double share = std::clamp(bytes / (4.0 * traits.sm_count), 1024.0, 16384.0);
  const int lanes = bytes < 3.75e5 * terms ? 4 : terms <= 8 ? 1 : 2;
  return shape_flat(p, share <= 4096 ? 64 : 128, lanes, static_cast<std::int64_t>(share));
}

constexpr std::array variants = {
    VariantEntry{.variant = Variant::gemv_flat, .decline = decline_flat, .plan = plan_flat},
    VariantEntry{.variant = Variant::gemv_n, .decline = decline_n, .plan = plan_n},
    VariantEntry{.variant = Variant::gemv_t, .decline = decline_t, .plan = plan_t},
};

}  // namespace

std::span<const VariantEntry> gemv_variants() { return variants; }

std::string chooser_of_gemv(const Plan& plan, const DeviceTraits& traits) {
  const Problem& p = plan.problem;
  if (plan.variant == Variant::gemv_flat) return "the rule for batches of tiny matrices";
  const std::optional<Plan> from_table = tuned(p, traits, plan.variant == Variant::gemv_n ? space_n(p) : space_t);
  if (!from_table || from_table->threads != plan.threads || from_table->lanes != plan.lanes ||
      from_table->splits != plan.splits)
    return "a model of the launch";
  const TunedCell cell = tuning_of(traits)->gemv(p);
  return "the table of " + tuning_of(traits)->device() + ", cell " + std::to_string(cell.rows) + "x" +
         std::to_string(cell.cols);
}

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
