// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Products of many small matrices, on the way from eigenvectors of M^H M to singular vectors:
//
//   gram     M^H M below X, for its eigenvectors        start   W = M V
//   again    W^H W                                      square  E = T + T T / 2
//   fourth   T := T / 3 + 2 E / 3 + E E / 6 = T + T^2 / 2 + T^3 / 6 + T^4 / 24
//   apply    X := X + X exp(T) - X, with as many terms as are wanted
//
// A block has a tile of 64 x 64, each of its four warps 32 x 32 of it, and comes by its terms some at a time, the next
// ones being on their way. In double precision the tensor cores multiply: what mma calls rows are columns of the tile,
// and a complex number is two real ones below each other, as in rank_2k.hpp. Else a thread has 8 x 4 elements, so that
// what it loads from shared memory is used often enough.
//
// Columns of Y, and of X in X^H Y, are lines of terms in shared memory; else a line has the rows of X of one term.
#pragma once

#include "kernels/lapack/batched/batch_matrix.hpp"
#include "kernels/lapack/batched/batch_refine_args.hpp"

namespace onepass::kernels {

template <class A, RefineProduct which>
struct BatchRefineProduct {
  using R = RealOf<A>;
  static constexpr bool real = !is_complex<A>, on_tensor_cores = std::is_same_v<R, double>;
  static constexpr bool adjoint = which == RefineProduct::gram || which == RefineProduct::again;
  static constexpr int max_threads = refine_product_threads, min_blocks = sizeof(A) == 16 ? 2 : 3;
  static constexpr int tile = refine_tile, depth = refine_depth(sizeof(A)), vector = 16 / static_cast<int>(sizeof(A));
  static constexpr int terms = refine_line_of_terms(sizeof(A), real), row_line = refine_line_of_rows(real);
  static constexpr int piece = refine_piece(sizeof(A), real);
  static_assert(depth * row_line <= piece);

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const RefineArgs& g) {
    const RefineShape shape(g.svd.m, g.svd.n, sizeof(A));
    const auto tiles = static_cast<int>(refine_product_tiles(which, shape, g.svd.vectors));
    const std::int64_t index = ex.block_x() / tiles;
    const int number = static_cast<int>(ex.block_x() % tiles);
    const int state = ex.load_cached(g.state + index);
    if (!wanted(g, state)) return;
    Tile<Ex> of = {ex};
    of.choose_operands(g, shape, index, state, number);
    of.multiply();
    of.store();
  }

 private:
  static ONEPASS_DEVICE bool wanted(const RefineArgs& g, int state) {
    const int kind = refine_kind(state);
    if constexpr (which == RefineProduct::gram) return true;
    if constexpr (which == RefineProduct::start) return kind == refine_active;
    if constexpr (which == RefineProduct::again) return kind == refine_active || kind == refine_apply;
    const bool now = (kind == refine_apply || kind == refine_last) && refine_round(state) == g.round;
    constexpr int bit = which == RefineProduct::square ? refine_square_bit : refine_fourth_bit;
    return now && (which == RefineProduct::apply || (state & bit) != 0);
  }

  struct alignas(16) Vector {
    A element[vector];
  };

  template <class Ex>
  struct Tile {
    Ex ex;
    int thread = ex.thread(), lane = thread & 31, warp = thread >> 5;
    int warp_row = warp % 2 * 32, warp_column = warp / 2 * 32;
    // C := plus + factor X Y, or X^H Y; rows x columns of `inner` terms.
    const A *x = nullptr, *y = nullptr, *plus = nullptr;
    A* c = nullptr;
    std::int64_t ldx = 0, ldy = 0, ldc = 0;
    int rows = 0, columns = 0, inner = 0, row = 0, column = 0;
    R factor = 1;
    typename Ex::template Shared<A> pieces = ex.template shared<A>(0);

