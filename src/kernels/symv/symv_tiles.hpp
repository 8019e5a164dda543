// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv_tiles: symv for sums with more digits, whose instructions would take as long as the bytes.
//
//            8 columns of a warp        A warp copies a tile of 32 vectors in 8 columns to shared memory, past the
//           +--------+                  registers, and reads it twice from there, while the next one is on its way:
//  lane 0   |        |  -> y[r]           for y[r] lane l has vector l of each column; the sums of rows wait in
//  lane 1   |        |                    shared memory for the next columns of the warp;
//   ...     |        |                    for y[c] lane l has column l mod 8, and there eight of the vectors; its sum
//  lane 31  |        |                    goes on in the next tile below, to the end of the strip.
//           +--------+                  So a product takes a load, and lanes share no sum before the end of a strip.
//            v    v y[c]
//
// Strips, units, blocks and mailboxes: blocks/strips.hpp. Sums with twice the digits are made around anchors, tile by
// tile.
//
// Columns start on 16-byte boundaries, and their length is a multiple of a vector.
#pragma once

#include <cstring>

#include "kernels/blocks/anchored.hpp"
#include "kernels/blocks/columns.hpp"
#include "kernels/blocks/operand.hpp"
#include "kernels/blocks/strip_segments.hpp"
#include "kernels/blocks/strips.hpp"
#include "kernels/blocks/triangle_tile.hpp"
#include "kernels/symv/symv_args.hpp"

namespace onepass::kernels {

// Single products (the plain form).
template <class E>
struct SymvTiles {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Factor = typename E::Factor;
  using XFactor = typename E::XFactor;
  using Tile = TriangleTile<A>;
  static constexpr int V = vector_length<A>, columns = symv_tile_columns, pitch = symv_tile_pitch;
  static constexpr int rows = Tile::rows, tile_vectors = columns * pitch, stages = symv_tile_stages;  // of a tile
  static constexpr bool anchored = can_have_anchor<E>;
  static constexpr int max_threads = symv_tiles_max_threads;
  static constexpr int min_blocks = 1;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const SymvTilesArgs& g) {
    const Warp w(ex, g);
    walk_strips<E>(ex, g,
                   {.rows_at = 0, .rows = g.tile, .held_at = w.room.held, .kept_at = g.keeps_rows ? w.room.kept : -1},
                   [&](const Strip& strip, int first, int count, const HeldColumns& held) {
                     multiply(ex, g, w, strip, first, count, held);
                   });
  }

 private:
  template <class Ex, class T>
  using Shared = typename Ex::template Shared<T>;

  // What a thread has of the launch: its place, and the arrays of its warp in shared memory.
  struct Warp {
    int lane, warp, warps, n;
    int sums;  // of the warp, in vectors
    SymvTilesRoom room;

    template <class Ex>
    ONEPASS_DEVICE Warp(Ex ex, const SymvTilesArgs& g)
        : lane(ex.thread() & (symv_lanes - 1)),
          warp(ex.thread() / symv_lanes),
          warps(ex.threads() / symv_lanes),
          n(static_cast<int>(g.rows)),
          sums(warp * g.tile * static_cast<int>(sizeof(S)) / 16),
          room(symv_tiles_room(g.tile, warps, g.held, g.keeps_rows, sizeof(S), sizeof(XFactor), anchored)) {}
    // As factors, or as vectors, of which one may hold several.
    template <class T = XFactor, class Ex>
    ONEPASS_DEVICE Shared<Ex, T> x_rows(Ex ex) const {
      return ex.template shared<T>(room.x_rows);
    }
    template <class T = XFactor, class Ex>
    ONEPASS_DEVICE Shared<Ex, T> x_columns(Ex ex) const {
      return ex.template shared<T>(room.x_columns + warp * columns * static_cast<int>(sizeof(XFactor)));
    }
    ONEPASS_DEVICE int high_columns() const { return room.high_columns + warp * columns * 4; }
    template <class Ex>
    ONEPASS_DEVICE Shared<Ex, exec::Vector16> tiles(Ex ex) const {
      return ex.template shared<exec::Vector16>(room.tiles + warp * stages * tile_vectors * 16);
    }
  };

