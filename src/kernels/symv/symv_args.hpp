// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Arguments of the SYMV kernels, and the shape constants that kernels and plans share.
#pragma once

#include "kernels/gemv/args.hpp"

namespace onepass::kernels {

inline constexpr int symv_lanes = 32;

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

// rows = n; 1 << log2_lanes outputs of a team, 1 << log2_groups of its threads for each. Lower or upper as in
// SymvSmallArgs.
struct SymvRowsArgs : GemvArgs {
  std::int64_t column_bytes = 0;  // from column to column
  int row_bytes = 0;              // from row to row
  bool hermitian = false;
};

// symv_squares: rows and columns of a tile; columns of a warp, half as many of the largest sums. An element of four
// bytes leaves a lane registers for four rows.
constexpr int symv_square_tile(Loads loads, int size) { return (size > 4 ? 32 : 64) * (loads == Loads::many ? 2 : 1); }
constexpr int symv_square_columns(int size_of_sum) { return size_of_sum > 16 ? 4 : 8; }
constexpr int symv_square_threads(int tile, int size_of_sum) {
  return tile / symv_square_columns(size_of_sum) * symv_lanes;
}
// Blocks of the first `rows` rows of squares, without the diagonal: row r has r squares, in runs of 1 << log2_run.
ONEPASS_HOST_DEVICE constexpr int symv_square_blocks(int rows, int log2_run) {
  const int whole = (rows - 1) >> log2_run, rest = rows - 1 - (whole << log2_run);
  return (whole * (whole + 1) / 2 << log2_run) + rest * (whole + 1);
}

// tile: rows and columns of a square; 1 << log2_groups squares of a block.
struct SymvSquaresArgs : SymvRowsArgs {
  std::int64_t first_a = 0;  // of pointer arrays, as first_x
  std::int64_t mailboxes_per_product = 0;
};

// symv_tiles: columns of a warp's tile, which has a vector of each for every lane; how far they lie from each other in
// shared memory, past the banks, in vectors; and tiles of a warp, one of which is summed while the other is on its way.
inline constexpr int symv_tile_columns = 8, symv_tile_pitch = symv_lanes + 1, symv_tile_stages = 2;
inline constexpr int symv_tiles_max_threads = 512, symv_tiles_polled = 8;  // mailboxes that a thread polls at a time
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

// rows = n; tile: rows of a strip; splits: blocks that multiply, before those that gather, the first `larger` with
// `chunk` units and the others with one less; 1 << log2_groups columns of a unit. Strips, units and shares:
// blocks/strips.hpp.
struct SymvTilesArgs : GemvArgs {
  int strips = 1;         // of the matrix
  int held = 0;           // sums of columns that a block keeps in shared memory
  int log2_gathered = 0;  // outputs of a block that gathers
  int units = 0;          // of the whole list
  int tile_units = 0;     // in as many columns as a strip has rows
  int least_units = 0;    // of the shortest strip
  int most_units = 0;     // of the longest
  int larger = 0;
  bool upper = false;
  bool hermitian = false;
  bool keeps_rows = false;  // the sums of a segment's rows wait for those of the next one
  bool streams = false;     // A is far larger than the L2, and leaves it before anything else
};

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
