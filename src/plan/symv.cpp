// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Which kernel serves a SYMV, in which launch.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "kernels/symv_args.hpp"
#include "plan/device_traits.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/symv_shape.hpp"
#include "problem/cost.hpp"
#include "types/elements.hpp"

namespace onepass {
namespace {

const SymvParams& symv(const Plan& plan) { return params<SymvParams>(plan); }

std::int64_t size_a(const Problem& p) { return size_of(p.type_a); }

// What a kernel gets without asking is enough for a batch.
constexpr std::size_t modest_shared = std::size_t{48} << 10;

// A block has the whole product: a few large ones are better shared among many blocks. On an H200, s n = 256: 16 of
// them take 5.4 us so and 9.1 in many blocks, 64 of them 6.5 and 17.4. The border of the largest elements was not
// timed.
const char* decline_small(const Problem& p, const DeviceTraits&) {
  constexpr std::int64_t most_of_few = 128;
  const std::int64_t many = size_a(p) > 8 ? 32 : 16;
  if (p.batch == 1) return "a single product";
  if (const char* reason = why_not_small(p); reason != nullptr) return reason;
  if (p.n > most_of_few && p.batch < many) return "the products are few enough for several blocks each";
  return nullptr;
}

// As few rounds as nine warps need, all of them busy in each. At least two where a piece is a whole square (s n = 64,
// 1000 products: 6.0 us with two warps, 7.9 with three), and more of halves and quarters where the products are many: a
// warp costs more instructions than a piece. The smallest products share blocks, since a device starts blocks one
// after the other, as long as every SM has some.
Plan plan_small(const Problem& p, const DeviceTraits& traits) {
  constexpr std::int64_t shared_warps = 8, products_of_sm = 8;
  const std::int64_t pieces = small_pieces(p), sms = std::max(traits.sm_count, 1);
  const int of_square = kernels::symv_small_pieces(static_cast<int>(size_of_sum(p)));
  // d in a queue, 1024 products: n = 64 5.2 us with two warps, n = 128 17.9 with five, n = 256 66.2 with eight.
  const std::int64_t wished = of_square == 1                       ? 2
                              : p.batch < products_of_sm / 2 * sms ? 1
                              : of_square == 2                     ? 4
                              : p.batch > products_of_sm * sms     ? 2
                                                                   : 1;
  const std::int64_t most_warps = of_square == 2 ? 8 : kernels::symv_small_max_warps;
  const std::int64_t rounds = std::max(ceil_div(pieces, most_warps), std::min<std::int64_t>(wished, pieces));
  const std::int64_t warps = std::max(ceil_div(pieces, rounds), small_strips(p));
  const std::int64_t room = std::max<std::int64_t>(shared_warps / warps, 1);
  const std::int64_t products = std::clamp<std::int64_t>(p.batch / sms, 1, room);
  return shape_small(p, warps, static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(products))));
}

const char* decline_rows(const Problem& p, const DeviceTraits&) {
  constexpr std::int64_t most_rows = 1024;
  if (const char* reason = why_not_rows(p); reason != nullptr) return reason;
  return p.n > most_rows ? "the matrix is too large to be loaded twice" : nullptr;
}

// Small ones have a warp for one or two outputs. Larger ones have a block for four: each of its threads has all its
// loads in flight at once. On an H200, alone: s n = 320 takes 2.44 us so, and 2.61 with a block for two; d 448 2.77 and
// 3.02. A sector has eight elements of four bytes: s 512 takes 2.73 us with a block for eight, 2.88 with one for four.
// The largest have fewer loads in flight: z 384 takes 3.89 us with a block for two, 4.15 with one for four.
Plan plan_rows(const Problem& p, const DeviceTraits&) {
  constexpr int two_warps = 64;
  const bool large = size_a(p) > 8;
  const auto shape = [&] {
    if (p.n <= 64) return shape_rows(p, Loads::few, two_warps, 1);
    if (p.n <= 128) return shape_rows(p, Loads::few, two_warps, large ? 1 : 2);
    if (p.n <= 224 && !large) return shape_rows(p, Loads::few, two_warps, 1);
    if (large && p.n > 256 && p.n <= 512) return shape_rows(p, Loads::many, 256, 2);
    if (p.n > (size_a(p) > 4 ? 512 : 416)) return shape_rows(p, Loads::many, 512, 8);
    return shape_rows(p, Loads::many, 256, 4);
  };
  Plan plan = shape();
  params<SymvRowsParams>(plan).prefetch = p.n <= 128 || (p.n > 224 && p.n <= 512);
  return plan;
}

