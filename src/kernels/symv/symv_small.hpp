// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv_small: y = A x for a batch of small symmetric matrices, cut into squares of 32 x 32.
//
//             J  0  1  2      y[I] += A[I, J] x[J]      A lane has a row of the square, and adds along it.
//    I = 0    |  0 .          y[J] += A[I, J]^T x[I]    A lane has one term of each column, and adds down the squares
//        1    |  0  1 .                                 of its warp; then the lanes sum the columns, about one shuffle
//        2    |  1  2  2 .                              for each.
//
// A warp of a product (here 0, 1, 2) takes a run of squares, column by column, or of pieces of them: 16 or 8 columns of
// elements of 8 or 16 bytes fill its registers. Lane l has the rows and columns l, l + 32, ... of all its squares: it
// adds to sums in shared memory that no other lane touches. At the end thread i adds up y[i].
//
// Elements of many columns are loaded before the first is used. The diagonal is loaded by itself: all else in a square
// on the diagonal lies below it, and one comparison for each element is enough. An upper triangle is a lower one, seen
// from its last element.
#pragma once

#include <cstring>

#include "kernels/blocks/columns.hpp"
#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/operand.hpp"
#include "kernels/blocks/squares.hpp"
#include "kernels/symv/symv_args.hpp"

namespace onepass::kernels {

// A lane has a row of a square and loads single elements, those of `columns` columns before it uses the first.
template <class E>
struct SquaresByElements {
  using A = typename E::A;
  using S = typename E::Sum;
  static constexpr int side = symv_small_side;
  static constexpr int columns = symv_small_columns(sizeof(S));
  // Whether a lane adds down several squares before the lanes sum the columns: where instructions count, and registers
  // can hold both sums and elements.
  static constexpr bool adds_down = columns == side;

  // A piece of square (I, J), or several squares in one column: y[I] += A[I, J] x[J] and y[J] += A[I, J]^T x[I], into
  // the sums in shared memory.
  template <class Ex, class Stage>
  static ONEPASS_DEVICE void multiply(Ex ex, const SymvSmallArgs& g, const SquarePlace& at, const A* a,
                                      const PieceRun<columns>& run, int end, const SquareSums<S, Ex>& shared,
                                      Stage stage) {
    const int c = run.piece * columns, column = run.column * side + c;
    S down[columns] = {};
#pragma unroll 1
    for (int i = run.row; i < end; ++i) {
      const int row = i * side + at.lane;
      const bool on_diagonal = i == run.column, whole = !on_diagonal && (i + 1) * side <= at.rows;
      const bool has_diagonal = on_diagonal && c == 0 && row < at.rows;
      const int length = (row < at.rows ? on_diagonal ? at.lane : side : 0) - c;  // of the row, without the diagonal
      const A* const from = element_of(g, a, row, column);
      const A diagonal = ex.load_once_if(has_diagonal, element_of(g, from, 0, at.lane));
      A element[columns];
      if (whole) {
        fetch<true>(ex, g, from, length, element);
      } else {
        fetch<false>(ex, g, from, length, element);
      }
      stage();
      const S x_row = shared.x.get(row);
      S along{};
      if (has_diagonal) {
        S d = static_cast<S>(widen(diagonal));
        if constexpr (is_complex<S>) d.im = g.hermitian ? 0 : d.im;
        along = d * x_row;
      }
      if (whole) {
        use<true>(shared, column, conjugate_if(g.hermitian, x_row), length, element, along, down);
      } else {
        use<false>(shared, column, conjugate_if(g.hermitian, x_row), length, element, along, down);
      }
#pragma unroll
      for (int u = 0; u < columns; ++u) down[u] = settled(down[u]);
      shared.add(row, along);
    }
    // conj(A) x is the conjugate of A conj(x).
    const S total = conjugate_if(g.hermitian, sum_columns<S, columns>(ex, at.lane, down));
    if (at.lane / columns == run.piece) shared.add(run.column * side + at.lane, total);
  }

 private:
  template <bool whole, class Ex>
  static ONEPASS_DEVICE void fetch(Ex ex, const SymvSmallArgs& g, const A* from, int length, A (&element)[columns]) {
#pragma unroll
    for (int u = 0; u < columns; ++u) element[u] = ex.load_once_if(whole || u < length, element_of(g, from, 0, u));
  }

