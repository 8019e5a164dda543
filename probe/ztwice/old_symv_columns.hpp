// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv_columns: symv for complex sums with twice the digits of large triangles, whose instructions would take longer
// than the bytes.
//
//    lane 0, 1, ...  31, 0, 1, ... 31, 0, ...       rows of a strip, 32 for each of a lane's rows
//   +------------------+--------------+-----+
//   |                  |              |     | -> y[c]   A warp goes through its columns one by one. For y[r] a lane has
//   +------------------+--------------+-----+           the sums of its rows in registers, up to the end of the strip,
//     v                  v              v               on anchors that stay (blocks/anchored_rows.hpp). For y[c] it
//    y[r]                                               sums its rows around an anchor of that column; after eight
//                                                       columns a lane adds up eight of the 32 sums of a column.
//
// So an element is read once from shared memory, which it comes to past the registers, some columns ahead; and a
// product is four operations in double precision and little else. Strips, units, mailboxes and the blocks that gather
// are those of symv_tiles; a strip has as many rows as a warp.
#pragma once

#include <cstring>

#include "old_anchored_rows.hpp"
#include "kernels/blocks/operand.hpp"
#include "kernels/blocks/strip_segments.hpp"
#include "kernels/blocks/strips.hpp"
#include "kernels/symv_args.hpp"

namespace onepass::kernels {

struct OldColumnsRoom {
  int x_columns, parts, ring, held, end;
};
constexpr OldColumnsRoom old_columns_room(int warps, int held) {
  OldColumnsRoom room{};
  room.parts = warps * symv_tile_columns * 16;
  room.ring = room.parts + warps * symv_tile_columns * symv_tile_pitch * 32;
  room.held = room.ring + warps * 3 * symv_columns_rows * symv_lanes * 16;
  room.end = room.held + held * 32;
  return room;
}
// Single products (the plain form).
template <class E>
struct SymvColumnsOld {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Factor = Complex<double>;
  static_assert(has_anchor<E> && vector_length<A> == 1);
  static constexpr int rows = symv_columns_rows, lanes = symv_lanes, columns = symv_tile_columns;
  static constexpr int slot = rows * lanes, stages = 3, pitch = symv_tile_pitch;
  static constexpr int max_threads = symv_columns_max_threads, min_blocks = symv_columns_blocks;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const SymvArgs& g) {
    const OldColumnsRoom room = old_columns_room(ex.threads() / lanes, g.held);
    // The sums of rows come where the columns were.
    walk_strips<E>(ex, g, {.rows_at = room.ring, .rows = slot, .held_at = room.held},
                   [&](const Strip& strip, int first, int count, const HeldColumns& held) {
                     Lane lane(ex, room);
                     lane.multiply(ex, g, strip, first, count, held);
                     ex.sync();
                     lane.put_sums(ex);
                   });
  }

 private:
  // Rows of a strip from `first` to end - 1 that a column has elements in, and the one on the diagonal.
  struct Present {
    int first, end, diagonal;

    ONEPASS_DEVICE Present(const SymvArgs& g, const Strip& strip, int column) {
      diagonal = column - strip.row0;
      const int all = column < static_cast<int>(g.rows) ? strip.rows : 0;
      first = g.upper || diagonal < 0 ? 0 : diagonal;
      end = g.upper ? at_most(diagonal + 1, all) : all;
    }
    ONEPASS_DEVICE bool has(int row) const { return row >= first && row < end; }
  };
  // All rows of all columns from this one on that a warp has in a unit.
  static ONEPASS_DEVICE bool are_whole(const SymvArgs& g, const Strip& strip, int column) {
    return strip.rows == slot && column + columns <= static_cast<int>(g.rows) &&
           (g.upper ? column >= strip.row0 + slot : column + columns <= strip.row0);
  }

  // What a thread has of a strip.
  struct Lane {
    OldColumnsRoom room;
    int lane, warp;
    Factor x[rows];
    std::uint32_t high_x[rows];
    OldAnchoredRows<rows> sums;

    template <class Ex>
    ONEPASS_DEVICE Lane(Ex ex, const OldColumnsRoom& room_of_block)
        : room(room_of_block), lane(ex.thread() & (lanes - 1)), warp(ex.thread() / lanes) {}

    // Of the strip.
    ONEPASS_DEVICE int row_of(int i) const { return lane + lanes * i; }

