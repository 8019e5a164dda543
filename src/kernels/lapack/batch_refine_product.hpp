// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Products of many small matrices, on the way from eigenvectors of M^H M to singular vectors:
//
//   gram     M^H M below X, for its eigenvectors        start   W = M V
//   again    W^H W                                      square  exp(T) - 1 = T + T T / 2
//   apply    X := X + X E   with E = exp(T) - 1, or T
//
// A block has a tile of 64 x 64, and comes by its terms some at a time, the next ones being on their way. In double
// precision the tensor cores multiply: what mma calls rows are columns of the tile, and a complex number is two real
// ones below each other, as in rank_2k.hpp. Else a thread has 4 x 4 elements.
#pragma once

#include "kernels/lapack/batch_matrix.hpp"
#include "kernels/lapack/batch_refine_args.hpp"

namespace onepass::kernels {

template <class A, RefineProduct which>
struct BatchRefineProduct {
  using R = RealOf<A>;
  static constexpr int max_threads = refine_threads, min_blocks = sizeof(A) == 16 ? 2 : 3;
  static constexpr bool adjoint = which == RefineProduct::gram || which == RefineProduct::again;
  static constexpr bool on_tensor_cores = std::is_same_v<R, double>;
  static constexpr int tile = refine_tile, depth = refine_depth(sizeof(A)), pitch = refine_pitch;
  static constexpr int piece = 2 * depth * pitch;  // of both factors

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const RefineArgs& g) {
    const int p = larger(g.svd.m, g.svd.n), q = g.svd.m < g.svd.n ? g.svd.m : g.svd.n;
    const auto tiles = static_cast<int>(refine_product_tiles(which, p, q, g.svd.vectors));
    const std::int64_t index = ex.block_x() / tiles;
    const int number = static_cast<int>(ex.block_x() % tiles);
    const int state = ex.load_cached(g.state + index);
    if (!wanted(g, state)) return;
    Tile<Ex> of = {ex, p, q};
    of.choose_operands(g, index, state, number);
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
    return now && (which == RefineProduct::apply || (state & refine_square_bit) != 0);
  }

  struct alignas(16) Quad {
    static constexpr int count = 16 / static_cast<int>(sizeof(A));
    A element[count];
  };

  template <class Ex>
  struct Tile {
    Ex ex;
    int p, q;
    int thread = ex.thread(), lane = thread & 31, warp = thread >> 5;
    // C := plus + factor X Y, or X^H Y; rows x columns of `inner` terms.
    const A *x = nullptr, *y = nullptr, *plus = nullptr;
    A* c = nullptr;
    std::int64_t ldx = 0, ldy = 0, ldc = 0;
    int rows = 0, columns = 0, inner = 0, row = 0, column = 0;
    R factor = 1;
    typename Ex::template Shared<A> pieces = ex.template shared<A>(0);

    ONEPASS_DEVICE void choose_operands(const RefineArgs& g, std::int64_t index, int state, int number) {
      const std::int64_t ld = p + q, of_x = index * ld * q, of_t = index * q * q;
      A* const even = static_cast<A*>(g.x[0]) + of_x;
      A* const odd = static_cast<A*>(g.x[1]) + of_x;
      A* const t = static_cast<A*>(g.t) + of_t;
      A* const exponential = static_cast<A*>(g.exponential) + of_t;
      A *const now = g.round % 2 == 0 ? even : odd, *const next = g.round % 2 == 0 ? odd : even;
      columns = inner = q;
      if constexpr (adjoint) {
        rows = q;
        inner = p;
        x = y = which == RefineProduct::gram ? odd : now;
        ldx = ldy = ld;
        c = which == RefineProduct::gram ? even + p : t;
        ldc = which == RefineProduct::gram ? ld : q;
        int across = 0;
        for (int left = static_cast<int>(refine_tiles(q)); number >= left; --left, ++across) number -= left;
        row = (across + number) * tile;
        column = across * tile;
      } else {
        rows = which == RefineProduct::start || (which == RefineProduct::apply && !g.svd.vectors) ? p
               : which == RefineProduct::square                                                   ? q
                                                                                                  : p + q;
        x = which == RefineProduct::start ? odd : which == RefineProduct::square ? t : now;
        ldx = which == RefineProduct::square ? q : ld;
        y = which == RefineProduct::start      ? even + p
            : which == RefineProduct::square   ? t
            : (state & refine_square_bit) != 0 ? exponential
                                               : t;
        ldy = which == RefineProduct::start ? ld : q;
        c = which == RefineProduct::start ? even : which == RefineProduct::square ? exponential : next;
        ldc = ldx;
        if (which != RefineProduct::start) plus = x;
        if (which == RefineProduct::square) factor = R{0.5};
        const int down = static_cast<int>(refine_tiles(rows));
        row = number % down * tile;
        column = number / down * tile;
      }
    }

    // Terms `first` and so on of both factors, on their way to half `half` of shared memory.
    ONEPASS_DEVICE void copy(int first, int half) const {
      if (first < inner) {
        const int to = half * piece;
#pragma unroll
        for (int i = thread; i < depth * tile; i += max_threads) {
          // Neighbours in memory are rows of X, but terms of X^H and of Y.
          const int along = i % tile, over = i / tile, k = i % depth, across = i / depth;
          if constexpr (adjoint) {
            const bool there = first + k < inner && row + across < rows;
            ex.copy_element_if(there, pieces, to + k * pitch + across,
                               x + (there ? first + k + (row + across) * ldx : 0));
          } else {
            const bool there = first + over < inner && row + along < rows;
            ex.copy_element_if(there, pieces, to + over * pitch + along,
                               x + (there ? row + along + (first + over) * ldx : 0));
          }
          const bool there = first + k < inner && column + across < columns;
          ex.copy_element_if(there, pieces, to + (depth + k) * pitch + across,
                             y + (there ? first + k + (column + across) * ldy : 0));
        }
      }
      ex.commit_copies();
    }

