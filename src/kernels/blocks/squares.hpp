// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Squares of symv_small: who has which of them, and where their sums lie.
#pragma once

#include "kernels/blocks/operand.hpp"
#include "kernels/symv/symv_args.hpp"

namespace onepass::kernels {

// A thread's product in the batch, and its place among the threads of that product.
struct SquarePlace {
  int lane, slot, warp, thread;
  std::int64_t b;
  int rows;  // of the product; 0 past the last product

  template <class Ex>
  ONEPASS_DEVICE SquarePlace(Ex ex, const SymvSmallArgs& g)
      : lane(ex.thread() % symv_small_side),
        slot(ex.thread() / symv_small_side & ((1 << g.log2_products) - 1)),
        warp(ex.thread() / symv_small_side >> g.log2_products),
        thread(warp * symv_small_side + lane),
        b((ex.block_x() << g.log2_products) + slot),
        rows(b < g.batch ? static_cast<int>(g.rows) : 0) {}
};

// The pieces of a warp: from square (row, column) on, down `piece` of that column, then from the diagonal of the next
// piece. `columns`: of a piece.
template <int columns>
struct PieceRun {
  static constexpr int pieces = symv_small_side / columns;
  int row, column = 0, piece = 0, left;

  ONEPASS_DEVICE PieceRun(const SymvSmallArgs& g, int warp) {
    const int first = warp * static_cast<int>(g.chunk);
    row = first;
    left = at_most(g.pieces - first, static_cast<int>(g.chunk));
    int height = g.strips;
#pragma unroll 1
    for (; row >= height; next_column(height)) row -= height;
    row += column;
  }
  // One past the last of the squares that the run has in this column.
  ONEPASS_DEVICE int end(const SymvSmallArgs& g) const { return at_most(row + left, g.strips); }
  // Past `count` of them.
  ONEPASS_DEVICE void advance(const SymvSmallArgs& g, int count) {
    left -= count;
    row += count;
    if (row < g.strips) return;
    int height = 0;
    next_column(height);
    row = column;
  }

 private:
  ONEPASS_DEVICE void next_column(int& height) {
    if (++piece < pieces) return;
    piece = 0;
    ++column;
    --height;
  }
};

// Shared memory of a product: x, and sums for each warp.
template <class S, class Ex>
struct SquareSums {
  typename Ex::template Shared<S> x, mine;
  typename Ex::template Shared<exec::Vector16> x_vectors;
  int places;

  ONEPASS_DEVICE SquareSums(Ex ex, const SymvSmallArgs& g, const SquarePlace& at)
      : x(ex.template shared<S>(offset(g, at, 0))),
        mine(ex.template shared<S>(offset(g, at, 1 + at.warp))),
        x_vectors(ex.template shared<exec::Vector16>(offset(g, at, 0))),
        places(g.strips * symv_small_side) {}
  static ONEPASS_DEVICE int offset(const SymvSmallArgs& g, const SquarePlace& at, int vector) {
    return (at.slot * (1 + g.warps) + vector) * g.strips * symv_small_side * static_cast<int>(sizeof(S));
  }
  // There are at least as many threads as places of x.
  ONEPASS_DEVICE void stage(const SquarePlace& at, S value) const {
    if (at.thread < places) x.put(at.thread, value);
#pragma unroll 1
    for (int i = at.lane; i < places; i += symv_small_side) mine.put(i, S{});
  }
  ONEPASS_DEVICE void add(int i, S value) const { mine.put(i, mine.get(i) + value); }
  ONEPASS_DEVICE S total(const SymvSmallArgs& g, const SquarePlace& at) const {
    S sum{};
#pragma unroll 4
    for (int w = 0; w < g.warps; ++w) sum = sum + mine.get((w - at.warp) * places + at.thread);
    return sum;
  }
};

// Steps of 32 bits: an address takes one instruction.
template <class A>
ONEPASS_DEVICE const A* element_of(const SymvSmallArgs& g, const A* a, int row, int column) {
  return reinterpret_cast<const A*>(reinterpret_cast<const char*>(a + row * g.row_elements) +
                                    std::int64_t{column} * g.column_bytes);
}

}  // namespace onepass::kernels
