// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "kernels/args.hpp"

namespace onepass {
namespace {

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::int64_t ceil_power_of_two(std::int64_t v) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(v)));
}

std::int64_t vector_length(const Gemv& p) { return 16 / size_of(p.type_a); }

// The fewest blocks that keep the device busy without a split, and those that a split aims at.
std::int64_t enough_blocks(const DeviceTraits& traits) { return 3 * static_cast<std::int64_t>(traits.sm_count) / 2; }
std::int64_t wanted_blocks(const DeviceTraits& traits) { return 2 * static_cast<std::int64_t>(traits.sm_count); }

// Outputs of one tile.
std::int64_t tile_outputs(const Plan& plan) {
  switch (plan.variant) {
    case Variant::gemv_n: return plan.lanes * vector_length(plan.problem);
    case Variant::gemv_flat_n: return stored(plan.problem).rows;
    case Variant::gemv_flat_t: return plan.chunk;
    default: return plan.threads / plan.lanes * kernels::gemv_t_bundle;
  }
}

// Outputs in units of which tiles are counted, and terms of the sum in units of which chunks are.
std::int64_t all_outputs(const Gemv& p, Variant variant) {
  switch (variant) {
    case Variant::gemv_t: {
      const std::int64_t step = alignment_classes(p) * kernels::gemv_t_bundle;
      return ceil_div(stored(p).cols, step) * step;
    }
    case Variant::gemv_flat_t: return stored(p).cols;
    default: return stored(p).rows;
  }
}
std::int64_t all_terms(const Gemv& p, Variant variant) {
  const std::int64_t v = vector_length(p);
  switch (variant) {
    case Variant::gemv_t: return ceil_div(stored(p).rows + v - 1, v);
    case Variant::gemv_flat_t: return 1;  // a block has whole columns
    default: return stored(p).cols;
  }
}

// Columns that must share an offset from a 16-byte boundary do so only if this divides the number of
// groups of gemv_n. Fewer columns than that need no more groups than columns.
std::int64_t classes_to_keep_apart(const Gemv& p) {
  return std::min(alignment_classes(p), ceil_power_of_two(stored(p).cols));
}

std::size_t workspace_bytes(const Plan& plan) {
  if (plan.splits == 1) return 0;
  const std::int64_t partials = plan.tiles * plan.problem.batch * plan.splits * tile_outputs(plan);
  return counter_bytes + static_cast<std::size_t>(partials * size_of_sum(plan.problem.type_a));
}

// The sums of each group (gemv_n) or warp (gemv_t), or the run of columns (gemv_flat); behind them
// room to add the sums up, or x.
std::size_t shared_bytes(const Plan& plan) {
  const std::int64_t v = vector_length(plan.problem), outputs = tile_outputs(plan);
  const std::int64_t sum = size_of_sum(plan.problem.type_a);
  switch (plan.variant) {
    case Variant::gemv_n:
      return static_cast<std::size_t>(
          (plan.threads / plan.lanes * (outputs + v) + std::max<std::int64_t>(outputs, plan.threads)) * sum);
    case Variant::gemv_t:
      return static_cast<std::size_t>((plan.threads / std::min(plan.lanes, 32) * kernels::gemv_t_bundle +
                                       std::max<std::int64_t>(outputs, plan.threads)) *
                                      sum);
    default:
      return static_cast<std::size_t>(kernels::gemv_flat_room(static_cast<int>(size_of(plan.problem.type_a))) +
                                      plan.threads * sum);
  }
}

// The number of blocks at which a split is fastest. One block more shortens the stream of the matrix,
//   bytes / (blocks * rate),  rate = a block's share of the bandwidth when two sit on each SM,
// and lengthens the sum over the splits by the last block, whose threads load
//   blocks / tiles * outputs / threads  numbers each, 75 ns apiece (measured on an H200).
// The sum of the two is least at their geometric mean.
std::int64_t blocks_of_split(const Plan& plan, const DeviceTraits& traits) {
  const double bandwidth =
      traits.ceilings.bytes_per_second > 0 ? traits.ceilings.bytes_per_second : 3.5e10 * traits.sm_count;
  const double rate = bandwidth / static_cast<double>(wanted_blocks(traits));
  const double tiles = static_cast<double>(plan.tiles * plan.problem.batch);
  const double loads_per_block = static_cast<double>(tile_outputs(plan)) / (plan.threads * tiles);
  return static_cast<std::int64_t>(std::sqrt(cost(plan.problem).matrix_bytes / (rate * 75e-9 * loads_per_block)));
}

