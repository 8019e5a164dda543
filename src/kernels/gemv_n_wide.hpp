// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_n_wide: y = A x for one matrix of two-byte elements, few rows and many columns, outputs along its contiguous
// dimension.
//
//            columns that start alike         A block owns a tile of up to 64 rows and a share of the columns. In a
//            c0  c8 c16 c24                   load a warp has four columns that start at one offset from a 16-byte
//           +---+---+---+---+                 boundary: lane 4 p + t has vector p of column t. Tiles of 32 or 16 rows
//   p = 0   |0  |1  |2  |3  |                 have 4 or 2 vectors, and the warp 2 or 4 such sets of columns. All loads
//   p = 1   |4  |5  |6  |7  |                 of a block are in flight at once, and x with them.
//    ...    |   |   |   |   |
//
// A call alone is made of trips to memory and of instructions that nobody ran before, so that what comes between the
// loads and the first part on its way is short: lanes that share rows are four neighbours, the warps meet once. Blocks
// behind these have no terms: each of their warps waits for a few outputs, four to a vector, which lie side by side for
// all splits. They add what stands in vectors that stick out of the matrix, too.
#pragma once

#include "kernels/blocks/columns.hpp"
#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/gather_fours.hpp"
#include "kernels/blocks/operand.hpp"

