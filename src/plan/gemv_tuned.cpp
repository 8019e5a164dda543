// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_tuned.hpp"

#include <algorithm>

#include "plan/gemv_model.hpp"
#include "plan/gemv_shape.hpp"
#include "problem/cost.hpp"

namespace onepass {

// Sectors that are requested twice come from the L2 the second time. Where the matrix is small or its
// columns short, that is cheaper than lanes without work and blocks too few for the device; where it is
// large, the bus is what counts.
double most_sectors(const Problem& p) {
  const bool large = p.batch == 1 && cost(p).matrix_bytes >= 8e6 && stored(p).rows * size_of(p.type_a) >= 2048;
  return large ? 1.24 : stored(p).rows * size_of(p.type_a) <= 256 ? 3.2 : 1.8;
}

Variant gemv_variant(const Problem& p) { return stored(p).transposed ? Variant::gemv_t : Variant::gemv_n; }

std::optional<Plan> plan_of(const Tuned& tuned, const Problem& p, const DeviceTraits& traits) {
  const bool transposed = stored(p).transposed;
  const auto shape = transposed ? shape_t : shape_n;
  const std::int64_t least_groups = transposed ? 1 : classes_to_keep_apart(p);
  const std::int64_t lanes =
      std::min({std::int64_t{tuned.lanes}, ceil_power_of_two(words_of_column(p)), tuned.threads / least_groups});
  Plan plan = shape(p, tuned.threads, static_cast<int>(lanes), 1);
  if (modelled_sectors(plan) > most_sectors(p)) return {};
  if (tuned.split_threads > 0) {
    const double blocks = static_cast<double>(tuned.split_threads) / tuned.threads * traits.sm_count;
    const double splits = std::min(blocks, cost(p).matrix_bytes / least_share) / static_cast<double>(plan.tiles);
    if (splits >= 2) plan = shape(p, tuned.threads, static_cast<int>(lanes), static_cast<std::int64_t>(splits));
  }
  plan.shallow = tuned.shallow;
  plan.prefetch = is_plain(p) && tuned.prefetch;
  return plan;
}

std::vector<GemvChoice> gemv_choices(const Problem& p, const DeviceTraits& traits) {
  const KernelSpace& space = space_of(gemv_variant(p));
  const NamedValues problem = values_of(p);
  std::vector<GemvChoice> choices;
  for (const int threads : space.values("threads"))
    for (const int lanes : space.values("lanes"))
      for (const int split_threads : space.values("split_threads"))
        for (const int shallow : space.values("shallow"))
          for (const int prefetch : space.values("prefetch")) {
            const Tuned tuned{.threads = static_cast<std::int16_t>(threads),
                              .lanes = static_cast<std::int16_t>(lanes),
                              .split_threads = static_cast<std::int16_t>(split_threads),
                              .shallow = shallow != 0,
                              .prefetch = prefetch != 0};
            NamedValues values = values_of(tuned);
            values.insert(values.end(), problem.begin(), problem.end());
            if (!space.why_outside(values).empty()) continue;
            const std::optional<Plan> plan = plan_of(tuned, p, traits);
            if (plan && std::ranges::find(choices, *plan, &GemvChoice::plan) == choices.end())
              choices.push_back({tuned, *plan});
          }
  return choices;
}

}  // namespace onepass
