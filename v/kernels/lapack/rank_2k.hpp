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
//
// The first product of the panel behind the update may be made here, while a tile of the triangle is in registers: sums
// of its rows and columns times x, which saves that panel one pass over C.
#pragma once

#include "kernels/lapack/rank_2k_args.hpp"
#include "kernels/lapack/reflector.hpp"

namespace onepass::kernels {

// `aligned`: C, V and W begin at multiples of 16 bytes, and so do their columns.
template <class A, bool aligned, bool in_triangle = true, bool multiplies = false>
struct Rank2k {
  static constexpr int reals = is_complex<A> ? 2 : 1;  // of an element
  static constexpr int rows = rank_2k_rows(sizeof(A)), columns = rank_2k_columns(sizeof(A));
  static constexpr int max_threads = 4 * columns, min_blocks = 2 * reals;
  // Columns of V and W at a time, and such pieces on their way.
  static constexpr int depth = 16 / reals, stages = is_complex<A> ? 2 : 3;
  // In shared memory: with four more elements the lanes of a warp find theirs in different banks.
  static constexpr int row_pitch = rows + 4, column_pitch = columns + 4, piece = depth * (row_pitch + column_pitch);
  // Behind the pieces: x of the tile's rows and columns, and sums of its rows and columns by the warps that have a
  // part.
  static constexpr int warps_down = 4, warps_across = max_threads / 32 / warps_down;
  static constexpr int at_x = stages * piece, at_row_sums = at_x + rows + columns;
  static constexpr int at_column_sums = at_row_sums + warps_across * rows;
  static constexpr std::size_t shared_bytes =
      (multiplies ? at_column_sums + warps_down * columns : stages * piece) * sizeof(A);
  using Tiles = std::conditional_t<in_triangle, Rank2kTiles, RankKTiles>;
  static ONEPASS_HOST_DEVICE Tiles tiles(const Rank2kArgs& g) {
    if constexpr (in_triangle)
      return {g.n, sizeof(A), g.lower};
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
    if constexpr (multiplies) tile.copy_x();
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
    if constexpr (multiplies) tile.multiply_by_x();
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

    // x of its rows and columns, which comes with the first piece.
    ONEPASS_DEVICE void copy_x() const {
      if (t >= rows + columns) return;
      const int i = t < rows ? row + t : column + t - rows, at = g.in_panel(i);
      ex.template copy_elements<1>(pieces_of, at_x + t, static_cast<const A*>(g.x) + at, 0,
                                   i < g.n && at >= g.skipped ? 1 : 0);
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

    // The tile times x, and its adjoint: to where the next panel adds them up.
    ONEPASS_DEVICE void multiply_by_x() {
      if (whole)
        sum_products<true>();
      else
        sum_products<false>();
      ex.sync();
      if (t >= rows + columns) return;
      const bool of_row = t < rows;
      const int i = of_row ? row + t : column + t - rows, at = g.in_panel(i);
      if (i >= g.n || at < g.skipped) return;
      A total{};
#pragma unroll
      for (int w = 0; w < (of_row ? warps_across : warps_down); ++w)
        total = total + pieces_of.get(of_row ? at_row_sums + w * rows + t : at_column_sums + w * columns + t - rows);
      const auto all = tiles(g);
      const int slot = of_row ? all.row_slot({row, column}) : all.column_slot({row, column});
      ex.store_fresh(static_cast<A*>(g.sums) + slot * g.pitch + at - g.skipped, total);
    }
    template <bool all>
    ONEPASS_DEVICE void sum_products() const {
      // A thread has elements of 8 / reals rows, in pairs of reals, and of four columns.
      constexpr int in_pair = 2 / reals, of_rows = 4 * in_pair;
      const auto tile_row = [&](int r) {
        return (warp_row + 2 * lane) / reals + r / in_pair * 8 / reals + r % in_pair;
      };
      const auto tile_column = [&](int c) { return warp_column + c * 8 + group; };
      A x[of_rows], row_sum[of_rows] = {}, column_sum[4] = {};
#pragma unroll
      for (int r = 0; r < of_rows; ++r) x[r] = pieces_of.get(at_x + tile_row(r));
#pragma unroll
      for (int c = 0; c < 4; ++c) {
        const A x_c = pieces_of.get(at_x + rows + tile_column(c));
#pragma unroll
        for (int r = 0; r < of_rows; ++r) {
          A element = negative(&sum[c / 2][r / in_pair][c % 2 * 2 + r % in_pair * reals]), below = conjugate(element);
          if constexpr (!all) {
            const int i = row + tile_row(r), j = column + tile_column(c);
            if (i >= g.m || j >= g.n || (g.lower ? i < j : i > j)) element = below = A{};
            if (i == j) {
              element = from_real<A>(real_part(element));
              below = A{};
            }
          }
          row_sum[r] = multiply_add(row_sum[r], element, x_c);
          column_sum[c] = multiply_add(column_sum[c], below, x[r]);
        }
      }
      // Over the groups of four lanes; then over the lanes of a group.
      const A of_row = transposed_sum<of_rows, 32, 4>(ex, row_sum), of_column = transposed_sum<4, 4>(ex, column_sum);
      if (group % reals == 0) pieces_of.put(at_row_sums + warp_column / 32 * rows + tile_row(group / reals), of_row);
      pieces_of.put(at_column_sums + warp_row / 32 * columns + tile_column(lane), of_column);
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
