// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of symv_tiles and symv_columns launches, the problems that they can serve, and those that they are
// chosen for.
#pragma once

#include <cstdint>
#include <string>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"
#include "plan/symv_shape.hpp"

namespace onepass {

// The list of units, of eight columns for each warp, as the kernel counts it.
SymvList tiles_list(const Plan& plan);
// Columns of a unit.
std::int64_t tiles_unit(const Plan& plan);
// Sums of columns that a block keeps in shared memory up to the end of a strip.
std::int64_t tiles_held(const Plan& plan);
// Whether a block keeps the sums of a segment's rows, too, up to the end of the next one.
bool tiles_keep_rows(const Plan& plan);
// Blocks that have as many units as the plan says; those behind them have one less.
std::int64_t tiles_larger(const Plan& plan);
// Outputs of a block that gathers.
std::int64_t tiles_gathered(const Plan& plan);

// Whether the list of a plan is of this kind.
bool has_units_of_tiles(const Plan& plan);

// Null, or why the kernel cannot serve the problem, however it is shaped.
const char* why_not_tiles(const Problem& p);
const char* why_not_columns(const Problem& p);

// The complete plan: blocks of so many threads, a power of two, strips of so many rows, and as many blocks as are
// wished for.
Plan shape_tiles(const Problem& p, int threads, std::int64_t strip_rows, std::int64_t blocks);
Plan shape_columns(const Problem& p, int threads, std::int64_t blocks);

// Empty, or why a plan of this variant would not compute its problem.
std::string why_illegal_tiles(const Plan& plan);
std::string why_illegal_columns(const Plan& plan);

// Null, or why symv is the faster one, or symv_tiles.
const char* decline_tiles(const Problem& p, const DeviceTraits& traits);
const char* decline_columns(const Problem& p, const DeviceTraits& traits);
Plan plan_tiles(const Problem& p, const DeviceTraits& traits);
Plan plan_columns(const Problem& p, const DeviceTraits& traits);

}  // namespace onepass
