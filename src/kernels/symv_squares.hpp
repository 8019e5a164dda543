// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv_squares: y = A x for one symmetric matrix. A block has one square of the triangle and all its loads in flight at
// once: one trip to memory, one to the mailboxes.
//
//    0 .            A square off the diagonal, such as d, has two sets of partial sums:
//    a 1 .             A[r, c] x[c]   for the outputs of its rows
//    b c 2 .           A[r, c] x[r]   for those of its columns
//    d e f 3        It publishes both. The block of a square on the diagonal gathers what the others in its row and in
//                   its column (for square 1: a, c and e) have for its outputs, and writes y.
//
// The lanes of a warp lie along the rows, each with two of them (few loads: one), and a warp has eight columns of the
// square. Single elements are loaded, so that any alignment will do. An upper triangle is a lower one, seen from its
// last element.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/blocks/columns.hpp"
#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/operand.hpp"
#include "kernels/symv_args.hpp"

namespace onepass::kernels {

template <class E, Loads L>
struct SymvSquares {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Scalar = typename E::Scalar;
  static constexpr Form F = Form::plain;
  static constexpr int side = symv_square_side(L), log2_side = L == Loads::many ? 6 : 5;
  static constexpr int rows = side / symv_lanes, columns = symv_square_columns;  // of a lane, of a warp
  static constexpr int warps = side / columns;
  static constexpr int max_threads = symv_square_threads(L);
  static constexpr int min_blocks = sizeof(A) > 8 ? 2 : sizeof(A) > 4 ? 4 : 5;  // on an SM: 128, 64 or 48 registers

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const SymvRowsArgs& g) {
    open_first(ex, g);
    const Square square(ex, g);
    const Scalar alpha = alpha_of<Scalar, F>(ex, g);
    if (alpha == Scalar{}) {
      wait_for_previous_launch(ex);
      if (square.on_diagonal() && square.owns(ex.thread()))
        write_y<E, F>(ex, g, {}, square.output(ex.thread()), {}, {});
      return;
    }
    const Sums sums = square.is_whole() ? multiply<true>(ex, g, square) : multiply<false>(ex, g, square);
    deliver(ex, g, square, alpha, sums);
  }

 private:
  struct Square {
    int n, count, row, column;  // of the matrix; squares along it, and which one this is

    // All others first, row by row: a block that gathers waits for blocks with lower numbers only.
    template <class Ex>
    ONEPASS_DEVICE Square(Ex ex, const SymvRowsArgs& g)
        : n(static_cast<int>(g.rows)), count((n + side - 1) / side), row(0), column(0) {
      const int block = static_cast<int>(ex.block_x()), others = before(count);
      if (block >= others) {
        row = column = block - others;
        return;
      }
      row = static_cast<int>((1 + std::sqrt(static_cast<float>(8 * block + 1))) / 2);
      while (before(row) > block) --row;
      while (before(row + 1) <= block) ++row;
      column = block - before(row);
    }
    // Squares left of the diagonal in the rows before this one.
    static ONEPASS_DEVICE int before(int row) { return row * (row - 1) / 2; }
    ONEPASS_DEVICE bool on_diagonal() const { return row == column; }
    ONEPASS_DEVICE bool is_whole() const { return row > column && row0() + side <= n; }
    ONEPASS_DEVICE int row0() const { return row * side; }
    ONEPASS_DEVICE int output(int place) const { return row0() + place; }
    ONEPASS_DEVICE bool owns(int place) const { return place < side && output(place) < n; }
    // Of the outputs of the squares of a row, from another square of that row or column.
    ONEPASS_DEVICE std::int64_t mailbox(int of_row, int from) const {
      return (static_cast<std::int64_t>(of_row) * count + from) << log2_side;
    }
  };

  // Of a lane, over the columns of its warp and over the rows of all lanes.
  struct Sums {
    S of_row[rows], of_column;
  };

