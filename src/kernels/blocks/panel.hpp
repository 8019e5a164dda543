// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The words of a warp in a column of a panel of rows, and what of them belongs to the triangle.
#pragma once

#include <bit>

#include "kernels/blocks/operand.hpp"
#include "kernels/symv_args.hpp"

namespace onepass::kernels {

// Rows row0 to row0 + rows - 1, of which a lane's word j has rows slot + j stride to slot + j stride + V - 1,
// as counted from row0.
template <class T>
struct Panel {
  static constexpr int stride = symv_lanes * vector_length<T>;  // rows from word to word of a lane

  int row0, rows, slot;

  ONEPASS_DEVICE int from(int j) const { return -slot - j * stride; }
  ONEPASS_DEVICE int to(int j) const { return rows + from(j); }
};

// The elements of a word that belong to the triangle, bit by bit: few registers, since a thread has eight words
// whose loads are under way.
template <class T>
struct Part {
  static constexpr int V = vector_length<T>;
  unsigned bits;

  ONEPASS_DEVICE Part(const SymvArgs& g, const Panel<T>& panel, int column, int j) {
    const int diagonal = column - panel.row0 + panel.from(j);
    const int from = g.upper ? panel.from(j) : max(diagonal, panel.from(j));
    const int to = g.upper ? min(diagonal + 1, panel.to(j)) : panel.to(j);
    bits = from < to && from < V && to > 0 ? below(to) & ~below(from) : 0;
    if (bits != 0 && diagonal >= 0 && diagonal < V) bits |= 1u << (V + diagonal);
  }
  ONEPASS_DEVICE bool empty() const { return bits == 0; }
  ONEPASS_DEVICE bool has(int v) const { return (bits >> v & 1u) != 0; }
  ONEPASS_DEVICE bool has_diagonal(int v) const { return (bits >> (V + v) & 1u) != 0; }
  // Not std::countr_zero: nvcc 13.0 makes 32 of it in device code, whatever the bits.
  ONEPASS_DEVICE int from() const { return std::bit_width(bits & (~bits + 1)) - 1; }
  ONEPASS_DEVICE int to() const { return std::bit_width(bits & below(V)); }

 private:
  static ONEPASS_DEVICE int max(int a, int b) { return a > b ? a : b; }
  static ONEPASS_DEVICE int min(int a, int b) { return a < b ? a : b; }
  static ONEPASS_DEVICE unsigned below(int end) { return (1u << max(min(end, V), 0)) - 1; }
};

}  // namespace onepass::kernels
