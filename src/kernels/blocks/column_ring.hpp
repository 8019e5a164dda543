// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A warp's columns of a strip, one behind the other through a ring in shared memory.
//
//     row0 - 32 ...       row0                                row0 + tile
//      |  . . p h a s e    |                                     |
//      |      |############+##############################|      |     one column: whole lines of memory
//      |   |###############+###########################|         |     the next one, which starts elsewhere in them
//      lane 0 1 2 ...   31 | 0 1 2 ...   31 | 0 1 2 ...          |
//
// In each column a strip begins where a line of memory does, up to 31 rows in front of its first row, and ends where
// the next strip begins, whatever the columns' distance: no line is asked for twice. Elements are read from shared
// memory one by one, 32 neighbours at a time, so that a lane has the same rows in all columns: row lane + 32 k. Of
// those the first and the last ones may belong to another strip. Sums of rows stay in registers up to the end of the
// strip.
#pragma once

#include "kernels/blocks/columns.hpp"
#include "kernels/blocks/operand.hpp"
#include "kernels/blocks/strips.hpp"
#include "kernels/blocks/walk.hpp"
#include "kernels/symv_args.hpp"

namespace onepass::kernels {

// rows_: of a lane. stages_: columns of a warp on their way. bulk_: a column comes by one instruction of the copy
// engine, else by 16-byte vectors of all lanes. blocks_: of an SM.
template <class E, int rows_, int stages_, bool bulk_, int blocks_ = 2>
struct ColumnRing {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Factor = typename E::Factor;
  using XFactor = typename E::XFactor;
  using Product = TriangleProduct<E>;
  static constexpr int rows = rows_, stages = stages_, blocks = blocks_, lanes = symv_lanes;
  static constexpr bool bulk = bulk_;
  static constexpr int places = rows * lanes, size = static_cast<int>(sizeof(A)), V = vector_length<A>;
  // Columns that are summed over the lanes together.
  static constexpr int batch = size > 8 ? 2 : 4;

  // Sums of rows of all warps.
  static ONEPASS_HOST_DEVICE int sums_places(const SymvArgs& g) { return places << g.log2_groups; }
  // In bytes: columns on their way, and the words of the copy engine.
  static ONEPASS_HOST_DEVICE int ring_at(const SymvArgs& g) {
    return ((sums_places(g) + g.held) * static_cast<int>(sizeof(S)) + 127) & -128;
  }
  static ONEPASS_HOST_DEVICE int words_at(const SymvArgs& g) {
    return ring_at(g) + ((stages * places * size) << g.log2_groups);
  }
  static ONEPASS_HOST_DEVICE int shared_bytes(const SymvArgs& g) {
    return words_at(g) + (bulk ? (stages * 8) << g.log2_groups : 0);
  }

  // The stage that comes next, and whether it was used an odd number of times.
  struct Turn {
    int stage = 0, odd = 0;

    ONEPASS_DEVICE void advance() {
      const bool last = stage == stages - 1;
      stage = last ? 0 : stage + 1;
      odd ^= last ? 1 : 0;
    }
  };

  template <class Ex>
  static ONEPASS_DEVICE void open(Ex ex, const SymvArgs& g, int warp) {
    if constexpr (bulk) ex.open_pieces(words_at(g) + warp * stages * 8, stages);
  }

