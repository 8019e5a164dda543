// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/explain.hpp"

#include <cstdio>

#include "plan/occupancy.hpp"
#include "plan/registry.hpp"
#include "problem/names.hpp"
#include "tuning/table.hpp"

namespace onepass {
namespace {

std::string number(const char* format, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), format, value);
  return buffer;
}

std::string in_words(const Plan& plan) {
  if (on_device(plan.backend) && !is_empty(plan.problem)) return variant_of(plan).in_words(plan);
  return std::to_string(plan.threads) + (plan.threads == 1 ? " thread" : " threads") + " of the host";
}

// Of one that could serve it.
std::string why_not_chosen(const VariantRow& row, const Problem& p, const DeviceTraits& traits) {
  if (row.seconds == nullptr) return "a variant before it in the list accepted";
  return "the model expects " + number("%.2f us", 1e6 * row.seconds(row.plan(p, traits), traits)) +
         " of its best launch";
}

}  // namespace

Explanation explain(const Plan& plan, const DeviceTraits& traits) {
  Explanation e{
      .plan = plan, .chooser = {}, .refused = {}, .declined = {}, .cost = cost(plan.problem), .floor_seconds = 0};
  if (on_device(plan.backend) && !is_empty(plan.problem)) {
    e.chooser = variant_of(plan).chooser(plan, traits);
    if (traits.tuning != nullptr) e.refused = traits.tuning->refused;
    for (const VariantRow& row : variants_of(family(plan.problem))) {
      if (row.variant == plan.kernel.variant) continue;
      const char* reason = row.decline(plan.problem, traits);
      e.declined.push_back({row.variant, reason != nullptr ? reason : why_not_chosen(row, plan.problem, traits)});
    }
  }
  if (traits.ceilings.bytes_per_second > 0) e.floor_seconds = floor_seconds(traits.ceilings, e.cost.bytes());
  return e;
}

std::string print(const Explanation& e) {
  std::string text = "problem   " + describe(e.plan.problem) + "\n";
  text += std::string("backend   ") + name(e.plan.backend) + "\n";
  text += std::string("plan      ") + name(e.plan.kernel.variant) + ": " + in_words(e.plan) + "\n";
  if (!e.chooser.empty()) text += "chosen    by " + e.chooser + "\n";
  if (!e.refused.empty()) text += "refused   " + e.refused + "\n";
  if (on_device(e.plan.backend)) {
    if (const KernelRow* row = find_kernel(e.plan.kernel); row != nullptr)
      text += std::string("kernel    ") + name(row->id.form) + " form, " + name(row->id.loads) + " loads in flight, " +
              std::to_string(registers_of(e.plan)) + " registers a thread\n";
    text += "memory    " + std::to_string(e.plan.shared_bytes) + " bytes shared per block, " +
            std::to_string(e.plan.workspace_bytes) + " bytes workspace\n";
  }
  for (const Decline& d : e.declined) text += std::string("declined  ") + name(d.variant) + ": " + d.reason + "\n";
  text += "bytes     " + number("%.6g", e.cost.bytes()) + " (matrix " + number("%.6g", e.cost.matrix_bytes) +
          ", vectors " + number("%.6g", e.cost.vector_bytes) + "), flops " + number("%.6g", e.cost.flops) + "\n";
  text += "floor     " +
          (e.floor_seconds > 0 ? number("%.2f us", e.floor_seconds * 1e6)
                               : std::string("not known: run `onepass bench --ceilings`")) +
          "\n";
  return text;
}

}  // namespace onepass
