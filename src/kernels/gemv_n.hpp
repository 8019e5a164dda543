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

template <class T>
struct GemvN {
  using S = Sum<T>;
  static constexpr int V = vector_length<T>;
  static constexpr int in_flight = gemv_n_in_flight;
  static constexpr int max_threads = gemv_max_threads;

  template <class X>
  static ONEPASS_DEVICE void run(X ex, const GemvArgs& g) {
    for (std::int64_t b = ex.block_z(); b < g.batch; b += ex.grid_z()) {
      if (b != ex.block_z()) ex.sync();
      product(ex, g, b);
    }
  }

 private:
  // One thread's part of the tile: V rows in whole vectors, one row at an edge.
  struct Share {
    const T* vectors;  // of the group's first column; null if no vector is this lane's
    const T* edge;     // likewise; null if no edge is this lane's
    S sum[V], edge_sum;
  };

  template <class X>
  static ONEPASS_DEVICE void product(X ex, const GemvArgs& g, std::int64_t b) {
    const int lanes = 1 << g.log2_lanes;
    const int lane = ex.thread() & (lanes - 1), group = ex.thread() >> g.log2_lanes;
    const int groups = ex.threads() >> g.log2_lanes;
    const int tile_rows = lanes * V, pitch = tile_rows + V;
    const std::int64_t row0 = ex.block_x() * tile_rows;
    const int rows = static_cast<int>(g.rows - row0 < tile_rows ? g.rows - row0 : tile_rows);
    const S alpha = scalar<S>(ex, g.alpha);
    const auto shared = ex.template shared<S>(0);

    int shift0 = 0;
    if (!(alpha == S{})) {
      const T* a = input<T>(ex, g.a, g.pointer_array, g.stride_a, b) + row0;
      const T* x = input<T>(ex, g.x, g.pointer_array, g.stride_x, b) + g.first_x;
      shift0 = offset_in_vector(a);
      const std::int64_t begin = ex.block_y() * g.chunk;
      const std::int64_t end = begin + g.chunk < g.cols ? begin + g.chunk : g.cols;

      const int shift = (shift0 + group * static_cast<int>(g.lda & (V - 1))) & (V - 1);
      const Stretch<V> stretch(rows, shift, lanes);
      Share share{};
      if (lane >= stretch.first && lane < stretch.last) share.vectors = a + (lane * V - shift);
      if (lane < stretch.edges) share.edge = a + stretch.edge(lane);

      std::int64_t c = begin + group;
      for (; c + (in_flight - 1) * groups < end; c += in_flight * groups)
        columns<in_flight>(ex, g, share, x, c, groups);
      for (; c < end; c += groups) columns<1>(ex, g, share, x, c, groups);

      // Row r of group g's sum stands at r + shift, so that whole vectors lie on 16 bytes.
      if (share.vectors != nullptr) put_vector(ex, (group * pitch + lane * V) * static_cast<int>(sizeof(S)), share.sum);
      if (V > 1 && share.edge != nullptr)
        shared.put(group * pitch + static_cast<int>(stretch.edge(lane)) + shift, share.edge_sum);
    }
    ex.sync();

    // y[r] = sum over groups
    const int step = static_cast<int>(g.lda & (V - 1));
    const auto scratch = ex.template shared<S>(groups * pitch * static_cast<int>(sizeof(S)));
    deliver<T>(
        ex, g, b, alpha, scratch, tile_rows, alpha == S{} ? 0 : groups,
        [&](int p, int r) { return r < rows ? shared.get(p * pitch + r + ((shift0 + p * step) & (V - 1))) : S{}; },
        [&](int r) { return r < rows ? row0 + r : std::int64_t{-1}; });
  }

  // sum[v] += A[row + v, c] x[c] for the columns c, c + groups, ...; all loads before the first use.
  template <int Count, class X>
  static ONEPASS_DEVICE void columns(X ex, const GemvArgs& g, Share& share, const T* x, std::int64_t c, int groups) {
    exec::Word16 word[Count];
    T edge[Count];
    S xs[Count];
    const std::int64_t first = c * g.lda, step = groups * g.lda;
    if (share.vectors != nullptr) {
#pragma unroll
      for (int u = 0; u < Count; ++u)
        word[u] = ex.read_once(reinterpret_cast<const exec::Word16*>(share.vectors + first + u * step));
    }
    if (V > 1 && share.edge != nullptr) {
#pragma unroll
      for (int u = 0; u < Count; ++u) edge[u] = ex.read_once(share.edge + first + u * step);
    }
#pragma unroll
    for (int u = 0; u < Count; ++u)
      xs[u] = conjugate_if(g.conjugate, static_cast<S>(widen(ex.read_cached(x + (c + u * groups) * g.incx))));
    if (share.vectors != nullptr) {
#pragma unroll
      for (int u = 0; u < Count; ++u) {
        T element[V];
        unpack(word[u], element);
#pragma unroll
        for (int v = 0; v < V; ++v) share.sum[v] = multiply_add(share.sum[v], static_cast<S>(widen(element[v])), xs[u]);
      }
    }
    if (V > 1 && share.edge != nullptr) {
#pragma unroll
      for (int u = 0; u < Count; ++u)
        share.edge_sum = multiply_add(share.edge_sum, static_cast<S>(widen(edge[u])), xs[u]);
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