  // x of the strip's rows, for the block, and sums of zero, for the warp.
  template <class Ex>
  static ONEPASS_DEVICE void start_rows(Ex ex, const SymvTilesArgs& g, const Warp& w, const Strip& strip) {
    const X* const x = static_cast<const X*>(g.x) + strip.row0 * g.incx;
#pragma unroll 1
    for (int r = ex.thread(); r < g.tile; r += ex.threads()) {
      const X element = ex.load_cached_if(r < strip.rows, x + r * g.incx);
      const XFactor factor = conjugate_if(g.conjugate != g.hermitian, as<XFactor>(element));
      w.x_rows(ex).put(r, factor);
      if constexpr (anchored) ex.template shared<std::uint32_t>(w.room.high_rows).put(r, high_word(factor));
    }
    const auto sums = ex.template shared<exec::Vector16>(0);
#pragma unroll 1
    for (int i = w.lane; i < g.tile * static_cast<int>(sizeof(S)) / 16; i += symv_lanes) sums.put(w.sums + i, {});
  }

  // The place of a lane's vector in the first column of a tile.
  static ONEPASS_DEVICE const A* place_of(const SymvTilesArgs& g, const Warp& w, const Strip& strip, const Tile& tile) {
    return static_cast<const A*>(g.a) + (tile.column * g.lda + (strip.row0 + tile.row + w.lane * V));
  }

  // Starts the copies of a tile, from that place on; elements that do not belong to the triangle stay where they are.
  template <class Ex>
  static ONEPASS_DEVICE void fetch(Ex ex, const SymvTilesArgs& g, const Warp& w, const Strip& strip, const Tile& tile,
                                   const A* from, int at) {
    const auto to = w.tiles(ex);
    if (tile.whole > 0 && g.streams) {
      const typename Ex::StreamPolicy policy = ex.stream_policy(0);
#pragma unroll
      for (int u = 0; u < columns; ++u) {
        ex.stream_vector_if(true, to, at + u * pitch + w.lane, from, 0, V, policy);
        from += g.lda;
      }
    } else if (tile.whole > 0) {
#pragma unroll
      for (int u = 0; u < columns; ++u) {
        ex.copy_vector_if(true, to, at + u * pitch + w.lane, from, 0, V);
        from += g.lda;
      }
    } else {
      const int row = strip.row0 + tile.row + w.lane * V, end = strip.row0 + strip.rows;
#pragma unroll
      for (int u = 0; u < columns; ++u) {
        const int below = tile.column + u - row;  // rows from the first one to the diagonal
        const int first = g.upper || below < 0 ? 0 : below, beyond = g.upper ? at_most(below + 1, V) : V;
        ex.copy_vector_if(tile.column + u < w.n && row < end && first < beyond, to, at + u * pitch + w.lane, from,
                          first, beyond);
        from += g.lda;
      }
    }
  }

  // Units first, first - 1, ... of a strip: sums of rows into shared memory, sums of columns there or into their
  // mailboxes.
  template <class Ex>
  static ONEPASS_DEVICE void multiply(Ex ex, const SymvTilesArgs& g, const Warp& w, const Strip& strip, int first,
                                      int count, const HeldColumns& held) {
    Tile tile{.left = count, .column = strip.column(g, first) + w.warp * columns, .row = 0};
    tile.seek(g, strip);
    Tile ahead = tile;
    const A* from = place_of(g, w, strip, ahead);
    const auto fetch_ahead = [&](int at) {
      if (ahead.left > 0) {
        fetch(ex, g, w, strip, ahead, from, at);
        const bool goes_on = ahead.whole > 1;
        ahead.advance(g, strip);
        from = goes_on ? from + Tile::rows : place_of(g, w, strip, ahead);
      }
      ex.commit_copies();
    };
#pragma unroll 1
    for (int i = 0; i < stages; ++i) fetch_ahead(i * tile_vectors);
    // A lane's element of x in the columns of a unit.
    const auto x_of = [&](int column) {
      const int c = column + w.lane;
      return ex.load_cached_if(w.lane < columns && c >= 0 && c < w.n, static_cast<const X*>(g.x) + c * g.incx);
    };
    int next_column = tile.column, at = 0;
    X next_x = x_of(next_column);
    start_rows(ex, g, w, strip);
    ex.sync();
#pragma unroll 1
    while (tile.left > 0) {
      const int column = tile.column;
      if (column != next_column) next_x = x_of(column);
      if (w.lane < columns) {
        const XFactor factor = conjugate_if(g.conjugate, as<XFactor>(next_x));
        w.x_columns(ex).put(w.lane, factor);
        if constexpr (anchored) ex.template shared<std::uint32_t>(w.high_columns()).put(w.lane, high_word(factor));
      }
      next_column = column + Tile::step(g);
      next_x = x_of(next_column);
      S of_column{};
#pragma unroll 1
      do {
        ex.template wait_for_copies_but<stages - 1>();
        ex.sync_warp();
        const int place = w.sums + (tile.row + w.lane * V) * static_cast<int>(sizeof(S)) / 16;
        S of_row[V];
        get_sums(ex, place, of_row);
        if (tile.whole > 0) {
          add_rows(ex, w, at, of_row);
          add_columns(ex, w, tile, at, of_column);
        } else {
          add_rows_inside(ex, g, w, strip, tile, at, of_row);
          add_columns_inside(ex, g, w, strip, tile, at, of_column);
        }
        put_sums(ex, place, of_row);
        ex.sync_warp();
        fetch_ahead(at);
        at = at + tile_vectors == stages * tile_vectors ? 0 : at + tile_vectors;
        tile.advance(g, strip);
      } while (tile.left > 0 && tile.column == column);
      finish_columns(ex, g, w, strip, column, held, of_column);
    }
  }

