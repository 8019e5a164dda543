// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Which kernel serves a SYMV, in which launch.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/symv/symv_args.hpp"
#include "plan/device_traits.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/symv_shape.hpp"
#include "problem/elements.hpp"

namespace onepass {
namespace {

std::int64_t size_a(const Problem& p) { return size_of(p.type_a); }

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

// The border of w was not timed against squares.
const char* decline_rows(const Problem& p, const DeviceTraits&) {
  if (const char* reason = why_not_rows(p); reason != nullptr) return reason;
  return p.n > (p.type_a == Type::w ? 1024 : 512) ? "the matrix is too large to be loaded twice" : nullptr;
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

// Blocks of a few units of small matrices, so that in a queue those of the next launch are done with theirs when the
// sums of this one have been gathered: d n = 2048 takes 5.4 us with two of them, and 6.8 with one, 3072 10.2 with three
// and 12.3 with one and a half. Then one wave that leaves places for the next launch: n = 4096 takes 17.2 us and alone
// 28.1 with 206 blocks, 16.7 and 32.2 with 150, 18.7 and 28.7 with 248. Of large ones two blocks on each SM or more,
// beside which the next launch starts; where sums take as long as the bytes one, whose warps end together.
Plan plan_tiles(const Problem& p, const DeviceTraits& traits) {
  const bool bound = elements_of(p) == ElementsId::z_twice;
  const std::int64_t sms = traits.sm_count;
  const auto in_units = [&](int threads, std::int64_t strip_rows, std::int64_t units) {
    const Plan one = shape_tiles(p, threads, strip_rows, 1);
    return shape_tiles(p, threads, strip_rows, ceil_div(tiles_list(one).units, units));
  };
  if (p.n <= 1500) return in_units(256, 128, bound ? 2 : 1);
  if (p.n <= (bound ? 3500 : 3000)) return bound ? in_units(128, 128, 4) : in_units(256, 256, 2);
  if (bound) return shape_tiles(p, kernels::symv_tiles_max_threads, 128, sms);
  if (p.n <= 3300) return in_units(256, 256, 3);
  if (p.n <= 5300) return shape_tiles(p, 256, 256, sms * 25 / 16);
  return shape_tiles(p, 256, 256, p.n <= 6000 ? 2 * sms : 4 * sms);
}

const char* decline_tiles(const Problem& p, const DeviceTraits& traits) {
  constexpr std::int64_t least_rows = 900;
  if (const char* reason = why_not_tiles(p); reason != nullptr) return reason;
  if (elements_of(p) == ElementsId::s_wider || size_a(p) < 4) return "its elements are too small for tiles";
  if (traits.sm_count < 64 || traits.shared_bytes_per_sm < (228 << 10)) return "a device with few SMs or little room";
  if (p.n < least_rows) return "squares have more blocks with as few rows";
  return why_illegal_tiles(plan_tiles(p, traits)).empty() ? nullptr : "its mailboxes do not fit the workspace";
}

const char* decline_squares(const Problem& p, const DeviceTraits&) {
  return p.order == Order::canonical ? "its order of sums is another" : nullptr;
}

// Small tiles where large ones leave SMs without work: on an H200, alone, s n = 700 takes 3.22 us with them and 3.89
// with large ones, 6000 22.2 and 23.5, 28000 408 and 377; b 6000 16.6 and 19.2; z 600 4.5 and 5.0, 2500 18.0 and 17.0.
Loads loads_of_squares(const Problem& p) {
  const bool small = size_a(p) <= 4 ? p.n < 20'000 : size_a(p) > 8 && p.n < 2400;
  return small || !is_plain(p) || is_accurate(p) ? Loads::few : Loads::many;
}

// Blocks of one wave have a square each, of few waves two: z 7000 takes 95 us so, and 99 with one. Of many waves they
// have four (c n = 8000 64 us, with two 71), and then eight (d 14000 188, with four 204). Mailboxes that fill half of
// the L2 are far away: c 20000 takes 402 us so, and 387 in squares of four by four tiles. But blocks must be many: z
// 40000 has .71 of the floor with three for each SM. A prefetch gains in a queue where SMs have about one block each (d
// n = 880 2.87 us, without 3.06), and costs where they have more (d 1800 alone 7.7, without 7.1).
Plan plan_squares(const Problem& p, const DeviceTraits& traits) {
  constexpr std::int64_t most_tiles = 256, most_mailboxes = 24 << 20, least_blocks_of_sm = 8, many_waves = 40,
                         most_prefetching = 300;  // threads of an SM
  const Loads loads = loads_of_squares(p);
  const Plan one = shape_squares(p, loads, 1, 1);
  const std::int64_t of_wave = std::max<std::int64_t>(blocks_of_wave(one, traits), 1),
                     waves = ceil_div(params<SymvSquaresParams>(one).blocks * p.batch, of_wave),
                     few_waves = size_a(p) > 8 ? 24 : 6;
  Plan plan = shape_squares(p, loads, 1, waves == 1 ? 1 : waves <= few_waves ? 2 : waves <= many_waves ? 4 : 8);
  for (std::int64_t tiles = 4; squares_mailboxes(plan) * size_of_sum(p) > most_mailboxes && tiles <= most_tiles;
       tiles += tiles / 2) {
    Plan larger = shape_squares(p, Loads::few, tiles, 2);
    if (!why_illegal_squares(larger).empty()) larger = shape_squares(p, Loads::few, tiles, 4);
    const bool is_better = why_illegal_squares(larger).empty() &&
                           params<SymvSquaresParams>(larger).blocks >= least_blocks_of_sm * traits.sm_count;
    if (!is_better && why_illegal_squares(plan).empty()) break;
    plan = larger;
  }
  params<SymvSquaresParams>(plan).prefetch =
      plan.kernel.form == Form::plain &&
      params<SymvSquaresParams>(plan).blocks * plan.threads <= most_prefetching * traits.sm_count;
  return plan;
}

std::string count(std::int64_t number, const char* what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
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

std::string tiles_in_words(const Plan& plan) {
  const SymvParams& shape = params<SymvParams>(plan);
  return count(shape.strips, "strip") + " of " + count(shape.strip_rows, "row") + ", " + count(shape.blocks, "block") +
         " of " + count(plan.threads, "thread") + ", each warp with up to " +
         count(shape.units * kernels::symv_tile_columns, "column") +
         " in tiles of 8, read twice from shared memory; further blocks add up their partial sums in fixed order";
}

std::string squares_in_words(const Plan& plan) {
  const SymvSquaresParams& shape = params<SymvSquaresParams>(plan);
  std::string text = count(shape.blocks, "block");
  if (plan.problem.batch != 1) text += " x " + count(plan.problem.batch, "product");
  return text + " of " + count(plan.threads, "thread") + ", each with up to " + count(shape.squares, "square") +
         " of " + count(shape.tiles * squares_tile(plan.problem, plan.kernel.loads), "row") +
         "; those on the diagonal add up the partial sums in fixed order";
}

std::string canonical_in_words(const Plan& plan) {
  const SymvParams& shape = params<SymvParams>(plan);
  return count(shape.blocks, "block") + " for squares of 256 rows, " + count(shape.units, "block") +
         " to one off the diagonal, of " + count(plan.threads, "thread") +
         "; further blocks add up their partial sums as one tree; squares on the diagonal are loaded twice, the "
         "second time from the L2";
}

constexpr const char* small = "the rule for small matrices";
constexpr VariantRow rows[] = {
    {Variant::symv_small, decline_small, plan_small, why_illegal_small, small_in_words,
     "the rule for batches of small matrices"},
    {Variant::symv_rows, decline_rows, plan_rows, why_illegal_rows, rows_in_words, small},
    {Variant::symv_tiles, decline_tiles, plan_tiles, why_illegal_tiles, tiles_in_words,
     "the rule for sums with more digits"},
    {Variant::symv_squares, decline_squares, plan_squares, why_illegal_squares, squares_in_words,
     "the rule for squares"},
    {Variant::symv_rows_canonical, decline_canonical_rows, plan_canonical_rows, why_illegal_canonical_rows,
     rows_in_words, small},
    {Variant::symv_canonical, decline_canonical_symv, plan_canonical_symv, why_illegal_canonical_symv,
     canonical_in_words, "the rule for the canonical order"},
};

}  // namespace

std::span<const VariantRow> symv_rows() { return rows; }

}  // namespace onepass
