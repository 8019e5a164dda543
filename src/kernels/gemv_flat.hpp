// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_flat: short columns that follow each other without a gap (lda == rows).
//
//   memory   | column 0 | column 1 | column 2 | column 3 | ...      one run, cut at 16-byte
//            |  V  |  V  |  V  |  V  |  V  |  V  |  V  |  V  ...    boundaries, not at columns
//
// A column shorter than a few sectors has too many cut ends to be read by itself. So a block reads a
// run of many columns as if it were one, with whole vectors, into shared memory, and computes from
// there: y[r] = sum over c of A[r, c] x[c], a thread per row and group of columns; or, transposed,
// y[c] = sum over r of A[r, c] x[r], a few threads per column.
#pragma once

#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/operand.hpp"

namespace onepass::kernels {

template <class T, bool Transposed, Form F>
struct GemvFlat {
  using S = Sum<T>;
  static constexpr int V = vector_length<T>;
  static constexpr int in_flight = gemv_flat_in_flight(sizeof(T));
  static constexpr int max_threads = gemv_max_threads;

  template <class X>
  static ONEPASS_DEVICE void run(X ex, const GemvArgs& g) {
    each_product<F>(ex, g, [&](std::int64_t b) {
      const S alpha = alpha_of<S, F>(ex, g);
      const T* x = alpha == S{} ? nullptr : vector_x<T, F>(ex, g, b);
      if constexpr (Transposed) {
        dots(ex, g, b, alpha, x);
      } else {
        rows(ex, g, b, alpha, x);
      }
    });
  }

 private:
  // Columns that are read at a time.
  static ONEPASS_DEVICE int run_columns(const GemvArgs& g) {
    return gemv_flat_bytes(sizeof(T)) / (static_cast<int>(g.rows) * static_cast<int>(sizeof(T)));
  }

  // Copies columns c to c + count - 1 into shared memory; element (r, j) ends at shift + j rows + r.
  template <class X>
  static ONEPASS_DEVICE int stage(X ex, const GemvArgs& g, std::int64_t b, std::int64_t c, int count) {
    const T* a = matrix<T, F>(ex, g, b) + c * g.rows;
    const int shift = offset_in_vector(a);
    const int length = count * static_cast<int>(g.rows);
    const Stretch<V, int> stretch(length, shift, length);
    const auto words = ex.template shared<exec::Word16>(0);
    exec::Word16 word[in_flight];
    const int first = stretch.first + ex.thread(), last = stretch.last;
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      const int i = first + u * ex.threads();
      word[u] = ex.read_once_if(i < last, reinterpret_cast<const exec::Word16*>(a + (i * V - shift)));
    }
    if (V > 1 && ex.thread() < stretch.edges) {
      const int e = stretch.edge(ex.thread());
      ex.template shared<T>(0).put(e + shift, ex.read_once(a + e));
    }
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      const int i = first + u * ex.threads();
      if (i < last) words.put(i, word[u]);
    }
    ex.sync();
    return shift;
  }

  // y[r] = sum over c of A[r, c] x[c]: thread t has row t % rows and every groups-th column.
  template <class X>
  static ONEPASS_DEVICE void rows(X ex, const GemvArgs& g, std::int64_t b, S alpha, const T* x) {
    const int rows = static_cast<int>(g.rows), groups = ex.threads() / rows;
    const int group = ex.thread() / rows, row = ex.thread() % rows;
    S sum{};
    if (!(alpha == S{})) {
      const std::int64_t begin = ex.block_y() * g.chunk;
      const std::int64_t end = begin + g.chunk < g.cols ? begin + g.chunk : g.cols;
      const auto shared = ex.template shared<T>(0);
      const int most = run_columns(g);
      for (std::int64_t c = begin; c < end; c += most) {
        const int count = static_cast<int>(end - c < most ? end - c : most);
        // x is on its way while the run is, all of a thread's share but for what rounding adds.
        constexpr int share = in_flight * V;
        T ahead[share] = {};
#pragma unroll
        for (int u = 0; u < share; ++u)
          if (group < groups && group + u * groups < count)
            ahead[u] = ex.read_cached(x + (c + group + u * groups) * g.incx);
        const int shift = stage(ex, g, b, c, count);
        const auto add = [&](int j, T x_j) {
          sum = multiply_add(sum, static_cast<S>(widen(shared.get(shift + j * rows + row))),
                             conjugate_if(g.conjugate, static_cast<S>(widen(x_j))));
        };
        if (group < groups) {
#pragma unroll
          for (int u = 0; u < share; ++u)
            if (group + u * groups < count) add(group + u * groups, ahead[u]);
          for (int j = group + share * groups; j < count; j += groups) add(j, ex.read_cached(x + (c + j) * g.incx));
        }
        ex.sync();
      }
    }
    const auto parts = ex.template shared<S>(0);
    if (group < groups) parts.put(ex.thread(), sum);
    ex.sync();
    deliver<T, F>(
        ex, g, b, alpha, ex.template shared<S>(gemv_flat_room(sizeof(T))), rows, groups,
        [&](int p, int r) { return parts.get(p * rows + r); }, [](int r) { return std::int64_t{r}; });
  }

  // y[c] = sum over r of A[r, c] x[r]: `lanes` threads per column, who start at different rows so
  // that neighbours meet different banks of shared memory.
  template <class X>
  static ONEPASS_DEVICE void dots(X ex, const GemvArgs& g, std::int64_t b, S alpha, const T* x) {
    const int rows = static_cast<int>(g.rows), lanes = 1 << g.log2_lanes;
    const int lane = ex.thread() & (lanes - 1), group = ex.thread() >> g.log2_lanes;
    const int groups = ex.threads() >> g.log2_lanes;
    const std::int64_t begin = ex.block_x() * g.chunk;
    const std::int64_t end = begin + g.chunk < g.cols ? begin + g.chunk : g.cols;
    const auto shared = ex.template shared<T>(0);
    const auto xs = ex.template shared<S>(gemv_flat_room(sizeof(T)));
    if (!(alpha == S{})) {
      for (int r = ex.thread(); r < rows; r += ex.threads())
        xs.put(r, conjugate_if(g.conjugate, static_cast<S>(widen(ex.read_cached(x + r * g.incx)))));
    }
    const int most = run_columns(g);
    for (std::int64_t c = begin; c < end; c += most) {
      const int count = static_cast<int>(end - c < most ? end - c : most);
      const int shift = alpha == S{} ? 0 : stage(ex, g, b, c, count);
      for (int j0 = 0; j0 < count; j0 += groups) {
        const int j = j0 + group;
        S sum{};
        if (j < count && !(alpha == S{})) {
          const int share = (rows - lane + lanes - 1) >> g.log2_lanes;  // rows lane, lane + lanes, ...
          int i = share > 0 ? j % share : 0;
          for (int k = 0; k < share; ++k) {
            const int r = lane + (i << g.log2_lanes);
            sum = multiply_add(sum, static_cast<S>(widen(shared.get(shift + j * rows + r))), xs.get(r));
            if (++i == share) i = 0;
          }
        }
        for (int mask = lanes / 2; mask > 0; mask /= 2) sum = sum + ex.shuffle_xor(sum, mask);
        if (lane == 0 && j < count) write_y<T, F>(ex, g, b, c + j, alpha, sum);
      }
      ex.sync();
    }
  }
};

}  // namespace onepass::kernels
