// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the SYMV kernel is told, and the shape constants that it shares with the plan.
#pragma once

#include "kernels/args.hpp"

namespace onepass::kernels {

inline constexpr int symv_lanes = 32;
inline constexpr int symv_max_threads = 256;
inline constexpr int symv_letters = 8;      // that a thread looks for at a time
inline constexpr int symv_gathered = 32;    // outputs of a block that gathers
inline constexpr int symv_prefetched = 32;  // words that a thread may ask for before its turn

// How a warp stands on the matrix. few: 128 rows, a column or two at a time, for a short launch, whose time is that of
// instructions which nobody ran before; wide: 128 rows (256 of two bytes) and as many columns as eight words of a lane
// make, so that a block has about as many rows as columns; tall: four times the rows and a quarter of the columns, so
// that fewest instructions go with a word.
enum class Stance { few, wide, tall };

// Words of a lane in each column of a panel, by the bytes of an element.
constexpr int symv_words(int element, Stance stance) {
  if (stance == Stance::tall) return element > 2 ? 4 : 2;
  return element > 4 ? element / 4 : 1;
}
// Columns of a warp in a step.
constexpr int symv_columns(int element, Stance stance) {
  if (stance == Stance::few) return element > 4 ? 1 : 2;
  return 8 / symv_words(element, stance);
}
// Words of a thread in a step of its warp, and steps that have room in shared memory: one is on its way from memory
// while the one before it is used.
constexpr int symv_step_words(int element, Stance stance) {
  return symv_columns(element, stance) * symv_words(element, stance);
}
constexpr int symv_stages(Stance stance) { return stance == Stance::few ? 1 : 2; }
// Places for the rows of a panel. Where columns start between boundaries, some are left for what sticks out.
constexpr int symv_places(int element, Stance stance) {
  return symv_lanes * symv_words(element, stance) * 16 / element;
}

// rows = cols = n; tile: rows of a strip; chunk: units of a block; log2_groups: of the warps;
// splits: blocks that multiply, before those that gather.
struct SymvArgs : GemvArgs {
  int strips = 1, panels = 1;  // of the matrix, of a strip
  int panel_rows = 0;          // tile / panels
  int units = 0;               // of the whole list
  int tile_units = 0;          // in as many columns as a strip has rows
  int least_units = 0;         // of the shortest strip
  int most_units = 0;          // of the longest
  std::int64_t boxes_of_product = 0;
  bool upper = false;
  bool hermitian = false;
};

}  // namespace onepass::kernels
