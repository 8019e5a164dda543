// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a launch of the rank-k and rank-2k updates is given, and its tiles: the same on host and device.
#pragma once

#include <cstdint>

#include "problem/scalar.hpp"

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
};

// Tiles of a triangle, column by column. A tile is `rows` x `columns`, where `rows` is a multiple of `columns`: that
// many columns of tiles begin, or end, with the same tile.
struct Rank2kTiles {
  int rows, columns, side;
  bool lower;

  ONEPASS_HOST_DEVICE Rank2kTiles(int n, int tile_rows, int tile_columns, bool of_lower)
      : rows(tile_rows), columns(tile_columns), side((n + tile_rows - 1) / tile_rows), lower(of_lower) {}
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
};

// Tiles of a whole matrix, column by column.
struct RankKTiles {
  int rows, columns, down, across;

  ONEPASS_HOST_DEVICE RankKTiles(int m, int n, int tile_rows, int tile_columns)
      : rows(tile_rows),
        columns(tile_columns),
        down((m + tile_rows - 1) / tile_rows),
        across((n + tile_columns - 1) / tile_columns) {}
  ONEPASS_HOST_DEVICE int count() const { return down * across; }
  ONEPASS_HOST_DEVICE Rank2kTiles::Place place(int index) const {
    return {index % down * rows, index / down * columns};
  }
};

// Whether every column of a matrix begins at a multiple of 16 bytes.
inline bool columns_aligned(const void* a, std::int64_t lda, int element) {
  return reinterpret_cast<std::uintptr_t>(a) % 16 == 0 && lda * element % 16 == 0;
}

}  // namespace onepass::kernels
