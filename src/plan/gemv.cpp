// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv.hpp"

#include <array>
#include <cstdio>

#include "plan/gemv_model.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/tuning_table.hpp"

namespace onepass {
namespace {

const char* decline_modelled(Variant variant, const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = why_not_served(variant, p, traits); reason != nullptr) return reason;
  return best_choice(variant, p, traits) ? nullptr : "none of its launches fits the problem";
}

std::string flat_in_words(const Plan& plan) {
  const FlatParams& shape = params<FlatParams>(plan);
  return std::to_string(shape.blocks) + " blocks of " + std::to_string(plan.threads) + " threads and " +
         std::to_string(shape.outputs) + " outputs, each summed by " + std::to_string(shape.lanes) +
         (shape.lanes == 1 ? " thread" : " threads");
}

std::string in_words(const Plan& plan) {
  const GemvParams& g = params<GemvParams>(plan);
  const bool canonical = plan.problem.order == Order::canonical;
  std::string text = std::to_string(g.tiles) + " tiles x " + std::to_string(g.splits) + " splits";
  if (plan.problem.batch != 1) text += " x " + std::to_string(plan.problem.batch) + " products";
  if (g.products_per_block > 1) text += ", " + std::to_string(g.products_per_block) + " of them to a block";
  text += ", blocks of " + std::to_string(plan.threads) + " threads: " + std::to_string(g.lanes) +
          " along the contiguous dimension, " + std::to_string(plan.threads / g.lanes) + " groups across";
  if (blocks_of_cluster(plan) > 1)
    text += "; a cluster for each tile adds up its blocks' sums in shared memory";
  else if (!canonical && log2_grouped(plan) > 0)
    text += "; the last of each " + std::to_string(1 << log2_grouped(plan)) +
            " splits adds up their partial sums, and the last block of a tile those";
  else if (g.splits > 1)
    text += canonical ? "; the last block of a tile adds up the partial sums as one tree"
                      : "; the last block of a tile adds up the partial sums in fixed order";
  return text;
}

std::string chooser(const Plan& plan, const DeviceTraits& traits) {
  if (const TunedShape* const shape = shape_of_user(plan.problem, traits); shape != nullptr) {
    Plan of_user = plan_of(shape->choice, plan.problem, traits);
    of_user.backend = plan.backend;
    if (of_user == plan) return traits.tuning->user->title() + ", shape " + name_of(shape->kind);
  }
  char microseconds[32];
  std::snprintf(microseconds, sizeof(microseconds), "%.2f", 1e6 * modelled_seconds(plan, traits));
  const bool of_user = traits.tuning != nullptr && traits.tuning->user && traits.tuning->user->prices;
  return "a model of the launch" + (of_user ? " with the prices of " + traits.tuning->user->title() : "") +
         ", which expects " + microseconds + " us";
}

template <Variant variant>
constexpr VariantRow modelled() {
  return {
      .variant = variant,
      .decline = [](const Problem& p, const DeviceTraits& traits) { return decline_modelled(variant, p, traits); },
      .plan = [](const Problem& p,
                 const DeviceTraits& traits) { return plan_of(best_choice(variant, p, traits)->choice, p, traits); },
      .why_illegal = why_illegal_gemv,
      .in_words = variant == Variant::gemv_flat ? flat_in_words : in_words,
      .rule = nullptr,
      .chooser = chooser,
      .seconds = modelled_seconds};
}

template <Variant variant>
constexpr VariantRow canonical() {
  return {.variant = variant,
          .decline = [](const Problem& p, const DeviceTraits& traits) { return decline_canonical(variant, p, traits); },
          .plan = plan_canonical,
          .why_illegal = why_illegal_canonical,
          .in_words = in_words,
          .rule = "the rule for the canonical order"};
}

constexpr std::array rows = {
    modelled<Variant::gemv_flat>(),
    modelled<Variant::gemv_n_small>(),
    modelled<Variant::gemv_n>(),
    modelled<Variant::gemv_t_small>(),
    modelled<Variant::gemv_t_tensor>(),
    modelled<Variant::gemv_t_short>(),
    modelled<Variant::gemv_t_once>(),
    modelled<Variant::gemv_t>(),
    canonical<Variant::gemv_n_small_canonical>(),
    canonical<Variant::gemv_n_canonical>(),
    canonical<Variant::gemv_t_small_canonical>(),
    canonical<Variant::gemv_t_canonical>(),
};

}  // namespace

std::span<const VariantRow> gemv_rows() { return rows; }

Plan plan_gemv(const Problem& p, const DeviceTraits& traits) {
  if (p.order == Order::standard) {
    const TunedShape* const shape = shape_of_user(p, traits);
    return plan_of(shape != nullptr ? shape->choice : best_choice(p, traits).choice, p, traits);
  }
  return first_plan(rows, p, traits);
}

}  // namespace onepass
