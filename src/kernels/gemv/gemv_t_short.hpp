// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_t_short: dot products along many short columns. Their instructions are what takes time, so x is loaded and
// converted once, and kept in registers.
//
//             columns of one alignment       A group of `lanes` threads, a warp at most, covers a column with its
//             vectors:
//               c0    c8    c16   c24        lane l has vectors l, l + lanes, ... of it, up to `vectors`. The columns
//             +-----+-----+-----+-----+      of a group start alike, and have the same elements of x in a lane. The
//    lane 0   |  V  |  V  |  V  |  V  |      group has `columns` of them in flight, sums them up over its lanes by
//    lane 1   |  V  |  V  |  V  |  V  |      shuffles, and goes on to the next, as far as the grid's stride. The groups
//     ...     |     |     |     |     |      of a warp have neighbouring columns, so that it reads a run of memory.
//             +-----+-----+-----+-----+
//
// What the first and last vector of a column hold of its neighbours is masked off before it is used.
#pragma once

#include <bit>
#include <type_traits>

#include "kernels/blocks/columns.hpp"
#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/operand.hpp"

namespace onepass::kernels {

// Single products (the plain form), no split. Rows: at least V. early: where nothing that may still run writes A and x,
// all but the result comes before the grid-dependency wait.
template <class E, Loads L, bool early>
struct GemvTShort {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Factor = typename E::Factor;
  using Scalar = typename E::Scalar;
  static constexpr Form F = Form::plain;
  static constexpr int V = vector_length<A>, log2_v = log2_vector_length<A>;
  static constexpr int vectors = gemv_t_short_vectors(L), columns = gemv_t_short_columns(L);
  static constexpr int max_threads = gemv_max_threads;
  static constexpr int min_blocks = L == Loads::few ? 3 : 2;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GemvArgs& g) {
    const int lanes = 1 << g.log2_lanes, lane = ex.thread() & (lanes - 1), group = ex.thread() >> g.log2_lanes;
    const int cols = static_cast<int>(g.cols), rows = static_cast<int>(g.rows);
    // Groups by their numbers in the grid: as many side by side as start differently, or as a warp has.
    const int number = static_cast<int>(ex.block_x() << g.log2_groups) + group;
    const int offset = number & ((1 << g.log2_step) - 1);
    const int columns_apart = static_cast<int>(ex.grid_x() << g.log2_groups) * columns;  // from visit to visit
    const int visits = g.tile >> g.log2_groups;                                          // times `columns`
    int c0 = ((number >> g.log2_step) * columns << g.log2_step) + offset;
    const Scalar alpha = alpha_of<Scalar, F>(ex, g);
    if (alpha == Scalar{}) {
      wait_for_previous_launch(ex);
      return scale(ex, g, lane, c0, columns_apart, visits);
    }

    // This lane's vectors. Elements from[i] to to[i] - 1 of one belong to its column; whole vectors are loaded of
    // columns before end[i]: the last one of all may stick out of the matrix, and so may the first.
    const A* const a = static_cast<const A*>(g.a);
    const int shift = offset_in_vector(a + offset * g.lda), count = (rows + shift + V - 1) >> log2_v;
    const Span<A> span(g, a);
    const bool cut_head = lane == 0 && offset == 0 && shift != 0;
    const int last = (cols - 1) & ((1 << g.log2_step) - 1);  // the class of the last column
    bool cut_tail[vectors];
    int from[vectors], to[vectors], end[vectors];
    exec::Vector16 mask[vectors];
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      const int vector = lane + (i << g.log2_lanes), row = (vector << log2_v) - shift;
      from[i] = row < 0 ? shift : 0;
      to[i] = at_most(rows - row, V);
      mask[i] = keep<A>({{~0u, ~0u, ~0u, ~0u}}, from[i], to[i]);
#pragma unroll
      for (int w = 0; w < 4; ++w) mask[i].word[w] = kept(ex, mask[i].word[w]);
      cut_tail[i] = vector == count - 1 && offset == last && span.cuts_tail(a + ((cols - 1) * g.lda + row));
      end[i] = kept(ex, vector >= count ? 0 : cut_tail[i] ? cols - 1 : cols);
    }
    WaitForPreviousLaunch<early, Ex> wait(ex, g, true);
    Factor x[vectors][V];
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      const X* const at = static_cast<const X*>(g.x) + (((lane + (i << g.log2_lanes)) << log2_v) - shift) * g.incx;
#pragma unroll
      for (int v = 0; v < V; ++v)
        x[i][v] = kept(
            ex, conjugate_if(g.conjugate, as<Factor>(ex.load_cached_if(v >= from[i] && v < to[i], at + v * g.incx))));
    }