  // Eight vectors of a lane, as factors.
  template <class Ex>
  static ONEPASS_DEVICE void load(Shared<Ex, exec::Vector16> tiles, int first, int step, Factor (&a)[columns][V]) {
#pragma unroll
    for (int k = 0; k < columns; ++k) {
      A element[V];
      unpack(tiles.get(first + k * step), element);
#pragma unroll
      for (int v = 0; v < V; ++v) a[k][v] = as<Factor>(element[v]);
    }
  }

  // Elements of x in shared memory, from place `first` on, the first one of a vector. Where a vector has two it is
  // loaded for both, if they are asked for in turn.
  template <class Ex>
  class OfX {
   public:
    ONEPASS_DEVICE OfX(Shared<Ex, exec::Vector16> vectors, int first) : vectors_(vectors), first_(first) {}
    ONEPASS_DEVICE XFactor operator()(int k) {
      if (k % of_vector == 0) {
        const exec::Vector16 vector = vectors_.get((first_ + k) / of_vector);
        std::memcpy(static_cast<void*>(x_), &vector, sizeof(vector));
      }
      return x_[k % of_vector];
    }

   private:
    static constexpr int of_vector = 16 / static_cast<int>(sizeof(XFactor));
    Shared<Ex, exec::Vector16> vectors_;
    int first_;
    XFactor x_[of_vector];
  };

  // sum += a(k) x(k) over so many terms, around an anchor. `high`: four high words of x in each, from place `first` on.
  template <int terms, class Ex, class Elements, class Factors>
  static ONEPASS_DEVICE S add_anchored(S sum, Elements a, Factors x, Shared<Ex, exec::Vector16> high, int first) {
    exec::Vector16 highs[terms / 4];
#pragma unroll
    for (int i = 0; i < terms / 4; ++i) highs[i] = high.get(first / 4 + i);
    return add_terms<terms, true>(sum, true, a, x, [&](int k) { return highs[k / 4].word[k % 4]; });
  }

  // sum[v] += A[r, c] x[c] over the columns of a tile.
  template <class Ex>
  static ONEPASS_DEVICE void add_rows(Ex ex, const Warp& w, int at, S (&sum)[V]) {
    OfX<Ex> x(w.template x_columns<exec::Vector16>(ex), 0);
    Factor a[columns][V];
    load<Ex>(w.tiles(ex), at + w.lane, pitch, a);
    if constexpr (anchored) {
      const auto high = ex.template shared<exec::Vector16>(w.high_columns());
      if constexpr (V == 1) {
        sum[0] = add_anchored<columns, Ex>(
            sum[0], [&](int k) { return a[k][0]; }, x, high, 0);
      } else {
        XFactor of_all[columns];
#pragma unroll
        for (int u = 0; u < columns; ++u) of_all[u] = x(u);
#pragma unroll
        for (int v = 0; v < V; ++v)
          sum[v] = add_anchored<columns, Ex>(
              sum[v], [&](int k) { return a[k][v]; }, [&](int k) { return of_all[k]; }, high, 0);
      }
    } else {
#pragma unroll
      for (int u = 0; u < columns; ++u) {
        const XFactor factor = x(u);
#pragma unroll
        for (int v = 0; v < V; ++v) sum[v] = multiply_add(sum[v], a[u][v], factor);
      }
#pragma unroll
      for (int v = 0; v < V; ++v) sum[v] = settled(sum[v]);
    }
  }

  // Of the vectors of a column a lane has eight, from this one on.
  static ONEPASS_DEVICE int first_vector(const Warp& w) { return w.lane / columns * columns; }

