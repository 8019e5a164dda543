// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A triangle cut into strips of rows, and the list of their units that the blocks of a launch share.
//
//    lower                        upper
//   |0\                           \ 3 3 3 3|      A strip: `tile` rows; a unit: as many columns of it as a block has
//   |1 1\                           \ 2 2 2|      warps, one for each. Strips are numbered from the end of the list:
//   |2 2 2\                           \ 1 1|      the shortest is 0, and the longest comes first. Within a strip the
//   |3 3 3 3\                           \ 0|      units go from the diagonal outwards; unit 0 is the last. The blocks
//                                                share the list in turn, equally (EqualShares) or evenly (EvenShares).
//
// Strips are skewed where columns start at different places of an aligned run of memory: in each column a strip begins
// where a run does, up to `above` rows in front of its first row, and ends where the next strip begins. So no run is
// loaded for two strips, and no lane is without rows. A strip has sums of `above` rows more, and of an upper triangle
// `lead` columns more, whole units.
//
// Strips are whole steps of columns, or whole chunks where those are shorter, and then no block has units of two
// strips: then the first units of the longest strip, or the last ones of all, may lie outside of the matrix.
//
// All sums travel through mailboxes: those of a strip's columns, and those of its rows from every block that had units
// of it. Blocks of the same launch with higher numbers gather them, so that a block waits for lower numbers only. The
// block with unit 0 of a strip could gather too, since all sums of the strip's outputs come from blocks up to it. But
// it would stand still in the middle of its share until others have ended theirs, one behind the other; and of 264
// blocks the last one has unit 0 of a sixteenth of the strips, those with the most partial sums.
#pragma once

#include <cmath>

#include "kernels/blocks/operand.hpp"
#include "kernels/symv_args.hpp"

namespace onepass::kernels {

// Units that follow strip `index` in the list.
ONEPASS_DEVICE int units_behind(const SymvArgs& g, int index) {
  return index * (index - 1) / 2 * g.tile_units + index * g.least_units;
}

// Block b has units b chunk to (b + 1) chunk - 1 of the list; the last one may have fewer.
struct EqualShares {
  static ONEPASS_DEVICE int first(const SymvArgs& g, int block) { return block * static_cast<int>(g.chunk); }
  static ONEPASS_DEVICE int count(const SymvArgs& g, int block) { return at_most(g.chunk, g.units - first(g, block)); }
  static ONEPASS_DEVICE int block_of(const SymvArgs& g, int unit) { return unit / static_cast<int>(g.chunk); }
};
// The first `larger` blocks have chunk units each, the others one less.
struct EvenShares {
  static ONEPASS_DEVICE int first(const SymvArgs& g, int block) {
    return block * static_cast<int>(g.chunk) - (block > g.larger ? block - g.larger : 0);
  }
  static ONEPASS_DEVICE int count(const SymvArgs& g, int block) {
    return static_cast<int>(g.chunk) - (block < g.larger ? 0 : 1);
  }
  static ONEPASS_DEVICE int block_of(const SymvArgs& g, int unit) {
    const int chunk = static_cast<int>(g.chunk), of_larger = g.larger * chunk;
    return unit < of_larger ? unit / chunk : g.larger + (unit - of_larger) / (chunk - 1);
  }
};

struct Strip {
  int index;
  int row0, rows;  // rows: those of all its columns
  int column0;     // the first one that the strip holds
  int units;

  ONEPASS_DEVICE Strip(const SymvArgs& g, int i) : index(i) {
    const int tile = g.tile, n = static_cast<int>(g.rows);
    row0 = (g.upper ? g.strips - 1 - i : i) * tile;
    rows = n + g.above - row0 < tile ? n + g.above - row0 : tile;
    column0 = g.upper ? row0 - g.lead : 0;
    units = i == g.strips - 1 ? g.most_units : i * g.tile_units + g.least_units;
  }
  // The column of warp 0 in a unit.
  ONEPASS_DEVICE int column(const SymvArgs& g, int unit) const {
    return column0 + ((g.upper ? units - 1 - unit : unit) << g.log2_groups);
  }
  // The strip of the unit that has `left` - 1 units behind it: the last one with fewer than `left` behind it,
  //   tile_units i (i - 1) / 2 + least_units i < left.
  static ONEPASS_DEVICE Strip at(const SymvArgs& g, int left) {
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

// The columns of a warp in `count` units: first + u step, of which those with begin <= u < end exist.
struct Columns {
  int first, step, begin, end;

  // column: of warp 0 in the first unit.
  ONEPASS_DEVICE Columns(const SymvArgs& g, int warp, int column, int count) {
    const int warps = 1 << g.log2_groups, n = static_cast<int>(g.rows);
    first = column + warp;
    step = g.upper ? warps : -warps;
    const int exist = (n - first + warps - 1) >> g.log2_groups;
    begin = g.upper ? (first < 0 ? (warps - 1 - first) >> g.log2_groups : 0)
                    : (first < n ? 0 : ((first - n) >> g.log2_groups) + 1);
    end = g.upper && exist < count ? exist : count;
  }
  ONEPASS_DEVICE bool have(int u) const { return (u >= begin) & (u < end); }
  ONEPASS_DEVICE int at(int u) const { return first + u * step; }
};

// Mailboxes of a product: first those of each strip's column sums, then those of the row sums of each segment, which is
// what a block has of a strip. Along the list of segments either the block or the strip changes.
ONEPASS_DEVICE int column_mailbox(const SymvArgs& g, int strip, int column) {
  const int column0 = g.upper ? (g.strips - 1 - strip) * g.tile - g.lead : 0;
  return strip * (strip + 1) / 2 * g.tile + strip * g.lead + column - column0;
}
ONEPASS_DEVICE int segment(const SymvArgs& g, int block, int strip) { return block + g.strips - 1 - strip; }
// The segments of a strip.
template <class Shares>
struct Segments {
  int first = 0, count = 0;

  Segments() = default;
  ONEPASS_DEVICE Segments(const SymvArgs& g, int strip) {
    const int last = g.units - units_behind(g, strip) - 1;
    const int first_block = Shares::block_of(g, last + 1 - Strip(g, strip).units);
    first = segment(g, first_block, strip);
    count = Shares::block_of(g, last) - first_block + 1;
  }
};
ONEPASS_DEVICE int row_mailbox(const SymvArgs& g, int segment, int row) {
  return g.strips * (g.strips + 1) / 2 * g.tile + g.strips * g.lead + segment * (g.tile + g.above) + row + g.above;
}

}  // namespace onepass::kernels
