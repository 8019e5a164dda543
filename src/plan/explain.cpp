// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/explain.hpp"

#include <cstdio>

#include "plan/gemv.hpp"
#include "plan/symv.hpp"
#include "plan/symv_small.hpp"
#include "plan/symv_tuned.hpp"
#include "plan/variants.hpp"
#include "problem/names.hpp"

namespace onepass {
namespace {

std::string number(const char* format, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), format, value);
  return buffer;
}

bool on_device(BackendId backend) { return backend == BackendId::cuda || backend == BackendId::sim; }

std::string symv_in_words(const Plan& plan) {
  std::string text = std::to_string(plan.tiles) + (plan.tiles == 1 ? " strip of " : " strips of ") +
                     std::to_string(plan.tile) + " rows, " + std::to_string(plan.splits) +
                     (plan.splits == 1 ? " block" : " blocks");
  if (plan.problem.batch != 1) text += " x " + std::to_string(plan.problem.batch) + " products";
  return text + " of " + std::to_string(plan.threads) + " threads, each warp with up to " + std::to_string(plan.chunk) +
         " columns";
}

std::string small_in_words(const Plan& plan) {
  const auto count = [](std::int64_t number, const char* what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
  };
  return count(plan.tiles, "block") + " of " + count(small_products(plan), "product") + ", each with " +
         count(small_warps(plan), "warp") + " and up to " + count(plan.chunk, "piece") + " to a warp";
}

std::string in_words(const Plan& plan) {
  if (!on_device(plan.backend))
    return std::to_string(plan.threads) + (plan.threads == 1 ? " thread" : " threads") + " of the host";
  if (plan.variant == Variant::symv) return symv_in_words(plan);
  if (plan.variant == Variant::symv_small) return small_in_words(plan);
  std::string text = std::to_string(plan.tiles) + " tiles x " + std::to_string(plan.splits) + " splits";
  if (plan.problem.batch != 1) text += " x " + std::to_string(plan.problem.batch) + " products";
  if (plan.turns > 1) text += ", " + std::to_string(plan.turns) + " of them in turn to a block";
  text += ", blocks of " + std::to_string(plan.threads) + " threads: " + std::to_string(plan.lanes) +
          " along the contiguous dimension, " + std::to_string(plan.threads / plan.lanes) + " groups across";
  return text;
}

}  // namespace

Explanation explain(const Plan& plan, const DeviceTraits& traits) {
  Explanation e{
      .plan = plan, .chooser = {}, .refused = {}, .declined = {}, .cost = cost(plan.problem), .floor_seconds = 0};
  if (on_device(plan.backend)) {
    e.chooser = stores_triangle(plan.problem) ? chooser_of_symv(plan, traits) : chooser_of_gemv(plan, traits);
    if (traits.tuning != nullptr) e.refused = traits.tuning->refused;
    for (const VariantEntry& entry : stores_triangle(plan.problem) ? symv_variants() : gemv_variants()) {
      if (entry.variant == plan.variant) continue;
      const char* reason = entry.decline(plan.problem, traits);
      e.declined.push_back({entry.variant, reason != nullptr ? reason : "a variant before it in the list accepted"});
    }
  }
  if (traits.ceilings.bytes_per_second > 0) e.floor_seconds = floor_seconds(traits.ceilings, e.cost.bytes());
  return e;
}

std::string print(const Explanation& e) {
  std::string text = "problem   " + describe(e.plan.problem) + "\n";
  text += std::string("backend   ") + name(e.plan.backend) + "\n";
  text += std::string("plan      ") + name(e.plan.variant) + ": " + in_words(e.plan) + "\n";
  if (!e.chooser.empty()) text += "chosen    by " + e.chooser + "\n";
  if (!e.refused.empty()) text += "refused   " + e.refused + "\n";
  if (on_device(e.plan.backend)) {
    text += e.plan.combine == Combine::none
                ? "combine   nothing to combine: each sum has one block\n"
                : "combine   blocks send their sums to " +
                      std::string(e.plan.variant == Variant::symv ? "others of the launch, which add"
                                                                  : "the last block of their tile, which adds") +
                      " them in fixed order\n";
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
