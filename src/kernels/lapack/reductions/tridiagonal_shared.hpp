// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the host must know of the kernels of the tridiagonal reduction.
#pragma once

#include <cstddef>

namespace onepass::kernels {

// The shared memory of the tridiagonal panels, and how much they take at most: what the host must know of them.
inline constexpr int panel_threads = 512;
inline constexpr int panel_columns = 32;  // of a panel, at most
inline constexpr int panel_tile = 128;
inline constexpr int panel_stages = 8;  // slabs of 16 KB on their way
inline constexpr int panel_most_rows = 65536;

// Parts of the rows of a column that different warps have: two where a slab has fewer columns than the block warps.
constexpr int panel_row_parts(int element) { return element == 16 ? 2 : 1; }

// The ring; row sums of the groups of warps, twice; a sum of each thread; t1, t2, row j of V and W, v of the strip;
// sums; how many sums a row has.
constexpr std::size_t panel_shared_bytes(int element, int real) {
  const int groups = panel_threads / 32 / panel_row_parts(element);
  const int elements = 2 * groups * panel_tile + panel_threads + 5 * panel_columns + 32;
  return static_cast<std::size_t>(panel_stages * 16384) +
         static_cast<std::size_t>(elements) * static_cast<std::size_t>(element) + 128 * static_cast<std::size_t>(real) +
         panel_threads * sizeof(int);
}

// The column behind a panel: row 0 of W and of V; a sum of each thread; two sums of each warp.
constexpr std::size_t next_column_shared_bytes(int element, int real) {
  return static_cast<std::size_t>(2 * panel_columns + panel_threads) * static_cast<std::size_t>(element) +
         2 * panel_threads / 32 * static_cast<std::size_t>(real);
}

// What the host must know of the tridiagonalisation by one block.
inline constexpr int one_block_threads = 256;
// Elements of a column that a lane has: as many as registers hold the matrix of.
constexpr int one_block_rows_of_lane(int element) { return element == 16 ? 2 : 4; }
constexpr int one_block_most_rows(int element) { return 32 * one_block_rows_of_lane(element); }
// v, w, x, p and c.
constexpr std::size_t one_block_shared_bytes(int rows_of_lane, std::size_t element) {
  return 5 * 32 * static_cast<std::size_t>(rows_of_lane) * element;
}

}  // namespace onepass::kernels
