// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A matrix in the registers of a block, or of a cluster of blocks, on its way to a form with two diagonals; its first
// columns, which vanish first, are in shared memory where registers do not hold all of it.
//
//                 along               Threads are a grid of `down` x `along`, and each has every down-th row of
//        0   1   2   ...   0   1      every along-th column: what is left of the matrix is spread over all of them.
//      +---+---+---+ - - +---+---+    The lanes of a warp are `down` x 32 / down of this grid.
//    0 |   |   |   |     |   |   |
// down 1                              A smaller matrix is the last rows and columns of the square.
//      |   |   |   |     |   |   |
//
// Rows that are done are skipped some at a time, by code of its own for each `first`. Blocks of a cluster have columns
// by turns. Where `along` does not divide the columns of the square some threads have one less.
#pragma once

#include <bit>

#include "kernels/lapack/batched/batch_matrix.hpp"

namespace onepass::kernels {

// Of one row or column: the update a(r, c) - v_r w_c* - w_r v_c* is made of v and w; x is what rows are multiplied by.
template <class A>
struct HeldVectors {
  A v, w, x;
};

template <class A, BatchHeldShape shape>
struct HeldSizes {
  static constexpr int N = shape.rows, threads = shape.threads, down = shape.down, warps = threads / 32;
  static constexpr int blocks = shape.blocks, here = shape.here(), held = shape.kept;
  static constexpr int line = batch_held_line(shape, sizeof(A)), missing = shape.missing();
  static constexpr int rows = N / down, columns = shape.columns();  // of a thread
  // Rows that are skipped at a time: a sixth of all at most, if threads have as few.
  static constexpr int step = [] {
    int most = down;
    for (int more = down; 6 * more <= N; more += down)
      if (N % more == 0) most = more;
    return most;
  }();
  static constexpr int phases = N / step;
  static constexpr int kept_elements = static_cast<int>(batch_held_kept_elements(shape, sizeof(A)));
  static_assert(N % down == 0 && warps > 1 && held < columns);
  static_assert(missing % (32 / down) == 0 && (missing == 0 || (held > 0 && shape.apart)));
};

template <class A, BatchHeldShape shape, class Ex>
struct HeldMatrix : HeldSizes<A, shape> {
  using Sizes = HeldSizes<A, shape>;
  using Sizes::down, Sizes::here, Sizes::held, Sizes::missing, Sizes::blocks, Sizes::rows, Sizes::columns, Sizes::step;

  Ex ex;
  int rank;  // of this block
  typename Ex::template Shared<A> kept;
  int lane = ex.thread() & 31, warp = ex.thread() >> 5;
  int row = lane % down, column = warp * (32 / down) + lane / down;  // the first ones of this thread, in this block
  A a[rows][columns - held] = {};

  ONEPASS_DEVICE HeldMatrix(Ex exec, int of_block, const typename Ex::template Shared<A>& columns_in_shared_memory)
      : ex(exec), rank(of_block), kept(columns_in_shared_memory) {}

  ONEPASS_DEVICE int row_of(int i) const { return row + down * i; }
  ONEPASS_DEVICE int column_of(int j) const { return (column + here * j - missing) * blocks + rank; }
  ONEPASS_DEVICE bool is_missing(int j) const { return missing > 0 && j == 0 && column < missing; }
  ONEPASS_DEVICE int kept_at(int i, int j) const { return (column + here * j - missing) * Sizes::line + row_of(i); }
  ONEPASS_DEVICE A get(int i, int j) const {
    return j < held ? kept.get(kept_at(i, j)) : a[i][j < held ? 0 : j - held];
  }
  ONEPASS_DEVICE void set(int i, int j, A value) {
    if (j < held)
      kept.put(kept_at(i, j), value);
    else
      a[i][j < held ? 0 : j - held] = value;
  }
  template <class F>
  ONEPASS_DEVICE void for_all(F f) {
#pragma unroll
    for (int i = 0; i < rows; ++i)
#pragma unroll
      for (int j = 0; j < columns; ++j)
        if (!is_missing(j)) f(i, j);
  }

  // The first ones of a thread that are not done.
  static constexpr int top(int first) { return first * step / down; }
  static constexpr int left(int first) { return (first * step / blocks + missing) / here; }

  // The update, and the sums over rows of a(r, c)* x_r. of_row(r) and of_column(c) are HeldVectors, and give(c, block,
  // sum) is called for each block, by one thread.
  template <int first, class OfRow, class OfColumn, class Give>
  ONEPASS_DEVICE void update(OfRow of_row, OfColumn of_column, Give give) {
    constexpr int begin = left(first), middle = shape.apart && begin < held ? held : begin;
    if constexpr (begin < middle) {
      if (is_missing(begin)) {
        if constexpr (missing > 0 && begin + 1 < middle)
          update_columns<top(first), begin + 1, middle>(of_row, of_column, give);
      } else {
        update_columns<top(first), begin, middle>(of_row, of_column, give);
      }
    }
    update_columns<top(first), middle, columns>(of_row, of_column, give);
  }

  // f(c, a(t, c)) of the columns that are left.
  template <int first, class F>
  ONEPASS_DEVICE void with_row(int t, F f) const {
    if (t % down != row) return;
#pragma unroll
    for (int j = left(first); j < columns; ++j) {
      if (is_missing(j)) continue;
      A value = get(top(first), j);
#pragma unroll
      for (int i = 1; i < step / down; ++i) value = choose(t / down == top(first) + i, get(top(first) + i, j), value);
      f(column_of(j), value);
    }
  }
  // f(r, a(r, t)) of the rows that are left, where all columns are in one block and none is missing.
  template <int first, class F>
  ONEPASS_DEVICE void with_column(int t, F f) const {
    if (t % here != column) return;
    constexpr int begin = left(first), end = ((first + 1) * step - 1) / here;
#pragma unroll
    for (int i = top(first); i < rows; ++i) {
      A value = get(i, begin);
#pragma unroll
      for (int j = begin + 1; j <= end; ++j) value = choose(t / here == j, get(i, j), value);
      f(row_of(i), value);
    }
  }

 private:
  template <int from_row, int begin, int end, class OfRow, class OfColumn, class Give>
  ONEPASS_DEVICE void update_columns(OfRow of_row, OfColumn of_column, Give give) {
    constexpr int there = end - begin;
    constexpr int padded = static_cast<int>(std::bit_ceil(static_cast<unsigned>(there)));
    static_assert(padded <= down);
    A v[there], w[there], sum[padded] = {};
#pragma unroll
    for (int j = 0; j < there; ++j) {
      const HeldVectors<A> of = of_column(column_of(begin + j));
      v[j] = conjugate(of.v);
      w[j] = conjugate(of.w);
    }
#pragma unroll
    for (int i = from_row; i < rows; ++i) {
      const HeldVectors<A> of = of_row(row_of(i));
#pragma unroll
      for (int j = 0; j < there; ++j) {
        const A value = subtract_product(subtract_product(get(i, begin + j), of.v, w[j]), of.w, v[j]);
        set(i, begin + j, value);
        sum[j] = multiply_add(sum[j], conjugate(value), of.x);
      }
    }
    const A total = transposed_sum<padded, down>(ex, sum);
    constexpr int same = down / padded;  // lanes that have it
    const int which = row / same;
#pragma unroll
    for (int to = 0; to < blocks; to += same)
      if (which < there && to + row % same < blocks) give(column_of(begin + which), to + row % same, total);
  }
};

}  // namespace onepass::kernels
