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
// product is four operations in double precision and little else. All that surrounds a column stands between the
// products of the one before it, which leave every other cycle free: its copies, its way into registers, and the look
// at what its products are. So a warp has one run of instructions for a column without a jump, whatever the column:
// where it has no element there are zeros. The diagonal is summed ahead. Strips, units, mailboxes and the blocks that
// gather are those of symv_tiles; a strip has as many rows as a warp.
#pragma once

#include <cstring>

#include "kernels/blocks/anchored_rows.hpp"
#include "kernels/blocks/operand.hpp"
#include "kernels/blocks/strip_segments.hpp"
#include "kernels/blocks/strips.hpp"
#include "kernels/symv_args.hpp"

namespace onepass::kernels {

// Single products (the plain form).
template <class E>
struct SymvColumns {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Factor = Complex<double>;
  static_assert(has_anchor<E> && vector_length<A> == 1);
  static constexpr int rows = symv_columns_rows, lanes = symv_lanes, columns = symv_tile_columns;
  static constexpr int slot = rows * lanes, stages = symv_columns_stages, pitch = symv_tile_pitch;
  static constexpr int max_threads = symv_columns_max_threads, min_blocks = symv_columns_blocks;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const SymvArgs& g) {
    const SymvColumnsRoom room = symv_columns_room(ex.threads() / lanes, g.held, g.keeps_rows);
    // The sums of rows come where the columns were.
    walk_strips<E>(ex, g,
                   {.rows_at = room.ring, .rows = slot, .held_at = room.held, .kept_at = g.keeps_rows ? room.kept : -1},
                   [&](const Strip& strip, int first, int count, const HeldColumns& held) {
                     Lane lane(ex, room);
                     lane.multiply(ex, g, strip, first, count, held);
                     ex.sync();
                     lane.put_sums(ex);
                   });
  }

 private:
  // What a thread has of a strip.
  struct Lane {
    SymvColumnsRoom room;
    int lane, warp;
    Factor x[rows];
    std::uint32_t high_x[rows];
    bool finite;  // all of x
    AnchoredRows<rows> sums;

    template <class Ex>
    ONEPASS_DEVICE Lane(Ex ex, const SymvColumnsRoom& room_of_block)
        : room(room_of_block), lane(ex.thread() & (lanes - 1)), warp(ex.thread() / lanes) {}

    // Of the strip.
    ONEPASS_DEVICE int row_of(int i) const { return lane + lanes * i; }

    template <class Ex>
    ONEPASS_DEVICE auto ring(Ex ex) const {
      return ex.template shared<exec::Vector16>(room.ring + warp * stages * slot * 16);
    }
    // Of the warp's columns in two units, which take turns.
    template <class Ex>
    ONEPASS_DEVICE auto x_columns(Ex ex) const {
      return ex.template shared<Factor>(room.x_columns + 2 * warp * columns * static_cast<int>(sizeof(Factor)));
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

    // x of the lane's rows, and the products of the diagonal in columns low to low + count - 1 of the strip's rows, 32
    // of them to a warp.
    template <class Ex>
    ONEPASS_DEVICE void start(Ex ex, const SymvArgs& g, const Strip& strip, int low, int count) {
      finite = true;
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        const int row = row_of(i);
        const X element = ex.load_cached_if(row < strip.rows, static_cast<const X*>(g.x) + (strip.row0 + row) * g.incx);
        x[i] = conjugate_if(g.conjugate != g.hermitian, as<Factor>(element));
        high_x[i] = high_word(x[i]);
        finite = finite && high_x[i] < 0x7f800000u;
      }
      if (low >= slot || low + count <= 0) return;
      const int warps = ex.threads() / lanes;
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        const int row = row_of(i);
        const bool mine = (i & (warps - 1)) == warp && row >= low && row < low + count && row < strip.rows;
        Factor a = as<Factor>(ex.load_once_if(mine, static_cast<const A*>(g.a) + (strip.row0 + row) * (g.lda + 1)));
        if (g.hermitian) a.im = 0;
        if (mine) sums.start(i, a, conjugate_if(g.hermitian, x[i]));
      }
    }

    // The rows of a lane that a column has elements in, beside the diagonal: bit i for row i.
    ONEPASS_DEVICE unsigned present(const SymvArgs& g, const Strip& strip, int column) const {
      const int diagonal = column - strip.row0, all = column < static_cast<int>(g.rows) ? strip.rows : 0;
      const int first = g.upper || diagonal < 0 ? 0 : diagonal + 1, end = g.upper ? at_most(diagonal, all) : all;
      const unsigned below = 1u << (static_cast<unsigned>(end - lane + lanes - 1) / lanes),
                     above = 1u << (static_cast<unsigned>(first - lane + lanes - 1) / lanes);
      return (below - 1) & ~(above - 1);
    }
    // All rows of all columns from this one on that a warp has in a unit.
    static ONEPASS_DEVICE bool are_whole(const SymvArgs& g, const Strip& strip, int column) {
      return strip.rows == slot && column + columns <= static_cast<int>(g.rows) &&
             (g.upper ? column >= strip.row0 + slot : column + columns <= strip.row0);
    }