    ONEPASS_DEVICE void choose_operands(const RefineArgs& g, const RefineShape& of, std::int64_t index, int state,
                                        int number) {
      A* const even = static_cast<A*>(g.x[0]) + index * of.of_x();
      A* const odd = static_cast<A*>(g.x[1]) + index * of.of_x();
      A* const t = static_cast<A*>(g.t) + index * of.of_t();
      A* const exponential = static_cast<A*>(g.exponential) + index * of.of_t();
      A *const now = g.round % 2 == 0 ? even : odd, *const next = g.round % 2 == 0 ? odd : even;
      columns = inner = of.q;
      if constexpr (adjoint) {
        rows = of.q;
        inner = of.p;
        x = y = which == RefineProduct::gram ? odd : now;
        ldx = ldy = of.ld;
        c = which == RefineProduct::gram ? even + of.of_v : t;
        ldc = which == RefineProduct::gram ? of.ld : of.ld_t;
        int across = 0;
        for (int left = static_cast<int>(refine_tiles(of.q)); number >= left; --left, ++across) number -= left;
        row = (across + number) * tile;
        column = across * tile;
      } else {
        constexpr bool is_start = which == RefineProduct::start, is_fourth = which == RefineProduct::fourth,
                       is_square = which == RefineProduct::square || is_fourth;
        const bool square_alone = (state & (refine_square_bit | refine_fourth_bit)) == refine_square_bit;
        rows = is_square ? of.q : is_start || !g.svd.vectors ? of.p : of.of_v + of.q;
        x = is_start ? odd : is_fourth ? exponential : is_square ? t : now;
        ldx = ldc = is_square ? of.ld_t : of.ld;
        y = is_start ? even + of.of_v : is_fourth || (!is_square && square_alone) ? exponential : t;
        ldy = is_start ? of.ld : of.ld_t;
        c = is_start ? even : is_fourth ? t : is_square ? exponential : next;
        if (!is_start) plus = x;
        if (is_square) factor = is_fourth ? static_cast<R>(1.0 / 6) : R{0.5};
        const int down = static_cast<int>(refine_tiles(rows));
        row = number % down * tile;
        column = number / down * tile;
      }
    }

    // Terms `first` and so on of both factors, on their way to half `half` of shared memory.
    ONEPASS_DEVICE void copy(int first, int half) const {
      if (first < inner) {
        const int to = 2 * half * piece;
        if constexpr (adjoint)
          copy_terms(x, ldx, row, rows, first, to);
        else
          copy_rows(first, to);
        copy_terms(y, ldy, column, columns, first, to + piece);
      }
      ex.commit_copies();
    }
    ONEPASS_DEVICE void copy_terms(const A* from, std::int64_t ld, int begin, int end, int first, int to) const {
      constexpr int of_line = depth / vector;
#pragma unroll
      for (int i = 0; i < tile * of_line; i += max_threads) {
        const int line = (i + thread) / of_line, k = (i + thread) % of_line * vector, left = inner - first - k;
        const bool there = begin + line < end && left > 0;
        ex.template copy_elements<vector>(pieces, to + line * terms + k,
                                          from + (there ? first + k + (begin + line) * ld : 0), 0,
                                          there ? (left < vector ? left : vector) : 0);
      }
    }
    ONEPASS_DEVICE void copy_rows(int first, int to) const {
      constexpr int of_line = tile / vector;
#pragma unroll
      for (int i = 0; i < depth * of_line; i += max_threads) {
        const int k = (i + thread) / of_line, r = (i + thread) % of_line * vector, left = rows - row - r;
        const bool there = first + k < inner && left > 0;
        ex.template copy_elements<vector>(pieces, to + k * row_line + r, x + (there ? row + r + (first + k) * ldx : 0),
                                          0, there ? (left < vector ? left : vector) : 0);
      }
    }

    ONEPASS_DEVICE void multiply() {
      copy(0, 0);
#pragma unroll 1
      for (int first = 0, half = 0; first < inner; first += depth, half ^= 1) {
        copy(first + depth, half ^ 1);
        ex.template wait_for_copies_but<1>();
        ex.sync();
        if constexpr (on_tensor_cores)
          multiply_there(2 * half * piece);
        else
          multiply_here(2 * half * piece);
        ex.sync();
      }
    }

    // ---- By the tensor cores -------------------------------------------------------------------

    static constexpr int reals = real ? 1 : 2, across = on_tensor_cores ? 2 : 1, down = on_tensor_cores ? 4 * reals : 1;
    double sums[across][down][4] = {};  // of columns by 16, of rows by eight real ones

    ONEPASS_DEVICE void multiply_there(int at) {
      const auto numbers = ex.template shared<double>(at * static_cast<int>(sizeof(A)));
      const int group = lane / 4, of_four = lane % 4, odd_row = group % 2, odd_term = of_four % 2;
#pragma unroll
      for (int k = 0; k < depth * reals; k += 4) {
        double a[across][2], b[down];
#pragma unroll
        for (int m = 0; m < across; ++m)
#pragma unroll
          for (int h = 0; h < 2; ++h)
            a[m][h] = numbers.get((piece + (warp_column + 16 * m + 8 * h + group) * terms) * reals + k + of_four);
#pragma unroll
        for (int n = 0; n < down; ++n) {
          const int term = (k + of_four) / reals, i = warp_row + (8 * n + group) / reals;
          const int element = adjoint ? i * terms + term : term * row_line + i;
          if constexpr (real) {
            b[n] = numbers.get(element);
          } else {
            // x' y' - x'' y'' and x'' y' + x' y'', or with -x''
            const double number = numbers.get(2 * element + (odd_row ^ odd_term));
            const bool negative = adjoint ? odd_row == 1 && odd_term == 0 : odd_row == 0 && odd_term == 1;
            b[n] = negative ? -number : number;
          }
        }
#pragma unroll
        for (int m = 0; m < across; ++m)
#pragma unroll
          for (int n = 0; n < down; ++n) ex.matrix_multiply_add(sums[m][n], a[m], b[n]);
      }
    }