  // Units first, first - 1, ... of a strip: sums of rows into shared memory; finish(column, owns, sum) of its columns,
  // where `owns` says which lane has the sum.
  template <class Ex, class Finish>
  static ONEPASS_DEVICE void multiply(Ex ex, const SymvArgs& g, const Product& p, const Strip& strip, int first,
                                      int count, Turn& turn, Finish finish) {
    const Way way(g, p, strip);
    Ahead now(way, g, p, strip.column(g, first) + p.warp), ahead = now;
    Turn filled = turn;
    int left = count, to_fetch = count;
    const auto fetch_next = [&](int stage) {
      if (to_fetch > 0) {
        fetch(ex, g, p, way, ahead, stage);
      } else {
        pass(ex);
      }
      ahead.advance(way, g);
      --to_fetch;
    };
    // Likewise of a column that is whole, if there is one.
    const auto fetch_next_whole = [&](int stage) {
      if (to_fetch > 0) {
        fetch_whole(ex, g, p, way, ahead, stage);
      } else {
        pass(ex);
      }
      ahead.advance(way, g);
      --to_fetch;
    };
#pragma unroll 1
    for (int k = 0; k < stages; ++k) {
      fetch_next(filled.stage);
      filled.advance();
    }
    XFactor x_r[rows];
#pragma unroll
    for (int k = 0; k < rows; ++k) {
      const int r = way.row(p.lane, k);
      const X x = load_cached_if(ex, r >= 0 && r < p.n, p.x + r * g.incx);
      x_r[k] = conjugate_if(g.conjugate != g.hermitian, as<XFactor>(x));
    }
    // x of a batch of columns, one to a lane.
    const auto x_of = [&](int column, int of_left) {
      const int c = column + p.lane * way.between;
      return load_cached_if(ex, p.lane < batch && p.lane < of_left && c >= 0 && c < p.n, p.x + c * g.incx);
    };
    X x_next = x_of(now.column, left);
    S sum[rows] = {};
#pragma unroll 1
    while (left > 0) {
      const X x_batch = x_next;
      x_next = x_of(now.column + batch * way.between, left - batch);
      const int last = at_most(to_fetch, batch) - 1;
      if (left >= batch && way.are_whole(now.column, batch - 1) && (last < 0 || way.are_whole(ahead.column, last))) {
        const int column = now.column + column_of<batch>(p.lane) * way.between;
        S t[batch] = {};
#pragma unroll
        for (int u = 0; u < batch; ++u) {
          const XFactor x = conjugate_if(g.conjugate, as<XFactor>(ex.shuffle_from(x_batch, u)));
          wait(ex, g, p, turn, left - u);
          use(ex, g, p, way, now.phase, turn.stage, x_r, x, sum, t[u]);
          ex.sync_warp();
          fetch_next_whole(turn.stage);
          turn.advance();
          now.advance(way, g);
        }
        finish(column, owns_column<batch>(p.lane), sum_columns<S, batch>(ex, p.lane, t));
        left -= batch;
      } else {
        const int some = left < batch ? left : batch;
#pragma unroll 1
        for (int u = 0; u < some; ++u) {
          const XFactor x = conjugate_if(g.conjugate, as<XFactor>(ex.shuffle_from(x_batch, u)));
          wait(ex, g, p, turn, left - u);
          S t[1] = {};
          use_part(ex, g, p, way, now, turn.stage, x_r, x, sum, t[0]);
          ex.sync_warp();
          fetch_next(turn.stage);
          turn.advance();
          finish(now.column, p.lane == 0 && way.exists(now.column), sum_columns<S, 1>(ex, p.lane, t));
          now.advance(way, g);
        }
        left -= some;
      }
    }
    const auto sums = ex.template shared<S>(0);
#pragma unroll
    for (int k = 0; k < rows; ++k) sums.put(p.warp * places + p.lane + k * lanes, sum[k]);
  }

  // The sum of a row of the strip over the warps.
  template <class Ex>
  static ONEPASS_DEVICE S total(Ex ex, const SymvArgs& g, int row) {
    const int place = row + front(g);
    S total{};
#pragma unroll 4
    for (int w = 0; w < 1 << g.log2_groups; ++w) total = total + ex.template shared<S>(0).get(w * places + place);
    return total;
  }

 private:
  // Places in front of the first row of a strip.
  static ONEPASS_DEVICE int front(const SymvArgs& g) { return g.above > 0 ? g.above + 1 : 0; }

  // What all columns of a warp in a strip share.
  struct Way {
    int row0, front, between, tile, n;
    unsigned whole_from, whole;  // columns that have all rows of the strip, off the diagonal
    std::int64_t lda;            // between the warp's columns
    int phase_step;

    ONEPASS_DEVICE Way(const SymvArgs& g, const Product& p, const Strip& strip)
        : row0(strip.row0),
          front(ColumnRing::front(g)),
          between(g.upper ? 1 << g.log2_groups : -(1 << g.log2_groups)),
          tile(g.tile),
          n(p.n),
          whole_from(static_cast<unsigned>(g.upper ? strip.row0 + g.tile : 0)),
          lda(between * g.lda),
          phase_step(static_cast<int>(lda & g.align_mask)) {
      const int end = g.upper ? n : strip.row0 - g.above;
      const bool some = strip.row0 >= g.above && strip.row0 + g.tile <= n && end > static_cast<int>(whole_from);
      whole = some ? static_cast<unsigned>(end) - whole_from : 0u;
    }
    ONEPASS_DEVICE bool is_whole(int column) const { return static_cast<unsigned>(column) - whole_from < whole; }
    // With `more` ones behind it.
    ONEPASS_DEVICE bool are_whole(int column, int more) const {
      return is_whole(column) && is_whole(column + more * between);
    }
    ONEPASS_DEVICE bool exists(int column) const { return column >= 0 && column < n; }
    ONEPASS_DEVICE int row(int lane, int k) const { return row0 - front + lane + k * lanes; }
  };

