// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the launches of the tridiagonal reduction are given: on the chip, and a panel.
#pragma once

#include <cstdint>

#include "kernels/lapack/reductions/tridiagonal_shared.hpp"
#include "numbers/scalar.hpp"

namespace onepass::kernels {

// What a launch of the tridiagonalisation is given: by either kernel, and by the on-chip one.
// What both kernels of the tridiagonalisation are given: the matrix that is left, and where its results go.
struct TridiagonalOperands {
  // Element (0, 0) of the matrix that is left. uplo = U goes from the last row and column to the first: with negative
  // steps it is the lower triangle of the matrix turned around.
  void* a = nullptr;
  std::int64_t row_step = 1, col_step = 0;
  void* d = nullptr;
  void* e = nullptr;
  void* tau = nullptr;
  std::int64_t vector_step = 1;
  // The unit element of the panel before, which its level-3 update needed; becomes that panel's last e.
  void* unit = nullptr;
  const void* unit_value = nullptr;
  const void* scale = nullptr;       // by which A was multiplied, and its reciprocal; or null
  std::uint32_t* barrier = nullptr;  // zero
  std::uint32_t* timed_out = nullptr;
};

struct TridiagonalArgs : TridiagonalOperands {
  int n = 0;      // a matrix of 1 takes a single block: no barrier stands between the loads of others and its store
  int steps = 0;  // columns to reduce: n - 1, or fewer, and the rest is written back
  int lines = 0;  // columns of a block, at most
  void* exchange = nullptr;  // 4 rows: p and c of each row, twice
};

// What a launch of the tridiagonal panel kernel is given, and how its work is dealt out: the same on host and device.
// What a launch does of a panel. If the update before it has multiplied R by x of column 0, that column has a launch of
// its own, and the panel's begins behind it.
enum class PanelPart { all, first_column, others };

struct TridiagonalPanelArgs : TridiagonalOperands {
  int m = 0;                // rows and columns of the matrix that is left
  int columns = 0;          // to reduce, at most panel_columns
  int kept_sixteenths = 0;  // of R, in the L2 (stream_policy())
  // W, with the steps of A: rows of `row_step`, columns of `w_col_step`.
  void* w = nullptr;
  std::int64_t w_col_step = 0;
  // Where blocks exchange: x and its norm; sums of rows and columns of tiles (PanelTiles); dot products; v^H A v.
  void* x = nullptr;
  void* norms = nullptr;
  void* sums = nullptr;
  void* dots = nullptr;
  void* squares = nullptr;
};

// The first column behind a panel, between that and its update; m: rows that are left.
struct TridiagonalNextColumnArgs {
  const void* a = nullptr;  // A from that column and its row on, with the steps of the panel
  std::int64_t row_step = 0, col_step = 0;
  const void* v = nullptr;  // V and W, from that row on
  const void* w = nullptr;
  std::int64_t w_col_step = 0;
  int m = 0, terms = 0;         // columns of V and of W
  void* d = nullptr;            // the column's
  const void* scale = nullptr;  // as that of TridiagonalOperands
  void* x = nullptr;
  int x_end = 0;  // elements of x: PanelTiles::x_pitch()
  void* norms = nullptr;
};

// Tiles of 128 x 128 over the lower triangle, row by row; of a tile slabs of some columns. Each block has as many
// consecutive slabs as every other, the last ones perhaps fewer.
struct PanelTiles {
  static constexpr int tile = panel_tile;
  int side;       // tiles of the matrix's side
  int slabs;      // of a tile
  int row_parts;  // of a column of a tile
  int of_block;   // slabs

  ONEPASS_HOST_DEVICE PanelTiles(int size, int slabs_of_tile, int row_parts_of_column, int blocks)
      : side((size + tile - 1) / tile), slabs(slabs_of_tile), row_parts(row_parts_of_column) {
    const std::int64_t all = std::int64_t{count()} * slabs;
    of_block = static_cast<int>((all + blocks - 1) / blocks);
  }
  ONEPASS_HOST_DEVICE int count() const { return index(side, 0); }
  ONEPASS_HOST_DEVICE static int index(int row, int col) { return row * (row + 1) / 2 + col; }
  // Of a row of tiles: the block that has its first slab, and how many have one of its slabs.
  ONEPASS_HOST_DEVICE int first_block(int row) const { return index(row, 0) * slabs / of_block; }
  ONEPASS_HOST_DEVICE int blocks_of(int row) const {
    return (index(row + 1, 0) * slabs - 1) / of_block - first_block(row) + 1;
  }

  // Sums are vectors of `pitch` rows, one after the other. An element of tile row r of R is the sum of its elements of
  // the first slots_of(r): column sums of the tiles in column r, from the diagonal on, of each part of their rows; then
  // row sums of each block that has a piece of the row.
  ONEPASS_HOST_DEVICE int pitch() const { return side * tile; }
  ONEPASS_HOST_DEVICE int column_slot(int row, int col, int part) const { return (row - col) * row_parts + part; }
  ONEPASS_HOST_DEVICE int row_slot(int row, int block) const {
    return (side - row) * row_parts + block - first_block(row);
  }
  ONEPASS_HOST_DEVICE int slots_of(int row) const { return (side - row) * row_parts + blocks_of(row); }
  ONEPASS_HOST_DEVICE int slots() const {
    int most = 0;
    for (int row = 0; row < side; ++row) most = slots_of(row) > most ? slots_of(row) : most;
    return most;
  }
  // Elements of x: of the panel's rows, and of R's up to the end of its last tile.
  ONEPASS_HOST_DEVICE int x_pitch(int columns) const { return columns + pitch(); }
};

}  // namespace onepass::kernels
