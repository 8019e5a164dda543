// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The way of a warp through its part of a triangle: which columns and rows it takes in each step.
#pragma once

#include "kernels/blocks/operand.hpp"
#include "kernels/blocks/panel.hpp"
#include "kernels/blocks/strips.hpp"
#include "kernels/symv_args.hpp"

namespace onepass::kernels {

// The operands of one product, and what a thread has of it.
template <class E>
struct TriangleProduct {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  static constexpr int V = vector_length<A>, log2_v = log2_vector_length<A>;

  const A* a;
  VectorPointer<X> x;
  Target target;
  int n, lane, warp;
  int offset;  // of A in an aligned run, in elements

  // Rows of a column in front of the first row of a panel, from where a run begins; the same in all columns of warp w.
  ONEPASS_DEVICE int shift(const SymvArgs& g, int w) const {
    return (offset + w * static_cast<int>(g.lda & g.align_mask)) & g.align_mask;
  }
  // The first row of the lane's first vector, counted from the first row of a panel.
  ONEPASS_DEVICE int slot(const SymvArgs& g) const { return (lane << log2_v) - shift(g, warp); }
  ONEPASS_DEVICE S* mailboxes(const SymvArgs& g) const {
    return static_cast<S*>(g.mailboxes) + target.b * g.mailboxes_per_product;
  }
  ONEPASS_DEVICE Panel<A> panel(const SymvArgs& g, const Strip& strip, int index) const {
    const int row0 = strip.row0 + index * g.panel_rows;
    return {.row0 = row0, .rows = at_most(n - row0, g.panel_rows - shift(g, warp)), .slot = slot(g)};
  }
};

// A step of a warp: its columns of a few units, in one panel.
template <int columns>
struct Step {
  int left;    // units of the block from its first one on
  int column;  // of warp 0 in that unit
  int panel;
  bool crosses;  // the diagonal in some warp, or the end of the matrix

  ONEPASS_DEVICE int units() const { return at_most(left, columns); }
};

// The steps of a block in a strip, with addresses that are advanced rather than computed.
template <class E, int columns>
struct Walk {
  using A = typename E::A;
  using X = typename E::X;

  const Strip& strip;
  Step<columns> step;
  int between;         // columns of a warp
  std::int64_t lda;    // elements between them
  std::int64_t incx;   // likewise in x
  const A* a;          // first row of the strip in the first column
  VectorPointer<X> x;  // of that column

  ONEPASS_DEVICE Walk(const SymvArgs& g, const TriangleProduct<E>& p, const Strip& s, int unit, int count)
      : strip(s),
        step{.left = count, .column = s.column(g, unit), .panel = 0, .crosses = false},
        between(g.upper ? 1 << g.log2_groups : -(1 << g.log2_groups)),
        lda(between * g.lda),
        incx(between * g.incx),
        a(p.a + ((step.column + p.warp) * g.lda + s.row0)),
        x(p.x + (step.column + p.warp) * g.incx) {
    seek(g);
  }
  ONEPASS_DEVICE void advance(const SymvArgs& g) {
    ++step.panel;
    seek(g);
  }

 private:
  // To the next panel that has elements of the triangle in the columns of any warp, or on to later columns.
  ONEPASS_DEVICE void seek(const SymvArgs& g) {
    const int n = static_cast<int>(g.rows);
#pragma unroll 1
    while (step.left > 0) {
      const int other = step.column + (step.units() - 1) * between;
      const int low = g.upper ? step.column : other;
      const int high = (g.upper ? other : step.column) + (1 << g.log2_groups) - 1;
#pragma unroll 1
      for (; step.panel < g.panels; ++step.panel) {
        const int from = step.panel * g.panel_rows, to = at_most(from + g.panel_rows, strip.rows);
        // The last vector of a panel may stick out of the matrix in its last column, a few rows above the diagonal.
        const bool cut = high >= n - 1 && strip.row0 + to + vector_length<A> > n;
        const int first = strip.row0 + from - g.above;
        step.crosses = g.upper ? low < strip.row0 + to || cut : high >= first;
        if (from < to && (g.upper ? high >= first : low < strip.row0 + to)) return;
      }
      step.panel = 0;
      step.left -= columns;
      step.column += columns * between;
      a += columns * lda;
      x += columns * incx;
    }
  }
};
}  // namespace onepass::kernels
