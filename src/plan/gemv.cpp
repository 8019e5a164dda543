// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include "kernels/args.hpp"
#include "plan/gemv_best.hpp"
#include "plan/gemv_canonical.hpp"
#include "plan/gemv_flat.hpp"
#include "plan/gemv_large.hpp"
#include "plan/gemv_model.hpp"
#include "plan/gemv_rows_canonical.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/gemv_short.hpp"
#include "plan/gemv_small.hpp"
#include "plan/gemv_small_canonical.hpp"
#include "plan/gemv_small_rule.hpp"
#include "plan/gemv_tensor.hpp"
#include "plan/gemv_tuned.hpp"
#include "plan/gemv_wide.hpp"
#include "plan/occupancy.hpp"
#include "problem/combinations.hpp"
#include "problem/cost.hpp"

namespace onepass {
namespace {

const GemvParams& gemv(const Plan& plan) { return params<GemvParams>(plan); }

// A device starts some hundred blocks in a microsecond. Where matrices behind pointers have less than the bus brings
// meanwhile, no more blocks than it holds start, and each serves neighbours one after the other, whose pointers share a
// sector: two or three of them; more would have their trips to memory one after the other.
Plan with_few_blocks(Plan plan, const DeviceTraits& traits) {
  constexpr double small = 4096;  // bytes of a block
  const Problem& p = plan.problem;
  GemvParams& g = params<GemvParams>(plan);
  const std::int64_t of_product = g.tiles * g.splits;
  const std::int64_t held = std::max(blocks_of_wave(plan, traits) / of_product, std::int64_t{1});
  const std::int64_t products = ceil_div(p.batch, held);
  if (p.pointer_array && vectors_should_fit(p) && products <= 3 &&
      cost(p).matrix_bytes < small * static_cast<double>(of_product * p.batch))
    g.products_per_block = std::max(g.products_per_block, products);
  return plan;
}

// Tables were measured with plain sums, three blocks on an SM. More digits leave room for two, whose launches the model
// knows. On an H200, d and s, 4 to 512 MB: with the table's launches they had 0.65 to 1.06 of the speed of plain sums
// along the rows, and 0.80 to 1.14 with the model's. Down the columns, of sums that all fit on the device at once or
// have short columns, the table's were the better ones: 0.74 to 1.02, and 0.71 to 1.02.
bool may_take_table(const Plan& plan, const DeviceTraits& traits) {
  const Problem& p = plan.problem;
  if (!is_accurate(p)) return true;
  if (!stored(p).transposed) return false;
  const GemvParams& g = gemv(plan);
  return stored(p).rows * size_of(p.type_a) < 2048 || g.tiles * g.splits <= blocks_of_wave(plan, traits);
}
std::optional<TunedPlan> from_table(const Problem& p, const DeviceTraits& traits) {
  const std::optional<TunedPlan> tuned = tuned_gemv(p, traits);
  return tuned && may_take_table(tuned->plan, traits) ? tuned : std::nullopt;
}

// A launch of the built-in table is not taken where the model expects it to take so many times as long as the best that
// it knows: then the cell does not suit the problem, whatever it did for the shape that was measured. What a user has
// tuned is always taken.
constexpr double much_slower = 1.15;
bool is_much_slower(const TunedPlan& tuned, double seconds, const DeviceTraits& traits) {
  return tuned.cell.table == traits.tuning->built_in && modelled_seconds(tuned.plan, traits) > much_slower * seconds;
}

// Single products with more digits along the rows, whose blocks take half an SM each: half as many of them leave room
// for the next launch of a queue. On an H200 s 2048x2048 takes 3.9 us so and 4.6 with all, d 7.6 and 8.0.
Plan with_half_the_splits(const Plan& plan, const DeviceTraits& traits) {
  const Problem& p = plan.problem;
  const double bytes = cost(p).matrix_bytes;
  const std::int64_t splits = gemv(plan).splits;
  if (stored(p).transposed || !is_plain(p) || p.accumulate == Accumulate::standard || bytes < 12e6 || bytes > 50e6 ||
      splits < 2)
    return plan;
  Plan half = shape_n(p, plan.threads, gemv(plan).lanes, splits / 2);
  half.kernel.loads = plan.kernel.loads;
  set_prefetch(half, gemv(plan).prefetch_blocks > 0, prefetching_blocks(half, traits));
  return half;
}

// Looks for the best in the model's eyes only where there is reason to: that takes fifty times as long as a look into a
// table.
Plan tuned_or_best(const Problem& p, const DeviceTraits& traits) {
  const std::optional<TunedPlan> tuned = from_table(p, traits);
  if (tuned && !is_much_slower(*tuned, least_modelled_seconds(p, traits), traits)) return tuned->plan;
  const Plan best = with_few_blocks(with_half_the_splits(best_gemv(p, traits), traits), traits);
  return tuned && !is_much_slower(*tuned, modelled_seconds(best, traits), traits) ? tuned->plan : best;
}

const char* decline_n(const Problem& p, const DeviceTraits&) {
  if (const char* reason = decline_canonical(p, Variant::gemv_n); reason != nullptr) return reason;
  return stored(p).transposed ? "the outputs lie across the contiguous dimension of A" : nullptr;
}
// Of complex sums with twice the digits a round of blocks that have whole sums, lanes for a line or more: on an H200 z
// 8192x8192 takes 246 us with 32 lanes and no split.
std::optional<Plan> one_round_n(const Problem& p, const DeviceTraits& traits) {
  if (!is_plain(p) || elements_of(p) != ElementsId::z_twice) return std::nullopt;
  const std::int64_t slots = 2 * std::int64_t{traits.sm_count}, rows = stored(p).rows;
  const std::int64_t lanes = ceil_power_of_two(ceil_div(rows, std::max<std::int64_t>(slots, 1)));
  if (lanes < 8 || lanes > kernels::gemv_max_threads || 20 * ceil_div(rows, lanes) < 17 * slots) return std::nullopt;
  Plan plan = shape_n(p, kernels::gemv_max_threads, static_cast<int>(lanes), 1);
  set_prefetch(plan, gemv(plan).prefetch_blocks > 0, prefetching_blocks(plan, traits));
  return plan;
}
Plan plan_n(const Problem& p, const DeviceTraits& traits) {
  if (const std::optional<Plan> plan = one_round_n(p, traits)) return *plan;
  if (const std::optional<Plan> plan = large_gemv_n(p, traits)) return *plan;
  return tuned_or_best(p, traits);
}

const char* decline_t(const Problem& p, const DeviceTraits&) {
  if (const char* reason = decline_canonical(p, Variant::gemv_t); reason != nullptr) return reason;
  return stored(p).transposed ? nullptr : "the outputs lie along the contiguous dimension of A";
}
// Of gemv_t, or of gemv_t_once where that can serve it.
Plan plan_t(const Problem& p, const DeviceTraits& traits) {
  if (const std::optional<Plan> plan = large_gemv_t(p, traits)) return *plan;
  return tuned_or_best(p, traits);
}

const char* decline_n_small(const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = decline_n(p, traits); reason != nullptr) return reason;
  return why_no_small_gemv(p, traits);
}
const char* decline_t_small(const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = decline_t(p, traits); reason != nullptr) return reason;
  return why_no_small_gemv(p, traits);
}

