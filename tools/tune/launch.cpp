// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tune/launch.hpp"

#include <algorithm>

#include "plan/gemv_model.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/gemv_tuned.hpp"
#include "plan/registry.hpp"
#include "plan/symv_tuned.hpp"

namespace onepass::tools {
namespace {

// The model knows little of the loads in flight and nothing of prefetching: what a shape has by itself comes first.
double promise(const GemvChoice& choice, const DeviceTraits& traits) {
  constexpr double unusual = 1.02;
  const Problem& p = choice.plan.problem;
  const auto& chosen = params<GemvParams>(choice.plan);
  const auto shape = sums_along_columns(choice.plan.kernel.variant) ? shape_t : shape_n;
  const Plan usual = shape(p, choice.plan.threads, chosen.lanes, chosen.splits);
  const auto prefetches = [](const Plan& plan) { return params<GemvParams>(plan).prefetch_blocks > 0; };
  return modelled_seconds(usual, traits) * (choice.plan.kernel.loads == usual.kernel.loads ? 1 : unusual) *
         (prefetches(choice.plan) == prefetches(usual) ? 1 : unusual);
}

std::vector<Launch> ranked_gemv(const Problem& p, const DeviceTraits& traits) {
  struct Promising {
    Tuned tuned;
    double seconds;
  };
  std::vector<Promising> all;
  const std::vector<GemvChoice> choices = gemv_choices(p, traits);
  all.reserve(choices.size());
  for (const GemvChoice& choice : choices) all.push_back({choice.tuned, promise(choice, traits)});
  std::ranges::stable_sort(all, {}, &Promising::seconds);
  std::vector<Launch> launches;
  launches.reserve(all.size());
  for (const Promising& one : all) launches.emplace_back(one.tuned);
  return launches;
}

std::vector<Launch> ranked_symv(const Problem& p, const DeviceTraits& traits) {
  std::vector<Launch> launches;
  for (const SymvChoice& choice : symv_choices(p, traits)) launches.emplace_back(choice.tuned);
  if (const std::optional<Launch> rule = rule_of_triangle(p, traits)) {
    const auto first = std::ranges::find(launches, *rule);
    std::rotate(launches.begin(), first, first + 1);
  }
  return launches;
}

}  // namespace

std::string print(const Launch& launch) {
  return std::visit([](const auto& tuned) { return onepass::print(tuned); }, launch);
}

std::optional<Launch> parse_launch(const Problem& p, std::string_view text) {
  switch (family(p)) {
    case Family::gemv: return parse_tuned(text, gemv_variant(p));
    case Family::symv: return parse_tuned_symv(text);
    case Family::ger: break;  // not tuned
  }
  return {};
}

std::optional<Plan> plan_of(const Launch& launch, const Problem& p, const DeviceTraits& traits) {
  return std::visit([&](const auto& tuned) { return onepass::plan_of(tuned, p, traits); }, launch);
}

std::optional<Launch> rule_of_triangle(const Problem& p, const DeviceTraits& traits) {
  if (family(p) != Family::symv) return {};
  DeviceTraits untuned = traits;
  untuned.tuning = nullptr;
  // Of symv, which alone has a space: symv_rows and symv_small go by rules.
  Plan rule = std::ranges::find(variants_of(Family::symv), Variant::symv, &VariantRow::variant)->plan(p, untuned);
  for (const SymvChoice& choice : symv_choices(p, traits)) {
    rule.backend = choice.plan.backend;
    if (choice.plan == rule) return choice.tuned;
  }
  return {};
}

std::vector<Launch> ranked_launches(const Problem& p, const DeviceTraits& traits) {
  switch (family(p)) {
    case Family::gemv: return ranked_gemv(p, traits);
    case Family::symv: return ranked_symv(p, traits);
    case Family::ger: break;
  }
  return {};
}

}  // namespace onepass::tools
