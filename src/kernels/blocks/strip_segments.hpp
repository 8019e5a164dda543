// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The way of a block through its part of a triangle's strips (blocks/strips.hpp), where a unit has eight columns for
// each warp: symv_tiles, symv_columns.
#pragma once

#include "kernels/blocks/gather.hpp"
#include "kernels/blocks/operand.hpp"
#include "kernels/blocks/strips.hpp"

namespace onepass::kernels {

// Where the sums of a block stand in shared memory, in bytes: those of `rows` rows of each warp, and those of columns
// that wait.
struct SumsOfBlock {
  int rows_at, rows, held_at;
};

// Columns low to low + count - 1 of units first, first - 1, ..., the first ones that a block is done with: their sums
// wait in shared memory until the previous launch is complete, whose mailboxes they need, if this one may start before
// that. Those of others are published at once.
struct HeldColumns {
  int low = 0, count = 0;

  ONEPASS_DEVICE HeldColumns(const SymvArgs& g, const Strip& strip, int first, int units) {
    if (!g.settled_x) return;
    const int all = units << g.log2_groups;
    count = at_most(all, g.held);
    low = strip.column(g, g.upper ? first : first - units + 1) + (g.upper ? 0 : all - count);
  }
  ONEPASS_DEVICE bool has(int column) const { return column >= low && column < low + count; }
};

// The sums of a warp's columns, one to each of the first eight lanes: from `column` on, all held or none.
template <class S, class Ex>
ONEPASS_DEVICE void deliver_columns(Ex ex, const SymvArgs& g, const Strip& strip, const HeldColumns& held, int held_at,
                                    int column, S sum) {
  const int lane = ex.thread() & (symv_lanes - 1), c = column + lane;
  const bool owns = lane < symv_tile_columns && c < static_cast<int>(g.rows);
  if (held.has(column)) {
    if (owns) ex.template shared<S>(held_at).put(c - held.low, sum);
  } else {
    wait_to_write(ex, g);
    if (owns) ex.publish(static_cast<S*>(g.mailboxes) + column_mailbox(g, strip.index, c), sum);
  }
}

// The sums of a strip's rows over the warps, into the mailboxes of this segment of the list.
template <class S, class Ex>
ONEPASS_DEVICE void publish_rows(Ex ex, const SymvArgs& g, const SumsOfBlock& sums, const Strip& strip, int segment) {
  const auto of_rows = ex.template shared<S>(sums.rows_at);
  const int warps = ex.threads() / symv_lanes;
#pragma unroll 1
  for (int row = ex.thread(); row < strip.rows; row += ex.threads()) {
    S total{};
#pragma unroll 4
    for (int warp = 0; warp < warps; ++warp) total = total + of_rows.get(warp * sums.rows + row);
    ex.publish(static_cast<S*>(g.mailboxes) + row_mailbox(g, segment, row), total);
  }
}

// A block of a launch: multiply(strip, first, count, held) of units first, first - 1, ... of each strip that it has a
// part of, which leaves its sums in shared memory; or its part of y.
template <class E, class Ex, class Multiply>
ONEPASS_DEVICE void walk_strips(Ex ex, const SymvArgs& g, const SumsOfBlock& sums, Multiply multiply) {
  using S = typename E::Sum;
  constexpr Form F = Form::plain;
  open_first(ex, g);
  if (alpha_of<typename E::Scalar, F>(ex, g) == typename E::Scalar{}) {
    wait_for_previous_launch(ex);
    return scale_all<E, F>(ex, g, {});
  }
  const int block = static_cast<int>(ex.block_x());
  S* const mailboxes = static_cast<S*>(g.mailboxes);
  if (block >= g.splits) {
    wait_for_previous_launch(ex);
    return gather_strips<E, F>(ex, g, {}, mailboxes, block - g.splits);
  }
  int left = g.units - block * static_cast<int>(g.chunk), mine = at_most(g.chunk, left);
  Strip strip = Strip::at(g, left);
  wait_to_read(ex, g);
  while (true) {
    const int first = left - units_behind(g, strip.index) - 1, count = at_most(mine, first + 1);
    const HeldColumns held(g, strip, first, count);
    multiply(strip, first, count, held);
    ex.sync();
    wait_to_write(ex, g);
    publish_columns(ex, g, mailboxes, strip, held.low, held.count, ex.template shared<S>(sums.held_at));
    publish_rows<S>(ex, g, sums, strip, segment(g, block, strip.index));
    left -= count;
    mine -= count;
    if (mine == 0) return;
    ex.sync();
    strip = Strip(g, strip.index - 1);
  }
}

}  // namespace onepass::kernels
