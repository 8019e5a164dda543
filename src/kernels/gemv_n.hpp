// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_n: y[r] = sum over c of A[r, c] x[c], outputs along the contiguous dimension of A.
//
//            columns c of one split
//          g0 g1 g2 g3 g0 g1 g2 g3 ...        a block owns `lanes` vectors of rows (a tile); its
//         +--+--+--+--+--+--+--+--+--         threads / lanes groups take the columns in turn, each
//  lane 0 |  |  |  |  |  |  |  |  |           thread one 16-byte vector of each of its columns,
//  lane 1 |  |  |  |  |  |  |  |  |           eight of them in flight.
//   ...   |  |  |  |  |  |  |  |  |
//         +--+--+--+--+--+--+--+--+--
//
// Any alignment: the columns of one group start at the same offset from a 16-byte boundary, because
// the number of groups is a multiple of the number of such classes (the plan sees to it). So a
// thread's vectors all cover the same rows, shifted by its group's offset; the few rows at the two
// ends of the tile that no whole vector covers are read by single lanes.
#pragma once

#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/operand.hpp"

namespace onepass::kernels {

template <class T, Form F>
struct GemvN {
  using S = Sum<T>;
  static constexpr int V = vector_length<T>;
  static constexpr int in_flight = gemv_n_in_flight;
  static constexpr int max_threads = gemv_max_threads;

  template <class X>
  static ONEPASS_DEVICE void run(X ex, const GemvArgs& g) {
    each_product<F>(ex, g, [&](std::int64_t b) { product(ex, g, b); });
  }

 private:
  template <class X>
  static ONEPASS_DEVICE void product(X ex, const GemvArgs& g, std::int64_t b) {
    const int lanes = 1 << g.log2_lanes;
    const int lane = ex.thread() & (lanes - 1), group = ex.thread() >> g.log2_lanes;
    const int groups = ex.threads() >> g.log2_lanes;
    const int tile_rows = lanes * V, pitch = tile_rows + V;
    const std::int64_t row0 = ex.block_x() * tile_rows;
    const int rows = static_cast<int>(g.rows - row0 < tile_rows ? g.rows - row0 : tile_rows);
    const S alpha = alpha_of<S, F>(ex, g);
    const auto shared = ex.template shared<S>(0);

    int shift0 = 0;
    if (!(alpha == S{})) {
      const T* a = matrix<T, F>(ex, g, b) + row0;
      shift0 = offset_in_vector(a);
      const int shift = (shift0 + group * static_cast<int>(g.lda & (V - 1))) & (V - 1);
      const Stretch<V, int> stretch(rows, shift, lanes);
      const bool has_vector = lane >= stretch.first && lane < stretch.last;
      const bool has_edge = V > 1 && lane < stretch.edges;

      // Columns c, c + groups, ... below the end of the chunk: `left` is the way there.
      const std::int64_t c = ex.block_y() * g.chunk + group;
      std::int64_t left = (g.cols - c < g.chunk - group ? g.cols - c : g.chunk - group);
      Columns columns{.vector = a + c * g.lda + (lane * V - shift),
                      .edge = a + c * g.lda + (has_edge ? stretch.edge(lane) : 0),
                      .x = vector_x<T, F>(ex, g, b) + c * g.incx,
                      .step_a = groups * g.lda,
                      .step_x = groups * g.incx};
      S sum[V] = {}, edge_sum{};
      for (; left > 0; left -= in_flight * groups) {
        const int reach = static_cast<int>(left < in_flight * groups ? left : in_flight * groups);
        add(ex, g, columns, reach, groups, has_vector, has_edge, sum, edge_sum);
      }

      // Row r of group g's sum stands at r + shift, so that whole vectors lie on 16 bytes.
      if (has_vector) put_vector(ex, (group * pitch + lane * V) * static_cast<int>(sizeof(S)), sum);
      if (has_edge) shared.put(group * pitch + stretch.edge(lane) + shift, edge_sum);
    }
    ex.sync();

    // y[r] = sum over groups
    const int step = static_cast<int>(g.lda & (V - 1));
    const auto scratch = ex.template shared<S>(groups * pitch * static_cast<int>(sizeof(S)));
    deliver<T, F>(
        ex, g, b, alpha, scratch, tile_rows, alpha == S{} ? 0 : groups,
        [&](int p, int r) { return r < rows ? shared.get(p * pitch + r + ((shift0 + p * step) & (V - 1))) : S{}; },
        [&](int r) { return r < rows ? row0 + r : std::int64_t{-1}; });
  }

  // The columns that are still ahead of a group, as one thread sees them.
  struct Columns {
    const T *vector, *edge, *x;
    std::int64_t step_a, step_x;
  };

  // sum[v] += A[row + v, c] x[c] for the next columns, `groups` apart, those nearer than `reach`; all
  // loads before the first use.
  template <class X>
  static ONEPASS_DEVICE void add(X ex, const GemvArgs& g, Columns& columns, int reach, int groups, bool has_vector,
                                 bool has_edge, S (&sum)[V], S& edge_sum) {
    exec::Word16 word[in_flight];
    T edge[in_flight] = {};
    T x[in_flight] = {};
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      word[u] =
          ex.read_once_if(has_vector && u * groups < reach, reinterpret_cast<const exec::Word16*>(columns.vector));
      columns.vector += columns.step_a;
    }
    if (has_edge) {
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
        if (u * groups < reach) edge[u] = ex.read_once(columns.edge);
        columns.edge += columns.step_a;
      }
    }
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      if (u * groups < reach) x[u] = ex.read_cached(columns.x);
      columns.x += columns.step_x;
    }
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      const S x_c = conjugate_if(g.conjugate, static_cast<S>(widen(x[u])));
      T element[V];
      unpack(word[u], element);
#pragma unroll
      for (int v = 0; v < V; ++v) sum[v] = multiply_add(sum[v], static_cast<S>(widen(element[v])), x_c);
      if (has_edge) edge_sum = multiply_add(edge_sum, static_cast<S>(widen(edge[u])), x_c);
    }
  }

  template <class X>
  static ONEPASS_DEVICE void put_vector(X ex, int byte_offset, const S (&sum)[V]) {
    constexpr int words = static_cast<int>(sizeof(sum)) / 16;
    const auto out = ex.template shared<exec::Word16>(byte_offset);
#pragma unroll
    for (int w = 0; w < words; ++w) {
      exec::Word16 word;
      std::memcpy(&word, reinterpret_cast<const char*>(sum) + 16 * w, 16);
      out.put(w, word);
    }
  }
};

}  // namespace onepass::kernels
