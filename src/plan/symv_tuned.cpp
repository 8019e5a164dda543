// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/symv_tuned.hpp"

#include <algorithm>
#include <cstdint>

#include "plan/gemv_shape.hpp"
#include "plan/symv_shape.hpp"

namespace onepass {

std::optional<Plan> plan_of(const TunedSymv& tuned, const Problem& p, const DeviceTraits& traits) {
  std::int64_t blocks = std::int64_t{tuned.split_threads} * traits.sm_count / std::max<int>(tuned.threads, 1);
  if (tuned.columns > 0)
    blocks = ceil_div(params<SymvParams>(shape_symv(p, tuned.threads, tuned.panels, INT32_MAX)).blocks, tuned.columns);
  const Plan plan = shape_symv(p, tuned.threads, tuned.panels, blocks);
  // CUDA keeps 1 KiB of an SM for each block.
  const auto room = static_cast<std::size_t>(std::max(traits.shared_bytes_per_sm, 1024)) - 1024;
  return plan.shared_bytes <= room && why_illegal_symv(plan).empty() ? std::optional(plan) : std::nullopt;
}

std::optional<Plan> tuned_symv(const Problem& p, const DeviceTraits& traits) {
  const TunedSymvCell cell = find_symv(traits, p);
  return cell.tuned.threads == 0 ? std::nullopt : plan_of(cell.tuned, p, traits);
}

std::vector<SymvChoice> symv_choices(const Problem& p, const DeviceTraits& traits) {
  const KernelSpace& space = space_of(Variant::symv);
  const NamedValues problem = values_of(p);
  std::vector<SymvChoice> choices;
  for (const int threads : space.values("threads"))
    for (const int panels : space.values("panels"))
      for (const int split_threads : space.values("split_threads"))
        for (const int columns : space.values("columns")) {
          const TunedSymv tuned{.threads = static_cast<std::int16_t>(threads),
                                .panels = static_cast<std::int16_t>(panels),
                                .split_threads = static_cast<std::int16_t>(split_threads),
                                .columns = static_cast<std::int16_t>(columns)};
          NamedValues values = values_of(tuned);
          values.insert(values.end(), problem.begin(), problem.end());
          if (!space.why_outside(values).empty()) continue;
          const std::optional<Plan> plan = plan_of(tuned, p, traits);
          if (plan && std::ranges::find(choices, *plan, &SymvChoice::plan) == choices.end())
            choices.push_back({tuned, *plan});
        }
  return choices;
}

std::string chooser_of_symv(const Plan& plan, const DeviceTraits& traits) {
  const TunedSymvCell cell = find_symv(traits, plan.problem);
  if (cell.tuned.threads == 0) return "";
  std::optional<Plan> from_table = plan_of(cell.tuned, plan.problem, traits);
  if (!from_table) return "";
  from_table->backend = plan.backend;
  return *from_table == plan ? cell.table->title() + ", cell " + std::to_string(cell.n) : "";
}

}  // namespace onepass
