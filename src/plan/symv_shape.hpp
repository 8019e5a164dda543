// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of a SYMV launch, kernel by kernel, and what it costs in memory. It chooses nothing.
//
// why_not_...      null, or why the kernel cannot serve the problem, however it is shaped
// shape_...        the complete plan from its free numbers
// why_illegal_...  empty, or why a plan of the kernel would not compute its problem
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"
#include "plan/registry.hpp"

namespace onepass {

constexpr bool is_power_of_two(std::int64_t v, std::int64_t least, std::int64_t most) {
  return v >= least && v <= most && (v & (v - 1)) == 0;
}
// Empty if a plan is what its free numbers give.
std::string why_different(const Plan& plan, Plan right);

// Complex sums with twice the digits fill mailboxes of 32 bytes: what strips of symv_tiles need up to n = 22000 or so.
// On an H200 z n = 16384 takes 966 us with them, and 1272 in the best launch within the limit of all others.
constexpr std::size_t symv_workspace_limit(const Problem& p) {
  return p.type_a == Type::z && p.accumulate == Accumulate::twice ? largest_workspace : workspace_limit;
}

// symv_rows: blocks of so many threads, teams that own so many outputs; both powers of two.
const char* why_not_rows(const Problem& p);
Plan shape_rows(const Problem& p, Loads loads, int threads, std::int64_t outputs);
std::string why_illegal_rows(const Plan& plan);
// Threads of a team: a warp where loads are few, else the block.
std::int64_t rows_team(const Plan& plan);

// symv_small: a block takes so many products, a power of two, and each has so many warps.
const char* why_not_small(const Problem& p);
Plan shape_small(const Problem& p, std::int64_t warps, std::int64_t products);
std::string why_illegal_small(const Plan& plan);
// Strips of 32 rows, and pieces of the squares of 32 x 32 that the triangle touches; warps of a product.
std::int64_t small_strips(const Problem& p);
std::int64_t small_pieces(const Problem& p);
std::int64_t small_warps(const Plan& plan);

// symv_squares: squares of so many tiles along a side, so many of them for a block, a power of two. Single products
// with scalars on the host and squares of one tile have the plain form.
std::int64_t squares_tile(const Problem& p, Loads loads);  // rows of a tile
Plan shape_squares(const Problem& p, Loads loads, std::int64_t tiles, std::int64_t squares);
std::string why_illegal_squares(const Plan& plan);
// Mailboxes of a product, and products that a launch can take at once with the workspace of the plan and the grid of a
// device: a larger batch is several launches.
std::int64_t squares_mailboxes(const Plan& plan);
std::int64_t squares_products(const Plan& plan);

// symv_tiles: strips of so many rows.
const char* why_not_tiles(const Problem& p);
Plan shape_tiles(const Problem& p, int threads, std::int64_t strip_rows, std::int64_t blocks);
std::string why_illegal_tiles(const Plan& plan);
// The list of units, as the kernel counts it.
struct TilesList {
  std::int64_t tile_units = 0;   // in as many columns as a strip has rows
  std::int64_t least_units = 0;  // of the shortest strip
  std::int64_t most_units = 0;   // of the longest
  std::int64_t units = 0;        // of all strips
};
TilesList tiles_list(const Plan& plan);
std::int64_t tiles_unit(const Plan& plan);  // columns
// Sums of columns that a block keeps in shared memory up to the end of a strip, and whether it keeps the sums of a
// segment's rows, too, up to the end of the next one.
std::int64_t tiles_held(const Plan& plan);
bool tiles_keep_rows(const Plan& plan);
// Blocks that have as many units as the plan says; those behind them have one less.
std::int64_t tiles_larger(const Plan& plan);
// Outputs of a block that gathers.
std::int64_t tiles_gathered(const Plan& plan);
// Whether the L2 lets A go before anything else.
bool tiles_stream(const Plan& plan);

// symv_canonical: squares of 256 rows, of which 1, 2 or 4 blocks share one off the diagonal.
const char* decline_canonical_symv(const Problem& p, const DeviceTraits& traits);
Plan plan_canonical_symv(const Problem& p, const DeviceTraits& traits);
Plan shape_canonical_symv(const Problem& p, std::int64_t parts);
std::string why_illegal_canonical_symv(const Plan& plan);
// Of a product; products of a launch; blocks of one, those that gather included.
std::int64_t symv_canonical_mailboxes(const Plan& plan);
std::int64_t symv_canonical_products(const Plan& plan);
std::int64_t symv_canonical_blocks(const Plan& plan);

// symv_rows_canonical: blocks of 256 or 512 threads that own whole outputs.
const char* decline_canonical_rows(const Problem& p, const DeviceTraits& traits);
Plan plan_canonical_rows(const Problem& p, const DeviceTraits& traits);
Plan shape_canonical_rows(const Problem& p, int threads);
std::string why_illegal_canonical_rows(const Plan& plan);

// The variants, in the order in which they may accept.
std::span<const VariantRow> symv_rows();

}  // namespace onepass
