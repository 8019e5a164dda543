// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The way of a block of symv_tiles through its part of a triangle's strips (blocks/strips.hpp), and from their partial
// sums to y.
#pragma once

#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/mailboxes.hpp"
#include "kernels/blocks/operand.hpp"
#include "kernels/blocks/strips.hpp"

namespace onepass::kernels {

// Where the sums of a block stand in shared memory, in bytes: those of `rows` rows of each warp, those of columns that
// wait, and, if it is not negative, those of a segment's rows that wait.
struct SumsOfBlock {
  int rows_at, rows, held_at, kept_at = -1;
};

// Columns low to low + count - 1 of units first, first - 1, ..., the first ones that a block is done with: their sums
// wait in shared memory until the previous launch is complete, whose mailboxes they need, if this one may start before
// that, from place `from` on. Those of others are published at once.
struct HeldColumns {
  int low = 0, count = 0, from;

  ONEPASS_DEVICE HeldColumns(const SymvTilesArgs& g, const Strip& strip, int first, int units, int place)
      : from(place) {
    if (!g.settled_x) return;
    const int all = units << g.log2_groups;
    count = at_most(all, g.held);
    low = strip.column(g, g.upper ? first : first - units + 1) + (g.upper ? 0 : all - count);
  }
  ONEPASS_DEVICE bool has(int column) const { return column >= low && column < low + count; }
};

// The sums of a warp's columns, one to each of the first eight lanes: from `column` on, all held or none.
template <class S, class Ex>
ONEPASS_DEVICE void deliver_columns(Ex ex, const SymvTilesArgs& g, const Strip& strip, const HeldColumns& held,
                                    int held_at, int column, S sum) {
  const int lane = ex.thread() & (symv_lanes - 1), c = column + lane;
  const bool owns = lane < symv_tile_columns && c < static_cast<int>(g.rows);
  if (held.has(column)) {
    if (owns) ex.template shared<S>(held_at).put(held.from + c - held.low, sum);
  } else {
    wait_to_write(ex, g);
    if (owns) ex.publish(static_cast<S*>(g.mailboxes) + column_mailbox(g, strip.index, c), sum);
  }
}

// The sums of a strip's rows over the warps: to(row, sum) by one thread each.
template <class S, class Ex, class To>
ONEPASS_DEVICE void sum_rows(Ex ex, const SumsOfBlock& sums, const Strip& strip, To to) {
  const auto of_rows = ex.template shared<S>(sums.rows_at);
  const int warps = ex.threads() / symv_lanes;
#pragma unroll 1
  for (int row = ex.thread(); row < strip.rows; row += ex.threads()) {
    S total{};
#pragma unroll 4
    for (int warp = 0; warp < warps; ++warp) total = total + of_rows.get(warp * sums.rows + row);
    to(row, total);
  }
}

// Sums of columns that waited in shared memory, into their mailboxes.
template <class S, class Ex>
ONEPASS_DEVICE void publish_columns(Ex ex, const SymvTilesArgs& g, const Strip& strip, const HeldColumns& held,
                                    int held_at) {
#pragma unroll 1
  for (int i = ex.thread(); i < held.count; i += ex.threads()) {
    const int c = held.low + i;
    if (c < static_cast<int>(g.rows))
      ex.publish(static_cast<S*>(g.mailboxes) + column_mailbox(g, strip.index, c),
                 ex.template shared<S>(held_at).get(held.from + i));
  }
}

// The sums of `units` units at the end of a strip, all of which wait in shared memory, into their mailboxes.
template <class S, class Ex>
ONEPASS_DEVICE void publish_kept(Ex ex, const SymvTilesArgs& g, const SumsOfBlock& sums, const Strip& strip,
                                 int segment, int units) {
  S* const mailboxes = static_cast<S*>(g.mailboxes);
  const HeldColumns held(g, strip, units - 1, units, 0);
  publish_columns<S>(ex, g, strip, held, sums.held_at);
#pragma unroll 1
  for (int row = ex.thread(); row < strip.rows; row += ex.threads())
    ex.publish(mailboxes + row_mailbox(g, segment, row), ex.template shared<S>(sums.kept_at).get(row));
}

// From mailboxes to y, by block `block` of those that gather. Several threads share the mailboxes of an output; the
// order of the sum depends on the shape alone.
template <class E, class Ex>
ONEPASS_DEVICE void gather_strips(Ex ex, const SymvTilesArgs& g, int block) {
  using S = typename E::Sum;
  constexpr Form F = Form::plain;
  const int part = ex.thread() >> g.log2_gathered, place = ex.thread() & ((1 << g.log2_gathered) - 1);
  const int output = (block << g.log2_gathered) + place, from_top = output / g.tile;
  const bool wanted = output < static_cast<int>(g.rows);
  S total{};
  if (wanted) {
    const int index = g.upper ? g.strips - 1 - from_top : from_top, of_columns = g.strips - index;
    const Segments segments(g, index);
    total = sum_mailboxes<symv_tiles_polled>(ex, static_cast<S*>(g.mailboxes), g.timed_out, part,
                                             of_columns + segments.count, ex.threads() >> g.log2_gathered, [&](int k) {
                                               return k < of_columns ? column_mailbox(g, index + k, output)
                                                                     : row_mailbox(g, segments.first + k - of_columns,
                                                                                   output - from_top * g.tile);
                                             });
  }
  total = sum_teams(ex, ex.template shared<S>(0), g.log2_gathered, total);
  if (part == 0 && wanted) write_y<E, F>(ex, g, {}, output, alpha_of<typename E::Scalar, F>(ex, g), total);
}

// A block of a launch: multiply(strip, first, count, held) of units first, first - 1, ... of each strip that it has a
// part of, which leaves its sums in shared memory; or its part of y. Where there is room for the sums of two segments
// the first one's wait for the second one's, so that a block is done with both before it waits for the launch ahead.
template <class E, class Ex, class Multiply>
ONEPASS_DEVICE void walk_strips(Ex ex, const SymvTilesArgs& g, const SumsOfBlock& sums, Multiply multiply) {
  using S = typename E::Sum;
  constexpr Form F = Form::plain;
  open_first(ex, g);
  if (alpha_of<typename E::Scalar, F>(ex, g) == typename E::Scalar{}) {
    wait_for_previous_launch(ex);
#pragma unroll 1
    for (std::int64_t i = ex.block_x() * ex.threads() + ex.thread(); i < g.rows; i += ex.grid_x() * ex.threads())
      write_y<E, F>(ex, g, {}, i, {}, {});
    return;
  }
  const int block = static_cast<int>(ex.block_x());
  S* const mailboxes = static_cast<S*>(g.mailboxes);
  if (block >= g.splits) {
    wait_for_previous_launch(ex);
    return gather_strips<E>(ex, g, block - g.splits);
  }
  int left = g.units - Shares::first(g, block), mine = Shares::count(g, block);
  int kept = 0;  // units of the strip before, whose sums wait
  Strip strip = Strip::at(g, left);
  wait_to_read(ex, g);
  while (true) {
    const int first = left - units_behind(g, strip.index) - 1, count = at_most(mine, first + 1);
    const HeldColumns held(g, strip, first, count, kept << g.log2_groups);
    multiply(strip, first, count, held);
    ex.sync();
    if (sums.kept_at >= 0 && g.settled_x && kept == 0 && mine > count) {
      sum_rows<S>(ex, sums, strip, [&](int row, S sum) { ex.template shared<S>(sums.kept_at).put(row, sum); });
      kept = count;
    } else {
      wait_to_write(ex, g);
      const int place = segment(g, block, strip.index);
      if (kept > 0) publish_kept<S>(ex, g, sums, Strip(g, strip.index + 1), place - 1, kept);
      publish_columns<S>(ex, g, strip, held, sums.held_at);
      sum_rows<S>(ex, sums, strip, [&](int row, S sum) { ex.publish(mailboxes + row_mailbox(g, place, row), sum); });
      kept = 0;
    }
    left -= count;
    mine -= count;
    if (mine == 0) return;
    ex.sync();
    strip = Strip(g, strip.index - 1);
  }
}

}  // namespace onepass::kernels
