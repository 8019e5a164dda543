// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/registry.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "plan/gemv.hpp"
#include "plan/symv_shape.hpp"
#include "plan/tuning_table.hpp"
#include "problem/names.hpp"

namespace onepass {
namespace {

const VariantRow* find_variant(const Plan& plan) {
  const auto rows = variants_of(family(plan.problem));
  const auto found = std::ranges::find(rows, plan.kernel.variant, &VariantRow::variant);
  return found == rows.end() ? nullptr : &*found;
}

std::string number(const char* format, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), format, value);
  return buffer;
}

std::string microseconds(double seconds) { return number("%.2f us", 1e6 * seconds); }

bool is_launched(const Plan& plan) { return on_device(plan.backend) && !is_empty(plan.problem); }

}  // namespace

std::span<const VariantRow> variants_of(Family family) {
  switch (family) {
    case Family::gemv: return gemv_rows();
    case Family::symv: return symv_rows();
    case Family::ger: return ger_rows();
  }
  return {};
}

Plan first_plan(std::span<const VariantRow> rows, const Problem& p, const DeviceTraits& traits) {
  for (const VariantRow& row : rows)
    if (row.decline(p, traits) == nullptr) return row.plan(p, traits);
  return {};
}

Plan plan_on_device(const Problem& p, const DeviceTraits& traits, BackendId backend) {
  Plan plan = family(p) == Family::gemv ? plan_gemv(p, traits) : first_plan(variants_of(family(p)), p, traits);
  plan.backend = backend;
  return plan;
}

std::string why_illegal_on_device(const Plan& plan) {
  if (is_empty(plan.problem)) return "";  // never launched
  const VariantRow* const row = find_variant(plan);
  if (row == nullptr)
    return std::string("no kernel of ") + name(family(plan.problem)) + " is called " + name(plan.kernel.variant);
  const KernelRow* const kernel = find_kernel(plan.kernel);
  if (kernel == nullptr || !kernel->serves(elements_of(plan.problem)))
    return std::string(name(plan.kernel.variant)) + " was not compiled in this form";
  if (plan.params.index() != parameters_of(plan.kernel.variant).index())
    return "the parameters are those of another variant";
  return row->why_illegal(plan);
}

const VariantRow& variant_of(const Plan& plan) { return *find_variant(plan); }

Explanation explain(const Plan& plan, const DeviceTraits& traits) {
  Explanation e{.plan = plan, .cost = cost(plan.problem)};
  if (is_launched(plan)) {
    const VariantRow& row = variant_of(plan);
    e.chooser = row.chooser != nullptr ? row.chooser(plan, traits) : row.rule;
    if (traits.tuning != nullptr) e.refused = traits.tuning->refused;
    for (const VariantRow& row : variants_of(family(plan.problem))) {
      if (row.variant == plan.kernel.variant) continue;
      if (const char* reason = row.decline(plan.problem, traits); reason != nullptr)
        e.declined.push_back({row.variant, reason});
      else if (row.seconds == nullptr)
        e.declined.push_back({row.variant, "a variant before it in the list accepted"});
      else
        e.declined.push_back({row.variant, "the model expects " +
                                               microseconds(row.seconds(row.plan(plan.problem, traits), traits)) +
                                               " of its best launch"});
    }
  }
  if (traits.ceilings.bytes_per_second > 0) e.floor_seconds = floor_seconds(traits.ceilings, e.cost.bytes());
  return e;
}

std::string print(const Explanation& e) {
  const Plan& plan = e.plan;
  std::string text;
  const auto line = [&](const char* key, const std::string& words) {
    if (!words.empty()) text += std::string(key).append(10 - std::strlen(key), ' ') + words + "\n";
  };
  line("problem", describe(plan.problem));
  line("backend", name(plan.backend));
  line("plan", std::string(name(plan.kernel.variant)) + ": " +
                   (is_launched(plan) ? variant_of(plan).in_words(plan)
                                      : std::to_string(plan.threads) + (plan.threads == 1 ? " thread" : " threads") +
                                            " of the host"));
  line("chosen", e.chooser.empty() ? "" : "by " + e.chooser);
  line("refused", e.refused);
  if (on_device(plan.backend)) {
    if (find_kernel(plan.kernel) != nullptr)
      line("kernel", std::string(name(plan.kernel.form)) + " form, " + name(plan.kernel.loads) + " loads in flight, " +
                         std::to_string(registers_of(plan)) + " registers a thread");
    line("memory", std::to_string(plan.shared_bytes) + " bytes shared per block, " +
                       std::to_string(plan.workspace_bytes) + " bytes workspace");
  }
  for (const Decline& d : e.declined) line("declined", std::string(name(d.variant)) + ": " + d.reason);
  line("bytes", number("%.6g", e.cost.bytes()) + " (matrix " + number("%.6g", e.cost.matrix_bytes) + ", vectors " +
                    number("%.6g", e.cost.vector_bytes) + "), flops " + number("%.6g", e.cost.flops));
  line("floor", e.floor_seconds > 0 ? microseconds(e.floor_seconds) : "not known: run `onepass bench --ceilings`");
  return text;
}

}  // namespace onepass