    template <class Ex>
    ONEPASS_DEVICE auto ring(Ex ex) const {
      return ex.template shared<exec::Vector16>(room.ring + warp * stages * slot * 16);
    }
    template <class Ex>
    ONEPASS_DEVICE auto x_columns(Ex ex) const {
      return ex.template shared<Factor>(room.x_columns + warp * columns * static_cast<int>(sizeof(Factor)));
    }
    // Sums of columns over a lane's rows: real parts of all columns, then imaginary ones.
    template <class Ex>
    ONEPASS_DEVICE auto parts(Ex ex) const {
      return ex.template shared<exec::Vector16>(room.parts + warp * 2 * columns * pitch * 16);
    }
    template <class Ex>
    ONEPASS_DEVICE void put_part(Ex ex, int i, Twice<double> part) const {
      exec::Vector16 vector;
      std::memcpy(&vector, &part, sizeof(part));
      parts(ex).put(i, vector);
    }
    template <class Ex>
    ONEPASS_DEVICE Twice<double> part(Ex ex, int i) const {
      const exec::Vector16 vector = parts(ex).get(i);
      Twice<double> part;
      std::memcpy(static_cast<void*>(&part), &vector, sizeof(part));
      return part;
    }

    template <class Ex>
    ONEPASS_DEVICE void load_x(Ex ex, const SymvArgs& g, const Strip& strip) {
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        const int row = row_of(i);
        const X element = ex.load_cached_if(row < strip.rows, static_cast<const X*>(g.x) + (strip.row0 + row) * g.incx);
        x[i] = conjugate_if(g.conjugate != g.hermitian, as<Factor>(element));
        high_x[i] = high_word(x[i]);
      }
    }

    // A column of the warp, `left` with those behind it, and where its first element lies for this lane.
    struct Ahead {
      int left, column;
      const A* from;
      bool whole;

      ONEPASS_DEVICE void advance(const SymvArgs& g, const Strip& strip) {
        const bool within = --left % columns != 0;  // a unit; else to the next one
        const int by = within ? 1 : (g.upper ? 1 << g.log2_groups : -(1 << g.log2_groups)) - columns + 1;
        column += by;
        from += by * g.lda;
        if (!within) whole = are_whole(g, strip, column);
      }
    };
    // Starts the copies of a column; zeros where it has no element.
    template <class Ex>
    ONEPASS_DEVICE void fetch(Ex ex, const SymvArgs& g, const Strip& strip, Ahead& ahead, int at) const {
      if (ahead.left > 0) {
        if (ahead.whole) {
#pragma unroll
          for (int i = 0; i < rows; ++i)
            ex.copy_vector_if(true, ring(ex), at + row_of(i), ahead.from + lanes * i, 0, 1);
        } else {
          const Present present(g, strip, ahead.column);
#pragma unroll
          for (int i = 0; i < rows; ++i)
            ex.copy_vector_if(present.has(row_of(i)), ring(ex), at + row_of(i), ahead.from + lanes * i, 0, 1);
        }
        ahead.advance(g, strip);
      }
      ex.commit_copies();
    }

    // Units first, first - 1, ... of a strip.
    template <class Ex>
    ONEPASS_DEVICE void multiply(Ex ex, const SymvArgs& g, const Strip& strip, int first, int count,
                                 const HeldColumns& held) {
      const int step = g.upper ? 1 << g.log2_groups : -(1 << g.log2_groups);
      int column = strip.column(g, first) + warp * columns;
      Ahead ahead{.left = count * columns,
                  .column = column,
                  .from = static_cast<const A*>(g.a) + (column * g.lda + (strip.row0 + lane)),
                  .whole = are_whole(g, strip, column)};
#pragma unroll 1
      for (int k = 0; k < stages; ++k) fetch(ex, g, strip, ahead, k * slot);
      // A lane's element of x in the columns of a unit.
      const auto x_of = [&](int first_column) {
        const int c = first_column + lane;
        return ex.load_cached_if(lane < columns && c >= 0 && c < static_cast<int>(g.rows),
                                 static_cast<const X*>(g.x) + c * g.incx);
      };
      X next_x = x_of(column);
      load_x(ex, g, strip);
      int at = 0;
      Factor a[rows];
      ex.template wait_for_copies_but<stages - 1>();
      load(ex, at, a);
#pragma unroll 1
      for (int u = 0; u < count; ++u) {
        if (lane < columns) x_columns(ex).put(lane, conjugate_if(g.conjugate, as<Factor>(next_x)));
        ex.sync_warp();
        if (u + 1 < count) next_x = x_of(column + step);
        const bool whole = are_whole(g, strip, column);
#pragma unroll 1
        for (int k = 0; k < columns; ++k) {
          fetch(ex, g, strip, ahead, at);  // over this column, which is in registers
          at = at + slot == stages * slot ? 0 : at + slot;
          const Factor x_column = x_columns(ex).get(k);
          const S sum =
              whole ? add_column(a, x_column) : add_column_inside(g, Present(g, strip, column + k), a, x_column);
          ex.template wait_for_copies_but<stages - 1>();
          load(ex, at, a);
          put_part(ex, k * pitch + lane, sum.re);
          put_part(ex, (columns + k) * pitch + lane, sum.im);
        }
        ex.sync_warp();
        finish_columns(ex, g, strip, column, held);
        sums.settle();
        ex.sync_warp();
        column += step;
      }
    }

