// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// C := C - V W^H - W V^H in one triangle, or C := C - V W^H in all of C, by the tensor cores for double precision. With
// 64 terms the time is that of reading and writing C, so C goes straight from memory to the registers of the tensor
// cores and back; V and W come through shared memory, some columns at a time.
//
// A block has a tile of 128 x 64 real numbers, each of its 8 warps 32 x 32: four times two products of 8 x 16. What mma
// calls rows are columns of C, so that the two sums side by side in a thread are adjacent in memory. Of complex
// numbers, which have twice as many terms for each byte, the tile is half as wide: products and copies of four blocks
// on an SM overlap better than those of two.
//
// A complex number is two real ones below each other. In P Q^H with p = p' + i p'' and q = q' + i q'':
//   real part       p' q' + p'' q''
//   imaginary part  p'' q' - p' q''
// so there are twice as many terms, P's pairs alternate between (p', p'') and (p'', -p'), and Q's are (q', q'').
#pragma once

#include "kernels/lapack/rank_2k_args.hpp"
#include "kernels/lapack/reflector.hpp"

namespace onepass::kernels {

// `aligned`: C, V and W begin at multiples of 16 bytes, and so do their columns.
template <class A, bool aligned, bool in_triangle = true>
struct Rank2k {
  static constexpr int reals = is_complex<A> ? 2 : 1;  // of an element
  static constexpr int rows = 128 / reals, columns = 64 / reals;
  static constexpr int max_threads = 4 * columns, min_blocks = 2 * reals;
  // Columns of V and W at a time, and such pieces on their way.
  static constexpr int depth = 16 / reals, stages = is_complex<A> ? 2 : 3;
  // In shared memory: with four more elements the lanes of a warp find theirs in different banks.
  static constexpr int row_pitch = rows + 4, column_pitch = columns + 4, piece = depth * (row_pitch + column_pitch);
  static constexpr std::size_t shared_bytes = stages * piece * sizeof(A);
  using Tiles = std::conditional_t<in_triangle, Rank2kTiles, RankKTiles>;
  static ONEPASS_HOST_DEVICE Tiles tiles(const Rank2kArgs& g) {
    if constexpr (in_triangle)
      return {g.n, rows, columns, g.lower};
    else
      return {g.m, g.n, rows, columns};
  }
  // Elements that are loaded, copied and stored together.
  static constexpr int vector = aligned ? 2 / reals : 1;
  struct alignas(vector * sizeof(A)) Vector {
    A element[vector];
  };

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const Rank2kArgs& g) {
    Tile<Ex> tile(ex, g);
    const int pieces = (in_triangle ? 2 : 1) * ((g.k + depth - 1) / depth);
    for (int i = 0; i < stages - 1; ++i) tile.copy(i, pieces);
    tile.load();
#pragma unroll 1
    for (int i = 0; i < pieces; ++i) {
      ex.template wait_for_copies_but<stages - 2>();
      ex.sync();
      tile.copy(i + stages - 1, pieces);
      tile.multiply(i % stages);
    }
    tile.store();
  }

 private:
  template <class Ex>
  struct Tile {
    Ex ex;
    const Rank2kArgs& g;
    typename Ex::template Shared<A> pieces_of;
    typename Ex::template Shared<double> numbers;
    int t, group, lane;  // thread; of four lanes, and the lane in it
    int row, column;     // the tile's first
    int warp_row, warp_column;
    bool whole;           // all of it is in C, and in the triangle
    double sum[2][4][4];  // - C + V W^H + W V^H: columns by 16, rows by 8

    ONEPASS_DEVICE Tile(Ex exec, const Rank2kArgs& args)
        : ex(exec),
          g(args),
          pieces_of(exec.template shared<A>(0)),
          numbers(exec.template shared<double>(0)),
          t(exec.thread()),
          group(t % 32 / 4),
          lane(t % 4),
          warp_row(t / 32 % 4 * 32),
          warp_column(t / 128 * 32) {
      const auto place = tiles(g).place(static_cast<int>(exec.block_x()));
      row = place.row;
      column = place.column;
      whole = row + rows <= g.m && column + columns <= g.n &&
              (!in_triangle || (g.lower ? row >= column + columns - 1 : row + rows - 1 <= column));
    }

