// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv.hpp"

#include <array>
#include <cstdio>

#include "plan/choice.hpp"
#include "plan/gemv_canonical.hpp"
#include "plan/gemv_flat.hpp"
#include "plan/gemv_model.hpp"
#include "plan/gemv_rows_canonical.hpp"
#include "plan/gemv_search.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/gemv_short.hpp"
#include "plan/gemv_small.hpp"
#include "plan/gemv_small_canonical.hpp"
#include "plan/gemv_tensor.hpp"
#include "tuning/table.hpp"

namespace onepass {
namespace {

const GemvParams& gemv(const Plan& plan) { return params<GemvParams>(plan); }

template <Variant variant>
const char* decline(const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = why_not_served(variant, p, traits); reason != nullptr) return reason;
  return best_choice(variant, p, traits) ? nullptr : "none of its launches fits the problem";
}

template <Variant variant>
Plan plan(const Problem& p, const DeviceTraits& traits) {
  return plan_of(best_choice(variant, p, traits)->choice, p, traits);
}

const char* decline_n_canonical(const Problem& p, const DeviceTraits&) {
  if (const char* reason = decline_canonical(p, Variant::gemv_n_canonical); reason != nullptr) return reason;
  return stored(p).transposed ? "the outputs lie across the contiguous dimension of A" : nullptr;
}
const char* decline_t_canonical(const Problem& p, const DeviceTraits&) {
  if (const char* reason = decline_canonical(p, Variant::gemv_t_canonical); reason != nullptr) return reason;
  return stored(p).transposed ? nullptr : "the outputs lie along the contiguous dimension of A";
}

const char* decline_n_small_canonical(const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = decline_n_canonical(p, traits); reason != nullptr) return reason;
  return why_no_small_canonical(p, traits);
}
const char* decline_n_rows_canonical(const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = decline_n_canonical(p, traits); reason != nullptr) return reason;
  return why_no_rows_canonical(p, traits);
}
const char* decline_t_small_canonical(const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = decline_t_canonical(p, traits); reason != nullptr) return reason;
  return why_no_small_canonical(p, traits);
}

std::string flat_in_words(const Plan& plan) {
  const FlatParams& shape = params<FlatParams>(plan);
  return std::to_string(shape.blocks) + " blocks of " + std::to_string(plan.threads) + " threads and " +
         std::to_string(shape.outputs) + " outputs, each summed by " + std::to_string(shape.lanes) +
         (shape.lanes == 1 ? " thread" : " threads");
}

std::string in_words(const Plan& plan) {
  const GemvParams& g = gemv(plan);
  std::string text = std::to_string(g.tiles) + " tiles x " + std::to_string(g.splits) + " splits";
  if (plan.problem.batch != 1) text += " x " + std::to_string(plan.problem.batch) + " products";
  if (g.products_per_block > 1) text += ", " + std::to_string(g.products_per_block) + " of them to a block";
  text += ", blocks of " + std::to_string(plan.threads) + " threads: " + std::to_string(g.lanes) +
          " along the contiguous dimension, " + std::to_string(plan.threads / g.lanes) + " groups across";
  if (blocks_of_cluster(plan) > 1)
    text += "; a cluster for each tile adds up its blocks' sums in shared memory";
  else if (!is_canonical(plan.kernel.variant) && log2_grouped(plan) > 0)
    text += "; the last of each " + std::to_string(1 << log2_grouped(plan)) +
            " splits adds up their partial sums, and the last block of a tile those";
  else if (g.splits > 1)
    text += is_canonical(plan.kernel.variant) ? "; the last block of a tile adds up the partial sums as one tree"
                                              : "; the last block of a tile adds up the partial sums in fixed order";
  return text;
}

std::string canonical_chooser(const Plan&, const DeviceTraits&) { return "a model of the launch"; }

std::string small_chooser(const Plan&, const DeviceTraits&) { return "the rule for small matrices"; }

std::string rows_chooser(const Plan&, const DeviceTraits&) { return "the rule for very many rows"; }

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
constexpr VariantRow modelled(std::string (*why_illegal)(const Plan& plan), std::string (*in_words)(const Plan& plan)) {
  return {.variant = variant,
          .decline = decline<variant>,
          .plan = plan<variant>,
          .why_illegal = why_illegal,
          .in_words = in_words,
          .chooser = chooser,
          .seconds = modelled_seconds};
}

constexpr std::array rows = {
    modelled<Variant::gemv_flat>(why_illegal_flat, flat_in_words),
    modelled<Variant::gemv_n_small>(why_illegal_small_gemv, in_words),
    modelled<Variant::gemv_n>(why_illegal_gemv, in_words),
    modelled<Variant::gemv_t_small>(why_illegal_small_gemv, in_words),
    modelled<Variant::gemv_t_tensor>(why_illegal_tensor_gemv, in_words),
    modelled<Variant::gemv_t_short>(why_illegal_short_gemv, in_words),
    modelled<Variant::gemv_t_once>(why_illegal_gemv, in_words),
    modelled<Variant::gemv_t>(why_illegal_gemv, in_words),
    VariantRow{.variant = Variant::gemv_n_small_canonical,
               .decline = decline_n_small_canonical,
               .plan = plan_small_canonical,
               .why_illegal = why_illegal_small_canonical,
               .in_words = in_words,
               .chooser = small_chooser},
    VariantRow{.variant = Variant::gemv_n_rows_canonical,
               .decline = decline_n_rows_canonical,
               .plan = plan_rows_canonical,
               .why_illegal = why_illegal_rows_canonical,
               .in_words = in_words,
               .chooser = rows_chooser},
    VariantRow{.variant = Variant::gemv_n_canonical,
               .decline = decline_n_canonical,
               .plan = plan_canonical,
               .why_illegal = why_illegal_canonical,
               .in_words = in_words,
               .chooser = canonical_chooser},
    VariantRow{.variant = Variant::gemv_t_small_canonical,
               .decline = decline_t_small_canonical,
               .plan = plan_small_canonical,
               .why_illegal = why_illegal_small_canonical,
               .in_words = in_words,
               .chooser = small_chooser},
    VariantRow{.variant = Variant::gemv_t_canonical,
               .decline = decline_t_canonical,
               .plan = plan_canonical,
               .why_illegal = why_illegal_canonical,
               .in_words = in_words,
               .chooser = canonical_chooser},
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