    template <class Ex>
    ONEPASS_DEVICE void load(Ex ex, int at, Factor (&a)[rows]) const {
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        A element[1];
        unpack(ring(ex).get(at + row_of(i)), element);
        a[i] = as<Factor>(element[0]);
      }
    }

    // Adds the products of a column to the sums of rows, and returns the column's sum over the lane's rows. x_row(i),
    // x_column(i): the other factors of row i; for_column(i): the element as the column's sum has it. Both sums side by
    // side: each waits for its own last product.
    template <class XColumn, class XRow, class ForColumn, class Has>
    ONEPASS_DEVICE S add(const Factor (&a)[rows], Factor x_all, XColumn x_column, XRow x_row, ForColumn for_column,
                         Has has) {
      LargestProduct largest;
      std::uint32_t high[rows];
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        high[i] = high_word(a[i]);
        largest.see(high[i], high_x[i]);
      }
      const std::uint32_t high_column = high_word(x_all);
      sums.make_room(high, high_column, OldAnchoredRows<rows>::allowance(high_column));
      if (largest.is_usual() && sums.all_anchored()) {
        const double anchor = largest.anchor();
        S sum{};
#pragma unroll
        for (int i = 0; i < rows; ++i) {
          sums.add_to_anchored(i, a[i], x_column(i));
          sum =
              i == 0 ? start_at_anchor(anchor, for_column(i), x_row(i)) : add_to_anchored(sum, for_column(i), x_row(i));
        }
        return without_anchor(sum, anchor);
      }
      S sum{};
#pragma unroll
      for (int i = 0; i < rows; ++i)
        if (has(i)) {
          sums.add(i, a[i], x_column(i));
          sum = multiply_add(sum, for_column(i), x_row(i));
        }
      return sum;
    }
    ONEPASS_DEVICE S add_column(const Factor (&a)[rows], Factor x_column) {
      return add(
          a, x_column, [&](int) { return x_column; }, [&](int i) { return x[i]; }, [&](int i) { return a[i]; },
          [](int) { return true; });
    }
    // Likewise of a column that is not whole: both factors are zero where it has no element.
    ONEPASS_DEVICE S add_column_inside(const SymvArgs& g, const Present& present, Factor (&a)[rows], Factor x_column) {
#pragma unroll
      for (int i = 0; i < rows; ++i)
        if (g.hermitian && row_of(i) == present.diagonal) a[i].im = 0;
      const auto has = [&](int i) { return present.has(row_of(i)); };
      const auto off_diagonal = [&](int i) { return has(i) && row_of(i) != present.diagonal; };
      return add(
          a, x_column, [&](int i) { return has(i) ? x_column : Factor{}; },
          [&](int i) { return off_diagonal(i) ? x[i] : Factor{}; },
          [&](int i) { return off_diagonal(i) ? a[i] : Factor{}; }, has);
    }

    // The sums of a warp's columns over the rows of a strip: lane l adds up eight of column l mod 8.
    template <class Ex>
    ONEPASS_DEVICE void finish_columns(Ex ex, const SymvArgs& g, const Strip& strip, int column,
                                       const HeldColumns& held) const {
      const int from = lane % columns * pitch + lane / columns * columns;
      S sum{};
#pragma unroll
      for (int k = 0; k < columns; ++k) {
        const S more = {part(ex, from + k), part(ex, from + k + columns * pitch)};
        sum = k == 0 ? more : sum + more;
      }
#pragma unroll
      for (int mask = columns; mask < lanes; mask *= 2) sum = sum + ex.shuffle_xor(sum, mask);
      deliver_columns(ex, g, strip, held, room.held, column, conjugate_if(g.hermitian, sum));
    }

    template <class Ex>
    ONEPASS_DEVICE void put_sums(Ex ex) const {
      const auto to = ex.template shared<S>(room.ring);
#pragma unroll
      for (int i = 0; i < rows; ++i) to.put(warp * slot + row_of(i), sums.total(i));
    }
  };
};

}  // namespace onepass::kernels
