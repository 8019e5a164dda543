// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// C := C - V W^H - W V^H in one triangle, or C := C - V W^H in all of C, by the tensor cores. With 64 terms the time is
// that of reading and writing C, so C goes straight from memory to the registers of the tensor cores and back; V and W
// come through shared memory, some columns at a time.
//
// A block has a tile of 128 x 32 real numbers, each of its four warps 32 x 32 (rank_2k_products.hpp). A complex number
// is two real ones below each other. Of `d` alone, which has the fewest products for each byte, the tile is twice as
// wide: products and copies of four blocks on an SM overlap better than those of two.
//
// The first product of the panel behind the update may be made here, while a tile of the triangle is in registers: sums
// of its rows and columns times x, which saves that panel one pass over C.
#pragma once

#include "kernels/lapack/rank_2k_args.hpp"
#include "kernels/lapack/rank_2k_products.hpp"

namespace onepass::kernels {

// `aligned`: C, V and W begin at multiples of 16 bytes, and so do their columns.
template <class A, bool aligned, bool in_triangle = true, bool multiplies = false>
struct Rank2k {
  using R = RealOf<A>;
  using Products = Rank2kProducts<A>;
  static constexpr int reals = Products::reals;  // of an element
  static constexpr Rank2kShape shape{sizeof(A), sizeof(R)};
  static constexpr int rows = shape.rows, columns = shape.columns;
  static constexpr int max_threads = 4 * columns, min_blocks = 512 / max_threads;
  // Columns of V and W at a time, and such pieces on their way.
  static constexpr int depth = 16 / reals, stages = sizeof(A) == 16 ? 2 : 3;
  static constexpr int row_pitch = rows + Products::padding, column_pitch = columns + Products::padding;
  static constexpr int piece = depth * (row_pitch + column_pitch);
  // Behind the pieces: x of the tile's rows and columns, and sums of its rows and columns by the warps that have a
  // part.
  static constexpr int warps_down = 4, warps_across = max_threads / 32 / warps_down;
  static constexpr int at_x = stages * piece, at_row_sums = at_x + rows + columns;
  static constexpr int at_column_sums = at_row_sums + warps_across * rows;
  static constexpr std::size_t shared_bytes = rank_2k_shared_bytes(sizeof(A), sizeof(R), multiplies);
  static_assert(shared_bytes == (multiplies ? at_column_sums + warps_down * columns : stages * piece) * sizeof(A));
  using Tiles = std::conditional_t<in_triangle, Rank2kTiles, RankKTiles>;
  static ONEPASS_HOST_DEVICE Tiles tiles(const Rank2kArgs& g) {
    if constexpr (in_triangle)
      return {g.n, shape, g.lower};
    else
      return {g.m, g.n, shape};
  }
  // Elements that are loaded, copied and stored together.
  static constexpr int vector = aligned ? Products::in_vector / reals : 1;
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
    tile.products.begin(ex);
#pragma unroll 1
    for (int i = 0; i < pieces; ++i) {
      ex.template wait_for_copies_but<stages - 2>();
      ex.sync();
      tile.copy(i + stages - 1, pieces);
      tile.multiply(i % stages * piece * reals);
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
    int t;            // thread
    int row, column;  // the tile's first
    int warp_row, warp_column;
    bool whole;  // all of it is in C, and in the triangle
    Products products;

    ONEPASS_DEVICE Tile(Ex exec, const Rank2kArgs& args)
        : ex(exec),
          g(args),
          pieces_of(exec.template shared<A>(0)),
          t(exec.thread()),
          warp_row(t / 32 % 4 * 32),
          warp_column(t / 128 * 32),
          products(t) {
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

    // Calls use(place in C, its real numbers) for each of this thread's in the triangle; if that is all of them, by
    // vectors.
    template <bool all, class Use>
    ONEPASS_DEVICE void each(Use use) {
#pragma unroll
      for (int c = 0; c < 4; ++c) {
        const int m = c / 2, h = c % 2, j = column + warp_column + products.column(m, h);
        const int first = row + (warp_row + products.row(0)) / reals;
        A* const place = static_cast<A*>(g.c) + first + j * g.ldc;
#pragma unroll
        for (int v = 0; v < Products::vectors; ++v)
#pragma unroll
          for (int e = 0; e < Products::in_vector; e += all ? vector * reals : reals) {
            const int down = (products.row(v) - products.row(0) + e) / reals, i = first + down;
            const bool wanted = all || (i < g.m && j < g.n && (!in_triangle || (g.lower ? i >= j : i <= j)));
            if (wanted) use(place + down, products.numbers(m, h, v) + e);
          }
      }
    }
    ONEPASS_DEVICE void load() {
      if (whole)
        each<true>([&](const A* c, R* number) { put(ex.load_own(reinterpret_cast<const Vector*>(c)), number); });
      else
        each<false>([&](const A* c, R* number) { put(ex.load_own(c), number); });
    }
    ONEPASS_DEVICE void store() {
      if (whole)
        each<true>([&](A* c, const R* number) {
          Vector value;
#pragma unroll
          for (int e = 0; e < vector; ++e) value.element[e] = result(number + e * reals);
          ex.store(reinterpret_cast<Vector*>(c), value);
        });
      else
        each<false>([&](A* c, const R* number) { ex.store(c, result(number)); });
    }
    static ONEPASS_DEVICE void put(const A& value, R* number) {
      number[0] = real_part(value);
      if constexpr (is_complex<A>) number[1] = imaginary_part(value);
    }
    static ONEPASS_DEVICE void put(const Vector& value, R* number) {
#pragma unroll
      for (int e = 0; e < vector; ++e) put(value.element[e], number + e * reals);
    }
    // What it has become.
    ONEPASS_DEVICE A result(const R* number) const {
      if constexpr (is_complex<A>)
        return {Products::result(ex, number[0]), Products::result(ex, number[1])};
      else
        return Products::result(ex, number[0]);
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
    ONEPASS_DEVICE void sum_products() {
      // A thread has elements of 8 / reals rows, some adjacent, and of four columns.
      constexpr int in_vector = Products::in_vector / reals, of_rows = 8 / reals;
      const auto tile_row = [&](int r) { return (warp_row + products.row(r / in_vector)) / reals + r % in_vector; };
      const auto tile_column = [&](int c) { return warp_column + products.column(c / 2, c % 2); };
      A x[of_rows], row_sum[of_rows] = {}, column_sum[4] = {};
#pragma unroll
      for (int r = 0; r < of_rows; ++r) x[r] = pieces_of.get(at_x + tile_row(r));
#pragma unroll
      for (int c = 0; c < 4; ++c) {
        const A x_c = pieces_of.get(at_x + rows + tile_column(c));
#pragma unroll
        for (int r = 0; r < of_rows; ++r) {
          A here = result(products.numbers(c / 2, c % 2, r / in_vector) + r % in_vector * reals);
          A below = conjugate(here);
          if constexpr (!all) {
            const int i = row + tile_row(r), j = column + tile_column(c);
            if (i >= g.m || j >= g.n || (g.lower ? i < j : i > j)) here = below = A{};
            if (i == j) {
              here = from_real<A>(real_part(here));
              below = A{};
            }
          }
          row_sum[r] = multiply_add(row_sum[r], here, x_c);
          column_sum[c] = multiply_add(column_sum[c], below, x[r]);
        }
      }
      // Over the groups of four lanes; then over the lanes of a group.
      const A of_row = transposed_sum<of_rows, 32, 4>(ex, row_sum), of_column = transposed_sum<4, 4>(ex, column_sum);
      const int group = products.group;
      if (group % reals == 0) pieces_of.put(at_row_sums + warp_column / 32 * rows + tile_row(group / reals), of_row);
      pieces_of.put(at_column_sums + warp_row / 32 * columns + tile_column(products.lane), of_column);
    }

    // By the terms of a piece.
    ONEPASS_DEVICE void multiply(int at) {
      products.template multiply<row_pitch, column_pitch>(ex, at + warp_row,
                                                          at + (depth * row_pitch + warp_column) * reals);
    }
  };
};

}  // namespace onepass::kernels
