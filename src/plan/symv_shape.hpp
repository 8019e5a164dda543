// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of a SYMV launch: strips of a triangle, the list of their units, and what it costs in memory. It
// chooses nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "plan/plan.hpp"

namespace onepass {

// Two blocks of an SM share its memory; one of 512 threads has it alone, but for 1 KiB of CUDA's.
constexpr std::size_t symv_shared_limit(int threads) { return std::size_t{threads > 256 ? 226U : 112U} << 10; }
inline std::size_t symv_shared_limit(const Plan& plan) { return symv_shared_limit(plan.threads); }

// Columns of a warp in a step.
std::int64_t symv_columns(const Problem& p, Loads loads);

// Complex sums with twice the digits fill mailboxes of 32 bytes: what strips of one panel need up to n = 22000 or so.
// On an H200 z n = 16384 takes 966 us with them, and 1272 in the best launch within the limit of all others.
constexpr std::size_t symv_workspace_limit(const Problem& p) {
  return p.type_a == Type::z && p.accumulate == Accumulate::twice ? largest_workspace : workspace_limit;
}

// The list of units, as the kernel counts it.
struct SymvList {
  std::int64_t panels = 0;       // of a strip
  std::int64_t tile_units = 0;   // in as many columns as a strip has rows
  std::int64_t least_units = 0;  // of the shortest strip
  std::int64_t most_units = 0;   // of the longest strip
  std::int64_t units = 0;        // of all strips

  bool operator==(const SymvList&) const = default;
};
SymvList symv_list(const Plan& plan);

// The most rows of a panel.
std::int64_t symv_panel_rows(const Problem& p);

// Elements of the aligned runs in which strips begin, rows in front of a strip that it has in some columns, and columns
// in front of one of an upper triangle.
std::int64_t symv_run(const Problem& p, int threads);
std::int64_t symv_above(const Problem& p, int threads);
std::int64_t symv_lead(const Problem& p, int threads);

// Whether the L2 lets A go before anything else.
bool symv_streams(const Plan& plan);

// Outputs of a block that gathers, and the number of those blocks.
std::int64_t symv_gathered(const Plan& plan);
std::int64_t symv_gathering_blocks(const Plan& plan);

// Sums that a block keeps in shared memory: of the columns of all its units and of rows of some strips, or none.
std::int64_t symv_held(const Plan& plan);

// Mailboxes for the partial sums of one product, and products that a launch can take at once with the workspace of
// the plan and the grid of a device: a larger batch is several launches.
std::int64_t symv_mailboxes(const Plan& plan);
std::int64_t symv_products(const Plan& plan);

// A complete plan from its free numbers: panels of a strip and blocks of a product as they are wished for.
Plan shape_symv(const Problem& p, int threads, std::int64_t panels, std::int64_t blocks, Loads loads = Loads::few);

// Empty, or the reason why a plan would not compute its problem.
std::string why_illegal_symv(const Plan& plan);

}  // namespace onepass
