// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of launches of symv_rows and symv_squares, and the problems that they can serve.
#pragma once

#include <cstdint>
#include <string>

#include "plan/plan.hpp"

namespace onepass {

// Threads of a team: a warp where loads are few, else the block.
std::int64_t rows_team(const Plan& plan);

// Where the sums of a block's warps begin in shared memory, behind x.
std::int64_t rows_sums_at(const Problem& p);

// Null, or why the kernel cannot serve the problem, however it is shaped.
const char* why_not_rows(const Problem& p);

// The complete plan: blocks of so many threads, teams that own so many outputs; both powers of two.
Plan shape_rows(const Problem& p, Loads loads, int threads, std::int64_t outputs);

// The same of symv_squares, whose launches have no other choice.
const char* why_not_squares(const Problem& p);
// `squares` of a block, a power of two.
Plan shape_squares(const Problem& p, Loads loads, std::int64_t squares);
std::string why_illegal_squares(const Plan& plan);

// Empty, or why a plan of this variant would not compute its problem.
std::string why_illegal_rows(const Plan& plan);

}  // namespace onepass