const char* decline_n_wide(const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = decline_n(p, traits); reason != nullptr) return reason;
  return why_no_long_sums(p, traits);
}
const char* decline_t_tall(const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = decline_t(p, traits); reason != nullptr) return reason;
  return why_no_long_sums(p, traits);
}

const char* decline_t_short(const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = decline_t(p, traits); reason != nullptr) return reason;
  return why_no_short_gemv(p, traits);
}

const char* decline_t_tensor(const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = decline_t(p, traits); reason != nullptr) return reason;
  return why_no_tensor_gemv(p, traits);
}

const char* decline_once(const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = decline_t(p, traits); reason != nullptr) return reason;
  // What no launch of it can serve, before one is looked for.
  constexpr std::int64_t most = std::int64_t{kernels::gemv_t_in_flight(Loads::many)} * kernels::gemv_max_threads;
  if (vectors_of_column(p) > most) return "the columns are too long for one round of loads";
  return why_not_once(plan_t(p, traits));
}

// Measured on an H200 with batches of 4 to 65536: below about two thousand products, and from 32 x 32 floats on,
// blocks of their own are faster.
const char* decline_flat(const Problem& p, const DeviceTraits&) {
  if (const char* reason = decline_canonical(p, Variant::gemv_flat); reason != nullptr) return reason;
  if (p.batch == 1) return "a single product";
  if (const char* reason = why_not_flat(p); reason != nullptr) return reason;
  if (p.batch < 2048) return "the products are few enough for blocks of their own";
  if (p.m * p.n * size_of(p.type_a) > 2500) return "the matrices are large enough for blocks of their own";
  return nullptr;
}
Plan plan_flat(const Problem& p, const DeviceTraits& traits) {
  const double bytes = cost(p).matrix_bytes, terms = static_cast<double>(flat(p).terms);
  const double share = std::clamp(bytes / (4.0 * traits.sm_count), 1024.0, 16384.0);
  const int lanes = bytes < 3.75e5 * terms ? 4 : terms <= 8 ? 1 : 2;
  return shape_flat(p, share <= 4096 ? 64 : 128, lanes, static_cast<std::int64_t>(share));
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
  if (has_blocks_that_gather(plan.kernel.variant))
    text += "; " + std::to_string(g.tiles * gathering_rows(plan)) + " blocks behind them add up the partial sums";
  else if (blocks_of_cluster(plan) > 1)
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

std::string short_chooser(const Plan&, const DeviceTraits&) { return "the rule for short columns"; }

std::string tensor_chooser(const Plan&, const DeviceTraits&) { return "the rule for the tensor cores"; }

std::string long_sums_chooser(const Plan&, const DeviceTraits&) { return "the rule for few and long sums"; }

std::string rows_chooser(const Plan&, const DeviceTraits&) { return "the rule for very many rows"; }

std::string flat_chooser(const Plan&, const DeviceTraits&) { return "the rule for batches of tiny matrices"; }

std::string chooser(const Plan& plan, const DeviceTraits& traits) {
  const auto rule = stored(plan.problem).transposed ? large_gemv_t : large_gemv_n;
  std::optional<Plan> large = rule(plan.problem, traits);
  if (large) large->backend = plan.backend;
  if (large == plan) return "the rule for large matrices with short columns";
  const std::string table = chooser_of_gemv(plan, traits);
  if (!table.empty()) return table;
  const std::optional<TunedPlan> declined = from_table(plan.problem, traits);
  if (!declined || !is_much_slower(*declined, modelled_seconds(plan, traits), traits)) return "a model of the launch";
  char times[32];
  std::snprintf(times, sizeof(times), "%.2f",
                modelled_seconds(declined->plan, traits) / modelled_seconds(plan, traits));
  return "a model of the launch, which expects that of " + name_of(declined->cell) + ", to take " + times +
         " times as long";
}

constexpr std::array rows = {
    VariantRow{.variant = Variant::gemv_flat,
               .decline = decline_flat,
               .plan = plan_flat,
               .why_illegal = why_illegal_flat,
               .in_words = flat_in_words,
               .chooser = flat_chooser},
    VariantRow{.variant = Variant::gemv_n_wide,
               .decline = decline_n_wide,
               .plan = plan_long_sums,
               .why_illegal = why_illegal_long_sums,
               .in_words = in_words,
               .chooser = long_sums_chooser},
    VariantRow{.variant = Variant::gemv_n_small,
               .decline = decline_n_small,
               .plan = plan_small_gemv,
               .why_illegal = why_illegal_small_gemv,
               .in_words = in_words,
               .chooser = small_chooser},
    VariantRow{.variant = Variant::gemv_n,
               .decline = decline_n,
               .plan = plan_n,
               .why_illegal = why_illegal_gemv,
               .in_words = in_words,
               .chooser = chooser},
    VariantRow{.variant = Variant::gemv_t_tall,
               .decline = decline_t_tall,
               .plan = plan_long_sums,
               .why_illegal = why_illegal_long_sums,
               .in_words = in_words,
               .chooser = long_sums_chooser},
    VariantRow{.variant = Variant::gemv_t_small,
               .decline = decline_t_small,
               .plan = plan_small_gemv,
               .why_illegal = why_illegal_small_gemv,
               .in_words = in_words,
               .chooser = small_chooser},
    VariantRow{.variant = Variant::gemv_t_tensor,
               .decline = decline_t_tensor,
               .plan = plan_tensor_gemv,
               .why_illegal = why_illegal_tensor_gemv,
               .in_words = in_words,
               .chooser = tensor_chooser},
    VariantRow{.variant = Variant::gemv_t_short,
               .decline = decline_t_short,
               .plan = plan_short_gemv,
               .why_illegal = why_illegal_short_gemv,
               .in_words = in_words,
               .chooser = short_chooser},
    VariantRow{.variant = Variant::gemv_t_once,
               .decline = decline_once,
               .plan = plan_t,
               .why_illegal = why_illegal_gemv,
               .in_words = in_words,
               .chooser = chooser},
    VariantRow{.variant = Variant::gemv_t,
               .decline = decline_t,
               .plan = plan_t,
               .why_illegal = why_illegal_gemv,
               .in_words = in_words,
               .chooser = chooser},
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

}  // namespace onepass
