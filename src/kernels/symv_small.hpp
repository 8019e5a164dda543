// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv_small: a batch of small symmetric matrices, cut into squares of 32 x 32.
//
//             J  0  1  2        y[I] += A[I, J] x[J]      a lane has a row of the square, and adds along it
//    I = 0    |  0 .            y[J] += A[I, J]^T x[I]    a lane has a column, once the lanes have shared out their
//        1    |  1  2 .                                   products: one shuffle a column
//        2    |  0  1  2 .
//                               The warps of a product (here 0, 1, 2) take the squares in turn. Lane l has the rows and
//                               columns l, l + 32, ... of all its squares: it adds to sums in shared memory that no
//                               other lane touches. At the end thread i adds up y[i].
//
// All elements of a square are asked for before the first is used, as many at a time as fit 32 registers. The diagonal
// is read for itself: what else a square on the diagonal has lies below it, and one question to an element is enough.
// An upper triangle is a lower one, seen from its last element.
#pragma once

#include <cstring>

#include "kernels/blocks/columns.hpp"
#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/operand.hpp"
#include "kernels/symv_args.hpp"

namespace onepass::kernels {

template <class T>
struct SymvSmall {
  using S = Sum<T>;
  static constexpr Form F = Form::general;
  static constexpr int side = symv_small_side;
  static constexpr int columns = 128 / static_cast<int>(sizeof(S));  // of a square, in flight
  static constexpr int max_threads = symv_small_max_threads;
  static constexpr int min_blocks = sizeof(S) > 4 ? 2 : 3;  // on an SM: 96 registers, or 72

  template <class X>
  static ONEPASS_DEVICE void run(X ex, const SymvSmallArgs& g) {
    const Place at(ex, g);
    // Behind pointers there may be what an earlier launch writes.
    const bool told_late = g.pointer_array || g.alpha_pointer != nullptr;
    if (told_late) begin(ex);
    const S alpha = alpha_of<S, F>(ex, g);
    if (alpha == S{}) {
      if (!told_late) begin(ex);
      if (at.thread < at.rows) write_y<T, F>(ex, g, at.b, at.thread, S{}, S{});
      return;
    }
    const std::int64_t product = at.rows > 0 ? at.b : 0;
    const T* const a = operand<T, F>(ex, g, g.a, g.stride_a, g.first_a, product);
    const T* const x = vector_x<T, F>(ex, g, product);
    if (g.pointer_array) ex.prefetch_if(at.thread == 0, static_cast<void* const*>(g.y) + product);
    Square square(at.warp);
    if (!told_late) {
      if (g.prefetch) prefetch(ex, g, at, a, square);
      begin(ex);
    }
    const T x_of_thread = ex.read_cached_if(at.thread < at.rows, x + at.thread * g.incx);
    const Shared<X> shared(ex, g, at);
    bool staged = false;  // x in shared memory
#pragma unroll 1
    for (; square.row < g.strips; square.advance(g.warps))
      multiply(ex, g, at, a, square, shared, [&] {
        if (staged) return;
        shared.stage(at, conjugate_if(g.conjugate, static_cast<S>(widen(x_of_thread))));
        ex.sync();
        staged = true;
      });
    ex.sync();
    if (at.thread < at.rows) write_y<T, F>(ex, g, at.b, at.thread, alpha, shared.total(g, at));
  }

 private:
  // A thread's product in the batch, and its place among the threads of that product.
  struct Place {
    int lane, slot, warp, thread;
    std::int64_t b;
    int rows;  // of the product; none behind the last one

    template <class X>
    ONEPASS_DEVICE Place(X ex, const SymvSmallArgs& g)
        : lane(ex.thread() % side),
          slot(ex.thread() / side & ((1 << g.log2_products) - 1)),
          warp(ex.thread() / side >> g.log2_products),
          thread(warp * side + lane),
          b((ex.block_x() << g.log2_products) + slot),
          rows(b < g.batch ? static_cast<int>(g.rows) : 0) {}
  };

  // Counted strip by strip, as in the picture.
  struct Square {
    int row = 0, column;

    ONEPASS_DEVICE explicit Square(int number) : column(number) { settle(); }
    ONEPASS_DEVICE void advance(int by) {
      column += by;
      settle();
    }
    ONEPASS_DEVICE bool on_diagonal() const { return row == column; }

   private:
    ONEPASS_DEVICE void settle() {
#pragma unroll 1
      while (column > row) column -= ++row;
    }
  };

  // Shared memory of a product: x, and sums for each warp.
  template <class X>
  struct Shared {
    typename X::template Shared<S> x, mine;
    typename X::template Shared<exec::Word16> x_words;
    int places;

