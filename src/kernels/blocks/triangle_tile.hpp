// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The way of a warp of symv_tiles through its part of a triangle.
#pragma once

#include "kernels/blocks/operand.hpp"
#include "kernels/blocks/strips.hpp"
#include "kernels/symv/symv_args.hpp"

namespace onepass::kernels {

// A tile of a warp, from `row` of the strip and from `column` on; `left`: units, from its own one on; `whole`: tiles of
// its columns from here on whose elements all belong to the triangle, off the diagonal.
template <class A>
struct TriangleTile {
  static constexpr int rows = symv_lanes * vector_length<A>, columns = symv_tile_columns;

  int left, column, row, whole = 0;

  // Columns from unit to unit.
  static ONEPASS_DEVICE int step(const SymvTilesArgs& g) {
    return g.upper ? 1 << g.log2_groups : -(1 << g.log2_groups);
  }

  // To the next tile that has elements of the triangle: this one, or one below, or one of a later unit.
  ONEPASS_DEVICE void seek(const SymvTilesArgs& g, const Strip& strip) {
    whole = 0;
#pragma unroll 1
    while (left > 0) {
#pragma unroll 1
      for (; row < strip.rows; row += rows) {
        const int row0 = strip.row0 + row;
        if (column < static_cast<int>(g.rows) && (g.upper ? row0 < column + columns : row0 + rows > column)) {
          whole = count_whole(g, strip);
          return;
        }
      }
      row = 0;
      --left;
      column += step(g);
    }
  }
  ONEPASS_DEVICE void advance(const SymvTilesArgs& g, const Strip& strip) {
    row += rows;
    if (--whole <= 0) seek(g, strip);
  }
  // Whether element (r, c) belongs to the triangle; the rows of the strip end at `end`.
  static ONEPASS_DEVICE bool has(const SymvTilesArgs& g, int end, int r, int c) {
    return r < end && c < static_cast<int>(g.rows) && (g.upper ? r <= c : r >= c);
  }

 private:
  ONEPASS_DEVICE int count_whole(const SymvTilesArgs& g, const Strip& strip) const {
    const int row0 = strip.row0 + row, fit = (strip.rows - row) / rows;
    if (column + columns > static_cast<int>(g.rows)) return 0;
    if (!g.upper) return row0 >= column + columns ? fit : 0;
    return row0 < column ? at_most((column - row0) / rows, fit) : 0;
  }
};

}  // namespace onepass::kernels