    // Columns that are copied: where the first element of the next one lies for this lane, and how far that of the
    // next unit is from the last one of a unit.
    struct Ahead {
      const A* from;
      std::int64_t jump;
      unsigned empty;  // bit k: the lane has no rows in the column k behind the one that is summed
    };
    // Starts the copies of column k of a unit, which comes `behind` the one that is summed; zeros in rows that it does
    // not have.
    template <bool whole, class Ex>
    ONEPASS_DEVICE void fetch(Ex ex, const SymvArgs& g, Ahead& ahead, int k, int behind, unsigned has, int at) const {
      if (!whole) ahead.empty |= static_cast<unsigned>(has == 0) << behind;
      const typename Ex::StreamPolicy policy = ex.stream_policy(0);
#pragma unroll
      for (int i = 0; i < rows; ++i)
        ex.stream_vector_if(whole || (has >> i & 1) != 0, ring(ex), at + row_of(i), ahead.from + lanes * i, 0, 1,
                            policy);
      ex.commit_copies();
      ahead.from += k + 1 == columns ? ahead.jump : g.lda;
    }

    // A column in registers, and what its products are compared with.
    struct Column {
      Factor a[rows], x;
      int beyond;
      LargestProduct largest;

      // One without elements may have any anchor.
      ONEPASS_DEVICE Column(Factor x_column, bool empty) : x(x_column), beyond(INT32_MIN) {
        largest.see(empty ? HighProduct::least : 0, 0);
      }
      ONEPASS_DEVICE bool has_room() const { return beyond <= AnchoredRows<rows>::allowance(high_word(x)); }
      ONEPASS_DEVICE bool is_usual() const { return has_room() && largest.is_usual(); }
    };
    template <class Ex>
    ONEPASS_DEVICE void load(Ex ex, int at, int i, Column& column) const {
      A element[1];
      unpack(ring(ex).get(at + row_of(i)), element);
      column.a[i] = as<Factor>(element[0]);
      const std::uint32_t high = high_word(column.a[i]);
      column.beyond = std::max(column.beyond, sums.beyond(i, high));
      column.largest.see(high, high_x[i]);
    }