  // Squares that are `whole` load without a look at any border.
  template <bool whole, class Ex>
  static ONEPASS_DEVICE Sums multiply(Ex ex, const SymvRowsArgs& g, const Square& square) {
    const int lane = ex.thread() % symv_lanes, warp = ex.thread() / symv_lanes;
    const int row = square.row0() + lane, column = square.column * side + warp * columns;
    const char* const first =
        static_cast<const char*>(g.a) + static_cast<std::int64_t>(row) * g.row_bytes + column * g.column_bytes;
    const auto has = [&](int u, int k) {
      const int r = row + k * symv_lanes;
      return whole || (r < square.n && r >= column + u);
    };
    const auto load = [](Ex e, bool wanted, const A* p) {
      if constexpr (whole) return e.load_streamed(p);
      return e.load_once_predicated(wanted, p);
    };
    const auto element = [&](int u, int k) {
      return reinterpret_cast<const A*>(first + u * g.column_bytes + k * symv_lanes * g.row_bytes);
    };
    if (g.prefetch && !g.settled_x) {
#pragma unroll
      for (int u = 0; u < columns; ++u)
#pragma unroll
        for (int k = 0; k < rows; ++k)
          ex.prefetch_if(lane % (32 / static_cast<int>(sizeof(A))) == 0 && has(u, k), element(u, k));
    }
    wait_to_read(ex, g);

    A a[columns][rows];
    X x_of_row[rows];
#pragma unroll
    for (int u = 0; u < columns; ++u)
#pragma unroll
      for (int k = 0; k < rows; ++k) a[u][k] = load(ex, has(u, k), element(u, k));
    const X* const x = static_cast<const X*>(g.x);
    const int own = column + lane;
    const X x_of_column = ex.load_cached_predicated(lane < columns && own < square.n, x + own * g.incx);
#pragma unroll
    for (int k = 0; k < rows; ++k) {
      const int r = row + k * symv_lanes;
      x_of_row[k] = ex.load_cached_predicated(r < square.n, x + r * g.incx);
    }

    Sums sums{};
    S of_column[columns] = {};
#pragma unroll
    for (int u = 0; u < columns; ++u) {
      const S x_c = ex.shuffle_each(conjugate_if(g.conjugate, as<S>(x_of_column)), u);
#pragma unroll
      for (int k = 0; k < rows; ++k) {
        const S x_r = conjugate_if(g.conjugate, as<S>(x_of_row[k]));
        const int below = row + k * symv_lanes - (column + u);  // the diagonal
        S along = as<S>(a[u][k]);
        if constexpr (!whole && is_complex<S>) along.im = g.hermitian && below == 0 ? 0 : along.im;
        // What was not loaded is zero, but zero times infinity is not; an element on the diagonal counts once.
        sums.of_row[k] = multiply_add(sums.of_row[k], along, whole ? x_c : choose(below >= 0, x_c, S{}));
        const S down = multiply_add(of_column[u], conjugate_if(g.hermitian, along), x_r);
        of_column[u] = whole ? down : choose(below > 0, down, of_column[u]);
      }
    }
    sums.of_column = sum_columns(ex, lane, of_column);
    return sums;
  }

  template <class Ex>
  static ONEPASS_DEVICE void deliver(Ex ex, const SymvRowsArgs& g, const Square& square, Scalar alpha,
                                     const Sums& sums) {
    const int lane = ex.thread() % symv_lanes, warp = ex.thread() / symv_lanes, place = ex.thread() % side;
    S* const mailboxes = static_cast<S*>(g.mailboxes);
    constexpr int columns_at = warps * side * static_cast<int>(sizeof(S)),
                  scratch_at = columns_at + side * static_cast<int>(sizeof(S));
    const auto rows_of_warps = ex.template shared<S>(0), own_columns = ex.template shared<S>(columns_at);
    wait_to_write(ex, g);
    if (owns_column<columns>(lane)) {
      const int column = warp * columns + lane;
      if (square.on_diagonal())
        own_columns.put(column, sums.of_column);
      else
        ex.publish(mailboxes + square.mailbox(square.column, square.row) + column, sums.of_column);
    }
#pragma unroll
    for (int k = 0; k < rows; ++k) rows_of_warps.put(warp * side + k * symv_lanes + lane, sums.of_row[k]);
    ex.sync();
    S total{};
    if (ex.thread() < side) {
      if (square.on_diagonal()) total = own_columns.get(place);
#pragma unroll
      for (int w = 0; w < warps; ++w) total = total + rows_of_warps.get(w * side + place);
    }
    if (!square.on_diagonal()) {
      if (ex.thread() < side) ex.publish(mailboxes + square.mailbox(square.row, square.column) + place, total);
      return;
    }
    const S others = sum_mailboxes<symv_square_polled>(
        ex, mailboxes, g.timed_out, ex.thread() / side, square.count - 1, max_threads / side, [&](int k) {
          const int from = k < square.row ? k : k + 1;
          return static_cast<int>(square.mailbox(square.row, from)) + place;
        });
    total = total + sum_teams(ex, ex.template shared<S>(scratch_at), log2_side, others);
    if (square.owns(ex.thread())) write_y<E, F>(ex, g, {}, square.output(place), alpha, total);
  }
};

}  // namespace onepass::kernels
