// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A triangle cut into strips of rows, and the list of their units that the blocks of symv_tiles share.
//
//    lower                        upper
//   |0\                           \ 3 3 3 3|      A strip: `tile` rows; a unit: as many columns of it as the warps of
//   |1 1\                           \ 2 2 2|      a block have, eight each. Strips are numbered from the end of the
//   |2 2 2\                           \ 1 1|      list: the shortest is 0, and the longest comes first. Within a strip
//   |3 3 3 3\                           \ 0|      the units go from the diagonal outwards; unit 0 is the last.
//
// The blocks share the list in turn, evenly. All sums travel through mailboxes: those of a strip's columns, and those
// of its rows from every block that had units of it. Blocks of the same launch with higher numbers gather them, so that
// a block waits for lower numbers only. The block with unit 0 of a strip could gather too, since all sums of the
// strip's outputs come from blocks up to it. But it would stand still in the middle of its share until others have
// ended theirs, one behind the other; and of 264 blocks the last one has unit 0 of a sixteenth of the strips, those
// with the most partial sums.
#pragma once

#include <cmath>

#include "kernels/blocks/operand.hpp"
#include "kernels/symv/symv_args.hpp"

namespace onepass::kernels {

// Units that follow strip `index` in the list.
ONEPASS_DEVICE int units_behind(const SymvTilesArgs& g, int index) {
  return index * (index - 1) / 2 * g.tile_units + index * g.least_units;
}

// The first `larger` blocks have chunk units each, the others one less.
struct Shares {
  static ONEPASS_DEVICE int first(const SymvTilesArgs& g, int block) {
    return block * static_cast<int>(g.chunk) - (block > g.larger ? block - g.larger : 0);
  }
  static ONEPASS_DEVICE int count(const SymvTilesArgs& g, int block) {
    return static_cast<int>(g.chunk) - (block < g.larger ? 0 : 1);
  }
  static ONEPASS_DEVICE int block_of(const SymvTilesArgs& g, int unit) {
    const int chunk = static_cast<int>(g.chunk), of_larger = g.larger * chunk;
    return unit < of_larger ? unit / chunk : g.larger + (unit - of_larger) / (chunk - 1);
  }
};

struct Strip {
  int index;
  int row0, rows;
  int column0;  // the first one that the strip holds
  int units;

  ONEPASS_DEVICE Strip(const SymvTilesArgs& g, int i) : index(i) {
    const int tile = g.tile, n = static_cast<int>(g.rows);
    row0 = (g.upper ? g.strips - 1 - i : i) * tile;
    rows = at_most(n - row0, tile);
    column0 = g.upper ? row0 : 0;
    units = i == g.strips - 1 ? g.most_units : i * g.tile_units + g.least_units;
  }
  // The column of warp 0 in a unit.
  ONEPASS_DEVICE int column(const SymvTilesArgs& g, int unit) const {
    return column0 + ((g.upper ? units - 1 - unit : unit) << g.log2_groups);
  }
  // The strip of the unit that has `left` - 1 units behind it: the last one with fewer than `left` behind it,
  //   tile_units i (i - 1) / 2 + least_units i < left.
  static ONEPASS_DEVICE Strip at(const SymvTilesArgs& g, int left) {
    int i = 0;
    if (g.strips > 1) {
      const auto per_strip = static_cast<float>(g.tile_units);
      const float b = static_cast<float>(g.least_units) - per_strip / 2;
      i = static_cast<int>((sqrtf(b * b + 2 * per_strip * static_cast<float>(left)) - b) / per_strip);
      if (i >= g.strips) i = g.strips - 1;
      while (units_behind(g, i) >= left) --i;
      while (i + 1 < g.strips && units_behind(g, i + 1) < left) ++i;
    }
    return {g, i};
  }
};

// Mailboxes: first those of each strip's column sums, then those of the row sums of each segment, which is
// what a block has of a strip. Along the list of segments either the block or the strip changes.
ONEPASS_DEVICE int column_mailbox(const SymvTilesArgs& g, int strip, int column) {
  return strip * (strip + 1) / 2 * g.tile + column - (g.upper ? (g.strips - 1 - strip) * g.tile : 0);
}
ONEPASS_DEVICE int segment(const SymvTilesArgs& g, int block, int strip) { return block + g.strips - 1 - strip; }
// The segments of a strip.
struct Segments {
  int first = 0, count = 0;

  ONEPASS_DEVICE Segments(const SymvTilesArgs& g, int strip) {
    const int last = g.units - units_behind(g, strip) - 1;
    const int first_block = Shares::block_of(g, last + 1 - Strip(g, strip).units);
    first = segment(g, first_block, strip);
    count = Shares::block_of(g, last) - first_block + 1;
  }
};
ONEPASS_DEVICE int row_mailbox(const SymvTilesArgs& g, int segment, int row) {
  return (g.strips * (g.strips + 1) / 2 + segment) * g.tile + row;
}

}  // namespace onepass::kernels
