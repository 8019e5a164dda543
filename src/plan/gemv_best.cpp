// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_best.hpp"

#include <algorithm>

#include "plan/gemv_model.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/gemv_tuned.hpp"
#include "plan/occupancy.hpp"
#include "problem/cost.hpp"
#include "tuning/space.hpp"

namespace onepass {
namespace {

constexpr double any_sectors = 1e300;

const GemvParams& gemv(const Plan& plan) { return params<GemvParams>(plan); }

using Shape = Plan (*)(const Problem& p, int threads, int lanes, std::int64_t splits);

// What is tried: the lists of tuning/space.json.
struct Space {
  Shape shape;
  std::int64_t least_lanes, least_groups;
  const KernelSpace& kernel;
};

// The best of all threads, lanes and splits that request at most so many sectors for each one needed, as the model sees
// them.
Plan best_within(double sectors, const Problem& p, const DeviceTraits& traits, const Space& space) {
  const std::vector<int>& shares_of_device = space.kernel.values("split_threads");
  Plan chosen;
  double seconds = 0;
  const auto consider = [&](const Plan& plan) {
    const double modelled = modelled_seconds(plan, traits);
    if (seconds > 0 && !(modelled < seconds)) return;
    seconds = modelled;
    chosen = plan;
  };
  const double bytes = cost(p).matrix_bytes;
  const std::int64_t most_lanes = ceil_power_of_two(vectors_of_column(p));
  const std::int64_t least_lanes = std::min(space.least_lanes, most_lanes);
  for (const int threads : space.kernel.values("threads")) {
    if (threads < 128 && p.batch == 1) break;
    std::int64_t lanes = std::min<std::int64_t>(most_lanes, threads / space.least_groups);
    for (; lanes >= least_lanes; lanes /= 2) {
      const Plan whole = space.shape(p, threads, static_cast<int>(lanes), 1);
      if (requested_sectors(whole) > sectors && seconds > 0) continue;
      consider(whole);
      const double tiles = static_cast<double>(gemv(whole).tiles * p.batch);
      std::int64_t last = 1;
      for (const int share : shares_of_device) {
        const double splits = static_cast<double>(share) / threads * traits.sm_count / tiles;
        if (splits < 2 || bytes / (tiles * splits) < least_share) continue;
        const Plan split = space.shape(p, threads, static_cast<int>(lanes), static_cast<std::int64_t>(splits));
        if (gemv(split).splits == last) continue;
        last = gemv(split).splits;
        consider(split);
      }
    }
  }
  return chosen;
}

// Whether some SMs have no block though the matrix has enough bytes for each.
bool leaves_sms_idle(const Plan& plan, const DeviceTraits& traits) {
  const GemvParams& g = gemv(plan);
  return plan.problem.batch == 1 && g.tiles * g.splits < traits.sm_count &&
         cost(plan.problem).matrix_bytes > bytes_on_their_way_to_sm * traits.sm_count;
}

}  // namespace

// Where columns start on no sector, the only lanes within the limit may be those that take a whole column, and a block
// of those has too many outputs for its sums to be split.
Plan best_gemv(const Problem& p, const DeviceTraits& traits) {
  const bool transposed = stored(p).transposed;
  const Space space{.shape = transposed ? shape_t : shape_n,
                    .least_lanes = transposed ? 1 : 2,
                    .least_groups = transposed ? 1 : classes_to_keep_apart(p),
                    .kernel = space_of(gemv_variant(p))};
  Plan chosen = best_within(most_sectors(p), p, traits, space);
  if (leaves_sms_idle(chosen, traits)) chosen = best_within(any_sectors, p, traits, space);
  prefer_once(chosen);
  set_prefetch(chosen, gemv(chosen).prefetch_blocks > 0, prefetching_blocks(chosen, traits));
  return chosen;
}

}  // namespace onepass