    ONEPASS_DEVICE Shared(X ex, const SymvSmallArgs& g, const Place& at)
        : x(ex.template shared<S>(offset(g, at, 0))),
          mine(ex.template shared<S>(offset(g, at, 1 + at.warp))),
          x_words(ex.template shared<exec::Word16>(offset(g, at, 0))),
          places(g.strips * side) {}
    static ONEPASS_DEVICE int offset(const SymvSmallArgs& g, const Place& at, int vector) {
      return (at.slot * (1 + g.warps) + vector) * g.strips * side * static_cast<int>(sizeof(S));
    }
    // There are at least as many threads as places of x.
    ONEPASS_DEVICE void stage(const Place& at, S value) const {
      if (at.thread < places) x.put(at.thread, value);
#pragma unroll 1
      for (int i = at.lane; i < places; i += side) mine.put(i, S{});
    }
    ONEPASS_DEVICE void add(int i, S value) const { mine.put(i, mine.get(i) + value); }
    ONEPASS_DEVICE S total(const SymvSmallArgs& g, const Place& at) const {
      S sum{};
#pragma unroll 4
      for (int w = 0; w < g.warps; ++w) sum = sum + mine.get((w - at.warp) * places + at.thread);
      return sum;
    }
  };

  // Steps of 32 bits: an address is one instruction.
  static ONEPASS_DEVICE const T* element_of(const SymvSmallArgs& g, const T* a, int row, int column) {
    return reinterpret_cast<const T*>(reinterpret_cast<const char*>(a + row * g.row_elements) +
                                      std::int64_t{column} * g.column_bytes);
  }

  // One square: y[I] += A[I, J] x[J] and y[J] += A[I, J]^T x[I], the sums into shared memory.
  template <class X, class Stage>
  static ONEPASS_DEVICE void multiply(X ex, const SymvSmallArgs& g, const Place& at, const T* a, const Square& square,
                                      const Shared<X>& shared, Stage stage) {
    const int row = square.row * side + at.lane;
    const bool whole = !square.on_diagonal() && (square.row + 1) * side <= at.rows;
    const bool has_diagonal = square.on_diagonal() && row < at.rows;
    const int length = row < at.rows ? square.on_diagonal() ? at.lane : side : 0;  // of the row, without the diagonal
    S of_row{}, of_column{};
#pragma unroll 1
    for (int c = 0; c < side; c += columns) {
      const int column = square.column * side + c;
      const T* const from = element_of(g, a, row, column);
      const T diagonal = ex.read_once_if(has_diagonal && c == 0, element_of(g, from, 0, at.lane));
      T element[columns];
      if (whole) {
        fetch<true>(ex, g, from, length - c, element);
      } else {
        fetch<false>(ex, g, from, length - c, element);
      }
      stage();
      const S x_row = shared.x.get(row), of_mirror = conjugate_if(g.hermitian, x_row);
      if (has_diagonal && c == 0) {
        S d = static_cast<S>(widen(diagonal));
        if constexpr (is_complex<S>) d.im = g.hermitian ? 0 : d.im;
        of_row = d * x_row;
      }
      S product[columns];
      if (whole) {
        use<true>(shared, column, of_mirror, length - c, element, of_row, product);
      } else {
        use<false>(shared, column, of_mirror, length - c, element, of_row, product);
      }
      // conj(A) x is the conjugate of A conj(x).
      const S total = conjugate_if(g.hermitian, sum_columns<S, columns>(ex, at.lane, product));
      of_column = choose(at.lane / columns == c / columns, total, of_column);
    }
    shared.add(row, of_row);
    shared.add(square.column * side + at.lane, of_column);
  }

  template <bool whole, class X>
  static ONEPASS_DEVICE void fetch(X ex, const SymvSmallArgs& g, const T* from, int length, T (&element)[columns]) {
#pragma unroll
    for (int u = 0; u < columns; ++u) element[u] = ex.read_once_if(whole || u < length, element_of(g, from, 0, u));
  }

  // sum += A[r, c] x[c] over the columns, and the products A[r, c] x[r] that other lanes will add.
  // What was not read is zero, but zero times infinity is not.
  template <bool whole, class X>
  static ONEPASS_DEVICE void use(const Shared<X>& shared, int column, S x_row, int length, const T (&element)[columns],
                                 S& sum, S (&product)[columns]) {
    constexpr int per_word = 16 / static_cast<int>(sizeof(S));
#pragma unroll
    for (int w = 0; w < columns / per_word; ++w) {
      const exec::Word16 word = shared.x_words.get(column / per_word + w);
      S x[per_word];
      std::memcpy(static_cast<void*>(x), &word, sizeof(word));
#pragma unroll
      for (int v = 0; v < per_word; ++v) {
        const int u = w * per_word + v;
        const bool mine = whole || u < length;
        const S a = static_cast<S>(widen(element[u]));
        sum = choose(mine, multiply_add(sum, a, x[v]), sum);
        product[u] = choose(mine, a * x_row, S{});
      }
    }
  }

  // The first square of the warp towards the L2, a lane for each of its columns.
  template <class X>
  static ONEPASS_DEVICE void prefetch(X ex, const SymvSmallArgs& g, const Place& at, const T* a, const Square& square) {
    constexpr int sector = 32 / static_cast<int>(sizeof(T));
    const int row = square.row * side, end = at_most(at.rows - row, side);
#pragma unroll 1
    for (int r = square.on_diagonal() ? at.lane : 0; r < end; r += sector)
      ex.prefetch_if(true, element_of(g, a, row + r, square.column * side + at.lane));
  }
};

}  // namespace onepass::kernels
