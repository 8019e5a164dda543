// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a launch of the tridiagonal panel kernel is given, and how its work is dealt out: the same on host and device.
#pragma once

#include <cstdint>

#include "kernels/lapack/tridiagonal_args.hpp"
#include "kernels/lapack/tridiagonal_shared.hpp"
#include "problem/scalar.hpp"

namespace onepass::kernels {

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

// Tiles of 128 x 128 over the lower triangle, column by column; of a tile slabs of some columns. Each block has as many
// consecutive slabs as every other, the last ones perhaps fewer.
struct PanelTiles {
  static constexpr int tile = panel_tile;
  int side;      // tiles of the matrix's side
  int slabs;     // of a tile
  int of_block;  // slabs

  ONEPASS_HOST_DEVICE PanelTiles(int size, int slabs_of_tile, int blocks)
      : side((size + tile - 1) / tile), slabs(slabs_of_tile) {
    const std::int64_t all = std::int64_t{count()} * slabs;
    of_block = static_cast<int>((all + blocks - 1) / blocks);
  }
  ONEPASS_HOST_DEVICE int count() const { return side * (side + 1) / 2; }
  ONEPASS_HOST_DEVICE int index(int row, int col) const { return col * side - col * (col - 1) / 2 + row - col; }
  // That has a tile's first slab.
  ONEPASS_HOST_DEVICE int first_block(int index) const { return index * slabs / of_block; }
  // Of a tile, at most.
  ONEPASS_HOST_DEVICE int pieces() const { return (slabs - 2 + of_block) / of_block + 1; }

  // Sums are vectors of `pitch` rows, one after the other. A row of R adds up its elements of all of them:
  //   number b: row sums of the tile in column b, or, if that is right of the diagonal, column sums of the tile below
  //   it number side n + b: row sums of the nth further piece of the tile, zeros if there is none the last: column sums
  //   of the tile on the diagonal
  ONEPASS_HOST_DEVICE int pitch() const { return side * tile; }
  ONEPASS_HOST_DEVICE int slots() const { return side * pieces() + 1; }
  // Elements of x: of the panel's rows, and of R's up to the end of its last tile.
  ONEPASS_HOST_DEVICE int x_pitch(int columns) const { return columns + pitch(); }
};

}  // namespace onepass::kernels
