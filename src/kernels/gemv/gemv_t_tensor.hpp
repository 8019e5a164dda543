// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_t_tensor: dot products along columns of two-byte elements, by the tensor cores. A vector of eight elements is
// one instruction there, where converting them and adding their products takes thirty.
//
//             columns of one alignment       A group of `width` lanes of a warp has `columns` of them; its lanes have
//               c0    c8                     neighbouring vectors. The warps of a block share the length of its
//             +-----+-----+                  columns, and so do the blocks of a cluster.
//    lane 0   |  V  |  V  |
//    lane 1   |  V  |  V  |                  For the tensor cores, lanes 4 g to 4 g + 3 have row g of a matrix of 16 x
//     ...     |     |     |                  16 in a vector of one column, row g + 8 in one of another, and column g of
//             +-----+-----+                  a matrix of 16 x 8 in x: elements (g, g) and (g + 8, g) of the product are
//                                            theirs. All others are not used.
#pragma once

#include "kernels/blocks/cluster_sum.hpp"
#include "kernels/blocks/columns.hpp"
#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/operand.hpp"

namespace onepass::kernels {

// Single products (the plain form). in_flight: vectors of a column that a thread has in flight. aligned: A, its columns
// and x lie on 16-byte boundaries, columns are whole vectors, incx = 1. early: where nothing that may still run writes
// A and x, all but the result comes before the grid-dependency wait. clustered: the blocks of a cluster have parts of
// the rows.
template <class E, int columns, int in_flight, bool aligned, bool early, bool clustered>
struct GemvTTensor {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Scalar = typename E::Scalar;
  static constexpr Form F = Form::plain;
  static constexpr int V = vector_length<A>, log2_v = log2_vector_length<A>;
  static constexpr int max_threads = gemv_max_threads;
  static constexpr int min_blocks = columns * in_flight > (aligned ? 8 : 4) ? 2 : 3;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GemvArgs& g) {
    const int log2_width = 5 - g.log2_groups, width = 1 << log2_width;
    const int in_warp = ex.thread() % Ex::warp, warp = ex.thread() / Ex::warp, warps = ex.threads() / Ex::warp;
    const int lane = in_warp & (width - 1), group = in_warp >> log2_width;
    const int block = static_cast<int>(ex.block_x()), rank = clustered ? block & ((1 << g.log2_cluster) - 1) : 0;
    const int tile = clustered ? block >> g.log2_cluster : block;
    // The block's columns by their numbers among those that start alike.
    const int outputs = columns << g.log2_groups, alike = tile & ((1 << g.log2_step) - 1);
    const int first = (tile >> g.log2_step) * outputs;
    const auto column = [&](int o) { return (std::int64_t{first + o} << g.log2_step) + alike; };
    const std::int64_t left = ((g.cols - alike + (1 << g.log2_step) - 1) >> g.log2_step) - first;
    const int exist = left < 0 ? 0 : at_most(left, outputs);
    const Scalar alpha = alpha_of<Scalar, F>(ex, g);
    if (alpha == Scalar{}) {
      wait_for_previous_launch(ex);
      if (rank != 0) return;
      return scale_y<E, F>(ex, g, 0, exist, column);
    }

    // Vectors `begin` to `end` - 1 of each column are for this block, but for the first and the last one of a column
    // where they may have elements of others: those two are loaded element by element, by the first warp.
    const A* const a = static_cast<const A*>(g.a);
    const int rows = static_cast<int>(g.rows), shift = aligned ? 0 : offset_in_vector(a + alike * g.lda);
    const int vectors = (rows + shift + V - 1) >> log2_v, least = aligned ? 0 : 1;
    const int begin = rank * static_cast<int>(g.chunk);
    const int end = at_most(vectors - least, begin + static_cast<int>(g.chunk));
    const int count = exist - group * columns;  // columns of the group
    const std::int64_t step = g.lda << g.log2_step;
    const A* const column0 = a + (column(group * columns) * g.lda - shift);
    const X* const x = static_cast<const X*>(g.x) - shift;
    std::conditional_t<clustered, ClusterSum<S, Ex>, NoClusterSum> cluster(ex, g, outputs, exist);
    WaitForPreviousLaunch<early, Ex> wait(ex, g, !aligned && warp == 0);
    Edges<aligned ? 0 : 2> edges;
    edges.load(ex, column0, step, x, lane, width, shift, rows, vectors, begin == 0,
               vectors - 1 - begin < g.chunk && vectors > begin, count);

    float product[columns / 2][4] = {};
    const int run = in_flight << log2_width, round = warps * run;
    int base = begin + warp * run;
    const A* at = column0 + ((base + lane) << log2_v);
#pragma unroll 1
    do {
      exec::Vector16 loaded[columns][in_flight], xs[in_flight];
      const int v = base + lane;
      const auto mine = [&](int u) { return v + u * width < end && (u > 0 || v >= least); };
#pragma unroll
      for (int q = 0; q < columns; ++q) {
#pragma unroll
        for (int u = 0; u < in_flight; ++u)
          loaded[q][u] = ex.load_vector_if(mine(u) && q < count, at + (q * step + (u << log2_width << log2_v)), 0, V);
      }
      wait.loads_issued(base + round >= end);
      // What is not for this block is zero on both sides: no infinity meets a zero.
      if constexpr (aligned) {
#pragma unroll
        for (int u = 0; u < in_flight; ++u)
          xs[u] = ex.load_cached_predicated(mine(u), reinterpret_cast<const exec::Vector16*>(x) + (v + u * width));
      } else {
        load_x_pairs(ex, x, v, width, mine, xs);
      }
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
#pragma unroll
        for (int q = 0; q < columns; q += 2) {
#pragma unroll
          for (int w = 0; w < 4; w += 2)
            ex.template matrix_multiply_add<A>(product[q / 2], loaded[q][u].word[w], loaded[q + 1][u].word[w],
                                               loaded[q][u].word[w + 1], loaded[q + 1][u].word[w + 1], xs[u].word[w],
                                               xs[u].word[w + 1]);
        }
      }
      base += round;
      at += round << log2_v;
    } while (base < end);

