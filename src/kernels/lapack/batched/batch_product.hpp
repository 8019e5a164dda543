// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Q := diag(Q1, Q2) U of all merges of a level of divide and conquer, whose neighbours have equally many rows. A
// library would choose its kernel by the size of the batch, and with it the bits of each product.
//
// A block, which is a warp, has a tile of 32 x 64 elements of the rows of one neighbour. In double precision the tensor
// cores multiply, what mma calls rows being columns of the tile, and lanes load what they need of it where it is. Else
// a lane has 8 x 8 elements, every fourth row and every eighth column, so that what it loads from shared memory is used
// often enough.
#pragma once

#include <type_traits>

#include "kernels/lapack/batched/batch_args.hpp"
#include "kernels/lapack/reflector.hpp"

namespace onepass::kernels {

template <class R>
struct BatchProduct {
  static constexpr int max_threads = batch_product_threads, min_blocks = 8;
  static constexpr int rows = batch_product_rows, columns = batch_product_columns, terms = batch_product_terms;
  static constexpr int line_of_q = batch_product_line_of_q, line_of_u = batch_product_line_of_u;
  static_assert(max_threads == 32);

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
    Tile<Ex> sums{ex};
    sums.multiply(
        half,
        [&](int r, int k) {
          const bool there = first_row + r < half && k < half;
          return ex.load_cached_if(there, q + (there ? first_row + r + k * half : 0));
        },
        [&](int k, int c) {
          const bool there = k < half && first_column + c < both;
          return ex.load_cached_if(there, u + (there ? k + (first_column + c) * both : 0));
        });
    sums.for_all([&](int r, int c, R sum) {
      r += first_row;
      c += first_column;
      if (r < half && c < both) ex.store(to + r + c * both, sum);
    });
  }

 private:
  static_assert(rows == 32 && terms == 32, "a lane has one");

  template <class Ex>
  struct OnTensorCores {
    static constexpr int across = columns / 16, down = rows / 8;
    Ex ex;
    int group = ex.thread() / 4, of_four = ex.thread() % 4;
    double sum[across][down][4] = {};

    template <class OfQ, class OfU>
    ONEPASS_DEVICE void multiply(int inner, OfQ of_q, OfU of_u) {
#pragma unroll 2
      for (int first = 0; first < inner; first += 4) {
        const int k = first + of_four;
        double a[across][2], b[down];
#pragma unroll
        for (int m = 0; m < across; ++m)
#pragma unroll
          for (int h = 0; h < 2; ++h) a[m][h] = of_u(k, 16 * m + 8 * h + group);
#pragma unroll
        for (int i = 0; i < down; ++i) b[i] = of_q(8 * i + group, k);
#pragma unroll
        for (int m = 0; m < across; ++m)
#pragma unroll
          for (int i = 0; i < down; ++i) ex.matrix_multiply_add(sum[m][i], a[m], b[i]);
      }
    }
    template <class F>
    ONEPASS_DEVICE void for_all(F f) const {
#pragma unroll
      for (int m = 0; m < across; ++m)
#pragma unroll
        for (int i = 0; i < down; ++i)
#pragma unroll
          for (int e = 0; e < 4; ++e) f(8 * i + 2 * of_four + e % 2, 16 * m + 8 * (e / 2) + group, sum[m][i][e]);
    }
  };

  template <class Ex>
  struct ByLanes {
    static constexpr int each = 8, across = rows / each, along = columns / each;
    static_assert(across * along == 32);
    Ex ex;
    int row = ex.thread() % across, column = ex.thread() / across;
    R sum[each][each] = {};

    template <class OfQ, class OfU>
    ONEPASS_DEVICE void multiply(int inner, OfQ of_q, OfU of_u) {
      const auto lines_of_q = ex.template shared<R>(0);  // of each term
      const auto lines_of_u = ex.template shared<R>(terms * line_of_q * static_cast<int>(sizeof(R)));
      const int lane = ex.thread();
      for (int first = 0; first < inner; first += terms) {
#pragma unroll 8
        for (int k = 0; k < terms; ++k) lines_of_q.put(k * line_of_q + lane, of_q(lane, first + k));
#pragma unroll 8
        for (int c = 0; c < columns; ++c) lines_of_u.put(lane * line_of_u + c, of_u(first + lane, c));
        ex.sync();
#pragma unroll 4
        for (int k = 0; k < terms; ++k) {
          R a[each], b[each];
#pragma unroll
          for (int i = 0; i < each; ++i) {
            a[i] = lines_of_q.get(k * line_of_q + row + across * i);
            b[i] = lines_of_u.get(k * line_of_u + column + along * i);
          }
#pragma unroll
          for (int i = 0; i < each; ++i)
#pragma unroll
            for (int j = 0; j < each; ++j) sum[i][j] = multiply_add(sum[i][j], a[i], b[j]);
        }
        ex.sync();
      }
    }
    template <class F>
    ONEPASS_DEVICE void for_all(F f) const {
#pragma unroll
      for (int j = 0; j < each; ++j)
#pragma unroll
        for (int i = 0; i < each; ++i) f(row + across * i, column + along * j, sum[i][j]);
    }
  };

  template <class Ex>
  using Tile = std::conditional_t<std::is_same_v<R, double>, OnTensorCores<Ex>, ByLanes<Ex>>;
};

}  // namespace onepass::kernels