    // ---- By threads ------------------------------------------------------------------------------

    // Columns, and rows of X^H, are four and eight lanes apart, so that their lines are in different banks; rows of X
    // are beside each other.
    static constexpr int each_row = on_tensor_cores ? 1 : 8, each_column = on_tensor_cores ? 1 : 4;
    A sum[each_row][each_column] = {};
    ONEPASS_DEVICE int row_of(int i) const {
      return adjoint ? warp_row + 4 * i + lane % 4
                     : warp_row + i / vector * 4 * vector + lane % 4 * vector + i % vector;
    }
    ONEPASS_DEVICE int column_of(int j) const { return warp_column + 8 * j + lane / 4; }

    ONEPASS_DEVICE void multiply_here(int at) {
      const auto vectors = ex.template shared<Vector>(at * static_cast<int>(sizeof(A)));
#pragma unroll(real ? 2 : 1)
      for (int k = 0; k < depth; k += vector) {
        A b[each_column][vector], a[each_row][vector];
#pragma unroll
        for (int j = 0; j < each_column; ++j) {
          const Vector of = vectors.get((piece + column_of(j) * terms + k) / vector);
#pragma unroll
          for (int e = 0; e < vector; ++e) b[j][e] = of.element[e];
        }
#pragma unroll
        for (int i = 0; i < each_row; i += adjoint ? 1 : vector)
#pragma unroll
          for (int e = 0; e < (adjoint ? 1 : vector); ++e) {
            const Vector of = vectors.get((adjoint ? row_of(i) * terms + k : (k + e) * row_line + row_of(i)) / vector);
#pragma unroll
            for (int f = 0; f < vector; ++f) {
              if constexpr (adjoint)
                a[i][f] = conjugate(of.element[f]);
              else
                a[i + f][e] = of.element[f];
            }
          }
#pragma unroll
        for (int e = 0; e < vector; ++e)
#pragma unroll
          for (int i = 0; i < each_row; ++i)
#pragma unroll
            for (int j = 0; j < each_column; ++j) sum[i][j] = multiply_add(sum[i][j], a[i][e], b[j][e]);
      }
    }

    // ---- C ---------------------------------------------------------------------------------------

    ONEPASS_DEVICE void store() const {
      if constexpr (on_tensor_cores) {
#pragma unroll
        for (int m = 0; m < across; ++m)
#pragma unroll
          for (int h = 0; h < 2; ++h)
#pragma unroll
            for (int n = 0; n < down; ++n) {
              const int j = warp_column + 16 * m + 8 * h + lane / 4, i = warp_row + (8 * n + 2 * (lane % 4)) / reals;
              if constexpr (real) {
                store(i, j, sums[m][n][2 * h]);
                store(i + 1, j, sums[m][n][2 * h + 1]);
              } else {
                store(i, j, {sums[m][n][2 * h], sums[m][n][2 * h + 1]});
              }
            }
      } else {
#pragma unroll
        for (int j = 0; j < each_column; ++j)
#pragma unroll
          for (int i = 0; i < each_row; ++i) store(row_of(i), column_of(j), sum[i][j]);
      }
    }
    ONEPASS_DEVICE void store(int in_row, int in_column, A value) const {
      const int r = row + in_row, j = column + in_column;
      if (r >= rows || j >= columns) return;
      if constexpr (adjoint) {
        // Hermitian to the last digit, where tiles on the diagonal have both sums, too: those of a complex number are
        // not rounded alike.
        if (r < j) return;
        ex.store(c + r + j * ldc, value);
        if (r > j) ex.store(c + j + r * ldc, conjugate(value));
      } else {
        value = times_real(factor, value);
        A* const to = c + r + j * ldc;
        if constexpr (which == RefineProduct::fourth)
          value = times_real(static_cast<R>(2.0 / 3), ex.load_matrix(plus + r + j * ldx)) +
                  (times_real(static_cast<R>(1.0 / 3), ex.load_own(to)) + value);
        else if constexpr (which != RefineProduct::start)
          value = ex.load_matrix(plus + r + j * ldx) + value;
        ex.store(to, value);
      }
    }
  };
};

}  // namespace onepass::kernels