    // Element (g, g) is in lane 4 g + g / 2. Sums over the lanes of a group, then over the warps.
    const bool odd = (in_warp & 4) != 0, own = in_warp % 4 == in_warp / 8;
    S sum[columns];
#pragma unroll
    for (int q = 0; q < columns; ++q) {
      const S mine = choose(odd, product[q / 2][q % 2 * 2 + 1], product[q / 2][q % 2 * 2]);
      sum[q] = own ? mine : S{};
    }
    edges.add_to(sum);
    share_out<columns / 2>(ex, lane, sum);
    S total = sum[0];
#pragma unroll
    for (int bit = columns; bit < Ex::warp; bit *= 2)
      if (bit < width) total = total + ex.shuffle_xor(total, bit);
    const auto shared = ex.template shared<S>(clustered ? cluster_sum_bytes<S>(g.log2_cluster, outputs) : 0);
    if (lane < columns) shared.put(warp * outputs + group * columns + lane, total);
    ex.sync();
    const int o = ex.thread();
    const bool has_output = o < exist;
    if (!clustered && !has_output) return;
    total = S{};
    if (!clustered || has_output) {
#pragma unroll 4
      for (int w = 0; w < warps; ++w) total = total + shared.get(w * outputs + o);
    }
    if constexpr (clustered) {
      if (!cluster.gather(has_output, o, total)) return;
    }
    wait.before_result();
    if (!clustered || has_output) write_y<E, F>(ex, g, {}, column(o), alpha, total);
  }

 private:
  // Vectors v0, v0 + width, ... of x, two elements at a time, from the pair that the first one lies in.
  template <class Ex, class Mine>
  static ONEPASS_DEVICE void load_x_pairs(Ex ex, const X* x, int v0, int width, Mine mine,
                                          exec::Vector16 (&vector)[in_flight]) {
    const bool odd = (offset_in_vector(x) & 1) != 0;
    const auto* const pairs = reinterpret_cast<const std::uint32_t*>(x - (odd ? 1 : 0));
    std::uint32_t bits[in_flight][V / 2 + 1];
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
#pragma unroll
      for (int i = 0; i <= V / 2; ++i)
        bits[u][i] = ex.load_cached_predicated(mine(u) && (i < V / 2 || odd), pairs + ((v0 + u * width) * (V / 2) + i));
    }
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
#pragma unroll
      for (int i = 0; i < V / 2; ++i)
        vector[u].word[i] = odd ? (bits[u][i] >> 16) | (bits[u][i + 1] << 16) : bits[u][i];
    }
  }

  // Elements of the first and of the last vector of a column, which lanes of a group have one after the other.
  template <int of_lane>
  struct Edges {
    A a[of_lane > 0 ? of_lane : 1][columns] = {};
    X x[of_lane > 0 ? of_lane : 1] = {};

    template <class Ex>
    ONEPASS_DEVICE void load(Ex ex, const A* column0, std::int64_t step, const X* x0, int lane, int width, int shift,
                             int rows, int vectors, bool has_first, bool has_last, int count) {
#pragma unroll
      for (int k = 0; k < of_lane; ++k) {
        const int e = lane + k * width, place = e < V ? e : ((vectors - 1) << log2_v) + e - V;
        const bool wanted = ex.thread() < Ex::warp && e < 2 * V && place >= shift && place < rows + shift &&
                            (e < V ? has_first : has_last && vectors > 1);
#pragma unroll
        for (int q = 0; q < columns; ++q)
          a[k][q] = ex.load_once_predicated(wanted && q < count, column0 + (q * step + place));
        x[k] = ex.load_cached_predicated(wanted, x0 + place);
      }
    }
    ONEPASS_DEVICE void add_to(S (&sum)[columns]) const {
#pragma unroll
      for (int k = 0; k < of_lane; ++k) {
#pragma unroll
        for (int q = 0; q < columns; ++q) sum[q] = multiply_add(sum[q], as<S>(a[k][q]), as<S>(x[k]));
      }
    }
  };
};

}  // namespace onepass::kernels