    // Sets a piece on its way: rows of V and columns of W^H, then, in a triangle, rows of W and columns of V^H.
    ONEPASS_DEVICE void copy(int number, int pieces) const {
      if (number < pieces) {
        const bool first = !in_triangle || number < pieces / 2;
        const int from = (first ? number : number - pieces / 2) * depth, to = number % stages * piece;
        copy_part<rows, row_pitch>(first ? g.v : g.w, first ? g.ldv : g.ldw, g.m, row, from, to);
        copy_part<columns, column_pitch>(first ? g.w : g.v, first ? g.ldw : g.ldv, g.n, column, from,
                                         to + depth * row_pitch);
      }
      ex.commit_copies();
    }
    template <int count, int pitch>
    ONEPASS_DEVICE void copy_part(const void* matrix, std::int64_t ld, int length, int first, int from, int to) const {
      constexpr int together = max_threads * vector / count;  // columns
      const int i = t * vector % count, k = t * vector / count;
      const A* element = static_cast<const A*>(matrix) + first + i + (from + k) * ld;
      const int left = length - first - i, end = left < vector ? left : vector;
#pragma unroll
      for (int q = 0; q < depth; q += together, element += together * ld)
        ex.template copy_elements<vector>(pieces_of, to + (k + q) * pitch + i, element, 0,
                                          from + k + q < g.k ? end : 0);
    }

    // Calls use(place in C, its real numbers in the sums) for each of this thread's in the triangle; if that is all of
    // them, by vectors.
    template <bool all, class Use>
    ONEPASS_DEVICE void each(Use use) {
#pragma unroll
      for (int m = 0; m < 2; ++m)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const int j = column + warp_column + m * 16 + h * 8 + group, i = row + (warp_row + 2 * lane) / reals;
          A* const c = static_cast<A*>(g.c) + i + j * g.ldc;
#pragma unroll
          for (int n = 0; n < 4; ++n)
#pragma unroll
            for (int e = 0; e < 2; e += all ? vector * reals : reals) {
              const int down = (n * 8 + e) / reals;
              const bool wanted =
                  all || (i + down < g.m && j < g.n && (!in_triangle || (g.lower ? i + down >= j : i + down <= j)));
              if (wanted) use(c + down, &sum[m][n][2 * h + e]);
            }
        }
    }
    ONEPASS_DEVICE void load() {
#pragma unroll
      for (int m = 0; m < 2; ++m)
#pragma unroll
        for (int n = 0; n < 4; ++n)
#pragma unroll
          for (int e = 0; e < 4; ++e) sum[m][n][e] = 0;
      if (whole)
        each<true>([&](const A* c, double* number) { put(ex.load_own(reinterpret_cast<const Vector*>(c)), number); });
      else
        each<false>([&](const A* c, double* number) { put(ex.load_own(c), number); });
        // Behind the last load.
#pragma unroll
      for (int m = 0; m < 2; ++m)
#pragma unroll
        for (int n = 0; n < 4; ++n)
#pragma unroll
          for (int e = 0; e < 4; ++e) sum[m][n][e] = -sum[m][n][e];
    }
    ONEPASS_DEVICE void store() {
      if (whole)
        each<true>([&](A* c, const double* number) {
          Vector value;
#pragma unroll
          for (int e = 0; e < vector; ++e) value.element[e] = negative(number + e);
          ex.store(reinterpret_cast<Vector*>(c), value);
        });
      else
        each<false>([&](A* c, const double* number) { ex.store(c, negative(number)); });
    }
    static ONEPASS_DEVICE void put(const A& value, double* number) {
      number[0] = real_part(value);
      if constexpr (is_complex<A>) number[1] = imaginary_part(value);
    }
    static ONEPASS_DEVICE void put(const Vector& value, double* number) {
#pragma unroll
      for (int e = 0; e < vector; ++e) put(value.element[e], number + e);
    }
    static ONEPASS_DEVICE A negative(const double* number) {
      if constexpr (is_complex<A>)
        return {-number[0], -number[1]};
      else
        return -number[0];
    }

    ONEPASS_DEVICE void multiply(int stage) {
      const int of_rows = stage * piece * reals, of_columns = of_rows + depth * row_pitch * reals;
      // Of a complex number: which of its parts this lane has, for a row with its sign.
      const int odd_row = group % 2, odd_term = lane % 2;
#pragma unroll
      for (int k = 0; k < 16; k += 4) {
        const int term = k + lane;
        double a[2][2], b[4];
#pragma unroll
        for (int m = 0; m < 2; ++m)
#pragma unroll
          for (int h = 0; h < 2; ++h) {
            const int j = warp_column + m * 16 + h * 8 + group;
            a[m][h] = numbers.get(of_columns + (is_complex<A> ? term / 2 * column_pitch * 2 + 2 * j + odd_term
                                                              : term * column_pitch + j));
          }
#pragma unroll
        for (int n = 0; n < 4; ++n) {
          const int i = warp_row + n * 8 + group;
          if constexpr (is_complex<A>) {
            const double number = numbers.get(of_rows + term / 2 * row_pitch * 2 + i - odd_row + (odd_row ^ odd_term));
            b[n] = odd_row == 1 && odd_term == 1 ? -number : number;
          } else {
            b[n] = numbers.get(of_rows + term * row_pitch + i);
          }
        }
#pragma unroll
        for (int m = 0; m < 2; ++m)
#pragma unroll
          for (int n = 0; n < 4; ++n) ex.matrix_multiply_add(sum[m][n], a[m], b[n]);
      }
    }
  };
};

}  // namespace onepass::kernels
