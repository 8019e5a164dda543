// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_t_tall: dot products along few and long columns of two-byte elements, by the tensor cores.
//
//              columns c, c + 8              A block has a share of the rows of up to 16 columns, all that a matrix of
//              g = 0       g = 7             the tensor cores has. Lanes 4 g to 4 g + 3 have four vectors that lie side
//             +-----+     +-----+            by side in column g, and those of column g + 8, which starts alike, at the
//    t = 0    |  V  |     |  V  |            same rows. Their x, shifted as the column is, is column g of the other
//    t = 1    |  V  | ... |  V  |            factor, so that elements (g, g) and (g + 8, g) of the product are their
//    t = 2    |  V  |     |  V  |            sums, and no lane has to add up what others have.
//    t = 3    |  V  |     |  V  |
//             +-----+     +-----+            The elements in the first and the last vector of a column are left to the
//                                            blocks that gather, which have the time.
#pragma once

#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/gather_fours.hpp"
#include "kernels/blocks/operand.hpp"

namespace onepass::kernels {

// Single products (the plain form), of operands that span less than 2^30 elements, incx = 1. GemvArgs: `tile` is 16
// columns; a block has `chunk` vectors of each, all of them in flight at once. Grid: x is the tile; y the split, then
// rows of blocks that gather. in_flight: vectors of each of its two columns that a thread has in flight. early: where
// nothing that may still run writes A and x, all but the result comes before the grid-dependency wait.
template <class E, int in_flight, bool early>
struct GemvTTall {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Scalar = typename E::Scalar;
  static constexpr Form F = Form::plain;
  static constexpr int V = vector_length<A>, log2_v = log2_vector_length<A>;
  static constexpr int max_threads = gemv_t_tall_max_threads;
  static constexpr int min_blocks = 1;
  static_assert(sizeof(A) == 2 && sizeof(X) == 2 && sizeof(S) == 4);

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GemvArgs& g) {
    const int block = static_cast<int>(ex.block_x()), split = static_cast<int>(ex.block_y());
    const Scalar alpha = alpha_of<Scalar, F>(ex, g);
    if (split >= g.splits) {
      const int number = (split - g.splits) * static_cast<int>(ex.grid_x()) + block;
      return gather_fours<E>(ex, g, alpha, number, 2, static_cast<int>(g.cols),
                             [&](const OutputTile& tile, int o, int lane, int lanes, S(&sum)[4]) {
                               begin_with_edges(ex, g, tile, o, lane, lanes, sum);
                             });
    }
    const OutputTile tile(g, block, static_cast<int>(g.cols));
    if (alpha == Scalar{}) {
      wait_for_previous_launch(ex);
      return scale_y<E, F>(ex, g, 0, tile.count, [&](int o) { return std::int64_t{tile.first} + o; });
    }

    // This thread's vectors: v, v + step, ... of columns q and q + 8 of the tile, but for the first and the last.
    const auto thread = static_cast<unsigned>(ex.thread());
    const int lane = static_cast<int>(thread % Ex::warp), warp = static_cast<int>(thread / Ex::warp);
    const int q = lane >> 2, t = lane & 3, lda = static_cast<int>(g.lda), chunk = static_cast<int>(g.chunk);
    const int shift = shift_of(g, tile.first + q), inner = vectors_of(g, shift) - 1;
    const int v = split * chunk + 4 * warp + t, step = ex.threads() / (Ex::warp / 4);
    const int limit = (split + 1) * chunk, end = limit < inner ? limit : inner;
    const A* const at = static_cast<const A*>(g.a) + ((tile.first + q) * lda - shift + (v << log2_v));
    const int beside = q + 8 < tile.count ? end : 0, own = q < tile.count ? end : 0;
    // Pairs of elements of x, from the one that the first lies in.
    const X* const x = static_cast<const X*>(g.x) + ((v << log2_v) - shift);
    const bool odd = (offset_in_vector(x) & 1) != 0;
    const auto* const pairs = reinterpret_cast<const std::uint32_t*>(x - (odd ? 1 : 0));
    WaitForPreviousLaunch<early, Ex> wait(ex, g);

    exec::Vector16 loaded[2][in_flight];
    std::uint32_t bits[in_flight][V / 2 + 1];
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      const bool first = u == 0 && v == 0;
      loaded[0][u] = ex.load_vector_if(v + u * step < own && !first, at + (u * step << log2_v), 0, V);
      loaded[1][u] = ex.load_vector_if(v + u * step < beside && !first, at + (8 * lda + (u * step << log2_v)), 0, V);
    }
    wait.loads_issued(true);
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
#pragma unroll
      for (int i = 0; i <= V / 2; ++i)
        bits[u][i] = ex.load_cached_predicated(v + u * step < own && !(u == 0 && v == 0) && (i < V / 2 || odd),
                                               pairs + (u * step * (V / 2) + i));
    }
    float product[2][4] = {};  // two, so that half as many wait for each other
    const int part = odd ? 16 : 0;
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      std::uint32_t word[V / 2];
#pragma unroll
      for (int i = 0; i < V / 2; ++i)
        word[i] = static_cast<std::uint32_t>(((static_cast<std::uint64_t>(bits[u][i + 1]) << 32) | bits[u][i]) >> part);
