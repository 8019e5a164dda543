// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv_squares: y = A x for symmetric matrices. A block has a run of squares of the triangle that lie beside each
// other, often one: all loads of a square are in flight at once.
//
//    0 .            A square off the diagonal, such as d, has two sets of partial sums:
//    a 1 .             A[r, c] x[c]   for the outputs of its rows
//    b c 2 .           A[r, c] x[r]   for those of its columns
//    d e f 3        Its block publishes those of each square's columns, and those of the rows of all its squares. The
//                   block of a square on the diagonal gathers what the others in its row and in its column (for square
//                   1: a, c and e) have for its outputs, and writes y.
//
// The lanes of a warp lie along the rows, each with one, two or four of them, and a warp has four or eight columns of
// each square: it goes from square to square without a barrier. Single elements are loaded, so that any alignment will
// do. An upper triangle is a lower one, seen from its last element.
//
// The general form takes batches, scalars on the device and matrices whose mailboxes would not fit the workspace if
// squares were small. Theirs consist of several tiles, each with all its loads in flight:
//
//    0 2            The sums of columns go on from tile to tile, down a column of them, and are published at its end;
//    1 3            those of rows wait in shared memory for the next one.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/blocks/columns.hpp"
#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/operand.hpp"
#include "kernels/symv/symv_args.hpp"

namespace onepass::kernels {

template <class E, Form F, Loads L>
struct SymvSquares {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Scalar = typename E::Scalar;
  using Factor = typename E::Factor;
  using XFactor = typename E::XFactor;
  static constexpr int tile = symv_square_tile(L, sizeof(A)), log2_tile = tile == 128 ? 7 : tile == 64 ? 6 : 5;
  static constexpr int rows = tile / symv_lanes, columns = symv_square_columns(sizeof(S));  // of a lane, of a warp
  static constexpr int max_threads = symv_square_threads(tile, sizeof(S));
  static constexpr bool has_more_digits = sizeof(S) > (sizeof(A) > 4 ? sizeof(A) : 4);
  // On an SM. Registers: 128 of sums with more digits; general 128 or 64; plain 128 or 96, 64, 64 or 48.
  static constexpr int min_blocks = has_more_digits      ? 512 / max_threads
                                    : F == Form::general ? (sizeof(A) > 8 ? 512 : 1024) / max_threads
                                    : sizeof(A) > 8      ? tile > 32 ? 2 : 5
                                    : sizeof(A) > 4      ? 4
                                    : tile > 64          ? 2
                                                         : 5;
  // Mailboxes that a thread polls at a time; more, where that is one trip to the L2 in place of two. With eight, c
  // takes all registers and loses where triangles are large: n = 4500 takes 26.5 us, with four 24.6 (H200).
  static constexpr bool polls_four = F == Form::general || has_more_digits || (is_complex<S> && sizeof(A) == 8);
  static constexpr int polled = 4, most_polled = polls_four ? 4 : sizeof(A) > 4 ? 8 : 6;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const SymvSquaresArgs& g) {
    // With pointers to operands or scalars, nothing may be loaded or prefetched before the grid-dependency wait.
    if constexpr (F == Form::general) wait_for_previous_launch(ex);
    if constexpr (F == Form::plain) open_first(ex, g);
    const Squares squares(ex, g);
    const std::int64_t product = F == Form::plain ? 0 : ex.block_z();
    const Scalar alpha = alpha_of<Scalar, F>(ex, g);
    if (alpha == Scalar{}) {
      if constexpr (F == Form::plain) wait_for_previous_launch(ex);
      const Target target = target_of<F>(ex, g, product);
      for (int place = ex.thread(); squares.on_diagonal() && squares.own(place); place += threads(ex))
        write_y<E, F>(ex, g, target, squares.row0() + place, {}, {});
      return;
    }
    const Operands<E> operands = operands_of<E, F>(ex, g, product, g.first_a);
    S* const mailboxes = static_cast<S*>(g.mailboxes) + product * g.mailboxes_per_product;
    if (squares.are_whole()) {
      multiply<true>(ex, g, squares, operands, mailboxes);
    } else {
      multiply<false>(ex, g, squares, operands, mailboxes);
    }
    wait_to_write(ex, g);
    ex.sync();
    if (squares.on_diagonal()) {
      gather(ex, g, squares, operands.target, mailboxes, alpha);
    } else {
      const int mailbox = squares.mailbox_of_block(static_cast<int>(ex.block_x()));
      for (int place = ex.thread(); place < squares.height; place += threads(ex))
        ex.publish(mailboxes + mailbox + place, sum_of_row(ex, squares, place));
    }
  }

 private:
  template <class Ex>
  static ONEPASS_DEVICE int threads(Ex ex) {
    return F == Form::plain ? max_threads : ex.threads();
  }

