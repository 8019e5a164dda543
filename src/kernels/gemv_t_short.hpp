// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_t_short: y[c] = sum over r of A[r, c] x[r], for many columns that a group of lanes covers at once.
//
//             bundle, next bundle, ...         as gemv_t, but a group walks along the columns: its words
//           +----+----+----+----+----+--       of x stay in registers, and what a thread must find out
//  lane 0   | V  | V  | V  | V  | V  | ..  ->  about itself it finds out once. Two words of each column
//  lane 1   | V  | V  | V  | V  | V  | ..      and thread at most.
//           +----+----+----+----+----+--
#pragma once

#include "kernels/blocks/bundle.hpp"
#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/operand.hpp"

namespace onepass::kernels {

template <class T, Form F>
struct GemvTShort {
  using S = Sum<T>;
  static constexpr int V = vector_length<T>, log2_v = log2_vector_length<T>;
  static constexpr int bundle = gemv_t_bundle;
  static constexpr int slots = gemv_t_in_flight;
  static constexpr int max_threads = gemv_max_threads;
  static constexpr int min_blocks = F == Form::plain ? 3 : 2;  // on an SM: 80 registers a thread, or 128

  template <class X>
  static ONEPASS_DEVICE void run(X ex, const GemvArgs& g) {
    if constexpr (F == Form::plain) begin(ex);
    each_product<F>(ex, g, [&](std::int64_t b) { product(ex, g, b); });
  }

 private:
  template <class X>
  static ONEPASS_DEVICE void product(X ex, const GemvArgs& g, std::int64_t b) {
    const int lanes = 1 << g.log2_lanes, log2_run = g.log2_groups + gemv_t_log2_bundle;
    const int lane = ex.thread() & (lanes - 1), group = ex.thread() >> g.log2_lanes;
    const S alpha = alpha_of<S, F>(ex, g);
    // Runs of adjacent columns, `bundle` of each group.
    const std::int64_t runs = (g.cols + (1 << log2_run) - 1) >> log2_run;
    const std::int64_t run0 = ex.block_x() * g.chunk, run1 = run0 + g.chunk < runs ? run0 + g.chunk : runs;
    if (alpha == S{}) {
      const std::int64_t end = run1 << log2_run < g.cols ? run1 << log2_run : g.cols;
      for (std::int64_t c = (run0 << log2_run) + ex.thread(); c < end; c += ex.threads())
        write_y<T, F>(ex, g, b, c, alpha, S{});
      return;
    }

    const T* const a = matrix<T, F>(ex, g, b);
    const Span<T> span(g, a);
    std::int64_t c = (run0 << log2_run) + group;
    const T* column = a + c * g.lda;
    const int shift = offset_in_vector(column);
    const std::int64_t step = g.lda << g.log2_groups, next = g.lda << log2_run;
    int row[slots], from[slots], to[slots];
    S xs[slots][V];
    const T* const x = vector_x<T, F>(ex, g, b);
#pragma unroll
    for (int u = 0; u < slots; ++u) {
      row[u] = ((lane + (u << g.log2_lanes)) << log2_v) - shift;
      from[u] = row[u] < 0 ? -row[u] : 0;
      to[u] = at_most(g.rows - row[u], V);  // may be negative: nothing of this word is in the column
#pragma unroll
      for (int v = 0; v < V; ++v) {
        const T value = ex.read_cached_if(v >= from[u] && v < to[u], x + (row[u] + v) * g.incx);
        xs[u][v] = conjugate_if(g.conjugate, static_cast<S>(widen(value)));
      }
    }

    for (std::int64_t run = run0; run < run1; ++run) {
      // sum[q] += A[row + v, q] x[row + v]; all loads before the first use.
      exec::Word16 words[slots][bundle];
      const std::int64_t exist = (g.cols - c + (1 << g.log2_groups) - 1) >> g.log2_groups;
      const int count = exist < 0 ? 0 : at_most(exist, bundle);
      if (run > 0 && run < runs - 1) {
#pragma unroll
        for (int u = 0; u < slots; ++u) {
          const T* word = column + row[u];
#pragma unroll
          for (int q = 0; q < bundle; ++q) {
            words[u][q] = ex.read_word_if(to[u] > 0, word, from[u], to[u]);
            word += step;
          }
        }
      } else {
        // The first and the last run, where words may stick out of the matrix.
#pragma unroll
        for (int u = 0; u < slots; ++u) {
#pragma unroll
          for (int q = 0; q < bundle; ++q)
            words[u][q] = read_carefully(ex, span, to[u] > 0 && q < count, column + q * step + row[u], from[u], to[u]);
        }
      }
      S sum[bundle] = {};
#pragma unroll
      for (int u = 0; u < slots; ++u) {
#pragma unroll
        for (int q = 0; q < bundle; ++q) {
          if (from[u] != 0 || to[u] != V) words[u][q] = keep<T>(words[u][q], from[u], to[u]);
          T element[V];
          unpack(words[u][q], element);
#pragma unroll
          for (int v = 0; v < V; ++v) sum[q] = multiply_add(sum[q], static_cast<S>(widen(element[v])), xs[u][v]);
        }
      }
      const S total = sum_bundle<S>(ex, g.log2_lanes, sum);
      if (g.log2_lanes >= gemv_t_log2_bundle) {
        const int q = column_of_lane(lane, g.log2_lanes);
        if (q >= 0 && q < count) write_y<T, F>(ex, g, b, c + (q << g.log2_groups), alpha, total);
      } else if (lane == 0) {
#pragma unroll
        for (int q = 0; q < bundle; ++q)
          if (q < count) write_y<T, F>(ex, g, b, c + (q << g.log2_groups), alpha, sum[q]);
      }
      c += std::int64_t{1} << log2_run;
      column += next;
    }
  }

  // A word of a column, or what the matrix has of it.
  template <class X>
  static ONEPASS_DEVICE exec::Word16 read_carefully(X ex, const Span<T>& span, bool wanted, const T* word, int from,
                                                    int to) {
    const bool cut = wanted && span.cuts(word);
    exec::Word16 whole = ex.read_word_if(wanted && !cut, word, from, to);
    if (V > 1 && cut) {
      T element[V];
#pragma unroll
      for (int v = 0; v < V; ++v) element[v] = ex.read_once_if(v >= from && v < to, word + v);
      std::memcpy(&whole, static_cast<const void*>(element), sizeof(whole));
    }
    return whole;
  }
};

}  // namespace onepass::kernels
