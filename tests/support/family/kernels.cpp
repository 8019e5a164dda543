// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/family/kernels.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>

#include "plan/registry.hpp"
#include "problem/names.hpp"
#include "support/thorough.hpp"

namespace onepass::test {
namespace {

std::string instance(const KernelId& id, ElementsId elements) {
  const CombinationRow& types = combination_of(elements);
  return std::string(name(id.variant)) + " " + name(id.form) + " " + name(id.loads) + " " + name(types.a) + " " +
         name(types.accumulate) + (types.tails ? " tails" : "") + "\n";
}

std::string instance_of(const Case& c) {
  const Plan plan = plan_of(c);
  return instance(plan.kernel, elements_of(plan.problem));
}

}  // namespace

Plan plan_of(const Case& c) {
  Problem p = c.problem;
  p.alignment_a = alignment_of(p, reinterpret_cast<const void*>(256 + c.offset_a * size_of(p.type_a)));
  std::optional<Plan> plan;
  if (c.choice) plan = legal_plan_of(*c.choice, p, h200_traits());
  if (!plan) plan = plan_on_device(p, h200_traits(), BackendId::sim);
  plan->backend = BackendId::sim;
  return *plan;
}

std::string kernels_without_a_case(Family family) {
  std::set<std::string> hit;
  for (const GroupedCase& g : all_cases()) hit.insert(instance_of(g.c));
  std::string missing;
  for (const KernelRow& row : kernel_rows)
    for (const ElementsId elements : all_ids)
      if (row.family == family && row.serves(elements) && !hit.contains(instance(row.id, elements)))
        missing += instance(row.id, elements);
  return missing;
}

std::vector<GroupedCase> cases_asked_for(std::vector<GroupedCase> cases) {
  const char* const kernel = std::getenv("ONEPASS_KERNEL");
  const char* const types = std::getenv("ONEPASS_KERNEL_TYPES");
  if (kernel == nullptr || types == nullptr) return cases;
  const std::string listed = std::string(";") + types + ";";
  std::erase_if(cases, [&](const GroupedCase& g) {
    const Plan plan = plan_of(g.c);
    const CombinationRow& row = combination_of(elements_of(plan.problem));
    return name(plan.kernel.variant) != std::string_view(kernel) || row.accumulate != Accumulate::standard ||
           row.tails || listed.find(std::string(";") + name(row.a) + ";") == std::string::npos;
  });
  return cases;
}

std::vector<GroupedCase> some_of_each_kernel(const std::vector<GroupedCase>& cases, std::int64_t share) {
  std::map<std::string, std::vector<const GroupedCase*>> of_kernels;
  for (const GroupedCase& g : cases) of_kernels[instance_of(g.c)].push_back(&g);
  std::vector<GroupedCase> list;
  for (const auto& [name, all] : of_kernels) {
    const auto count = static_cast<std::int64_t>(all.size());
    for (std::int64_t i = 0; i < count; ++i)
      if (takes_turn(i, std::min(share, count))) list.push_back(*all[static_cast<std::size_t>(i)]);
  }
  return list;
}

}  // namespace onepass::test
