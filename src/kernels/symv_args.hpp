// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Arguments of the SYMV kernels, and the shape constants that kernels and plans share.
#pragma once

#include "kernels/args.hpp"

namespace onepass::kernels {

inline constexpr int symv_lanes = 32;
inline constexpr int symv_max_threads = 256;
inline constexpr int symv_polled = 8;            // mailboxes that a thread polls at a time
inline constexpr int symv_gathered_of_two = 32;  // outputs of a block that gathers those of two strips
inline constexpr int symv_prefetched = 4;        // vectors that a thread prefetches before the grid-dependency wait

// Vectors of a lane in each column of a panel, by the bytes of an element: 128 rows, or 256 of two bytes.
constexpr int symv_vectors(int element) { return element > 4 ? element / 4 : 1; }
// Columns that a warp has in flight. Of double-doubles twice as many as of others of their size: sums of columns over
// the lanes cost more there. On an H200 w n = 8192 takes 146 us with four and 161 with two, 4096 41.6 and 43.6, 2048
// 18.2 and 16.6; with two and the next two on their way meanwhile as with two alone.
constexpr int symv_columns(int element, bool double_double = false) {
  return double_double ? 4 : 8 / symv_vectors(element);
}
// Vectors of a thread in a step of its warp.
constexpr int symv_step_vectors(int element, bool double_double) {
  return symv_columns(element, double_double) * symv_vectors(element);
}
// Row sums of a panel in shared memory. Columns that start between 16-byte boundaries leave some of them unused.
constexpr int symv_places(int element) { return symv_lanes * symv_vectors(element) * 16 / element; }

// Segments whose sums of rows a block keeps until it may publish them, and places for those of one.
inline constexpr int symv_kept = 2;
ONEPASS_HOST_DEVICE constexpr int symv_kept_rows(int tile, int above) { return (tile + above + 3) & -4; }

// rows = cols = n; tile: rows of a strip; chunk: units of a block; log2_groups: of the warps, in symv_tiles of the
// columns of a unit; splits: blocks that multiply, before those that gather. Strips, units, shares and panels:
// blocks/strips.hpp.
struct SymvArgs : GemvArgs {
  int strips = 1, panels = 1;  // of the matrix, of a strip
  int panel_rows = 0;          // tile / panels
  int align_mask = 0;          // elements of an aligned run, less one: a vector of 16 bytes or more
  int above = 0, lead = 0;     // rows and columns in front of a skewed strip (blocks/strips.hpp)
  int held = 0;                // sums that a block keeps in shared memory: of columns, of symv_kept segments' rows
  int log2_gathered = 0;       // outputs of a block that gathers
  int units = 0;               // of the whole list
  int tile_units = 0;          // in as many columns as a strip has rows
  int least_units = 0;         // of the shortest strip
  int most_units = 0;          // of the longest
  int larger = 0;              // symv_tiles: blocks with `chunk` units, before those with one less
  std::int64_t mailboxes_per_product = 0;
  bool upper = false;
  bool hermitian = false;
  bool keeps_rows = false;  // symv_tiles: the sums of a segment's rows wait for those of the next one
  bool streams = false;     // A is far larger than the L2, and leaves it before anything else
};

// symv_small: nine warps take the 36 squares of n = 256 in four rounds. A square is loaded in pieces of so many columns
// that a lane's elements, in the type of the sum, fill 32 registers: one round trip to memory each.
inline constexpr int symv_small_side = symv_lanes;  // of a square
constexpr int symv_small_columns(int size_of_sum) { return 128 / size_of_sum; }
constexpr int symv_small_pieces(int size_of_sum) { return symv_small_side / symv_small_columns(size_of_sum); }
inline constexpr int symv_small_max_warps = 9;   // of a product
inline constexpr int symv_small_max_strips = 8;  // of squares, no more than warps
inline constexpr int symv_small_max_threads = symv_small_max_warps * symv_lanes;

// rows = n; chunk: pieces of a warp. The triangle is a lower one; an upper one is described from its last element
// backwards, with steps and increments of the other sign.
struct SymvSmallArgs : GemvArgs {
  std::int64_t first_a = 0;               // of pointer arrays, as first_x
  int column_bytes = 0;                   // from column to column
  int row_elements = 1;                   // from row to row: 1 or -1
  int strips = 1, pieces = 1, warps = 1;  // of a product
  int log2_products = 0;                  // of a block
  bool hermitian = false;
};

// symv_rows: elements of each of the two parts that a thread has in flight.
constexpr int symv_rows_in_flight(int size_of_sum) { return size_of_sum > 8 ? 4 : 8; }
inline constexpr int symv_rows_max_threads = 512;

// rows = n; symv_rows: 1 << log2_lanes outputs of a team, 1 << log2_groups of its threads for each; symv_squares:
// 1 << log2_groups squares of a block. Lower or upper as in SymvSmallArgs.
struct SymvRowsArgs : GemvArgs {
  std::int64_t column_bytes = 0;  // from column to column
  int row_bytes = 0;              // from row to row
  bool hermitian = false;
};

// symv_squares: rows and columns of a block's square, columns of a warp, mailboxes that a thread polls at a time.
// An element of four bytes leaves a lane registers for four rows.
constexpr int symv_square_side(Loads loads, int size) { return (size > 4 ? 32 : 64) * (loads == Loads::many ? 2 : 1); }
inline constexpr int symv_square_columns = 8, symv_square_polled = 4;
constexpr int symv_square_threads(int side) { return side / symv_square_columns * symv_lanes; }
// Blocks of the first `rows` rows of squares, without the diagonal: row r has r squares, in runs of 1 << log2_run.
ONEPASS_HOST_DEVICE constexpr int symv_square_blocks(int rows, int log2_run) {
  const int whole = (rows - 1) >> log2_run, rest = rows - 1 - (whole << log2_run);
  return (whole * (whole + 1) / 2 << log2_run) + rest * (whole + 1);
}

// symv_tiles: columns of a warp's tile, which has a vector of each for every lane; how far they lie from each other in
// shared memory, past the banks, in vectors; and tiles of a warp, one of which is summed while the other is on its way.
inline constexpr int symv_tile_columns = 8, symv_tile_pitch = symv_lanes + 1, symv_tile_stages = 2;
inline constexpr int symv_tiles_max_threads = 512;
// Where things begin in shared memory, in bytes: behind the sums of rows of each warp x of the strip's rows, x of each
// warp's columns, the high words of both, the tiles, `held` sums of columns, and those of a segment's rows.
struct SymvTilesRoom {
  int x_rows, x_columns, high_rows, high_columns, tiles, held, kept, end;
};
constexpr SymvTilesRoom symv_tiles_room(int rows, int warps, int held, bool keeps_rows, int size_of_sum, int size_of_x,
                                        bool anchored) {
  const int columns = warps * symv_tile_columns, size_of_high = anchored ? 4 : 0;
  SymvTilesRoom room{};
  room.x_rows = rows * warps * size_of_sum;
  room.x_columns = room.x_rows + rows * size_of_x;
  room.high_rows = room.x_columns + columns * size_of_x;
  room.high_columns = room.high_rows + rows * size_of_high;
  room.tiles = room.high_columns + columns * size_of_high;
  room.held = room.tiles + warps * symv_tile_stages * symv_tile_columns * symv_tile_pitch * 16;
  room.kept = room.held + held * size_of_sum;
  room.end = room.kept + (keeps_rows ? rows * size_of_sum : 0);
  return room;
}

// symv_canonical: `working` blocks multiply, those behind them gather. Elements are conjugated as they stand in a row
// or in a column, and the sums never: `conjugate` is false.
inline constexpr int symv_canonical_threads = 256;
// symv_rows_canonical: outputs of a block, and its threads at most, 256 for each slot.
inline constexpr int symv_rows_canonical_outputs = 8, symv_rows_canonical_threads = 512;
// From output to output in shared memory, past the banks: partial sums of a chunk, elements of the own chunk.
inline constexpr int symv_rows_canonical_pitch = 33, symv_rows_canonical_row_pitch = 260;
struct SymvCanonicalArgs : GemvArgs {
  int chunks = 1;
  int log2_parts = 0;  // blocks that share a tile: 1, 2 or 4
  std::int64_t working = 0;
  std::int64_t mailboxes_per_product = 0;
  bool upper = false;
  bool hermitian = false;
  bool conjugate_rows = false, conjugate_columns = false;
};

}  // namespace onepass::kernels
