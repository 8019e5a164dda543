// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The vectors of a warp in one column of a panel of rows, and which of their elements belong to the triangle.
#pragma once

#include "kernels/blocks/operand.hpp"
#include "kernels/symv_args.hpp"

namespace onepass::kernels {

// A panel: as many rows as the 32 lanes of a warp cover with their vectors, up to row0 + rows - 1. Vector j of a lane
// has rows slot + j stride to slot + j stride + V - 1, counted from row0. Those of the first lanes may lie in front of
// row0, and in front of the matrix.
template <class T>
struct Panel {
  static constexpr int stride = symv_lanes * vector_length<T>;  // rows from vector to vector of a lane

  int row0, rows, slot;

  // The elements of vector j that are in the matrix and in the panel.
  ONEPASS_DEVICE int from(int j) const { return -row0 - slot - j * stride; }
  ONEPASS_DEVICE int to(int j) const { return rows - slot - j * stride; }
};

// Which elements of a lane's vectors belong to the triangle, at one comparison each. Element v of a vector has a signed
// row offset, v in a lower triangle and -v in an upper one; so has the diagonal in each column, counted from the same
// row. The element belongs to the triangle if its offset is not below that of the diagonal, and lies on the diagonal if
// the two are equal.
template <class T>
struct RowOffsets {
  static constexpr int V = vector_length<T>, vectors = symv_vectors(sizeof(T));
  static constexpr int none = 1 << 30;  // the diagonal where nothing is wanted: beyond all offsets

  int first_row;           // of vector 0
  int sign;                // of all offsets
  int offset[vectors][V];  // -none outside of the panel
  int largest[vectors];    // offset of the vector's elements
  // Vector j sticks out of the matrix in columns up to cut_to[j], and from cut_from[j] on.
  int cut_to[vectors], cut_from[vectors];

  ONEPASS_DEVICE RowOffsets(const SymvArgs& g, const Panel<T>& panel)
      : first_row(panel.row0 + panel.slot), sign(g.upper ? -1 : 1) {
    const int n = static_cast<int>(g.rows);
#pragma unroll
    for (int j = 0; j < vectors; ++j) {
      cut_to[j] = g.lda < V ? n : row(j) < 0 ? 0 : -1;
      cut_from[j] = row(j) + V > n ? n - 1 : n;
      largest[j] = -none;
#pragma unroll
      for (int v = 0; v < V; ++v) {
        offset[j][v] = v >= panel.from(j) && v < panel.to(j) ? sign * v : -none;
        largest[j] = offset[j][v] > largest[j] ? offset[j][v] : largest[j];
      }
    }
  }
  ONEPASS_DEVICE int row(int j) const { return first_row + j * Panel<T>::stride; }
  ONEPASS_DEVICE int diagonal(int column, int j) const { return sign * (column - row(j)); }
  // The vector has elements of the triangle.
  ONEPASS_DEVICE bool wanted(int column, int j) const { return largest[j] >= diagonal(column, j); }
  // Memory beyond the matrix is not touched: its first and its last vector may stick out of it, and of a tiny matrix
  // any vector.
  ONEPASS_DEVICE bool sticks_out(int column, int j) const {
    return V > 1 && static_cast<bool>((column <= cut_to[j]) | (column >= cut_from[j]));
  }
  // The first element that belongs to the triangle, and one past the last, where there are any.
  ONEPASS_DEVICE int from(int column, int j) const {
    int v = 0;
    while (v < V && offset[j][v] < diagonal(column, j)) ++v;
    return v;
  }
  ONEPASS_DEVICE int to(int column, int j) const {
    int v = V;
    while (v > 0 && offset[j][v - 1] < diagonal(column, j)) --v;
    return v;
  }
};

}  // namespace onepass::kernels
