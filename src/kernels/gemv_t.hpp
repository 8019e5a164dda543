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

template <class T>
struct GemvT {
  using S = Sum<T>;
  static constexpr int V = vector_length<T>;
  static constexpr int bundle = gemv_t_bundle;
  static constexpr int in_flight = gemv_t_in_flight;
  static constexpr int max_threads = gemv_max_threads;

  template <class X>
  static ONEPASS_DEVICE void run(X ex, const GemvArgs& g) {
    for (std::int64_t b = ex.block_z(); b < g.batch; b += ex.grid_z()) {
      if (b != ex.block_z()) ex.sync();
      product(ex, g, b);
    }
  }

 private:
  // Columns c0, c0 + classes, ...: `count` of them exist.
  struct Bundle {
    std::int64_t first, step;
    int count;

    ONEPASS_DEVICE Bundle(const GemvArgs& g, std::int64_t index) {
      const std::int64_t classes = std::int64_t{1} << g.log2_classes;
      first = ((index >> g.log2_classes) << g.log2_classes) * bundle + (index & (classes - 1));
      step = classes;
      const std::int64_t exist = first < g.cols ? (g.cols - first + step - 1) >> g.log2_classes : 0;
      count = static_cast<int>(exist < bundle ? exist : bundle);
    }
  };

  template <class X>
  static ONEPASS_DEVICE void product(X ex, const GemvArgs& g, std::int64_t b) {
    const int lanes = 1 << g.log2_lanes;
    const int lane = ex.thread() & (lanes - 1), group = ex.thread() >> g.log2_lanes;
    const int groups = ex.threads() >> g.log2_lanes;
    const S alpha = scalar<S>(ex, g.alpha);
    const std::int64_t bundle0 = ex.block_x() * groups;

    S sum[bundle] = {};
    if (!(alpha == S{})) {
      const Bundle columns(g, bundle0 + group);
      Walk walk{.x = input<T>(ex, g.x, g.pointer_array, g.stride_x, b) + g.first_x,
                .incx = g.incx,
                .step = columns.step * g.lda,
                .conjugate = g.conjugate};
      const T* a = input<T>(ex, g.a, g.pointer_array, g.stride_a, b) + columns.first * g.lda;
      const int shift = offset_in_vector(a);
      const Stretch<V> stretch(g.rows, shift, g.rows);
      walk.edge = ex.block_y() == 0 && lane < stretch.edges ? stretch.edge(lane) : -1;
      walk.shift = shift;
      walk.vector_x = g.incx == 1 && offset_in_vector(walk.x) == shift;
      walk.begin = ex.block_y() * g.chunk + lane;
      if (walk.begin < stretch.first) walk.begin += lanes;
      walk.end = (ex.block_y() + 1) * g.chunk;
      if (walk.end > stretch.last) walk.end = stretch.last;
      walk.lanes = lanes;
      if (columns.count == bundle) {
        walk.template down<bundle>(ex, a, sum);
      } else {
#pragma unroll
        for (int q = 0; q < bundle; ++q)
          if (q < columns.count) walk.template down<1>(ex, a + q * walk.step, sum + q);
      }
    }

    // Within a warp by shuffles, among the warps of a group through shared memory.
    const int width = lanes < X::warp ? lanes : X::warp;
    for (int mask = width / 2; mask > 0; mask /= 2) {
#pragma unroll
      for (int q = 0; q < bundle; ++q) sum[q] = sum[q] + ex.shuffle_xor(sum[q], mask);
    }
    const auto index = [&](int group_of, int q) {
      const Bundle columns(g, bundle0 + group_of);
      return q < columns.count ? columns.first + q * columns.step : std::int64_t{-1};
    };
    if (lanes <= X::warp && g.splits == 1) {
      // Every lane has the group's sums: the first four write them.
#pragma unroll
      for (int q = 0; q < bundle; ++q) {
        const std::int64_t i = index(group, q);
        if (lane == q % lanes && i >= 0) write_y<T>(ex, g, b, i, alpha, sum[q]);
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
    deliver<T>(
        ex, g, b, alpha, scratch, groups * bundle, warps,
        [&](int w, int o) { return shared.get((o / bundle * warps + w) * bundle + o % bundle); },
        [&](int o) { return index(o / bundle, o % bundle); });
  }

  // One thread's way down the columns of a bundle.
  struct Walk {
    const T* x;
    std::int64_t incx, step;  // step: elements between two columns of the bundle
    bool conjugate;
    bool vector_x = false;            // x lies on the same 16-byte boundaries as the columns
    int shift = 0, lanes = 0;         // slot i holds the rows i V - shift, ...
    std::int64_t begin = 0, end = 0;  // slots begin, begin + lanes, ... below end
    std::int64_t edge = -1;           // the row at an edge that is this thread's, or -1

    template <int Columns, class X>
    ONEPASS_DEVICE void down(X ex, const T* a, S* sum) const {
      constexpr int depth = Columns == 1 ? 2 * in_flight : in_flight;
      if (edge >= 0) {
        // sum[q] += A[row, q] x[row]
        const S value = conjugate_if(conjugate, static_cast<S>(widen(ex.read_cached(x + edge * incx))));
#pragma unroll
        for (int q = 0; q < Columns; ++q)
          sum[q] = multiply_add(sum[q], static_cast<S>(widen(ex.read_once(a + edge + q * step))), value);
      }
      std::int64_t i = begin;
      for (; i + (depth - 1) * lanes < end; i += depth * lanes) slots<Columns, depth>(ex, a, sum, i);
      for (; i < end; i += lanes) slots<Columns, 1>(ex, a, sum, i);
    }

    // sum[q] += A[i V + v, q] x[i V + v] for the slots i, i + lanes, ...; all loads before the first use.
    template <int Columns, int Depth, class X>
    ONEPASS_DEVICE void slots(X ex, const T* a, S* sum, std::int64_t i) const {
      exec::Word16 word[Depth][Columns];
#pragma unroll
      for (int u = 0; u < Depth; ++u) {
#pragma unroll
        for (int q = 0; q < Columns; ++q)
          word[u][q] =
              ex.read_once(reinterpret_cast<const exec::Word16*>(a + ((i + u * lanes) * V - shift) + q * step));
      }
      T xs[Depth][V];
      if (vector_x) {
#pragma unroll
        for (int u = 0; u < Depth; ++u)
          unpack(ex.read_cached(reinterpret_cast<const exec::Word16*>(x + ((i + u * lanes) * V - shift))), xs[u]);
      } else {
#pragma unroll
        for (int u = 0; u < Depth; ++u) {
#pragma unroll
          for (int v = 0; v < V; ++v) xs[u][v] = ex.read_cached(x + ((i + u * lanes) * V - shift + v) * incx);
        }
      }
#pragma unroll
      for (int u = 0; u < Depth; ++u) {
#pragma unroll
        for (int q = 0; q < Columns; ++q) {
          T element[V];
          unpack(word[u][q], element);
#pragma unroll
          for (int v = 0; v < V; ++v)
            sum[q] = multiply_add(sum[q], static_cast<S>(widen(element[v])),
                                  conjugate_if(conjugate, static_cast<S>(widen(xs[u][v]))));
        }
      }
    }
  };
};

}  // namespace onepass::kernels