  // along += A[r, c] x[c] and down[c] += A[r, c] x[r]. What was not loaded is zero, but zero times infinity is not.
  template <bool whole, class Ex>
  static ONEPASS_DEVICE void use(const SquareSums<S, Ex>& shared, int column, S x_row, int length,
                                 const A (&element)[columns], S& along, S (&down)[columns]) {
    constexpr int per_vector = 16 / static_cast<int>(sizeof(S));
#pragma unroll
    for (int w = 0; w < columns / per_vector; ++w) {
      const exec::Vector16 vector = shared.x_vectors.get(column / per_vector + w);
      S x[per_vector];
      std::memcpy(static_cast<void*>(x), &vector, sizeof(vector));
#pragma unroll
      for (int v = 0; v < per_vector; ++v) {
        const int u = w * per_vector + v;
        const S a = static_cast<S>(widen(element[u]));
        if (whole || u < length) {
          along = multiply_add(along, a, x[v]);
          down[u] = multiply_add(down[u], a, x_row);
        }
      }
    }
  }
};

template <class E>
struct SymvSmall {
  using Squares = SquaresByElements<E>;
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  static constexpr Form F = Form::general;
  static constexpr int side = symv_small_side, columns = Squares::columns;
  static constexpr int max_threads = symv_small_max_threads;
  static constexpr int min_blocks = 2;  // on an SM: 96 registers

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const SymvSmallArgs& g) {
    open_first(ex, g);
    const SquarePlace at(ex, g);
    // What pointers point to may be written by the previous launch: nothing can be done before the wait.
    const bool behind_pointers = g.pointer_array || g.alpha_pointer != nullptr;
    if (behind_pointers) wait_for_previous_launch(ex);
    if (alpha_of<typename E::Scalar, F>(ex, g) == typename E::Scalar{}) {
      if (!behind_pointers) wait_for_previous_launch(ex);
      if (at.thread < at.rows) write_y<E, F>(ex, g, target_of<F>(ex, g, at.b), at.thread, {}, {});
      return;
    }
    const Operands<E> operands = operands_of<E, F>(ex, g, at.rows > 0 ? at.b : 0, g.first_a);
    const A* const a = operands.a;
    const X* const x = operands.x;
    PieceRun<columns> run(g, at.warp);
    if (!behind_pointers) {
      if (g.prefetch && !g.settled_x) prefetch(ex, g, at, a, x, run);
      wait_to_read(ex, g);
    }
    const X x_of_thread = ex.load_cached_if(at.thread < at.rows, x + at.thread * g.incx);
    const SquareSums<S, Ex> shared(ex, g, at);
    bool staged = false;
    const auto stage = [&] {
      if (staged) return;
      shared.stage(at, conjugate_if(g.conjugate, static_cast<S>(widen(x_of_thread))));
      ex.sync();
      staged = true;
    };
#pragma unroll 1
    while (run.left > 0) {
      const int end = Squares::adds_down ? run.end(g) : run.row + 1;
      Squares::multiply(ex, g, at, a, run, end, shared, stage);
      run.advance(g, end - run.row);
    }
    ex.sync();
    if (!behind_pointers) wait_to_write(ex, g);
    if (at.thread < at.rows)
      write_y<E, F>(ex, g, operands.target, at.thread, alpha_of<typename E::Scalar, F>(ex, g), shared.total(g, at));
  }

 private:
  // Into the L2, before the grid-dependency wait: the first pieces of the warp, a lane for each of their columns, and
  // x.
  template <class Ex>
  static ONEPASS_DEVICE void prefetch(Ex ex, const SymvSmallArgs& g, const SquarePlace& at, const A* a, const X* x,
                                      const PieceRun<columns>& run) {
    constexpr int sector = 32 / static_cast<int>(sizeof(A));
    const int row = run.row * side, end = at_most(at.rows, run.end(g) * side) - row;
    const int column = run.piece * columns + at.lane, beyond = (run.piece + 1) * columns;
#pragma unroll 1
    for (int r = run.row == run.column ? column : 0; r < end; r += sector)
      ex.prefetch_if(column < beyond, element_of(g, a, row + r, run.column * side + column));
    ex.prefetch_if(at.thread < at.rows, x + at.thread * g.incx);
  }
};

}  // namespace onepass::kernels