  // A column of the warp. phase: how far its element in the strip's first row lies past the begin of a line.
  struct Ahead {
    int column, phase;
    const A* a;  // in the strip's first row

    ONEPASS_DEVICE Ahead(const Way& way, const SymvArgs& g, const Product& p, int c)
        : column(c), phase(static_cast<int>(p.offset + c * g.lda) & g.align_mask), a(p.a + (c * g.lda + way.row0)) {}
    ONEPASS_DEVICE void advance(const Way& way, const SymvArgs& g) {
      column += way.between;
      phase = (phase + way.phase_step) & g.align_mask;
      a += way.lda;
    }
  };

  // Which elements of a column's lines belong to the triangle, counted from the first one of its first line.
  struct Present {
    int from, to, diagonal;

    ONEPASS_DEVICE Present(const SymvArgs& g, const Way& way, const Ahead& ahead) {
      const int zero = ahead.phase - way.row0;  // of row 0
      diagonal = ahead.column + zero;
      from = zero > 0 ? zero : 0;
      to = at_most(way.n + zero, way.tile);
      if (g.upper) {
        to = at_most(diagonal + 1, to);
      } else {
        from = diagonal > from ? diagonal : from;
      }
      if (!way.exists(ahead.column)) to = from;
    }
    ONEPASS_DEVICE bool has(int e) const { return e >= from && e < to; }
  };

  template <class Ex>
  static ONEPASS_DEVICE auto stage_of(Ex ex, const SymvArgs& g, const Product& p, int stage) {
    return ex.template shared<A>(ring_at(g) + (p.warp * stages + stage) * places * size);
  }
  template <class Ex>
  static ONEPASS_DEVICE auto vectors_of(Ex ex, const SymvArgs& g, const Product& p, int stage) {
    return ex.template shared<exec::Vector16>(ring_at(g) + (p.warp * stages + stage) * places * size);
  }

  template <class Ex>
  static ONEPASS_DEVICE void fetch_whole(Ex ex, const SymvArgs& g, const Product& p, const Way& way, const Ahead& ahead,
                                         int stage) {
    const A* const line = ahead.a - ahead.phase;
    if constexpr (bulk) {
      const int words = words_at(g) + p.warp * stages * 8, first = ahead.phase - way.front;
      const auto to = stage_of(ex, g, p, stage);
      if (g.streams) {
        ex.copy_piece(words, stage, to, 0, line, way.tile, 0, way.tile, first, ex.stream_policy(0));
      } else {
        ex.copy_piece(words, stage, to, 0, line, way.tile, 0, way.tile, first);
      }
    } else {
      const auto to = vectors_of(ex, g, p, stage);
      const A* const mine = line + p.lane * V;
      const int vectors = way.tile / V - p.lane;
      const auto copy = [&](auto copy_vector) {
#pragma unroll
        for (int j = 0; j < rows / V; ++j)
          if (j * lanes < vectors) copy_vector(true, to, p.lane + j * lanes, mine + j * lanes * V, 0, V);
      };
      if (g.streams) {
        const typename Ex::StreamPolicy policy = ex.stream_policy(0);
        copy([&](auto... vector) { ex.stream_vector_if(vector..., policy); });
      } else {
        copy([&](auto... vector) { ex.copy_vector_if(vector...); });
      }
      ex.commit_copies();
    }
  }
  // In place of a column.
  template <class Ex>
  static ONEPASS_DEVICE void pass(Ex ex) {
    if constexpr (!bulk) ex.commit_copies();
  }
  template <class Ex>
  static ONEPASS_DEVICE void fetch(Ex ex, const SymvArgs& g, const Product& p, const Way& way, const Ahead& ahead,
                                   int stage) {
    if (way.is_whole(ahead.column)) return fetch_whole(ex, g, p, way, ahead, stage);
    const Present present(g, way, ahead);
    const auto to = stage_of(ex, g, p, stage);
    const A* const line = ahead.a - ahead.phase;
    if constexpr (bulk) {
      const int words = words_at(g) + p.warp * stages * 8;
      if (present.from >= present.to) return ex.pass_piece(words, stage);
      if (sticks_out(ahead, p)) {
        load_elements(ex, p, way, present, ahead, to);
        ex.order_before_copies();
        ex.sync_warp();
        return ex.pass_piece(words, stage);
      }
      const int begin = present.from & -V, end = (present.to + V - 1) & -V;
      ex.copy_piece(words, stage, to, begin, line + begin, end - begin, present.from - begin, present.to - begin,
                    ahead.phase - way.front);
    } else {
      if (sticks_out(ahead, p)) {
        load_elements(ex, p, way, present, ahead, to);
      } else {
#pragma unroll 1
        for (int v = p.lane; v < way.tile / V; v += lanes) {
          const int from = present.from > v * V ? present.from - v * V : 0, end = at_most(present.to - v * V, V);
          if (from < end) ex.copy_vector_if(true, vectors_of(ex, g, p, stage), v, line + v * V, from, end);
        }
      }
      ex.commit_copies();
    }
  }
  // Memory beyond the matrix is not touched.
  static ONEPASS_DEVICE bool sticks_out(const Ahead& ahead, const Product& p) {
    return V > 1 && (ahead.column == 0 || ahead.column == p.n - 1);
  }
  // To each lane those that it reads.
  template <class Ex, class Shared>
  static ONEPASS_DEVICE void load_elements(Ex ex, const Product& p, const Way& way, const Present& present,
                                           const Ahead& ahead, Shared to) {
#pragma unroll 1
    for (int e = p.lane - way.front + ahead.phase; e < present.to; e += lanes)
      if (present.has(e)) to.put(e, ex.load_once_if(true, ahead.a + (e - ahead.phase)));
  }

