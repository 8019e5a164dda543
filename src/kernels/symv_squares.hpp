// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv_squares: y = A x for one symmetric matrix. A block has a run of squares of the triangle that lie beside each
// other, often one: all loads of a square are in flight at once.
//
//    0 .            A square off the diagonal, such as d, has two sets of partial sums:
//    a 1 .             A[r, c] x[c]   for the outputs of its rows
//    b c 2 .           A[r, c] x[r]   for those of its columns
//    d e f 3        Its block publishes those of each square's columns, and those of the rows of all its squares. The
//                   block of a square on the diagonal gathers what the others in its row and in its column (for square
//                   1: a, c and e) have for its outputs, and writes y.
//
// The lanes of a warp lie along the rows, each with one, two or four of them, and a warp has eight columns of each
// square: it goes from square to square without a barrier. Single elements are loaded, so that any alignment will do.
// An upper triangle is a lower one, seen from its last element.
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
  static constexpr int side = symv_square_side(L, sizeof(A)), log2_side = side == 128 ? 7 : side == 64 ? 6 : 5;
  static constexpr int rows = side / symv_lanes, columns = symv_square_columns;  // of a lane, of a warp
  static constexpr int warps = side / columns;
  static constexpr int max_threads = symv_square_threads(side);
  // On an SM: 128 registers or 96, 64, 64 or 48.
  static constexpr int min_blocks = sizeof(A) > 8 ? side > 32 ? 2 : 5 : sizeof(A) > 4 ? 4 : side > 64 ? 2 : 5;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const SymvRowsArgs& g) {
    open_first(ex, g);
    const Squares squares(ex, g);
    const Scalar alpha = alpha_of<Scalar, F>(ex, g);
    if (alpha == Scalar{}) {
      wait_for_previous_launch(ex);
      if (squares.on_diagonal() && squares.own(ex.thread()))
        write_y<E, F>(ex, g, {}, squares.output(ex.thread()), {}, {});
      return;
    }
    const S of_column = squares.are_whole() ? multiply<true>(ex, g, squares) : multiply<false>(ex, g, squares);
    deliver(ex, g, squares, alpha, of_column);
  }

 private:
  // Those of a block: from `column` to `end` - 1, in a row of squares.
  struct Squares {
    int n, count, row, column, end;  // of the matrix; squares along it

    // All others before those on the diagonal, row by row: a block that gathers waits for blocks with lower numbers
    // only.
    template <class Ex>
    ONEPASS_DEVICE Squares(Ex ex, const SymvRowsArgs& g)
        : n(static_cast<int>(g.rows)), count((n + side - 1) / side), row(0), column(0), end(0) {
      const int block = static_cast<int>(ex.block_x()), others = symv_square_blocks(count, g.log2_groups);
      if (block >= others) {
        row = column = block - others;
        end = column + 1;
        return;
      }
      const auto run = static_cast<float>(1 << g.log2_groups);
      row = 1 + static_cast<int>((std::sqrt(static_cast<float>(8 * block) / run + 1) - 1) * run / 2);
      while (symv_square_blocks(row, g.log2_groups) > block) --row;
      while (symv_square_blocks(row + 1, g.log2_groups) <= block) ++row;
      column = (block - symv_square_blocks(row, g.log2_groups)) << g.log2_groups;
      end = at_most(row, column + (1 << g.log2_groups));
    }
    ONEPASS_DEVICE bool on_diagonal() const { return row == column; }
    ONEPASS_DEVICE bool are_whole() const { return row > column && row0() + side <= n; }
    ONEPASS_DEVICE int row0() const { return row * side; }
    ONEPASS_DEVICE int output(int place) const { return row0() + place; }
    ONEPASS_DEVICE bool own(int place) const { return place < side && output(place) < n; }
    // Of the outputs of the squares of a row: from a block of that row, by its number there, or from a square below.
    ONEPASS_DEVICE std::int64_t mailbox(int of_row, int from) const {
      return (static_cast<std::int64_t>(of_row) * count + from) << log2_side;
    }
  };

  // Puts the sums of rows over the columns of each warp into shared memory. Returns that of a column of the last
  // square, over its rows. Squares that are `whole` load without a look at any border.
  template <bool whole, class Ex>
  static ONEPASS_DEVICE S multiply(Ex ex, const SymvRowsArgs& g, const Squares& squares) {
    const int lane = ex.thread() % symv_lanes, warp = ex.thread() / symv_lanes;
    const int row = squares.row0() + lane;
    const X* const x = static_cast<const X*>(g.x);
    const auto rows_of_warps = ex.template shared<S>(0);
    S sum_of_column{};
#pragma unroll 1
    for (int at = squares.column; at < squares.end; ++at) {
      const int column = at * side + warp * columns;
      const char* const first =
          static_cast<const char*>(g.a) + static_cast<std::int64_t>(row) * g.row_bytes + column * g.column_bytes;
      const auto has = [&](int u, int k) {
        const int r = row + k * symv_lanes;
        return whole || (r < squares.n && r >= column + u);
      };
      const auto load = [](Ex e, bool wanted, const A* p) {
        if constexpr (whole) return e.load_streamed(p);
        return e.load_once_predicated(wanted, p);
      };
      const auto element = [&](int u, int k) {
        return reinterpret_cast<const A*>(first + u * g.column_bytes + k * symv_lanes * g.row_bytes);
      };
      if (at == squares.column) {
        if (g.prefetch && !g.settled_x) {
#pragma unroll
          for (int u = 0; u < columns; ++u)
#pragma unroll
            for (int k = 0; k < rows; ++k)
              ex.prefetch_if(lane % (32 / static_cast<int>(sizeof(A))) == 0 && has(u, k), element(u, k));
        }
        wait_to_read(ex, g);
      }

      A a[columns][rows];
      X x_of_row[rows];
#pragma unroll
      for (int u = 0; u < columns; ++u)
#pragma unroll
        for (int k = 0; k < rows; ++k) a[u][k] = load(ex, has(u, k), element(u, k));
      const int own = column + lane;
      const X x_of_column = ex.load_cached_predicated(lane < columns && own < squares.n, x + own * g.incx);
#pragma unroll
      for (int k = 0; k < rows; ++k) {
        const int r = row + k * symv_lanes;
        x_of_row[k] = ex.load_cached_predicated(r < squares.n, x + r * g.incx);
      }
      S of_row[rows] = {}, of_column[columns] = {};
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
          of_row[k] = multiply_add(of_row[k], along, whole ? x_c : choose(below >= 0, x_c, S{}));
          const S down = multiply_add(of_column[u], conjugate_if(g.hermitian, along), x_r);
          of_column[u] = whole ? down : choose(below > 0, down, of_column[u]);
        }
      }
      // A thread's sums of rows wait in places of its own, and leave the registers to the loads of the next square.
