// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Reduces the first columns of a matrix to Hessenberg form, with three grid barriers a column and the rows below read
// once a column, and leaves V, Y = A V T and T for the level-3 updates of the rest.
//
// Column j, by rows i but for the product; A stays as it is during the panel (column_stream.hpp), j' is the column
// before:
//   1. y_i of j' = tau (A_i v - Y_i (V^H v)), then b_i = A_i,j - Y_i V_j^H; parts of V^H b.
//      -- barrier --
//   2. b_i -= V_i T^H (V^H b): what is above row j is the column of H. Parts of |b|^2 and of V^H b below row j.
//      -- barrier --
//   3. By columns k of A, a share for each block: row sums += A_k b_k below row j.
//      -- barrier --
// v = b scale but for its first element, which is 1: A v = scale (A b) + A_j, where A b leaves column j out.
#pragma once

#include "kernels/lapack/reductions/column_stream.hpp"
#include "kernels/lapack/reductions/hessenberg_args.hpp"
#include "kernels/lapack/reductions/panel_block.hpp"
#include "kernels/lapack/reductions/panel_strip.hpp"

namespace onepass::kernels {

template <class A, int vectors>
struct HessenbergPanel {
  using R = RealOf<A>;
  using Vector = ColumnVector<A>;
  static constexpr int max_threads = stream_threads, min_blocks = 1, warps = stream_warps, nb = stream_columns;
  static constexpr int size = Vector::size, batch = stream_batch(vectors);

  // Shared memory behind the slots, in elements of A: three sums of each thread; b of 32 rows; two sets of
  // coefficients; T.
  static constexpr int at_sums = stream_slots * stream_vectors * stream_threads * size;
  static constexpr int at_tile = at_sums + 3 * stream_threads, at_one = at_tile + 32, at_two = at_one + nb;
  static constexpr int at_t = at_two + nb, shared_elements = at_t + nb * nb;
  static constexpr int at_slots = shared_elements * static_cast<int>(sizeof(A));
  static constexpr std::size_t shared_bytes = hessenberg_shared_bytes(sizeof(A));
  static_assert(shared_bytes == at_slots + 8 * stream_most_slots);

  template <class Ex>
  struct Panel {
    Ex ex;
    const HessenbergPanelArgs& g;
    typename Ex::template Shared<A> shared;
    ColumnStream<A, Ex, vectors, batch> stream;
    int t, lane, warp, block, blocks;
    int first_row, end_row, row_blocks;  // where work goes by rows

    ONEPASS_DEVICE A* a(int i, int k) const { return static_cast<A*>(g.a) + i + k * g.lda; }
    ONEPASS_DEVICE A* v(int i, int e) const { return static_cast<A*>(g.v) + i + e * g.ld; }
    ONEPASS_DEVICE A* y(int i, int e) const { return static_cast<A*>(g.y) + i + e * g.ld; }
    // Column j, updated; that of the column before is still read by others.
    ONEPASS_DEVICE A* column(int i, int j) const {
      return static_cast<A*>(g.column) + (j & 1) * stream_pitch(g.m) + stream.shift + i;
    }
  };

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const HessenbergPanelArgs& g) {
    const int t = ex.thread(), block = static_cast<int>(ex.block_x()), blocks = static_cast<int>(ex.grid_x());
    const int tiles = (g.m + 31) / 32, share = (tiles + blocks - 1) / blocks * 32;
    Panel<Ex> s{.ex = ex,
                .g = g,
                .shared = ex.template shared<A>(0),
                .stream = {ex, at_slots, static_cast<const A*>(g.a), g.lda, g.m, g.m, g.columns, g.parts, 0},
                .t = t,
                .lane = t & 31,
                .warp = t >> 5,
                .block = block,
                .blocks = blocks,
                .first_row = block * share < g.m ? block * share : g.m,
                .end_row = (block + 1) * share < g.m ? (block + 1) * share : g.m,
                .row_blocks = (g.m + share - 1) / share};
    for (int i = t; i < nb * nb; i += stream_threads) s.shared.put(at_t + i, A{});
    ex.sync();
    GridBarrier<Ex> barrier{ex, g.barrier, g.timed_out};
    for (int j = 0;; ++j) {
      update_from_right(s, j);
      if (j == g.columns) break;
      barrier.wait();
      update_from_left(s, j);
      barrier.wait();
      multiply(s, j);
      barrier.wait();
    }
    ex.sync();
    if (block == 0)
      for (int i = t; i < nb * nb; i += stream_threads)
        if (i % nb < g.columns && i / nb < g.columns)
          ex.store(static_cast<A*>(g.t) + i % nb + i / nb * g.t_ld, s.shared.get(at_t + i));
  }

