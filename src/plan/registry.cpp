// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/registry.hpp"

#include <algorithm>

#include "plan/gemv.hpp"
#include "plan/ger.hpp"
#include "plan/symv_shape.hpp"
#include "problem/names.hpp"

namespace onepass {
namespace {

const VariantRow* find_variant(const Plan& plan) {
  const auto rows = variants_of(family(plan.problem));
  const auto found = std::ranges::find(rows, plan.kernel.variant, &VariantRow::variant);
  return found == rows.end() ? nullptr : &*found;
}

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

}  // namespace onepass