  // `left`: columns, from this one on.
  template <class Ex>
  static ONEPASS_DEVICE void wait(Ex ex, const SymvArgs& g, const Product& p, const Turn& turn, int left) {
    if constexpr (bulk) {
      ex.wait_for_piece(words_at(g) + p.warp * stages * 8, turn.stage, turn.odd, at_most(left - 1, stages - 1));
    } else {
      ex.template wait_for_copies_but<stages - 1>();
      ex.sync_warp();
    }
  }

  // sum[r] += A[r, c] x[c] and t += A[r, c] x[r] over the rows of a lane, in a column that has all of its lines.
  // Of a Hermitian matrix t is the sum of A[r, c] conj(x[r]), and is conjugated in the end.
  template <class Ex>
  static ONEPASS_DEVICE void use(Ex ex, const SymvArgs& g, const Product& p, const Way& way, int phase, int stage,
                                 const XFactor (&x_r)[rows], XFactor x, S (&sum)[rows], S& t) {
    const auto from = stage_of(ex, g, p, stage);
    const int e = phase - way.front + p.lane;
    const auto has = [&](int k) {
      return (k > 0 || e >= 0) && (k < rows - symv_ring_loose || e + k * lanes < way.tile);
    };
    A a[rows];
#pragma unroll
    for (int k = 0; k < rows; ++k) a[k] = has(k) ? from.get(e + k * lanes) : A{};
#pragma unroll
    for (int k = 0; k < rows; ++k) {
      const Factor factor = as<Factor>(a[k]);
      // Where there is no element, infinity times zero must not count.
      if (has(k)) {
        sum[k] = multiply_add(sum[k], factor, x);
        t = multiply_add(t, factor, x_r[k]);
      }
    }
  }

  // Likewise where it has some of them.
  template <class Ex>
  static ONEPASS_DEVICE void use_part(Ex ex, const SymvArgs& g, const Product& p, const Way& way, const Ahead& now,
                                      int stage, const XFactor (&x_r)[rows], XFactor x, S (&sum)[rows], S& t) {
    const auto from = stage_of(ex, g, p, stage);
    const Present present(g, way, now);
    const int e = now.phase - way.front + p.lane;
#pragma unroll
    for (int k = 0; k < rows; ++k) {
      const int at = e + k * lanes;
      if (!present.has(at)) continue;
      Factor a = as<Factor>(from.get(at));
      if constexpr (is_complex<S>) a.im = g.hermitian && at == present.diagonal ? 0 : a.im;
      sum[k] = multiply_add(sum[k], a, x);
      if (at != present.diagonal) t = multiply_add(t, a, x_r[k]);
    }
  }
};

}  // namespace onepass::kernels
