// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "kernels/args.hpp"
#include "plan/gemv_flat.hpp"
#include "plan/gemv_model.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/gemv_tuned.hpp"
#include "plan/occupancy.hpp"
#include "problem/cost.hpp"
#include "tuning/space.hpp"

namespace onepass {
namespace {

using Shape = Plan (*)(const Problem& p, int threads, int lanes, std::int64_t splits);

// What is tried: the lists of tuning/space.json.
struct Space {
  Shape shape;
  std::int64_t least_lanes, least_groups;
  const KernelSpace& kernel;
};

// The best of all threads, lanes and splits, as the model sees them.
Plan best(const Problem& p, const DeviceTraits& traits, const Space& space) {
  const std::vector<int>& shares_of_device = space.kernel.values("split_threads");
  Plan chosen;
  double seconds = 0;
  const auto consider = [&](const Plan& plan) {
    const double modelled = modelled_seconds(plan, traits);
    if (seconds > 0 && !(modelled < seconds)) return;
    seconds = modelled;
    chosen = plan;
  };
  const double bytes = cost(p).matrix_bytes, sectors = most_sectors(p);
  const std::int64_t most_lanes = ceil_power_of_two(words_of_column(p));
  const std::int64_t least_lanes = std::min(space.least_lanes, most_lanes);
  for (const int threads : space.kernel.values("threads")) {
    if (threads < 128 && p.batch == 1) break;
    std::int64_t lanes = std::min<std::int64_t>(most_lanes, threads / space.least_groups);
    for (; lanes >= least_lanes; lanes /= 2) {
      const Plan whole = space.shape(p, threads, static_cast<int>(lanes), 1);
      if (modelled_sectors(whole) > sectors && seconds > 0) continue;
      consider(whole);
      const double tiles = static_cast<double>(whole.tiles * p.batch);
      std::int64_t last = 1;
      for (const int share : shares_of_device) {
        const double splits = static_cast<double>(share) / threads * traits.sm_count / tiles;
        if (splits < 2 || bytes / (tiles * splits) < least_share) continue;
        const Plan split = space.shape(p, threads, static_cast<int>(lanes), static_cast<std::int64_t>(splits));
        if (split.splits == last) continue;
        last = split.splits;
        consider(split);
      }
    }
  }
  chosen.wave = blocks_of_wave(chosen, traits);
  return chosen;
}

// A device starts some hundred blocks in a microsecond. Where matrices behind pointers have less than the bus brings
// meanwhile, no more blocks than it holds start, and each serves neighbours in turn, whose pointers share a sector: two
// or three of them; a turn of more would have its trips to memory one after the other.
Plan in_turns(Plan plan) {
  constexpr double small = 4096;  // bytes of a block
  const Problem& p = plan.problem;
  const std::int64_t of_product = plan.tiles * plan.splits;
  const std::int64_t held = std::max(plan.wave / of_product, std::int64_t{1});
  const std::int64_t turns = ceil_div(p.batch, held);
  if (p.pointer_array && words_should_fit(p) && turns <= 3 &&
      cost(p).matrix_bytes < small * static_cast<double>(of_product * p.batch))
    plan.turns = std::max(plan.turns, turns);
  return plan;
}

struct Measured {
  Plan plan;
  TunedCell cell;
};

std::optional<Measured> measured_at(const Problem& p, const DeviceTraits& traits, Beside beside) {
  const TunedCell cell = find_gemv(traits, p, beside);
  if (cell.tuned.threads == 0) return {};
  const std::optional<Plan> plan = plan_of(cell.tuned, p, traits);
  return plan ? std::optional<Measured>({*plan, cell}) : std::nullopt;
}

// Whether a launch that asks early leaves the next one no room to do so, where it left that for the shape of its cell.
// On an H200 d T 792x792, 198 blocks where the device holds 396, takes 3.4 us, and 804x804 4.2.
bool is_too_wide(const Measured& found) {
  const Plan& plan = found.plan;
  const Stored s = stored(plan.problem);
  const std::int64_t here = s.transposed ? s.cols : s.rows, there = s.transposed ? found.cell.cols : found.cell.rows;
  return plan.prefetch && plan.splits == 1 && 2 * plan.tiles > plan.wave && 2 * plan.tiles * there <= plan.wave * here;
}

// What was measured next to this shape, if the device has a table and the table has the shape. Launches of even columns
// may not suit odd ones: those take what was measured with columns a size longer or shorter. One that is too wide here
// gives way to that of more outputs.
std::optional<Measured> measured(const Problem& p, const DeviceTraits& traits) {
  for (const int higher : {0, 1, -1}) {
    const std::optional<Measured> found = measured_at(p, traits, {.rows = higher});
    if (!found) continue;
    if (!is_too_wide(*found)) return found;
    const Beside wider = stored(p).transposed ? Beside{.rows = higher, .cols = 1} : Beside{.rows = higher + 1};
    const std::optional<Measured> next = measured_at(p, traits, wider);
    return next ? next : found;
  }
  return {};
}

const char* decline_n(const Problem& p, const DeviceTraits&) {
  return stored(p).transposed ? "the outputs lie across the contiguous dimension of A" : nullptr;
}
Plan plan_n(const Problem& p, const DeviceTraits& traits) {
  if (const std::optional<Measured> table = measured(p, traits)) return table->plan;
  return in_turns(best(p, traits,
                       {.shape = shape_n,
                        .least_lanes = 2,
                        .least_groups = classes_to_keep_apart(p),
                        .kernel = space_of(Variant::gemv_n)}));
}

const char* decline_t(const Problem& p, const DeviceTraits&) {
  return stored(p).transposed ? nullptr : "the outputs lie along the contiguous dimension of A";
}
Plan plan_t(const Problem& p, const DeviceTraits& traits) {
  if (const std::optional<Measured> table = measured(p, traits)) return table->plan;
  return in_turns(
      best(p, traits, {.shape = shape_t, .least_lanes = 1, .least_groups = 1, .kernel = space_of(Variant::gemv_t)}));
}

// Measured on an H200 with batches of 4 to 65536: below about two thousand products, and from 32 x 32 floats on,
// blocks of their own are faster.
const char* decline_flat(const Problem& p, const DeviceTraits&) {
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

constexpr std::array variants = {
    VariantEntry{.variant = Variant::gemv_flat, .decline = decline_flat, .plan = plan_flat},
    VariantEntry{.variant = Variant::gemv_n, .decline = decline_n, .plan = plan_n},
    VariantEntry{.variant = Variant::gemv_t, .decline = decline_t, .plan = plan_t},
};

}  // namespace

std::span<const VariantEntry> gemv_variants() { return variants; }

TunedCell cell_of_gemv(const Problem& p, const DeviceTraits& traits) {
  const std::optional<Measured> found = measured(p, traits);
  return found ? found->cell : TunedCell{};
}

std::string chooser_of_gemv(const Plan& plan, const DeviceTraits& traits) {
  const Problem& p = plan.problem;
  if (plan.variant == Variant::gemv_flat) return "the rule for batches of tiny matrices";
  const std::optional<Measured> table = measured(p, traits);
  if (!table || table->plan.threads != plan.threads || table->plan.lanes != plan.lanes ||
      table->plan.splits != plan.splits)
    return "a model of the launch";
  const TunedCell& cell = table->cell;
  return cell.table->title() + ", cell " + std::to_string(cell.rows) + "x" + std::to_string(cell.cols);
}

Plan plan_gemv(const Problem& p, const DeviceTraits& traits, BackendId backend) {
  return plan_of_first(variants, p, traits, backend);
}

}  // namespace onepass