 private:
  using Strip = PanelStrip<A, 4>;
  template <class Ex>
  static ONEPASS_DEVICE A get_sum(const Panel<Ex>& s, int which) {
    return sum_of_lane<A>(s.ex, s.shared, at_sums + which * stream_threads);
  }

  // Step 1.
  template <class Ex>
  static ONEPASS_DEVICE void update_from_right(Panel<Ex>& s, int j) {
    const HessenbergPanelArgs& g = s.g;
    if (s.first_row >= s.end_row) return;
    const int last = j - 1;
    const bool has_y = j > 0, has_b = j < g.columns;
    // The reflector of the column before, its dot products t = V^H v, and T.
    Reflector<A> h;
    if (has_y) {
      const A alpha = s.ex.load_fresh(s.column(last, last));
      NumberOfBlocks<R> norms(s.ex, g.norms, s.row_blocks);
      NumbersOfBlocks<A> dots(s.ex, g.dots, last, s.row_blocks);
      const int e = s.warp + 8 * (s.lane >> 2);
      const bool mine = (s.lane & 3) == 0 && e < last;
      const A row = mine ? conjugate(s.ex.load_fresh(s.v(last, e))) : A{};  // of V^H, column `last`
      h = reflector_of_column(s.ex, alpha, norms.sum(s.ex));
      const A raw = dots.sum(s.ex);
      if (mine) s.shared.put(at_one + e, multiply_add(row, raw, h.scale));
      // Row j - 1 of V, for the update of column j; its last element is the 1 of the newest column.
      if (has_b && s.t <= last)
        s.shared.put(at_two + s.t, s.t == last ? from_real<A>(R{1}) : conjugate(s.ex.load_fresh(s.v(last, s.t))));
      s.ex.sync();
      if (s.t <= last) {
        A sum{};
        for (int c = s.t; c < last; ++c)
          sum = multiply_add(sum, s.shared.get(at_t + c * nb + s.t), s.shared.get(at_one + c));
        s.shared.put(at_t + last * nb + s.t, s.t == last ? h.tau : A{} - h.tau * sum);
      }
      if (s.block == 0 && s.t == 0) s.ex.store(static_cast<A*>(g.tau) + last, h.tau);
    }
    A dots[8] = {}, new_dot{};
#pragma unroll 1
    for (int i0 = s.first_row; i0 < s.end_row; i0 += 32) {
      const int i = i0 + s.lane;
      const bool live = i < s.end_row;
      Strip of_v, of_y;
      of_v.load(s.ex, s.v(i, 0), g.ld, live, last);
      of_y.load(s.ex, s.y(i, 0), g.ld, live, last);
      const bool first = s.warp == 0 && live;
      // Column j of the panel, which is also the one that the 1 of v before multiplies.
      const A of_a = first ? s.ex.load_fresh(s.a(i, last)) : A{};
      const A old = first && has_y ? s.ex.load_fresh(s.column(i, last)) : A{};
      const A sum = live && has_y ? sum_of_vectors(s.ex, static_cast<const A*>(g.row_sums), stream_pitch(g.m),
                                                   s.stream.teams, s.stream.shift + i, s.warp, warps)
                                  : A{};
      s.shared.put(at_sums + s.t, of_y.multiply(s.ex, s.shared, at_one, last));
      s.shared.put(at_sums + stream_threads + s.t, of_y.multiply(s.ex, s.shared, at_two, last));
      s.shared.put(at_sums + 2 * stream_threads + s.t, sum);
      s.ex.sync();
      if (s.warp == 0) {
        A b{}, v{};
        if (live) {
          b = of_a;
          if (has_y) {
            v = i < last ? A{} : i == last ? from_real<A>(R{1}) : h.apply(old);
            const A y = h.tau * (multiply_add(of_a, get_sum(s, 2), h.scale) - get_sum(s, 0));
            s.ex.store_fresh(s.v(i, last), v);
            if (i >= last) s.ex.store(s.a(i, last - 1), i == last ? from_real<A>(h.beta) : v);
            s.ex.store_fresh(s.y(i, last), y);
            b = b - get_sum(s, 1) - y;
          }
        }
        s.shared.put(at_tile + s.lane, b);
        new_dot = multiply_add(new_dot, conjugate(v), b);
        if (live && has_b) s.ex.store_fresh(s.column(i, j), b);
      }
      s.ex.sync();
      of_v.add_dots(s.shared.get(at_tile + s.lane), dots);
      s.ex.sync();
    }
    if (!has_b) return;
    publish_dots(s.ex, g.left_dots, s.row_blocks, s.block, last, dots);
    if (has_y && s.warp == 0) {
      new_dot = warp_sum(s.ex, new_dot);
      if (s.lane == 0) s.ex.store_fresh(static_cast<A*>(g.left_dots) + last * s.row_blocks + s.block, new_dot);
    }
  }

