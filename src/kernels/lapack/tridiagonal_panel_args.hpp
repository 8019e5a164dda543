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
  int m = 0;        // rows and columns of the matrix that is left
  int columns = 0;  // to reduce, at most panel_columns
  // W, with the steps of A: rows of `row_step`, columns of `w_col_step`.
  void* w = nullptr;
  std::int64_t w_col_step = 0;
  // Where blocks exchange: x and its norm; sums of rows and columns of tiles; dot products; v^H A v.
  void* x = nullptr;
  void* norms = nullptr;
  void* row_sums = nullptr;
  void* column_sums = nullptr;
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
  // Blocks that share a tile: the first and the last. (Division of 32 bits: it is asked for each tile of each row.)
  ONEPASS_HOST_DEVICE int first_block(int index) const { return block_of(static_cast<std::uint32_t>(index * slabs)); }
  ONEPASS_HOST_DEVICE int last_block(int index) const {
    return block_of(static_cast<std::uint32_t>(index * slabs + slabs - 1));
  }
  ONEPASS_HOST_DEVICE int block_of(std::uint32_t slab) const {
    return static_cast<int>(slab / static_cast<std::uint32_t>(of_block));
  }
  // Of a tile, at most.
  ONEPASS_HOST_DEVICE int pieces() const { return (slabs - 2 + of_block) / of_block + 1; }
};

}  // namespace onepass::kernels
