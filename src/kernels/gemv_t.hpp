// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_t: y[c] = sum over r of A[r, c] x[r], dot products along the contiguous dimension of A.
//
//             columns of one bundle           a group of `lanes` threads owns a bundle of four
//             c0    c1    c2    c3            columns and walks down them, each thread with two
//           +-----+-----+-----+-----+         16-byte vectors of each column in flight; x is read
//  lane 0   |  V  |  V  |  V  |  V  |         once per thread and used for the four columns.
//  lane 1   |  V  |  V  |  V  |  V  |         A block holds threads / lanes groups; long columns
//   ...     |     |     |     |     |         are split among blocks.
//           +-----+-----+-----+-----+
//
// Any alignment: the columns of a bundle are `classes` apart, so that all of them start at the same
// offset from a 16-byte boundary and need the same elements of x. The few rows at the two ends of a
// column that no whole vector covers are read by single lanes.
#pragma once

#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/operand.hpp"

namespace onepass::kernels {

template <class T, Form F>
struct GemvT {
  using S = Sum<T>;
  static constexpr int V = vector_length<T>;
  static constexpr int bundle = gemv_t_bundle;
  static constexpr int in_flight = gemv_t_in_flight;
  static constexpr int max_threads = gemv_max_threads;

  template <class X>
  static ONEPASS_DEVICE void run(X ex, const GemvArgs& g) {
    each_product<F>(ex, g, [&](std::int64_t b) { product(ex, g, b); });
  }

 private:
  // Columns first, first + classes, ...: `count` of them exist.
  struct Bundle {
    std::int64_t first;
    int count;

    ONEPASS_DEVICE Bundle(const GemvArgs& g, std::int64_t index) {
      const int classes = 1 << g.log2_classes;
      first = ((index >> g.log2_classes) << g.log2_classes) * bundle + (index & (classes - 1));
      const std::int64_t exist = (g.cols - first + classes - 1) >> g.log2_classes;
      count = exist < 0 ? 0 : static_cast<int>(exist < bundle ? exist : bundle);
    }
    ONEPASS_DEVICE std::int64_t column(const GemvArgs& g, int q) const {
      return q < count ? first + (q << g.log2_classes) : -1;
    }
  };

  template <class X>
  static ONEPASS_DEVICE void product(X ex, const GemvArgs& g, std::int64_t b) {
    const int lanes = 1 << g.log2_lanes;
    const int lane = ex.thread() & (lanes - 1), group = ex.thread() >> g.log2_lanes;
    const int groups = ex.threads() >> g.log2_lanes;
    const S alpha = alpha_of<S, F>(ex, g);
    const Bundle columns(g, ex.block_x() * groups + group);

    S sum[bundle] = {};
    if (!(alpha == S{}) && columns.count > 0) {
      const T* a = matrix<T, F>(ex, g, b) + columns.first * g.lda;
      const T* x = vector_x<T, F>(ex, g, b);
      const std::int64_t step = g.lda << g.log2_classes;
      const int shift = offset_in_vector(a);
      const Stretch<V, std::int64_t> stretch(g.rows, shift, g.rows);

      std::int64_t i = ex.block_y() * g.chunk + lane;
      std::int64_t end = i - lane + g.chunk;
      if (end > stretch.last) end = stretch.last;
      if (i < stretch.first) i += lanes;
      const bool x_in_vectors = g.incx == 1 && offset_in_vector(x) == shift;
      for (; i < end; i += in_flight * lanes)
        add(ex, g, sum, columns.count, a + (i * V - shift), step, x + (i * V - shift) * g.incx, x_in_vectors,
            static_cast<int>(end - i < in_flight * lanes ? end - i : in_flight * lanes), lanes);

      if (V > 1 && ex.block_y() == 0 && lane < stretch.edges) {
        // sum[q] += A[row, q] x[row]
        const std::int64_t row = stretch.edge(lane);
        const S x_r = conjugate_if(g.conjugate, static_cast<S>(widen(ex.read_cached(x + row * g.incx))));
#pragma unroll
        for (int q = 0; q < bundle; ++q)
          if (q < columns.count)
            sum[q] = multiply_add(sum[q], static_cast<S>(widen(ex.read_once(a + row + q * step))), x_r);
      }
    }

    // Within a warp by shuffles, among the warps of a group through shared memory.
    const int width = lanes < X::warp ? lanes : X::warp;
    for (int mask = width / 2; mask > 0; mask /= 2) {
#pragma unroll
      for (int q = 0; q < bundle; ++q) sum[q] = sum[q] + ex.shuffle_xor(sum[q], mask);
    }
    if (lanes <= X::warp && g.splits == 1) {
      // Every lane has the group's sums: one lane each writes them.
#pragma unroll
      for (int q = 0; q < bundle; ++q) {
        if (lane == (q & (lanes - 1)) && q < columns.count)
          write_y<T, F>(ex, g, b, columns.column(g, q), alpha, sum[q]);
      }
      return;
    }
    const int warps = lanes / width;
    const auto shared = ex.template shared<S>(0);
    if ((lane & (width - 1)) == 0) {
#pragma unroll
      for (int q = 0; q < bundle; ++q) shared.put(ex.thread() / width * bundle + q, sum[q]);
    }
    ex.sync();
    const auto scratch = ex.template shared<S>(ex.threads() / width * bundle * static_cast<int>(sizeof(S)));
    deliver<T, F>(
        ex, g, b, alpha, scratch, groups * bundle, warps,
        [&](int w, int o) { return shared.get((o / bundle * warps + w) * bundle + o % bundle); },
        [&](int o) { return Bundle(g, ex.block_x() * groups + o / bundle).column(g, o % bundle); });
  }

  // sum[q] += A[i V + v, q] x[i V + v] for slots `lanes` apart, those nearer than `reach`, in `count`
  // columns; all loads before the first use.
  template <class X>
  static ONEPASS_DEVICE void add(X ex, const GemvArgs& g, S (&sum)[bundle], int count, const T* a, std::int64_t step,
                                 const T* x, bool x_in_vectors, int reach, int lanes) {
    exec::Word16 word[in_flight][bundle];
    T xs[in_flight][V] = {};
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      const T* slot = a + u * lanes * V;
#pragma unroll
      for (int q = 0; q < bundle; ++q) {
        word[u][q] = ex.read_once_if(u * lanes < reach && q < count, reinterpret_cast<const exec::Word16*>(slot));
        slot += step;
      }
    }
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      if (u * lanes < reach) {
        const T* slot = x + u * lanes * V * g.incx;
        if (x_in_vectors) {
          unpack(ex.read_cached(reinterpret_cast<const exec::Word16*>(slot)), xs[u]);
        } else {
#pragma unroll
          for (int v = 0; v < V; ++v) xs[u][v] = ex.read_cached(slot + v * g.incx);
        }
      }
    }
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
#pragma unroll
      for (int q = 0; q < bundle; ++q) {
        T element[V];
        unpack(word[u][q], element);
#pragma unroll
        for (int v = 0; v < V; ++v)
          sum[q] = multiply_add(sum[q], static_cast<S>(widen(element[v])),
                                conjugate_if(g.conjugate, static_cast<S>(widen(xs[u][v]))));
      }
    }
  }
};

}  // namespace onepass::kernels