  // Step 2.
  template <class Ex>
  static ONEPASS_DEVICE void update_from_left(Panel<Ex>& s, int j) {
    const HessenbergPanelArgs& g = s.g;
    if (s.first_row >= s.end_row) return;
    if (j > 0) {
      NumbersOfBlocks<A> numbers(s.ex, g.left_dots, j, s.row_blocks);
      const A sum = numbers.sum(s.ex);
      const int e = s.warp + 8 * (s.lane >> 2);
      if ((s.lane & 3) == 0 && e < j) s.shared.put(at_two + e, sum);
      s.ex.sync();
      // T^H (V^H b)
      if (s.t < j) {
        A z{};
        for (int c = 0; c <= s.t; ++c)
          z = multiply_add(z, conjugate(s.shared.get(at_t + s.t * nb + c)), s.shared.get(at_two + c));
        s.shared.put(at_one + s.t, z);
      }
      s.ex.sync();
    }
    A dots[8] = {};
    R norm = 0;
#pragma unroll 1
    for (int i0 = s.first_row; i0 < s.end_row; i0 += 32) {
      const int i = i0 + s.lane;
      const bool live = i < s.end_row;
      Strip of_v;
      of_v.load(s.ex, s.v(i, 0), g.ld, live, j);
      const A old = s.warp == 0 && live ? s.ex.load_fresh(s.column(i, j)) : A{};
      s.shared.put(at_sums + s.t, of_v.multiply(s.ex, s.shared, at_one, j));
      s.ex.sync();
      if (s.warp == 0) {
        const A b = old - get_sum(s, 0);
        if (live) s.ex.store_fresh(s.column(i, j), b);
        if (live && i < j) s.ex.store(s.a(i, j - 1), b);  // of H
        const A below = live && i > j ? b : A{};
        norm += abs2(below);
        s.shared.put(at_tile + s.lane, below);
      }
      s.ex.sync();
      of_v.add_dots(s.shared.get(at_tile + s.lane), dots);
      s.ex.sync();
    }
    publish_dots(s.ex, g.dots, s.row_blocks, s.block, j, dots);
    if (s.warp == 0) {
      norm = warp_sum(s.ex, norm);
      if (s.lane == 0) s.ex.store_fresh(static_cast<R*>(g.norms) + s.block, norm);
    }
  }

  // Step 3.
  template <class Ex>
  static ONEPASS_DEVICE void multiply(Panel<Ex>& s, int j) {
    ColumnStream<A, Ex, vectors, batch>& stream = s.stream;
    Vector sum[vectors] = {};
    stream.begin_pass(j);
#pragma unroll 1
    for (int l0 = 0; l0 < stream.count(); l0 += 32) {
      const int end = l0 + 32 < stream.count() ? l0 + 32 : stream.count();
      if (s.t < 32 && l0 + s.t < end)
        s.shared.put(at_tile + s.t, s.ex.load_fresh(s.column(stream.column_of_pass(l0 + s.t), j)));
      s.ex.sync();
      stream.refill();
#pragma unroll 1
      for (int l = l0; l < end; l += batch) {
        A coefficient[batch];
#pragma unroll
        for (int i = 0; i < batch; ++i) coefficient[i] = l + i < end ? s.shared.get(at_tile + l - l0 + i) : A{};
        stream.wait(l);
        stream.add_columns(coefficient, sum);
        stream.release();
        s.ex.sync();
        stream.refill();
      }
    }
    A* const to = static_cast<A*>(s.g.row_sums) + stream.team * stream_pitch(s.g.m) + stream.from;
#pragma unroll
    for (int r = 0; r < vectors; ++r)
#pragma unroll
      for (int e = 0; e < size; ++e) {
        const int at = stream.place(r) + e;
        if (at >= stream.first && at < stream.end) s.ex.store_fresh(to + at, sum[r].element[e]);
      }
  }
};

}  // namespace onepass::kernels