// Cuts the sum among up to `most` blocks, no share below `least` steps and every share a multiple of
// `unit`. Not at all if the tiles fill the device, or are so short that a second trip through memory
// costs more than it saves.
void split(Plan& plan, const DeviceTraits& traits, std::int64_t most, std::int64_t least, std::int64_t unit) {
  const Gemv& p = plan.problem;
  const std::int64_t tiles = plan.tiles * p.batch;
  const std::int64_t length = all_terms(p, plan.variant);
  std::int64_t splits = 1;
  const double short_bytes = plan.variant == Variant::gemv_flat_n ? 16384.0 : 65536.0;  // a run; two rounds of loads
  const bool short_tiles = cost(p).matrix_bytes <= short_bytes * static_cast<double>(tiles);
  if (tiles < enough_blocks(traits) && tiles <= max_counters && !short_tiles) {
    splits = std::min({std::min(most, blocks_of_split(plan, traits)) / tiles, length / least, std::int64_t{65535}});
    const std::int64_t bytes_per_split = tiles * tile_outputs(plan) * size_of_sum(p.type_a);
    splits = std::min(splits, static_cast<std::int64_t>(workspace_limit - counter_bytes) / bytes_per_split);
    splits = std::max<std::int64_t>(splits, 1);
  }
  plan.chunk = ceil_div(ceil_div(length, splits), unit) * unit;
  plan.splits = ceil_div(length, plan.chunk);
  if (plan.splits > 1) plan.combine = Combine::ticket;
  plan.workspace_bytes = workspace_bytes(plan);
  plan.shared_bytes = shared_bytes(plan);
}

const char* decline_n(const Gemv& p, const DeviceTraits&) {
  return stored(p).transposed ? "the outputs lie across the contiguous dimension of A" : nullptr;
}

Plan plan_n(const Gemv& p, const DeviceTraits& traits) {
  constexpr int in_flight = kernels::gemv_n_in_flight;
  const Stored s = stored(p);
  const std::int64_t v = vector_length(p);
  Plan plan{.problem = p, .variant = Variant::gemv_n, .threads = kernels::gemv_max_threads};

  // Lanes: a warp's worth of vectors, fewer if the matrix is that short; 512 bytes of a column, so that
  // its cut ends cost an eighth more sectors at the worst. A tall matrix gets wider tiles as long as they
  // fill the device, and so does a large one of 4-byte numbers that must be split (s 4096x4096 on an
  // H200: 64 lanes 18.7 us, 16 lanes 21.5 us). All columns of a group must start alike, and two vectors'
  // worth of lanes serve the edges.
  const std::int64_t vectors = ceil_div(s.rows, v);
  const std::int64_t most = plan.threads / classes_to_keep_apart(p), least = 2 * v;
  const auto tiles = [&](std::int64_t lanes) { return ceil_div(s.rows, lanes * v); };
  std::int64_t lanes = std::clamp<std::int64_t>(ceil_power_of_two(vectors), least, 32);
  if (tiles(2 * lanes) * p.batch >= enough_blocks(traits)) {
    while (2 * lanes <= most && tiles(2 * lanes) * p.batch >= enough_blocks(traits)) lanes *= 2;
  } else if (cost(p).matrix_bytes >= 24e6 && s.rows >= 1024 && size_of(p.type_a) == 4 && 2 * lanes <= most) {
    lanes *= 2;
  }

  plan.lanes = static_cast<int>(lanes);
  plan.tiles = tiles(lanes);
  const std::int64_t groups = plan.threads / lanes;
  split(plan, traits, wanted_blocks(traits), groups * in_flight, std::max(groups, v));
  return plan;
}

const char* decline_t(const Gemv& p, const DeviceTraits&) {
  return stored(p).transposed ? nullptr : "the outputs lie along the contiguous dimension of A";
}

