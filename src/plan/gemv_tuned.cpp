// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_tuned.hpp"

#include <algorithm>

#include "kernels/args.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/occupancy.hpp"
#include "problem/cost.hpp"

namespace onepass {
namespace {

// In a queue two launches have their loads in flight at a time, and a launch alone half of that: 32 KB of an SM where
// it has two blocks with few loads. On an H200 such a launch of b N 188x89181 takes 11.7 us in a queue, and 19.6 alone
// (18.6 with many). What a user has tuned stays as it is.
bool wants_many_loads(const Plan& plan, const DeviceTraits& traits) {
  const Problem& p = plan.problem;
  const GemvParams& g = params<GemvParams>(plan);
  return plan.kernel.variant == Variant::gemv_n && plan.kernel.loads == Loads::few && size_of(p.type_a) == 2 &&
         is_plain(p) && cost(p).matrix_bytes >= 5e6 && g.splits > 1 && vectors_of_thread(plan) > 8 &&
         g.tiles * g.splits <= 2 * std::int64_t{traits.sm_count} && !is_gemv_of_user(traits, p);
}

std::optional<TunedPlan> measured_at(const Problem& p, const DeviceTraits& traits, Beside beside) {
  const TunedCell cell = find_gemv(traits, p, beside);
  if (cell.tuned.threads == 0) return {};
  std::optional<Plan> plan = plan_of(cell.tuned, p, traits);
  if (plan && wants_many_loads(*plan, traits)) plan->kernel.loads = Loads::many;
  return plan ? std::optional<TunedPlan>({*plan, cell}) : std::nullopt;
}

// Whether a launch that prefetches leaves the next one no room to do so, where it left that for the shape of its cell.
// On an H200 d T 792x792, 198 blocks where the device holds 396, takes 3.4 us, and 804x804 4.2.
bool is_too_wide(const TunedPlan& found) {
  const GemvParams& g = params<GemvParams>(found.plan);
  const Stored s = stored(found.plan.problem);
  const std::int64_t here = s.transposed ? s.cols : s.rows, there = s.transposed ? found.cell.cols : found.cell.rows;
  const std::int64_t held = g.prefetch_blocks;
  return held > 0 && g.splits == 1 && 2 * g.tiles > held && 2 * g.tiles * there <= held * here;
}

}  // namespace

// Sectors that are requested twice come from the L2 the second time. Where the matrix is small or its
// columns short, that is cheaper than lanes without work and blocks too few for the device; where it is
// large, the bus is what counts.
double most_sectors(const Problem& p) {
  const bool large = p.batch == 1 && cost(p).matrix_bytes >= 8e6 && stored(p).rows * size_of(p.type_a) >= 2048;
  return large ? 1.24 : stored(p).rows * size_of(p.type_a) <= 256 ? 3.2 : 1.8;
}

Variant gemv_variant(const Problem& p) { return stored(p).transposed ? Variant::gemv_t : Variant::gemv_n; }

// Lanes and tiles of short columns depend on the very number of rows, by which a problem may differ from its cell: of
// up to 16 lanes those that have the fewest vectors to spare, more lanes where that is no difference. One tile alone
// has all partial sums to add up, so that it must be worth a tenth.
std::int64_t lanes_of_short_columns(const Problem& p, std::int64_t tuned, std::int64_t least_groups, int threads) {
  constexpr std::int64_t most = 16;
  const std::int64_t rows = stored(p).rows;
  const auto tiles = [&](std::int64_t lanes) { return ceil_div(rows, rows_in_lanes(p, lanes)); };
  const auto vectors = [&](std::int64_t lanes) { return lanes * tiles(lanes); };
  std::int64_t best = tuned;
  for (std::int64_t lanes = 2 * tuned; lanes <= std::min(most, threads / least_groups); lanes *= 2) {
    const bool one = tiles(lanes) == 1 && tiles(best) > 1;
    if (10 * vectors(lanes) <= (one ? 9 : 10) * vectors(best)) best = lanes;
  }
  return best;
}

// Lanes of long columns likewise: where a lane has three vectors of a column or more, and the last round leaves over a
// tenth of them without one, half as many lanes or fewer may not. On an H200 d T 2212x26008, with 256 lanes as columns
// of 1987 rows have them, takes 1.15 times as long as with 64, and b T 2212x2212 with 128 in place of 32 2.3 times.
// Blocks of more groups are fewer, which must not be too few to keep the bus busy.
std::int64_t lanes_of_long_columns(const Problem& p, const DeviceTraits& traits, const Tuned& tuned,
                                   std::int64_t most) {
  const std::int64_t vectors = vectors_of_column(p);
  const Loads loads = tuned.few_loads ? Loads::few : Loads::many;
  const auto slots = [&](std::int64_t lanes) { return lanes * ceil_div(vectors, lanes); };
  const auto fill_bus = [&](std::int64_t lanes) {
    const std::int64_t blocks = ceil_div(stored(p).cols, tuned.threads / lanes * kernels::gemv_t_bundle);
    const std::int64_t of_block = tuned.threads * kernels::gemv_t_bundle * kernels::gemv_t_in_flight(loads) * 16;
    return static_cast<double>(blocks * of_block) >= bytes_on_their_way_to_sm * traits.sm_count;
  };
  if (ceil_div(vectors, most) < 3 || 10 * slots(most) <= 11 * vectors) return most;
  std::int64_t best = most;
  for (std::int64_t lanes = most / 2; lanes >= 32 && fill_bus(lanes) && 20 * slots(best) > 21 * vectors; lanes /= 2)
    if (slots(lanes) < slots(best)) best = lanes;
  return best;
}

// Of large matrices with eight-byte elements, more lanes where a round of many loads leaves no more of them without a
// vector. On an H200 d T 329x139597 has 0.94 of the floor in a queue with 32 lanes and 0.88 with 16, which are better
// for 289 rows.
std::int64_t lanes_of_rounds(const Problem& p, std::int64_t tuned, std::int64_t threads) {
  const std::int64_t most = std::min<std::int64_t>(64, threads);
  const std::int64_t vectors = vectors_of_column(p), of_lane = kernels::gemv_t_in_flight(Loads::many);
  const auto slots = [&](std::int64_t lanes) { return of_lane * lanes * ceil_div(vectors, of_lane * lanes); };
  std::int64_t best = tuned;
  while (2 * best <= most && slots(2 * best) <= slots(best)) best *= 2;
  return best;
}

// Parts of many splits are added up while the next launch of a queue begins. Its own last blocks, which will add up,
// must not wait for the places of those that do: one wave less a place for each of them. On an H200, 8 to 64 MB, 64
// splits and more in all of the device: 0.88 of the time in a queue, 1.00 alone.
std::int64_t with_free_places(const Plan& whole, std::int64_t splits, const DeviceTraits& traits) {
  constexpr std::int64_t many = 32;
  const std::int64_t tiles = params<GemvParams>(whole).tiles, held = blocks_of_wave(whole, traits);
  const bool fills = tiles * splits <= held && tiles * (splits + 1) > held;
  return fills && splits > many && cost(whole.problem).matrix_bytes >= 8e6 ? held / tiles - 1 : splits;
}

std::optional<Plan> plan_of(const Tuned& tuned, const Problem& p, const DeviceTraits& traits) {
  const bool transposed = stored(p).transposed;
  const auto shape = transposed ? shape_t : shape_n;
  const std::int64_t least_groups = transposed ? 1 : classes_to_keep_apart(p);
  std::int64_t lanes =
      std::min({std::int64_t{tuned.lanes}, ceil_power_of_two(vectors_of_column(p)), tuned.threads / least_groups});
  if (!transposed && tuned.split_threads > 0 && cost(p).matrix_bytes >= 32e6)
    lanes = lanes_of_short_columns(p, lanes, least_groups, tuned.threads);
  if (transposed && tuned.split_threads == 0 && cost(p).matrix_bytes >= 8e6)
    lanes = lanes_of_long_columns(p, traits, tuned, lanes);
  if (transposed && tuned.split_threads == 0 && !tuned.few_loads && size_of(p.type_a) == 8 &&
      cost(p).matrix_bytes >= 64e6)
    lanes = lanes_of_rounds(p, lanes, tuned.threads);
  Plan plan = shape(p, tuned.threads, static_cast<int>(lanes), 1);
  plan.kernel.loads = tuned.few_loads && !is_accurate(p) ? Loads::few : Loads::many;
  const Loads loads = plan.kernel.loads;
  if (requested_sectors(plan) > most_sectors(p)) return {};
  if (tuned.split_threads > 0) {
    const double blocks = static_cast<double>(tuned.split_threads) / tuned.threads * traits.sm_count;
    const double splits =
        std::min(blocks, cost(p).matrix_bytes / least_share) / static_cast<double>(params<GemvParams>(plan).tiles);
    // Just below two: half of the blocks that were wanted would be worse than a few too many.
    if (splits >= (cost(p).matrix_bytes < 32e6 ? 2 : 1.5))
      plan = shape(p, tuned.threads, static_cast<int>(lanes),
                   std::max<std::int64_t>(2, with_free_places(plan, static_cast<std::int64_t>(splits), traits)));
  }
  plan.kernel.loads = loads;
  prefer_once(plan);
  set_prefetch(plan, is_plain(p) && tuned.prefetch, prefetching_blocks(plan, traits));
  return plan;
}

// Launches of even columns may not suit odd ones: those take what was measured with columns a size longer or shorter.
// One that is too wide here gives way to that of more outputs.
std::optional<TunedPlan> tuned_gemv(const Problem& p, const DeviceTraits& traits) {
  for (const int higher : {0, 1, -1}) {
    const std::optional<TunedPlan> found = measured_at(p, traits, {.rows = higher});
    if (!found) continue;
    if (!is_too_wide(*found)) return found;
    const Beside wider = stored(p).transposed ? Beside{.rows = higher, .cols = 1} : Beside{.rows = higher + 1};
    const std::optional<TunedPlan> next = measured_at(p, traits, wider);
    return next ? next : found;
  }
  return {};
}

TunedCell cell_of_gemv(const Problem& p, const DeviceTraits& traits) {
  const std::optional<TunedPlan> found = tuned_gemv(p, traits);
  return found ? found->cell : TunedCell{};
}

std::string name_of(const TunedCell& cell) {
  return cell.table->title() + ", cell " + std::to_string(cell.rows) + "x" + std::to_string(cell.cols);
}

std::vector<GemvChoice> gemv_choices(const Problem& p, const DeviceTraits& traits) {
  const KernelSpace& space = space_of(gemv_variant(p));
  const NamedValues problem = values_of(p);
  const auto inside = [&](const Tuned& tuned) {
    NamedValues values = values_of(tuned);
    values.insert(values.end(), problem.begin(), problem.end());
    return space.why_outside(values).empty();
  };
  std::vector<GemvChoice> choices;
  for (const int threads : space.values("threads"))
    for (const int lanes : space.values("lanes")) {
      Tuned tuned{.threads = static_cast<std::int16_t>(threads), .lanes = static_cast<std::int16_t>(lanes)};
      if (!inside(tuned)) continue;
      std::vector<std::int64_t> seen;  // splits, by which alone the plans of these threads and lanes differ
      for (const int split_threads : space.values("split_threads")) {
        tuned.split_threads = static_cast<std::int16_t>(split_threads);
        const std::optional<Plan> plan = plan_of(tuned, p, traits);
        if (!plan || std::ranges::find(seen, params<GemvParams>(*plan).splits) != seen.end()) continue;
        seen.push_back(params<GemvParams>(*plan).splits);
        for (const int few_loads : space.values("few_loads"))
          for (const int prefetch : space.values("prefetch")) {
            Tuned choice = tuned;
            choice.few_loads = few_loads != 0;
            choice.prefetch = prefetch != 0;
            if (!inside(choice)) continue;
            if (const std::optional<Plan> chosen = plan_of(choice, p, traits)) choices.push_back({choice, *chosen});
          }
      }
    }
  return choices;
}

std::string chooser_of_gemv(const Plan& plan, const DeviceTraits& traits) {
  const std::optional<TunedPlan> found = tuned_gemv(plan.problem, traits);
  if (!found) return "";
  const GemvParams &here = params<GemvParams>(plan), &there = params<GemvParams>(found->plan);
  if (found->plan.threads != plan.threads || there.lanes != here.lanes || there.splits != here.splits) return "";
  return name_of(found->cell);
}

}  // namespace onepass