    ONEPASS_DEVICE void multiply() {
      copy(0, 0);
#pragma unroll 1
      for (int first = 0, half = 0; first < inner; first += depth, half ^= 1) {
        copy(first + depth, half ^ 1);
        ex.template wait_for_copies_but<1>();
        ex.sync();
        if constexpr (on_tensor_cores)
          multiply_there(half);
        else
          multiply_here(half);
        ex.sync();
      }
    }

    // ---- By the tensor cores: a warp has 32 rows of 16 columns ---------------------------------

    static constexpr int reals = is_complex<A> ? 2 : 1, strips = on_tensor_cores ? 4 * reals : 1;
    double sums[strips][4] = {};  // of rows by eight real ones, of columns by 16

    ONEPASS_DEVICE void multiply_there(int half) {
      const auto numbers = ex.template shared<double>(half * piece * static_cast<int>(sizeof(A)));
      const int group = lane / 4, of_four = lane % 4, odd_row = group % 2, odd_term = of_four % 2;
      const int first_row = warp % 2 * 32, first_column = warp / 2 * 16;
#pragma unroll
      for (int k = 0; k < depth * reals; k += 4) {
        const int term = (k + of_four) / reals;
        double a[2], b[strips];
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const int j = first_column + h * 8 + group;
          a[h] = numbers.get(((depth + term) * pitch + j) * reals + (is_complex<A> ? odd_term : 0));
        }
#pragma unroll
        for (int n = 0; n < strips; ++n) {
          if constexpr (is_complex<A>) {
            // x' y' - x'' y'' and x'' y' + x' y'', or with -x''
            const int i = first_row + (n * 8 + group) / 2;
            const double number = numbers.get((term * pitch + i) * 2 + (odd_row ^ odd_term));
            const bool negative = adjoint ? odd_row == 1 && odd_term == 0 : odd_row == 0 && odd_term == 1;
            b[n] = negative ? -number : number;
          } else {
            b[n] = numbers.get(term * pitch + first_row + n * 8 + group);
          }
        }
#pragma unroll
        for (int n = 0; n < strips; ++n) ex.matrix_multiply_add(sums[n], a, b[n]);
      }
    }

    // ---- By threads: four rows of four columns -------------------------------------------------

    static constexpr int each = on_tensor_cores ? 1 : 4, per = on_tensor_cores ? 1 : Quad::count;
    A sum[each][each] = {};
    ONEPASS_DEVICE int row_of(int i) const { return warp % 2 * 32 + i / per * 8 * per + lane % 8 * per + i % per; }
    ONEPASS_DEVICE int column_of(int j) const { return warp / 2 * 16 + j / per * 4 * per + lane / 8 * per + j % per; }

    ONEPASS_DEVICE void multiply_here(int half) {
      const auto quads = ex.template shared<Quad>(half * piece * static_cast<int>(sizeof(A)));
#pragma unroll
      for (int k = 0; k < depth; ++k) {
        A a[each], b[each];
#pragma unroll
        for (int i = 0; i < each; i += per) {
          const Quad of_a = quads.get((k * pitch + row_of(i)) / per),
                     of_b = quads.get(((depth + k) * pitch + column_of(i)) / per);
#pragma unroll
          for (int e = 0; e < per; ++e) {
            a[i + e] = conjugate_if(adjoint, of_a.element[e]);
            b[i + e] = of_b.element[e];
          }
        }
#pragma unroll
        for (int i = 0; i < each; ++i)
#pragma unroll
          for (int j = 0; j < each; ++j) sum[i][j] = multiply_add(sum[i][j], a[i], b[j]);
      }
    }

    // ---- C --------------------------------------------------------------------------------------

    ONEPASS_DEVICE void store() const {
      if constexpr (on_tensor_cores) {
#pragma unroll
        for (int n = 0; n < strips; ++n)
#pragma unroll
          for (int h = 0; h < 2; ++h) {
            const int j = warp / 2 * 16 + h * 8 + lane / 4, i = warp % 2 * 32 + (n * 8 + 2 * (lane % 4)) / reals;
            if constexpr (is_complex<A>) {
              store(i, j, {sums[n][2 * h], sums[n][2 * h + 1]});
            } else {
              store(i, j, sums[n][2 * h]);
              store(i + 1, j, sums[n][2 * h + 1]);
            }
          }
      } else {
#pragma unroll
        for (int j = 0; j < each; ++j)
#pragma unroll
          for (int i = 0; i < each; ++i) store(row_of(i), column_of(j), sum[i][j]);
      }
    }
    ONEPASS_DEVICE void store(int in_row, int in_column, A value) const {
      const int r = row + in_row, j = column + in_column;
      if (r >= rows || j >= columns) return;
      if constexpr (adjoint) {
        ex.store(c + r + j * ldc, value);
        if (row != column) ex.store(c + j + r * ldc, conjugate(value));
      } else {
        value = times_real(factor, value);
        if (plus != nullptr) value = ex.load_matrix(plus + r + j * ldx) + value;
        ex.store(c + r + j * ldc, value);
      }
    }
  };
};

}  // namespace onepass::kernels