Plan plan_t(const Gemv& p, const DeviceTraits& traits) {
  constexpr int in_flight = kernels::gemv_t_in_flight;
  const std::int64_t v = vector_length(p);
  Plan plan{.problem = p, .variant = Variant::gemv_t, .threads = kernels::gemv_max_threads};

  // Lanes: a warp per bundle of columns, less for short columns, so that each thread has two vectors of
  // a column (s 100x100000 on an H200: 8 lanes 16.9 us, 32 lanes 28.0 us); more, up to the block, where
  // the bundles are too few to fill the device. Two vectors' worth of lanes serve the edges.
  const std::int64_t vectors = all_terms(p, Variant::gemv_t);
  const std::int64_t bundles = all_outputs(p, Variant::gemv_t) / kernels::gemv_t_bundle;
  const auto tiles = [&](std::int64_t lanes) { return ceil_div(bundles, plan.threads / lanes); };
  std::int64_t lanes = std::clamp<std::int64_t>(ceil_power_of_two(vectors + 1) / 4, 2 * v, 32);
  while (lanes < plan.threads && tiles(lanes) * p.batch < enough_blocks(traits) && vectors >= 2 * lanes * in_flight)
    lanes *= 2;

  plan.lanes = static_cast<int>(lanes);
  plan.tiles = tiles(lanes);
  split(plan, traits, wanted_blocks(traits), lanes * in_flight, lanes);
  return plan;
}

// gemv_flat: columns of at most 256 bytes. Longer ones, each read by itself, cost no more than a
// quarter more sectors than they need (counted by the simulator at the worst alignment).
const char* decline_flat(const Gemv& p) {
  const Stored s = stored(p);
  if (s.rows * size_of(p.type_a) > 256) return "the columns as stored are longer than 256 bytes";
  if (p.lda != s.rows) return "there are gaps between the columns as stored";
  return nullptr;
}

const char* decline_flat_n(const Gemv& p, const DeviceTraits& traits) {
  const char* reason = decline_n(p, traits);
  return reason != nullptr ? reason : decline_flat(p);
}
const char* decline_flat_t(const Gemv& p, const DeviceTraits& traits) {
  const char* reason = decline_t(p, traits);
  return reason != nullptr ? reason : decline_flat(p);
}

// Columns of a run in shared memory, and columns that make `bytes` bytes.
std::int64_t columns_in(const Gemv& p, std::int64_t bytes) {
  return std::max<std::int64_t>(bytes / (stored(p).rows * size_of(p.type_a)), 1);
}

Plan plan_flat_n(const Gemv& p, const DeviceTraits& traits) {
  Plan plan{.problem = p, .variant = Variant::gemv_flat_n, .threads = kernels::gemv_max_threads};
  // Blocks that copy, wait and compute in turn: eight on an SM hide each other's waits.
  split(plan, traits, 4 * wanted_blocks(traits), columns_in(p, 4096), 1);
  return plan;
}

Plan plan_flat_t(const Gemv& p, const DeviceTraits& traits) {
  const std::int64_t cols = stored(p).cols,
                     run = columns_in(p, kernels::gemv_flat_bytes(static_cast<int>(size_of(p.type_a))));
  Plan plan{.problem = p, .variant = Variant::gemv_flat_t, .threads = kernels::gemv_max_threads};
  plan.chunk = std::clamp(ceil_div(cols * p.batch, 2 * wanted_blocks(traits)), std::min(columns_in(p, 2048), run), run);
  plan.tiles = ceil_div(cols, plan.chunk);
  // As many threads per column as a run leaves over.
  const std::int64_t spare = plan.threads / std::min(plan.chunk, cols);
  plan.lanes = static_cast<int>(std::clamp<std::int64_t>(ceil_power_of_two(spare + 1) / 2, 1, 32));
  plan.shared_bytes = shared_bytes(plan);
  return plan;
}