    // Units first, first - 1, ... of a strip.
    template <class Ex>
    ONEPASS_DEVICE void multiply(Ex ex, const SymvArgs& g, const Strip& strip, int first, int count,
                                 const HeldColumns& held) {
      static_assert(stages < columns);
      const int step = g.upper ? 1 << g.log2_groups : -(1 << g.log2_groups);
      int column = strip.column(g, first) + warp * columns;
      Ahead ahead{.from = static_cast<const A*>(g.a) + (column * g.lda + (strip.row0 + lane)),
                  .jump = (step - columns + 1) * g.lda,
                  .empty = 0};
#pragma unroll 1
      for (int k = 0; k < stages; ++k) fetch<false>(ex, g, ahead, k, k, present(g, strip, column + k), k * slot);
      // A lane's element of x in the columns of a unit.
      const auto x_of = [&](bool wanted, int first_column) {
        const int c = first_column + lane;
        const X element = ex.load_cached_if(wanted && lane < columns && c >= 0 && c < static_cast<int>(g.rows),
                                            static_cast<const X*>(g.x) + c * g.incx);
        return conjugate_if(g.conjugate, as<Factor>(element));
      };
      const Factor x_unit = x_of(true, column);
      Factor x_ahead = x_of(count > 1, column + step);
      start(ex, g, strip, strip.column(g, g.upper ? first : first - count + 1) - strip.row0, count << g.log2_groups);
      if (lane < columns) x_columns(ex).put(lane, x_unit);
      ex.sync_warp();
      int at = 0;
      ex.template wait_for_copies_but<stages - 1>();
      Column now(x_columns(ex).get(0), (ahead.empty & 1) != 0);
#pragma unroll
      for (int i = 0; i < rows; ++i) load(ex, at, i, now);
      bool usual = finite && now.is_usual(), whole = are_whole(g, strip, column);
#pragma unroll 1
      for (int u = 0; u < count; ++u) {
        const int turn = u % 2 * columns;
        if (lane < columns) x_columns(ex).put(lane + (turn ^ columns), x_ahead);
        ex.sync_warp();
        x_ahead = x_of(u + 2 < count, column + 2 * step);
        const bool more = u + 1 < count, next_whole = more && are_whole(g, strip, column + step);
        // Bit 0: the column that is copied next is a whole one.
        unsigned wholes = (whole ? (1u << (columns - stages)) - 1 : 0) | (next_whole ? ~0u << (columns - stages) : 0);
#pragma unroll 1
        for (int k = 0; k < columns; ++k) {
          bool any_unusual = ex.any(!usual || sums.is_due());
          if (any_unusual) {
            make_room(now);
            any_unusual =
                ex.any(!finite || sums.is_due() || !now.largest.is_usual() || high_word(now.x) >= 0x7f800000u);
          }
          ex.template wait_for_copies_but<stages - 2>();  // the next column is there
          const int next_at = at + slot == stages * slot ? 0 : at + slot, next_k = (turn + k + 1) % (2 * columns);
          const int ahead_k = (k + stages) % columns;
          S sum;
          // Copies go over this column, which is in registers.
          if (!any_unusual && (wholes & 1) != 0) {
            fetch<true>(ex, g, ahead, ahead_k, stages, 0, at);
            sum = add_usual(ex, now, next_k, (ahead.empty & 2) != 0, next_at);
          } else {
            const bool here = k < columns - stages;
            const unsigned has = here || more ? present(g, strip, (here ? column : column + step) + ahead_k) : 0;
            fetch<false>(ex, g, ahead, ahead_k, stages, has, at);
            sum = !any_unusual
                      ? add_usual(ex, now, next_k, (ahead.empty & 2) != 0, next_at)
                      : add_unusual(ex, now, present(g, strip, column + k), next_k, (ahead.empty & 2) != 0, next_at);
          }
          usual = finite && now.is_usual();
          put_part(ex, k * pitch + lane, sum.re);
          put_part(ex, (columns + k) * pitch + lane, sum.im);
          ahead.empty >>= 1;
          wholes >>= 1;
          at = next_at;
        }
        whole = next_whole;
        ex.sync_warp();
        const S of_column = sum_of_column(ex);
        sums.settle();
        ex.sync_warp();
        deliver_columns(ex, g, strip, held, room.held, column, conjugate_if(g.hermitian, of_column));
        column += step;
      }
      ex.wait_for_copies();  // zeros behind the last column
    }

    ONEPASS_DEVICE void make_room(const Column& column) {
      if (column.has_room() && !sums.is_due()) return;
      std::uint32_t high[rows];
#pragma unroll
      for (int i = 0; i < rows; ++i) high[i] = high_word(column.a[i]);
      sums.raise(high, high_word(column.x));
    }

    // Adds the products of a column to the sums of rows, and returns the column's sum over the lane's rows. The next
    // column takes its place, element by element. Both sums side by side: each waits for its own last product.
    template <class Ex>
    ONEPASS_DEVICE S add_usual(Ex ex, Column& now, int next_k, bool empty, int next_at) {
      Column next(x_columns(ex).get(next_k), empty);
      const double anchor = now.largest.anchor();
      S sum{};
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        sums.add_to_anchored(i, now.a[i], now.x);
        sum = i == 0 ? start_at_anchor(anchor, now.a[i], x[i]) : add_to_anchored(sum, now.a[i], x[i]);
        load(ex, next_at, i, next);
      }
      now = next;
      return without_anchor(sum, anchor);
    }
    // Likewise of any column: rows by themselves, and only those that it has.
    template <class Ex>
    ONEPASS_DEVICE S add_unusual(Ex ex, Column& now, unsigned has, int next_k, bool empty, int next_at) {
      Column next(x_columns(ex).get(next_k), empty);
      S sum{};
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        if ((has >> i & 1) != 0) {
          sums.add(i, now.a[i], now.x);
          sum = multiply_add(sum, now.a[i], x[i]);
        }
        load(ex, next_at, i, next);
      }
      now = next;
      return sum;
    }

    // Over the rows of a strip, of column l mod 8 in lane l: each adds up eight lanes' sums.
    template <class Ex>
    ONEPASS_DEVICE S sum_of_column(Ex ex) const {
      const int from = lane % columns * pitch + lane / columns * columns;
      S two[2];  // which do not wait for each other
#pragma unroll
      for (int k = 0; k < columns; ++k) {
        const S more = {part(ex, from + k), part(ex, from + k + columns * pitch)};
        two[k % 2] = k < 2 ? more : two[k % 2] + more;
      }
      S sum = two[0] + two[1];
#pragma unroll
      for (int mask = columns; mask < lanes; mask *= 2) sum = sum + ex.shuffle_xor(sum, mask);
      return sum;
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
