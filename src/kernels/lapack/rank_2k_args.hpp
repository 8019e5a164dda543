// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a launch of the rank-k and rank-2k updates is given, and its tiles: the same on host and device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "numbers/scalar.hpp"

namespace onepass::kernels {

// C := C - V W^H - W V^H in one triangle, where V and W are n x k and m is n; or C := C - V W^H in all of it, where V
// is m x k.
struct Rank2kArgs {
  const void* v = nullptr;
  std::int64_t ldv = 0;
  const void* w = nullptr;
  std::int64_t ldw = 0;
  void* c = nullptr;
  std::int64_t ldc = 0;
  int m = 0, n = 0, k = 0;
  bool lower = true;  // the triangle
  // In a triangle, for the panel behind the update: the product of what C becomes with x, in parts (Rank2kTiles), each
  // a vector of the rows from `skipped` on. Rows and columns before that do not count. Rows of x and of the sums are in
  // the order of the panel: from the last row of C on if the triangle is the upper one.
  const void* x = nullptr;
  void* sums = nullptr;
  std::int64_t pitch = 0;  // elements from one part to the next
  int skipped = 0;

  // Of a row of C: its number in the panel.
  ONEPASS_HOST_DEVICE int in_panel(int row) const { return lower ? row : n - 1 - row; }
};

// What a kernel was compiled for: a sum of these.
inline constexpr int rank_2k_aligned = 1, rank_2k_multiplies = 2;

// Of a tile: rows and columns, for elements of so many bytes whose real numbers have so many.
struct Rank2kShape {
  int rows, columns;

  constexpr ONEPASS_HOST_DEVICE Rank2kShape(int element, int real)
      : rows(128 * real / element), columns(element == 8 && real == 8 ? 64 : 32) {}
};

// Shared memory of a block: pieces of V and W, 16 real terms of each; behind them, if it multiplies, x of the tile's
// rows and columns and their sums (rank_2k.hpp).
constexpr std::size_t rank_2k_shared_bytes(int element, int real, bool multiplies) {
  const Rank2kShape tile(element, real);
  const int reals = element / real, padding = real == 8 ? 4 : 4 / reals, stages = element == 16 ? 2 : 3;
  const int pieces = stages * (16 / reals) * (tile.rows + tile.columns + 2 * padding);
  const int sums = tile.rows * (1 + tile.columns / 32) + tile.columns * 5;
  return static_cast<std::size_t>(pieces + (multiplies ? sums : 0)) * static_cast<std::size_t>(element);
}

// Tiles of a triangle, column by column. A tile is `rows` x `columns`, where `rows` is a multiple of `columns`: that
// many columns of tiles begin, or end, with the same tile.
struct Rank2kTiles {
  int rows, columns, side;
  bool lower;

  ONEPASS_HOST_DEVICE Rank2kTiles(int n, Rank2kShape shape, bool of_lower)
      : rows(shape.rows), columns(shape.columns), side((n + rows - 1) / rows), lower(of_lower) {}
  ONEPASS_HOST_DEVICE int alike() const { return rows / columns; }
  // Of the columns of tiles before the pth group of those that are alike.
  ONEPASS_HOST_DEVICE int before(int p) const {
    return alike() * (lower ? p * side - p * (p - 1) / 2 : p * (p + 1) / 2);
  }
  // The last ones may lie right of the matrix.
  ONEPASS_HOST_DEVICE int count() const { return before(side); }

  // The first row and column of a tile.
  struct Place {
    int row, column;
  };
  ONEPASS_HOST_DEVICE Place place(int index) const {
    int low = 0, high = side - 1;
    while (low < high) {
      const int middle = (low + high + 1) / 2;
      if (before(middle) <= index)
        low = middle;
      else
        high = middle - 1;
    }
    const int in = index - before(low), length = lower ? side - low : low + 1;
    return {((lower ? low : 0) + in % length) * rows, (low * alike() + in / length) * columns};
  }

  // A row of the product of C with a vector is the sum of its elements of the first slots_of(row) parts: column sums of
  // the tiles in its column of C, then row sums of those in its row.
  ONEPASS_HOST_DEVICE int column_slot(Place tile) const { return tile.row / rows - (lower ? tile.column / rows : 0); }
  ONEPASS_HOST_DEVICE int row_slot(Place tile) const {
    const int r = tile.row / rows, c = tile.column / columns;
    return lower ? side - r + c : r + 1 + c - alike() * r;
  }
  ONEPASS_HOST_DEVICE int slots_of(int row) const {
    const int r = row / rows;
    return lower ? side - r + alike() * (r + 1) : r + 1 + alike() * (side - r);
  }
  ONEPASS_HOST_DEVICE int slots() const { return 1 + alike() * side; }
};

// Tiles of a whole matrix, column by column, from the last one on: the panel behind the update begins with the first
// columns, which are still in the L2 then.
struct RankKTiles {
  int rows, columns, down, across;

  ONEPASS_HOST_DEVICE RankKTiles(int m, int n, Rank2kShape shape)
      : rows(shape.rows), columns(shape.columns), down((m + rows - 1) / rows), across((n + columns - 1) / columns) {}
  ONEPASS_HOST_DEVICE int count() const { return down * across; }
  ONEPASS_HOST_DEVICE Rank2kTiles::Place place(int index) const {
    return {index % down * rows, (across - 1 - index / down) * columns};
  }
};

// Whether every column of the matrices begins at a multiple of 16 bytes, or of an element of so many.
inline bool columns_aligned(const Rank2kArgs& g, int element) {
  if (element == 16) return true;
  const auto aligned = [element](const void* a, std::int64_t lda) {
    return reinterpret_cast<std::uintptr_t>(a) % 16 == 0 && lda * element % 16 == 0;
  };
  return aligned(g.v, g.ldv) && aligned(g.w, g.ldw) && aligned(g.c, g.ldc);
}

}  // namespace onepass::kernels