constexpr std::array variants = {
    VariantEntry{.variant = Variant::gemv_flat_n, .decline = decline_flat_n, .plan = plan_flat_n},
    VariantEntry{.variant = Variant::gemv_flat_t, .decline = decline_flat_t, .plan = plan_flat_t},
    VariantEntry{.variant = Variant::gemv_n, .decline = decline_n, .plan = plan_n},
    VariantEntry{.variant = Variant::gemv_t, .decline = decline_t, .plan = plan_t},
};

}  // namespace

std::span<const VariantEntry> gemv_variants() { return variants; }

std::int64_t alignment_classes(const Gemv& p) {
  const auto v = static_cast<std::uint64_t>(vector_length(p));
  const std::uint64_t step = static_cast<std::uint64_t>(p.lda) & (v - 1);
  return static_cast<std::int64_t>(step == 0 ? 1 : v >> std::countr_zero(step));
}

std::string why_illegal(const Plan& plan) {
  const Gemv& p = plan.problem;
  const bool transposed = stored(p).transposed;
  if (is_empty(p)) return "";  // never launched
  switch (plan.backend) {
    case BackendId::reference: return plan.variant == Variant::loops ? "" : "the reference backend has loops only";
    case BackendId::cpu:
      if (plan.variant != (transposed ? Variant::cpu_t : Variant::cpu_n)) return "the cpu variant does not fit the op";
      return plan.threads >= 1 && plan.threads <= 4096 ? "" : "threads are out of range";
    default: break;
  }
  const auto* const entry = std::ranges::find(variants, plan.variant, &VariantEntry::variant);
  if (entry == variants.end()) return "no such variant on a device";
  if (const char* reason = entry->decline(p, {}); reason != nullptr)
    return std::string("the variant declines: ") + reason;
  const bool flat = plan.variant == Variant::gemv_flat_n || plan.variant == Variant::gemv_flat_t;
  const std::int64_t v = vector_length(p);
  if (plan.threads < 32 || plan.threads > kernels::gemv_max_threads || plan.threads % 32 != 0)
    return "threads must be a multiple of 32 up to 256";
  if (plan.lanes < 1 || plan.lanes > plan.threads || !std::has_single_bit(static_cast<unsigned>(plan.lanes)))
    return "lanes must be a power of two and at most the threads";
  if (!flat && plan.lanes < 2 * v) return "lanes must be at least two vectors' worth";
  if (flat && (plan.lanes > 32 || plan.threads != kernels::gemv_max_threads))
    return "gemv_flat has 256 threads, and at most 32 of them per column";
  if (plan.variant == Variant::gemv_n && plan.threads / plan.lanes % classes_to_keep_apart(p) != 0)
    return "lanes leave too few groups for this lda";
  if (plan.chunk < 1) return "the chunk is empty";
  const std::int64_t outputs = all_outputs(p, plan.variant), terms = all_terms(p, plan.variant);
  if (plan.tiles < 1 || plan.tiles > INT32_MAX || plan.tiles != ceil_div(outputs, tile_outputs(plan)))
    return "the tiles do not cover the outputs";
  if (plan.splits < 1 || plan.splits > 65535 || plan.splits != ceil_div(terms, plan.chunk))
    return "the splits do not cover the sum";
  if (plan.variant == Variant::gemv_n && plan.chunk % std::max<std::int64_t>(plan.threads / plan.lanes, v) != 0)
    return "the chunk is not a multiple of the groups";
  if ((plan.combine == Combine::none) != (plan.splits == 1)) return "the combination does not fit the splits";
  if (plan.splits > 1 && plan.tiles * p.batch > max_counters) return "a split has too many tiles";
  if (plan.shared_bytes != shared_bytes(plan)) return "shared_bytes is wrong";
  if (plan.workspace_bytes != workspace_bytes(plan)) return "workspace_bytes is wrong";
  if (plan.workspace_bytes > workspace_limit) return "workspace_bytes passes the limit";
  return "";
}

Plan plan_gemv(const Gemv& p, const DeviceTraits& traits, BackendId backend) {
  for (const VariantEntry& entry : variants) {
    if (entry.decline(p, traits) != nullptr) continue;
    Plan plan = entry.plan(p, traits);
    plan.backend = backend;
    return plan;
  }
  return {.problem = p, .backend = backend};
}

}  // namespace onepass