#pragma unroll 1
    for (int visit = 0; visit < visits; visit += columns, c0 += columns_apart) {
      const A* const at = a + (c0 * g.lda + ((lane << log2_v) - shift));
      exec::Vector16 loaded[columns][vectors];
#pragma unroll
      for (int q = 0; q < columns; ++q) {
#pragma unroll
        for (int i = 0; i < vectors; ++i) {
          const int c = c0 + (q << g.log2_step);
          loaded[q][i] =
              ex.load_vector_if(c < end[i] && !(q == 0 && i == 0 && c == 0 && cut_head),
                                at + (q * (g.lda << g.log2_step) + (i << g.log2_lanes << log2_v)), from[i], to[i]);
        }
      }
      S sum[columns] = {};
#pragma unroll
      for (int q = 0; q < columns; ++q) {
#pragma unroll
        for (int i = 0; i < vectors; ++i) {
#pragma unroll
          for (int w = 0; w < 4; ++w) loaded[q][i].word[w] &= mask[i].word[w];
          Factor element[V];
          convert(loaded[q][i], element);
#pragma unroll
          for (int v = 0; v < V; ++v) sum[q] = multiply_add(sum[q], element[v], x[i][v]);
        }
      }
      // What sticks out of the matrix, by elements.
      if (cut_head && c0 == 0) sum[0] = add_elements(ex, at, from[0], to[0], x[0], sum[0]);
#pragma unroll
      for (int i = 0; i < vectors; ++i) {
        const int q_last = (cols - 1 - c0) >> g.log2_step;
        if (cut_tail[i] && c0 < cols && q_last < columns) {
          const S tail = add_elements(ex, at + (q_last * (g.lda << g.log2_step) + (i << g.log2_lanes << log2_v)),
                                      from[i], to[i], x[i], S{});
#pragma unroll
          for (int q = 0; q < columns; ++q) sum[q] = sum[q] + (q == q_last ? tail : S{});
        }
      }
      // Each lane ends with the sums of as many columns as there are for it.
      const auto deliver = [&]<int of>() {
#pragma unroll
        for (int first = 0; first < columns; first += of) {
          S part[of];
#pragma unroll
          for (int q = 0; q < of; ++q) part[q] = sum[first + q];
          share_out<of / 2>(ex, lane, part);
          S total = part[0];
#pragma unroll
          for (int bit = columns; bit < Ex::warp; bit *= 2)
            if (of == columns && bit < lanes) total = total + ex.shuffle_xor(total, bit);
          wait.before_result();
          const int c = c0 + ((first + column_of<of>(lane)) << g.log2_step);
          if (owns_column<of>(lane) && c < cols) write_y<E, F>(ex, g, {}, c, alpha, total);
        }
      };
      if (lanes >= columns) {
        deliver.template operator()<columns>();
      } else if (lanes == 1) {
        deliver.template operator()<1>();
      } else if (lanes == 2) {
        deliver.template operator()<2>();
      } else {
        deliver.template operator()<4>();
      }
    }
  }

 private:
  // A bfloat16 is the upper half of a float: one instruction each.
  static ONEPASS_DEVICE void convert(const exec::Vector16& vector, Factor (&factor)[V]) {
    if constexpr (std::is_same_v<A, Bfloat16>) {
#pragma unroll
      for (int w = 0; w < 4; ++w) {
        factor[2 * w] = std::bit_cast<float>(vector.word[w] << 16);
        factor[2 * w + 1] = std::bit_cast<float>(vector.word[w] & 0xffff0000u);
      }
    } else {
      A element[V];
      unpack(vector, element);
#pragma unroll
      for (int v = 0; v < V; ++v) factor[v] = as<Factor>(element[v]);
    }
  }

  // The same, made once: else ptxas computes it again for each column.
  template <class T, class Ex>
  static ONEPASS_DEVICE T kept(Ex ex, T value) {
    struct Words {
      int word[sizeof(T) / 4];
    };
    Words words = std::bit_cast<Words>(value);
    for (int& word : words.word) word = ex.materialize(word);
    return std::bit_cast<T>(words);
  }

  template <class Ex>
  static ONEPASS_DEVICE S add_elements(Ex ex, const A* at, int from, int to, const Factor (&x)[V], S sum) {
    A element[V];
#pragma unroll
    for (int v = 0; v < V; ++v) element[v] = ex.load_once_if(v >= from && v < to, at + v);
#pragma unroll
    for (int v = 0; v < V; ++v) sum = multiply_add(sum, as<Factor>(element[v]), x[v]);
    return sum;
  }

  // y = beta y
  template <class Ex>
  static ONEPASS_DEVICE void scale(Ex ex, const GemvArgs& g, int lane, int c0, int columns_apart, int visits) {
#pragma unroll 1
    for (int visit = 0; visit < visits; visit += columns, c0 += columns_apart) {
#pragma unroll 1
      for (int q = lane; q < columns; q += 1 << g.log2_lanes) {
        const int c = c0 + (q << g.log2_step);
        if (c < g.cols) write_y<E, F>(ex, g, {}, c, {}, {});
      }
    }
  }
};

}  // namespace onepass::kernels