#pragma unroll
      for (int k = 0; k < rows; ++k) {
        const int place = warp * side + k * symv_lanes + lane;
        if (at > squares.column) of_row[k] = of_row[k] + rows_of_warps.get(place);
        rows_of_warps.put(place, of_row[k]);
      }
      sum_of_column = sum_columns(ex, lane, of_column);
      if (squares.on_diagonal()) break;
      wait_to_write(ex, g);
      if (owns_column<columns>(lane))
        ex.publish(static_cast<S*>(g.mailboxes) + squares.mailbox(at, squares.row) + warp * columns + lane,
                   sum_of_column);
    }
    return sum_of_column;
  }

  template <class Ex>
  static ONEPASS_DEVICE void deliver(Ex ex, const SymvRowsArgs& g, const Squares& squares, Scalar alpha, S of_column) {
    const int lane = ex.thread() % symv_lanes, warp = ex.thread() / symv_lanes, place = ex.thread() % side;
    S* const mailboxes = static_cast<S*>(g.mailboxes);
    constexpr int columns_at = warps * side * static_cast<int>(sizeof(S)),
                  scratch_at = columns_at + side * static_cast<int>(sizeof(S));
    const auto rows_of_warps = ex.template shared<S>(0), own_columns = ex.template shared<S>(columns_at);
    wait_to_write(ex, g);
    if (squares.on_diagonal() && owns_column<columns>(lane)) own_columns.put(warp * columns + lane, of_column);
    ex.sync();
    S total{};
    if (ex.thread() < side) {
      if (squares.on_diagonal()) total = own_columns.get(place);
#pragma unroll
      for (int w = 0; w < warps; ++w) total = total + rows_of_warps.get(w * side + place);
    }
    if (!squares.on_diagonal()) {
      if (ex.thread() < side)
        ex.publish(mailboxes + squares.mailbox(squares.row, squares.column >> g.log2_groups) + place, total);
      return;
    }
    // Blocks of its row, then squares of its column.
    const int beside = (squares.row + (1 << g.log2_groups) - 1) >> g.log2_groups,
              below = squares.count - 1 - squares.row;
    const S others = sum_mailboxes<symv_square_polled>(
        ex, mailboxes, g.timed_out, ex.thread() / side, beside + below, max_threads / side, [&](int k) {
          const int from = k < beside ? k : squares.row + 1 + (k - beside);
          return static_cast<int>(squares.mailbox(squares.row, from)) + place;
        });
    total = total + sum_teams(ex, ex.template shared<S>(scratch_at), log2_side, others);
    if (squares.own(ex.thread())) write_y<E, F>(ex, g, {}, squares.output(place), alpha, total);
  }
};

}  // namespace onepass::kernels
