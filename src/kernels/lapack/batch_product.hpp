// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Q := diag(Q1, Q2) U of all merges of a level of divide and conquer, whose neighbours have equally many rows. A
// library would choose its kernel by the size of the batch, and with it the bits of each product.
//
// A block has a tile of 32 x 64 elements of the rows of one neighbour, and a thread 4 x 4 of them: every eighth row and
// every 16th column.
#pragma once

#include "kernels/lapack/batch_args.hpp"
#include "kernels/lapack/reflector.hpp"

namespace onepass::kernels {

template <class R>
struct BatchProduct {
  static constexpr int max_threads = batch_product_threads, min_blocks = 4, each = 4;
  static constexpr int rows = batch_product_rows, columns = batch_product_columns, terms = batch_product_terms;
  static constexpr int across = rows / each, along = columns / each;
  static_assert(across * along == max_threads);

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BatchProductArgs& g) {
    const int half = g.half, both = 2 * half, tiles = static_cast<int>(batch_product_tiles(half));
    const int tile = static_cast<int>(ex.block_x() % tiles), down = (half + rows - 1) / rows;
    const std::int64_t node = ex.block_x() / tiles, merge = node / 2, square = static_cast<std::int64_t>(half) * half;
    const int first_row = tile % down * rows, first_column = tile / down * columns;
    const int above = node % 2 == 0 ? 0 : half;
    const R* const q = static_cast<const R*>(g.q) + node * square;
    const R* const u = static_cast<const R*>(g.u) + merge * 4 * square + above;
    R* const to = static_cast<R*>(g.to) + merge * 4 * square + above;

    // Of each term a line of Q and one of U; lines of U are one longer, since they are written across.
    const auto of_q = ex.template shared<R>(0);
    const auto of_u = ex.template shared<R>(terms * (rows + 1) * static_cast<int>(sizeof(R)));
    const int thread = ex.thread(), row = thread % across, column = thread / across;
    R sum[each][each] = {};
    for (int first = 0; first < half; first += terms) {
      for (int i = thread; i < rows * terms; i += max_threads) {
        const int r = first_row + i % rows, k = first + i / rows;
        const bool there = r < half && k < half;
        of_q.put(i / rows * (rows + 1) + i % rows, ex.load_cached_if(there, q + (there ? r + k * half : 0)));
      }
      for (int i = thread; i < columns * terms; i += max_threads) {
        const int k = first + i % terms, c = first_column + i / terms;
        const bool there = k < half && c < both;
        of_u.put(i % terms * (columns + 1) + i / terms, ex.load_cached_if(there, u + (there ? k + c * both : 0)));
      }
      ex.sync();
#pragma unroll
      for (int k = 0; k < terms; ++k) {
        R a[each], b[each];
#pragma unroll
        for (int i = 0; i < each; ++i) {
          a[i] = of_q.get(k * (rows + 1) + row + across * i);
          b[i] = of_u.get(k * (columns + 1) + column + along * i);
        }
#pragma unroll
        for (int i = 0; i < each; ++i)
#pragma unroll
          for (int j = 0; j < each; ++j) sum[i][j] = multiply_add(sum[i][j], a[i], b[j]);
      }
      ex.sync();
    }
#pragma unroll
    for (int i = 0; i < each; ++i)
#pragma unroll
      for (int j = 0; j < each; ++j) {
        const int r = first_row + row + across * i, c = first_column + column + along * j;
        if (r < half && c < both) ex.store(to + r + c * both, sum[i][j]);
      }
  }
};

}  // namespace onepass::kernels