  // Those of a block: from `column` to `end` - 1, in a row of squares.
  struct Squares {
    int n, side, count, height;  // of the matrix; of a square; squares along the matrix; rows of these: whole tiles
    int row = 0, column = 0, end = 0;

    // All others before those on the diagonal, row by row: a block that gathers waits for blocks with lower numbers
    // only.
    template <class Ex>
    ONEPASS_DEVICE Squares(Ex ex, const SymvSquaresArgs& g)
        : n(static_cast<int>(g.rows)),
          side(F == Form::plain ? tile : g.tile),
          count((n + side - 1) / side),
          height(side) {
      const int block = static_cast<int>(ex.block_x()), others = symv_square_blocks(count, g.log2_groups);
      if (block >= others) {
        row = column = block - others;
        end = column + 1;
      } else {
        const auto run = static_cast<float>(1 << g.log2_groups);
        row = 1 + static_cast<int>((std::sqrt(static_cast<float>(8 * block) / run + 1) - 1) * run / 2);
        while (symv_square_blocks(row, g.log2_groups) > block) --row;
        while (symv_square_blocks(row + 1, g.log2_groups) <= block) ++row;
        column = (block - symv_square_blocks(row, g.log2_groups)) << g.log2_groups;
        end = at_most(row, column + (1 << g.log2_groups));
      }
      if (F == Form::general && row0() + side > n) height = (n - row0() + tile - 1) / tile * tile;
    }
    ONEPASS_DEVICE bool on_diagonal() const { return row == column; }
    ONEPASS_DEVICE bool are_whole() const { return row > column && row0() + side <= n; }
    ONEPASS_DEVICE int row0() const { return row * side; }
    ONEPASS_DEVICE bool own(int place) const { return place < side && row0() + place < n; }
    // Columns of the first square that the matrix has.
    ONEPASS_DEVICE int width() const { return on_diagonal() ? height : side; }
    // Of the columns of square (r, c), and behind all those, of the rows of a block.
    ONEPASS_DEVICE int mailbox_of_columns(int r, int c) const { return (r * (r - 1) / 2 + c) * side; }
    ONEPASS_DEVICE int mailbox_of_block(int block) const { return (count * (count - 1) / 2 + block) * side; }
  };

  // In shared memory: the sums of rows over the columns of each warp, then those of the columns of a square on the
  // diagonal, then room to add up what others published.
  template <class Ex>
  static ONEPASS_DEVICE auto own_columns(Ex ex, const Squares& squares) {
    return ex.template shared<S>(threads(ex) / symv_lanes * squares.side * static_cast<int>(sizeof(S)));
  }
  template <class Ex>
  static ONEPASS_DEVICE S sum_of_row(Ex ex, const Squares& squares, int place) {
    S total{};
    if (squares.on_diagonal()) total = own_columns(ex, squares).get(place);
#pragma unroll
    for (int w = 0; w < max_threads / symv_lanes; ++w)
      if (F == Form::plain || w < ex.threads() / symv_lanes)
        total = total + ex.template shared<S>(0).get(w * squares.side + place);
    return total;
  }

  // The squares of a block, tile by tile: sums of rows into shared memory, those of columns into their mailboxes.
  template <bool whole, class Ex>
  static ONEPASS_DEVICE void multiply(Ex ex, const SymvSquaresArgs& g, const Squares& squares,
                                      const Operands<E>& operands, S* mailboxes) {
    const int lane = ex.thread() % symv_lanes, warp = ex.thread() / symv_lanes;
    const int step = threads(ex) / symv_lanes * columns;
#pragma unroll 1
    for (int at = squares.column; at < squares.end; ++at) {
#pragma unroll 1
      for (int first = 0; first < squares.width(); first += step) {
        const int place = first + warp * columns;
        S of_column[columns] = {};
#pragma unroll 1
        for (int down = squares.on_diagonal() ? first / tile * tile : 0; down < squares.height; down += tile)
          add_tile<whole>(ex, g, squares, operands, at * squares.side + place, down, at == squares.column && first == 0,
                          of_column);
        const S sum = sum_columns(ex, lane, of_column);
        if (squares.on_diagonal()) {
          if (owns_column<columns>(lane)) own_columns(ex, squares).put(place + lane, sum);
        } else {
          wait_to_write(ex, g);
          if (owns_column<columns>(lane))
            ex.publish(mailboxes + squares.mailbox_of_columns(squares.row, at) + place + lane, sum);
        }
      }
    }
  }