// On an H200, alone and in a queue: d n = 2084 7.6 and 6.7 us by squares, 10.6 and 6.3 by strips; s 20001 213 and 212,
// 226 and 219. Of elements of two bytes strips are faster from here on: b 12000 46 and 42 us, by squares 49 and 46.
const char* decline_squares(const Problem& p, const DeviceTraits&) {
  constexpr std::int64_t least_rows = 513, most_of_two_bytes = 11'000;
  if (const char* reason = why_not_squares(p); reason != nullptr) return reason;
  if (p.n < least_rows) return "the matrix is small enough to be loaded twice";
  return size_a(p) == 2 && p.n > most_of_two_bytes ? "strips of short elements are faster with as many rows" : nullptr;
}

// Small squares where large ones leave SMs without work: on an H200, alone, s n = 700 takes 3.22 us with them and 3.89
// with large ones, 3300 9.1 and 9.4, 7000 29.2 and 27.9; z 600 4.5 and 5.0. Blocks of one wave have a square each, of
// more waves two: d n = 6000 takes 36.7 us so, and 37.8 with one, z 7000 95 and 99. With many waves four are as fast:
// d n = 12000 takes 134 us with them and 136 with two.
Plan plan_squares(const Problem& p, const DeviceTraits& traits) {
  constexpr std::int64_t many_waves = 24;
  const bool small = size_a(p) <= 4 ? p.n < 4500 : size_a(p) > 8 && p.n < 3000;
  const Loads loads = small ? Loads::few : Loads::many;
  Plan plan = shape_squares(p, loads, 1);
  const std::int64_t of_wave = std::max<std::int64_t>(blocks_of_wave(plan, traits), 1),
                     waves = ceil_div(params<SymvSquaresParams>(plan).blocks, of_wave);
  plan = shape_squares(p, loads, waves == 1 ? 1 : waves <= many_waves ? 2 : 4);
  params<SymvSquaresParams>(plan).prefetch = waves == 1;
  return plan;
}

// Columns of a warp in a usual step.
std::int64_t columns(const Problem& p) { return symv_columns(p); }

// The columns of a warp start alike.
int fewest_threads(const Problem& p) { return static_cast<int>(classes_to_keep_apart(p)) * kernels::symv_lanes; }

double bytes_of_matrix(const Problem& p) { return cost(p).matrix_bytes / static_cast<double>(p.batch); }

// A block takes the whole matrix, as one strip, and needs no mailboxes. It has as many threads as the device can
// hold for it, but no warp without columns.
Plan one_block(const Problem& p, std::int64_t threads_of_device) {
  const auto share = static_cast<std::uint64_t>(std::max<std::int64_t>(threads_of_device / p.batch, 1));
  const std::int64_t useful = ceil_power_of_two(ceil_div(p.n, columns(p))) * kernels::symv_lanes;
  // More threads than fit at a time are 5 to 18 % faster with floats on an H200, and no better with others.
  const std::uint64_t threads = size_a(p) == 4 ? std::bit_ceil(share) : std::bit_floor(share);
  const std::int64_t wished =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(threads), kernels::symv_lanes, kernels::symv_max_threads);
  const std::int64_t panels = ceil_div(p.n, symv_panel_rows(p));
  Plan plan = shape_symv(p, std::max(static_cast<int>(std::min(wished, useful)), fewest_threads(p)), panels, 1);
  while (plan.shared_bytes > modest_shared && plan.threads > fewest_threads(p))
    plan = shape_symv(p, plan.threads / 2, panels, 1);
  return plan;
}

// Strips of one panel, as long as the mailboxes for the sums of their columns fit the workspace. A matrix for which
// the mailboxes never fit gets the plan that asks for too much.
Plan many_blocks(const Problem& p, std::int64_t slots) {
  constexpr double least_share = 8e3;  // bytes of a block: a few vectors of each thread
  const std::int64_t shares = std::max<std::int64_t>(static_cast<std::int64_t>(bytes_of_matrix(p) / least_share), 1);
  Plan plan;
  for (const std::int64_t fewer : {1, 2, 4, 8, 16}) {
    for (int threads = kernels::symv_max_threads; threads >= fewest_threads(p); threads /= 2) {
      const std::int64_t blocks = ceil_div(slots * (kernels::symv_max_threads / threads), fewer);
      for (std::int64_t panels = 1;; ++panels) {
        plan = shape_symv(p, threads, panels, std::min(blocks, shares));
        if (plan.shared_bytes > symv_shared_limit) break;
        if (plan.workspace_bytes <= workspace_limit) return plan;
        if (symv(plan).strips == 1) break;
      }
    }
  }
  return plan;
}