  // sum += A[r, c] x[r] over a lane's rows of a tile.
  template <class Ex>
  static ONEPASS_DEVICE void add_columns(Ex ex, const Warp& w, const Tile& tile, int at, S& sum) {
    const int first = first_vector(w), row = tile.row + first * V;
    OfX<Ex> x(w.template x_rows<exec::Vector16>(ex), row);
    Factor a[columns][V];
    load<Ex>(w.tiles(ex), at + w.lane % columns * pitch + first, 1, a);
    if constexpr (anchored) {
      const auto high = ex.template shared<exec::Vector16>(w.room.high_rows);
      sum = add_anchored<columns * V, Ex>(
          sum, [&](int k) { return a[k / V][k % V]; }, x, high, row);
    } else {
#pragma unroll
      for (int k = 0; k < columns; ++k)
#pragma unroll
        for (int v = 0; v < V; ++v) sum = multiply_add(sum, a[k][v], x(k * V + v));
      sum = settled(sum);
    }
  }

  // Likewise of a tile that is not whole. Sums that no element belongs to are made all the same, and dropped, so that
  // one product does not wait for another.
  static constexpr int unrolled = sizeof(S) > 16 ? 1 : is_complex<S> ? columns / 2 : columns;
  template <class Ex>
  static ONEPASS_DEVICE void add_rows_inside(Ex ex, const SymvTilesArgs& g, const Warp& w, const Strip& strip,
                                             const Tile& tile, int at, S (&sum)[V]) {
    const int row = strip.row0 + tile.row + w.lane * V, end = strip.row0 + strip.rows;
#pragma unroll unrolled
    for (int u = 0; u < columns; ++u) {
      const int c = tile.column + u;
      const XFactor x = w.x_columns(ex).get(u);
      A element[V];
      unpack(w.tiles(ex).get(at + u * pitch + w.lane), element);
#pragma unroll
      for (int v = 0; v < V; ++v) {
        Factor a = as<Factor>(element[v]);
        if constexpr (is_complex<S>) a.im = g.hermitian && row + v == c ? 0 : a.im;
        sum[v] = choose(Tile::has(g, end, row + v, c), multiply_add(sum[v], a, x), sum[v]);
      }
    }
#pragma unroll
    for (int v = 0; v < V; ++v) sum[v] = settled(sum[v]);
  }
  template <class Ex>
  static ONEPASS_DEVICE void add_columns_inside(Ex ex, const SymvTilesArgs& g, const Warp& w, const Strip& strip,
                                                const Tile& tile, int at, S& sum) {
    const int c = tile.column + w.lane % columns, end = strip.row0 + strip.rows, first = first_vector(w);
#pragma unroll unrolled
    for (int k = 0; k < columns; ++k) {
      A element[V];
      unpack(w.tiles(ex).get(at + w.lane % columns * pitch + first + k), element);
#pragma unroll
      for (int v = 0; v < V; ++v) {
        const int row = tile.row + (first + k) * V + v, r = strip.row0 + row;
        sum = choose(r != c && Tile::has(g, end, r, c),
                     multiply_add(sum, as<Factor>(element[v]), w.x_rows(ex).get(row)), sum);
      }
    }
    sum = settled(sum);
  }

  // A lane's sums of rows, from vector `place` of shared memory on.
  static constexpr int vectors_of_sums = V * static_cast<int>(sizeof(S)) / 16;
  template <class Ex>
  static ONEPASS_DEVICE void get_sums(Ex ex, int place, S (&sum)[V]) {
#pragma unroll
    for (int i = 0; i < vectors_of_sums; ++i) {
      const exec::Vector16 vector = ex.template shared<exec::Vector16>(0).get(place + i);
      std::memcpy(reinterpret_cast<char*>(sum) + 16 * i, &vector, 16);
    }
  }
  template <class Ex>
  static ONEPASS_DEVICE void put_sums(Ex ex, int place, const S (&sum)[V]) {
#pragma unroll
    for (int i = 0; i < vectors_of_sums; ++i) {
      exec::Vector16 vector;
      std::memcpy(&vector, reinterpret_cast<const char*>(sum) + 16 * i, 16);
      ex.template shared<exec::Vector16>(0).put(place + i, vector);
    }
  }

  // The sums of a warp's columns over the rows of a strip.
  template <class Ex>
  static ONEPASS_DEVICE void finish_columns(Ex ex, const SymvTilesArgs& g, const Warp& w, const Strip& strip,
                                            int column, const HeldColumns& held, S sum) {
#pragma unroll
    for (int mask = columns; mask < symv_lanes; mask *= 2) sum = sum + ex.shuffle_xor(sum, mask);
    deliver_columns(ex, g, strip, held, w.room.held, column, conjugate_if(g.hermitian, sum));
  }
};

}  // namespace onepass::kernels