#pragma unroll
      for (int w = 0; w < 4; w += 2)
        ex.template matrix_multiply_add<A>(product[w / 2], loaded[0][u].word[w], loaded[1][u].word[w],
                                           loaded[0][u].word[w + 1], loaded[1][u].word[w + 1], word[w], word[w + 1]);
    }

    // Element (q, q) is in lane 4 q + q / 2.
    const auto shared = ex.template shared<S>(0);
    if (t == q >> 1) {
      const auto sum = [&](int i) { return product[0][i] + product[1][i]; };
      const bool upper = (q & 1) != 0;
      shared.put(warp * gemv_t_tall_columns + q, choose(upper, sum(1), sum(0)));
      shared.put(warp * gemv_t_tall_columns + q + 8, choose(upper, sum(3), sum(2)));
    }
    ex.sync();
    const int o = ex.thread(), padded = (tile.count + 3) & ~3;
    if (o >= padded) return;
    S total{};
#pragma unroll 1
    for (int w = 0; w < ex.threads() / Ex::warp; w += 4) {
      S of[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) of[i] = shared.get((w + i) * gemv_t_tall_columns + o);
      total = total + ((of[0] + of[1]) + (of[2] + of[3]));
    }
    wait.before_result();
    ex.publish(mailbox_of_four<S>(g, 4 * tile.number + (o >> 2), split) + (o & 3), total);
  }

 private:
  // How far a column starts past a 16-byte boundary. 32 bits of its address are enough.
  static ONEPASS_DEVICE int shift_of(const GemvArgs& g, int column) {
    const auto low = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(g.a) / sizeof(A));
    return static_cast<int>((low + static_cast<std::uint32_t>(column) * static_cast<std::uint32_t>(g.lda)) & (V - 1));
  }
  static ONEPASS_DEVICE int vectors_of(const GemvArgs& g, int shift) {
    return (static_cast<int>(g.rows) + shift + V - 1) >> log2_v;
  }

  // The terms in the first and the last vector of four columns, which the lanes have one after the other.
  template <class Ex>
  static ONEPASS_DEVICE void begin_with_edges(Ex ex, const GemvArgs& g, const OutputTile& tile, int o, int lane,
                                              int lanes, S (&sum)[4]) {
    const X* const x = static_cast<const X*>(g.x);
#pragma unroll 1
    for (int e = lane; e < 2 * V; e += lanes) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int column = tile.first + o + i, shift = shift_of(g, column), vectors = vectors_of(g, shift);
        const int row = (e < V ? e : ((vectors - 1) << log2_v) + e - V) - shift;
        const bool wanted = o + i < tile.count && row >= 0 && row < g.rows && (e < V || vectors > 1);
        const A a = ex.load_once_predicated(wanted, static_cast<const A*>(g.a) + (column * g.lda + row));
        sum[i] = multiply_add(sum[i], as<S>(a), as<S>(ex.load_cached_predicated(wanted, x + row)));
      }
    }
  }
};

}  // namespace onepass::kernels