// Strips of several panels, in the time of whose steps a block is done first. On an H200, if a few panels leave one
// step of columns to a block, that is best: four panels at most, and six of two-byte numbers; but in a queue not from
// n = 2300 on, where d n = 2500 has 0.84 of the floor with two panels and 0.76 with four. Else a step is a trip to
// memory whatever its columns; their sums cost up to as much, once for all panels, and so does each panel at the end.
// The largest elements have few columns to sum up, and long panels to change. From n = 4000 on one panel is slowest.
std::optional<Plan> high_strips(const Problem& p, std::int64_t slots) {
  constexpr std::int64_t most_panels = 6, most_of_many_steps = 4;
  const std::int64_t size = size_a(p);
  const bool has_one_step = size <= 8 && (size < 4 || is_accurate(p) || p.n < 2300);
  const std::int64_t most_of_one_step = !has_one_step ? 1 : size > 2 ? 4 : most_panels;
  const double of_columns = size > 8 ? 0.3 : size > 4 ? 0.7 : size > 2 ? 1 : 0.6;
  const double of_panel = size > 8 ? 1.5 : size == 4 ? 1 : 0.5;
  const std::int64_t fewest = size > 8 || size < 4 || p.n < 4000 ? 1 : 2;
  std::optional<Plan> best;
  double least = 0;
  for (std::int64_t panels = fewest; panels <= most_panels; ++panels) {
    const std::int64_t units = symv(shape_symv(p, kernels::symv_max_threads, panels, INT32_MAX)).blocks;
    const std::int64_t blocks = std::min(slots, ceil_div(units, columns(p)));
    const Plan plan = shape_symv(p, kernels::symv_max_threads, panels, blocks);
    if (plan.workspace_bytes > workspace_limit || plan.shared_bytes > symv_shared_limit) continue;
    // Strips of whole steps may be a few blocks too many, which then wait for the others.
    const std::int64_t steps = ceil_div(symv(plan).units, columns(p)) * ceil_div(symv(plan).blocks, slots);
    if (steps == 1 && panels <= most_of_one_step) return plan;
    const auto high = static_cast<double>(panels);
    const double time = static_cast<double>(steps) * (high + of_columns) + high * of_panel;
    if (panels > most_of_many_steps || (best && time >= least)) continue;
    best = plan;
    least = time;
  }
  return best;
}

// Complex sums with twice the digits are bound by their instructions, and the warps of an SM, of which the oldest goes
// first, end far apart: there are more blocks than the device holds, so that the next one takes their place. On an
// H200 z n = 2048, 4096 and 8192 take 27, 77 and 257 us so, and in as many blocks as the device holds 36, 99 and 474.
std::optional<Plan> in_many_waves(const Problem& p, const DeviceTraits& traits) {
  constexpr int small = 128, large = kernels::symv_max_threads;
  constexpr std::int64_t least_rows = 1000, most_panels = 4, most_waves = 8;
  const std::int64_t slots = 2 * std::int64_t{traits.sm_count};
  const bool bound = p.type_a == Type::z && p.accumulate == Accumulate::twice && p.tails == Tails::none;
  if (!bound || p.batch > 1 || p.n < least_rows) return std::nullopt;
  if (p.n < 1536) return shape_symv(p, large, 1, 2 * slots);
  for (std::int64_t panels = 1; panels <= most_panels; ++panels)
    for (std::int64_t waves = std::min(p.n / 1024, most_waves); waves > 0; --waves) {
      const Plan plan = shape_symv(p, small, panels, waves * slots * (large / small));
      if (plan.workspace_bytes <= symv_workspace_limit(p)) return plan;
    }
  return std::nullopt;
}

Plan plan_for(const Problem& p, const DeviceTraits& traits) {
  if (const std::optional<Plan> plan = in_many_waves(p, traits)) return *plan;
  const std::int64_t slots = 2 * std::int64_t{traits.sm_count};
  if (p.batch >= slots || p.n <= kernels::symv_lanes) {
    const Plan plan = one_block(p, slots * kernels::symv_max_threads);
    if (plan.shared_bytes <= modest_shared) return plan;
  }
  if (p.batch == 1 && fewest_threads(p) <= kernels::symv_max_threads) {
    if (const std::optional<Plan> plan = high_strips(p, slots)) return *plan;
  }
  return many_blocks(p, std::max<std::int64_t>(slots / p.batch, 1));
}