namespace onepass::kernels {

// Single products (the plain form), of operands that span less than 2^30 elements. GemvArgs: 2^log2_lanes vectors cover
// a tile (2, 4 or 8); columns are of 2^log2_step kinds by their offset, and a block has a multiple of so many warps;
// 2^log2_groups columns of a block in one load of all its threads; its share is `chunk` columns, a multiple of the
// kinds, and in flight at once. Grid: x is the tile; y the split, then rows of blocks that gather, in which
// 2^log2_grouped lanes have four outputs. in_flight: vectors of a thread. early: where nothing that may still run
// writes A and x, all but the result comes before the grid-dependency wait.
template <class E, int in_flight, bool early>
struct GemvNWide {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Scalar = typename E::Scalar;
  static constexpr Form F = Form::plain;
  static constexpr int V = vector_length<A>, log2_v = log2_vector_length<A>;
  static constexpr int max_threads = gemv_n_wide_max_threads;
  static constexpr int min_blocks = 1;
  static_assert(sizeof(A) == 2 && sizeof(X) == 2 && sizeof(S) == 4);

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GemvArgs& g) {
    const int block = static_cast<int>(ex.block_x()), split = static_cast<int>(ex.block_y());
    const Scalar alpha = alpha_of<Scalar, F>(ex, g);
    if (split >= g.splits) {
      const int number = (split - g.splits) * static_cast<int>(ex.grid_x()) + block;
      return gather_fours<E>(ex, g, alpha, number, g.log2_lanes + log2_v - 2, static_cast<int>(g.rows),
                             [&](const OutputTile& tile, int o, int lane, int, S(&sum)[4]) {
                               begin_with_edges(ex, g, tile, o, lane, sum);
                             });
    }
    const OutputTile tile(g, block, static_cast<int>(g.rows));
    if (alpha == Scalar{}) {
      wait_for_previous_launch(ex);
      return scale_y<E, F>(ex, g, 0, tile.count, [&](int o) { return std::int64_t{tile.first} + o; });
    }

    // This thread's vectors: rows slot to slot + 7 of columns c, c + step, ... of the matrix, without those that stick
    // out of it.
    const auto thread = static_cast<unsigned>(ex.thread());
    const int lane = static_cast<int>(thread % Ex::warp), warp = static_cast<int>(thread / Ex::warp);
    const int place = lane >> 2, t = lane & 3, log2_sets = 3 - g.log2_lanes;
    const int position = place & ((1 << g.log2_lanes) - 1), set = place >> g.log2_lanes;
    const int kind = warp & ((1 << g.log2_step) - 1), first = warp >> g.log2_step << (log2_sets + 2);
    const int lda = static_cast<int>(g.lda), incx = static_cast<int>(g.incx), chunk = static_cast<int>(g.chunk);
    const int col0 = split * chunk;
    const int cols = static_cast<int>(g.cols), beyond = col0 + chunk < cols ? col0 + chunk : cols;
    const int slot = (position << log2_v) - shift_of(g, tile, kind);
    const int c = col0 + kind + ((first + 4 * set + t) << g.log2_step);
    const A* const vector = static_cast<const A*>(g.a) + (c * lda + tile.first + slot);
    const int begin = tile.first + slot < 0 ? 1 : 0;
    const int end = slot >= tile.count ? 0 : beyond < cols || slot + V <= tile.left ? beyond : beyond - 1;
    const X* const x = static_cast<const X*>(g.x) + c * incx;
    WaitForPreviousLaunch<early, Ex> wait(ex, g);

    exec::Vector16 vectors[in_flight];
    X xs[in_flight];
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      const bool wanted = c + (u << g.log2_groups) < end && (u > 0 || c >= begin);
      vectors[u] =
          ex.load_vector_if(wanted, vector + u * (std::int64_t{lda} << g.log2_groups), -slot, tile.count - slot);
    }
    wait.loads_issued(true);
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      const bool wanted = c + (u << g.log2_groups) < end && (u > 0 || c >= begin);
      xs[u] = ex.load_cached_predicated(wanted, x + u * (std::int64_t{incx} << g.log2_groups));
    }
    S sum[V] = {};
    add_products(vectors, xs, sum);
    share_among_four(ex, t, sum);

    // The warps meet in shared memory, each with its rows in their places: a set of columns has a part of its own, with
    // room in front for rows before the tile.
    const int outputs = V << g.log2_lanes, pitch = outputs + V;
    const auto shared = ex.template shared<S>(0);
    const int to = ((warp << log2_sets) + set) * pitch + V + slot;
    shared.put(to + 2 * t, sum[0]);
    shared.put(to + 2 * t + 1, sum[1]);
    ex.sync();
    // A thread for each output, or two where a warp has more; the others are done.
    const int adders = outputs < Ex::warp ? Ex::warp : outputs, o = ex.thread() & (outputs - 1);
    if (ex.thread() >= adders) return;
    const int stride = outputs < Ex::warp ? 2 : 1, parts = ex.threads() / Ex::warp << log2_sets;
    S total{};
    if (o < tile.count) {
      int at = (ex.thread() < outputs ? 0 : pitch) + V + o;
#pragma unroll 1
      for (int k = 0; k < parts; k += 8 * stride) {
        S of[8];
#pragma unroll
        for (int i = 0; i < 8; ++i) of[i] = shared.get(at + i * stride * pitch);
        total = total + (((of[0] + of[1]) + (of[2] + of[3])) + ((of[4] + of[5]) + (of[6] + of[7])));
        at += 8 * stride * pitch;
      }
    }
    if (stride > 1) total = total + ex.shuffle_xor(total, Ex::warp / 2);
    wait.before_result();
    const int padded = (tile.count + 3) & ~3;
    if (ex.thread() < outputs && o < padded)
      ex.publish(mailbox_of_four<S>(g, (tile.number << (g.log2_lanes + log2_v - 2)) + (o >> 2), split) + (o & 3),
                 total);
  }

 private:
  // How far a column of a kind starts past a 16-byte boundary in a tile. 32 bits of its address are enough.
  static ONEPASS_DEVICE int shift_of(const GemvArgs& g, const OutputTile& tile, int column) {
    const auto low = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(g.a) / sizeof(A));
    return static_cast<int>((low + static_cast<std::uint32_t>(tile.first) +
                             static_cast<std::uint32_t>(column) * static_cast<std::uint32_t>(g.lda)) &
                            (V - 1));
  }
  // Whether the vector of an element of a tile sticks out of the matrix, in its first or its last column.
  static ONEPASS_DEVICE bool sticks_out(const GemvArgs& g, const OutputTile& tile, int o, bool last) {
    const int shift = shift_of(g, tile, last ? static_cast<int>(g.cols) - 1 : 0);
    const int slot = ((o + shift) & ~(V - 1)) - shift;
    return last ? slot + V > tile.left : tile.first + slot < 0;
  }

  // sum[v] += A[slot + v, c] x[c] for the columns of all loads.
  static ONEPASS_DEVICE void add_products(const exec::Vector16 (&vectors)[in_flight], const X (&xs)[in_flight],
                                          S (&sum)[V]) {
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      const S x = as<S>(xs[u]);
      A element[V];
      unpack(vectors[u], element);
#pragma unroll
      for (int v = 0; v < V; ++v) sum[v] = multiply_add(sum[v], factor(vectors[u], element[v], v), x);
    }
  }
  // A bfloat16 is the upper half of a float: one instruction each.
  static ONEPASS_DEVICE S factor(const exec::Vector16& vector, A element, int v) {
    if constexpr (std::is_same_v<A, Bfloat16>)
      return std::bit_cast<float>(v % 2 == 0 ? vector.word[v / 2] << 16 : vector.word[v / 2] & 0xffff0000u);
    else
      return as<S>(element);
  }
  // Eight sums over four neighbours: lane t ends with those of rows 2 t and 2 t + 1.
  template <class Ex>
  static ONEPASS_DEVICE void share_among_four(Ex ex, int t, S (&sum)[V]) {
    const bool upper = (t & 2) != 0, odd = (t & 1) != 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const S mine = choose(upper, sum[i + 4], sum[i]), other = choose(upper, sum[i], sum[i + 4]);
      sum[i] = mine + ex.shuffle_xor(other, 2);
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const S mine = choose(odd, sum[i + 2], sum[i]), other = choose(odd, sum[i], sum[i + 2]);
      sum[i] = mine + ex.shuffle_xor(other, 1);
    }
  }

  // What an output has in vectors that stick out of the matrix, in one lane each.
  template <class Ex>
  static ONEPASS_DEVICE void begin_with_edges(Ex ex, const GemvArgs& g, const OutputTile& tile, int first, int lane,
                                              S (&sum)[4]) {
    const int o = first + lane;
    const bool has_output = lane < 4 && o < tile.count;
    EdgeTerm<E> head, tail;
    const A* const a = static_cast<const A*>(g.a) + (tile.first + o);
    const X* const x = static_cast<const X*>(g.x);
    head.load(ex, has_output && sticks_out(g, tile, o, false), a, x);
    tail.load(ex, has_output && sticks_out(g, tile, o, true), a + (g.cols - 1) * g.lda, x + (g.cols - 1) * g.incx);
    const S edges = head.add_to(tail.add_to(S{}, false), false);
#pragma unroll
    for (int i = 0; i < 4; ++i) sum[i] = lane == i ? edges : S{};
  }
};

}  // namespace onepass::kernels
