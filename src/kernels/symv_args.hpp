// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the SYMV kernels are told, and the shape constants that they share with the plan.
#pragma once

#include "kernels/args.hpp"

namespace onepass::kernels {

inline constexpr int symv_lanes = 32;
inline constexpr int symv_max_threads = 256;
inline constexpr int symv_polled = 8;      // that a thread looks for at a time
inline constexpr int symv_gathered = 32;   // outputs of a block that gathers
inline constexpr int symv_prefetched = 4;  // vectors that a thread asks for before its turn

// Vectors of a lane in each column of a panel, by the bytes of an element: 128 rows, or 256 of two bytes.
constexpr int symv_vectors(int element) { return element > 4 ? element / 4 : 1; }
// Columns of a warp in a step: many for the bus, few for a short launch, whose time is that of instructions which
// nobody ran before.
constexpr int symv_columns(int element, Loads loads) {
  return loads == Loads::many ? 8 / symv_vectors(element) : element > 4 ? 1 : 2;
}
// Vectors of a thread in a step of its warp.
constexpr int symv_step_vectors(int element, Loads loads) {
  return symv_columns(element, loads) * symv_vectors(element);
}
// Places for the rows of a panel. Where columns start between boundaries, some are left for what sticks out.
constexpr int symv_places(int element) { return symv_lanes * symv_vectors(element) * 16 / element; }

// rows = cols = n; tile: rows of a strip; chunk: units of a block; log2_groups: of the warps;
// splits: blocks that multiply, before those that gather.
struct SymvArgs : GemvArgs {
  int strips = 1, panels = 1;  // of the matrix, of a strip
  int panel_rows = 0;          // tile / panels
  int units = 0;               // of the whole list
  int tile_units = 0;          // in as many columns as a strip has rows
  int least_units = 0;         // of the shortest strip
  int most_units = 0;          // of the longest
  std::int64_t mailboxes_per_product = 0;
  bool upper = false;
  bool hermitian = false;
};

// Of symv_small: nine warps have the 36 squares of n = 256 in four rounds. A square is read in pieces of so many
// columns that a lane's elements, in the type of the sum, fill 32 registers: a trip to memory each.
inline constexpr int symv_small_side = symv_lanes;  // of a square
constexpr int symv_small_columns(int size_of_sum) { return 128 / size_of_sum; }
constexpr int symv_small_pieces(int size_of_sum) { return symv_small_side / symv_small_columns(size_of_sum); }
inline constexpr int symv_small_max_warps = 9;   // of a product
inline constexpr int symv_small_max_strips = 8;  // of squares, no more than warps
inline constexpr int symv_small_max_threads = symv_small_max_warps * symv_lanes;

// rows = n; chunk: pieces of a warp. The triangle is a lower one. An upper one is told from its last element
// backwards: steps and increments have the other sign.
struct SymvSmallArgs : GemvArgs {
  std::int64_t first_a = 0;               // of pointer arrays, as first_x
  int column_bytes = 0;                   // from column to column
  int row_elements = 1;                   // from row to row: 1 or -1
  int strips = 1, pieces = 1, warps = 1;  // of a product
  int log2_products = 0;                  // of a block
  bool hermitian = false;
};

}  // namespace onepass::kernels