std::string count(std::int64_t number, const char* what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

std::string symv_in_words(const Plan& plan) {
  const SymvParams& shape = symv(plan);
  std::string text =
      count(shape.strips, "strip") + " of " + count(shape.strip_rows, "row") + ", " + count(shape.blocks, "block");
  if (plan.problem.batch != 1) text += " x " + count(plan.problem.batch, "product");
  return text + " of " + count(plan.threads, "thread") + ", each warp with up to " + count(shape.units, "column") +
         (symv_mailboxes(plan) == 0 ? "" : "; further blocks add up their partial sums in fixed order");
}

std::string tiles_in_words(const Plan& plan) {
  const SymvParams& shape = symv(plan);
  const std::int64_t larger = tiles_larger(plan);
  std::string shares =
      count(shape.units * kernels::symv_tile_columns, "column") + " in tiles of 8, read twice from shared memory";
  if (larger < shape.blocks)
    shares += " in the first " + count(larger, "block") + " and " +
              std::to_string((shape.units - 1) * kernels::symv_tile_columns) + " in the others";
  return count(shape.strips, "strip") + " of " + count(shape.strip_rows, "row") + ", " + count(shape.blocks, "block") +
         " of " + count(plan.threads, "thread") + ", each warp with " + shares +
         "; further blocks add up their partial sums in fixed order";
}
std::string small_in_words(const Plan& plan) {
  const SymvSmallParams& shape = params<SymvSmallParams>(plan);
  return count(shape.blocks, "block") + " of " + count(shape.products, "product") + ", each with " +
         count(small_warps(plan), "warp") + " and up to " + count(shape.pieces, "piece") + " to a warp";
}

std::string rows_in_words(const Plan& plan) {
  const SymvRowsParams& shape = params<SymvRowsParams>(plan);
  return count(shape.blocks, "block") + " of " + count(plan.threads, "thread") + ", each " +
         (plan.kernel.loads == Loads::few ? "warp" : "block") + " with all elements of " +
         count(shape.outputs, "output") + "; elements off the diagonal are loaded twice, the second time from the L2";
}

std::string squares_in_words(const Plan& plan) {
  const SymvSquaresParams& shape = params<SymvSquaresParams>(plan);
  return count(shape.blocks, "block") + " of " + count(plan.threads, "thread") + ", each with up to " +
         count(shape.squares, "square") + " of " +
         count(plan.threads / kernels::symv_lanes * kernels::symv_square_columns, "row") +
         "; those on the diagonal add up the partial sums in fixed order";
}

const char* decline_symv(const Problem& p, const DeviceTraits&) {
  return p.order == Order::canonical ? "its order of sums is another" : nullptr;
}

std::string canonical_in_words(const Plan& plan) {
  const SymvParams& shape = symv(plan);
  return count(shape.blocks, "block") + " for squares of 256 rows, " + count(shape.units, "block") +
         " to one off the diagonal, of " + count(plan.threads, "thread") +
         "; further blocks add up their partial sums as one tree; squares on the diagonal are loaded twice, the "
         "second time from the L2";
}
constexpr const char* batches = "the rule for batches of small matrices";
constexpr const char* digits = "the rule for sums with more digits";
constexpr const char* small = "the rule for small matrices";
constexpr VariantRow rows[] = {
    {Variant::symv_small, decline_small, plan_small, why_illegal_small, small_in_words, batches},
    {Variant::symv_squares, decline_squares, plan_squares, why_illegal_squares, squares_in_words,
     "the rule for squares"},
    {Variant::symv_rows, decline_rows, plan_rows, why_illegal_rows, rows_in_words, small},
    {Variant::symv_tiles, decline_tiles, plan_tiles, why_illegal_tiles, tiles_in_words, digits},
    {Variant::symv, decline_symv, plan_for, why_illegal_symv, symv_in_words, "the rules for strips and blocks"},
    {Variant::symv_rows_canonical, decline_canonical_rows, plan_canonical_rows, why_illegal_canonical_rows,
     rows_in_words, small},
    {Variant::symv_canonical, decline_canonical_symv, plan_canonical_symv, why_illegal_canonical_symv,
     canonical_in_words, "the rule for the canonical order"},
};

}  // namespace

std::span<const VariantRow> symv_rows() { return rows; }

}  // namespace onepass