  // The tile from row `down` of the squares on, in the columns of a warp; `starts`: the first one in these rows. A
  // `whole` one loads without a look at any border.
  template <bool whole, class Ex>
  static ONEPASS_DEVICE void add_tile(Ex ex, const SymvSquaresArgs& g, const Squares& squares,
                                      const Operands<E>& operands, int column, int down, bool starts,
                                      S (&of_column)[columns]) {
    const int lane = ex.thread() % symv_lanes, warp = ex.thread() / symv_lanes, row = squares.row0() + down + lane;
    const char* const first = reinterpret_cast<const char*>(operands.a) + static_cast<std::int64_t>(row) * g.row_bytes +
                              column * g.column_bytes;
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
    if constexpr (F == Form::plain) {
      if (starts) {
        if (g.prefetch && !g.settled_x) {
#pragma unroll
          for (int u = 0; u < columns; ++u)
#pragma unroll
            for (int k = 0; k < rows; ++k)
              ex.prefetch_if(lane % (32 / static_cast<int>(sizeof(A))) == 0 && has(u, k), element(u, k));
        }
        wait_to_read(ex, g);
      }
    }

    A a[columns][rows];
    X x_of_row[rows];
#pragma unroll
    for (int u = 0; u < columns; ++u)
#pragma unroll
      for (int k = 0; k < rows; ++k) a[u][k] = load(ex, has(u, k), element(u, k));
    const int own = column + lane;
    const X x_of_column = load_cached_predicated(ex, lane < columns && own < squares.n, operands.x + own * g.incx);
#pragma unroll
    for (int k = 0; k < rows; ++k) {
      const int r = row + k * symv_lanes;
      x_of_row[k] = load_cached_predicated(ex, r < squares.n, operands.x + r * g.incx);
    }
    S of_row[rows] = {};
#pragma unroll
    for (int u = 0; u < columns; ++u) {
      const XFactor x_c = ex.shuffle_from(conjugate_if(g.conjugate, as<XFactor>(x_of_column)), u);
#pragma unroll
      for (int k = 0; k < rows; ++k) {
        const XFactor x_r = conjugate_if(g.conjugate, as<XFactor>(x_of_row[k]));
        const int below = row + k * symv_lanes - (column + u);  // the diagonal
        Factor along = as<Factor>(a[u][k]);
        if constexpr (!whole && is_complex<S>) along.im = g.hermitian && below == 0 ? 0 : along.im;
        // What was not loaded is zero, but zero times infinity is not; an element on the diagonal counts once.
        of_row[k] = multiply_add(of_row[k], along, whole ? x_c : choose(below >= 0, x_c, XFactor{}));
        const S next = multiply_add(of_column[u], conjugate_if(g.hermitian, along), x_r);
        of_column[u] = whole ? next : choose(below > 0, next, of_column[u]);
      }
      of_column[u] = settled(of_column[u]);
    }
    const auto rows_of_warps = ex.template shared<S>(0);
    // A thread's sums of rows wait in places of its own, and leave the registers to the loads of the next tile.
#pragma unroll
    for (int k = 0; k < rows; ++k) {
      const int place = warp * squares.side + down + k * symv_lanes + lane;
      of_row[k] = settled(of_row[k]);
      if (!starts) of_row[k] = of_row[k] + rows_of_warps.get(place);
      rows_of_warps.put(place, of_row[k]);
    }
  }

  // The sums of a square on the diagonal, with what others have for its outputs: the blocks of its row, then the
  // squares below.
  template <class Ex>
  static ONEPASS_DEVICE void gather(Ex ex, const SymvSquaresArgs& g, const Squares& squares, const Target& target,
                                    S* mailboxes, Scalar alpha) {
    const int beside = (squares.row + (1 << g.log2_groups) - 1) >> g.log2_groups,
              below = squares.count - 1 - squares.row, first = symv_square_blocks(squares.row, g.log2_groups);
    const auto scratch =
        ex.template shared<S>((threads(ex) / symv_lanes + 1) * squares.side * static_cast<int>(sizeof(S)));
#pragma unroll 1
    for (int down = 0; down < squares.height; down += tile) {
      if (down > 0) ex.sync();
      const int place = down + ex.thread() % tile;
      S total{};
      if (ex.thread() < tile) total = sum_of_row(ex, squares, place);
      const auto mailbox = [&](int k) {
        return place + (k < beside ? squares.mailbox_of_block(first + k)
                                   : squares.mailbox_of_columns(squares.row + 1 + k - beside, squares.row));
      };
      const int teams = threads(ex) / tile;
      const auto poll = [&](auto in_flight) {
        return sum_mailboxes<in_flight()>(ex, mailboxes, g.timed_out, ex.thread() / tile, beside + below, teams,
                                          mailbox);
      };
      const bool more =
          most_polled > polled && beside + below > polled * teams && beside + below <= most_polled * teams;
      const S others =
          more ? poll(std::integral_constant<int, most_polled>{}) : poll(std::integral_constant<int, polled>{});
      total = total + sum_teams(ex, scratch, log2_tile, others);
      if (ex.thread() < tile && squares.own(place)) write_y<E, F>(ex, g, target, squares.row0() + place, alpha, total);
    }
  }
};

}  // namespace onepass::kernels
