// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Step 1 of the bidiagonal panel kernel, by rows: x of the column before, column j updated, and v of the row before.
#pragma once

#include "kernels/lapack/reductions/bidiagonal_panel_block.hpp"

namespace onepass::kernels {

template <class A, class Ex, int vectors, int batch, bool in_parts>
class BidiagonalPanelRows {
  using R = RealOf<A>;
  using Shape = BidiagonalPanelShape<A>;
  using Block = BidiagonalPanelBlock<A, Ex, vectors, batch, in_parts>;
  static constexpr int most = stream_row_tiles(vectors, sizeof(A), in_parts);

 public:
  // What a thread loads for one or two tiles of 32 rows: of P and of column j of A; the blocks' sums A r. All of it is
  // loaded in any case, if only zeros: what is loaded in a branch has registers all the time.
  struct Tiles {
    PanelStrip<A, 8> strip[most];
    A of_a[most], row_sum[most];

    ONEPASS_DEVICE void load(const Block& s, int j, int i0) {
      const bool has_x = j > 0 && j < s.g.n;
#pragma unroll
      for (int h = 0; h < most; ++h) {
        const int i = i0 + 32 * h + s.lane;
        const bool live = i < s.end_row && i >= j;
        strip[h].load(s.ex, s.p(i, 0), s.g.p_ld, live, has_x ? 2 * j - 1 : 0);
        of_a[h] = s.ex.load_fresh_if(live && s.warp == 0 && j < s.g.n, s.a(i, j));
      }
    }
    ONEPASS_DEVICE void load_sums(const Block& s, int j, int i0) {
      const auto* const sums = static_cast<const A*>(s.g.row_sums);
      const std::int64_t pitch = stream_pitch(s.g.m);
      const int i = i0 + s.lane, at = s.stream.shift + i, teams = s.stream.teams;
      const auto live = [&](int row) { return row < s.end_row && row >= j && j > 0 && j < s.g.n; };
      if constexpr (most == 2) {
        if (number(s, i0) == 2) {
          sums_of_vectors(s.ex, sums, pitch, teams, at, {live(i), live(i + 32)}, s.warp, stream_warps, row_sum);
          return;
        }
        row_sum[1] = A{};
      }
      row_sum[0] = live(i) ? sum_of_vectors(s.ex, sums, pitch, teams, at, s.warp, stream_warps) : A{};
    }
    // Of those from row i0 on.
    static ONEPASS_DEVICE int number(const Block& s, int i0) { return most == 2 && i0 + 32 < s.end_row ? 2 : 1; }
  };

  // Step 1, which ends the row before and begins column j. The first tiles are loaded, but for their sums.
  static ONEPASS_DEVICE void run(Block& s, int j, Tiles& tiles) {
    const BidiagonalPanelArgs& g = s.g;
    const bool has_x = j > 0 && j < g.n, has_b = j < g.columns, has_rows = s.first_row < s.end_row;
    const int last = j - 1, count = has_x ? 2 * j - 1 : 0;  // columns of P and Q but for the last of X and V
    if (j == g.n && s.block == 0 && s.t == 0) s.ex.store(static_cast<A*>(g.taup) + last, A{});
    if (!has_b && !has_x) return;
    // All loads first.
    const int k = has_x && s.stream.part == 0 && s.t < s.stream.own ? s.stream.column(s.t) : -1;
    const A r = k > j ? s.ex.load_fresh(s.row(k)) : A{};
    typename Block::Norm norm_of_row(s, has_x, s.row(j), g.row_norms, s.blocks);
    typename Block::Coefficients coefficients(s, s.q(j, 0), g.q_ld, g.q_dots, has_rows ? count : 0, s.blocks);
    if (has_rows) tiles.load_sums(s, j, s.first_row);
    Reflector<A> reflector;
    if (has_x) {
      norm_of_row.put(s);
      if (has_rows) coefficients.put(s);
      s.ex.sync();
      reflector = s.get_reflector();
      if (s.block == 0 && s.t == 0) {
        s.ex.store(static_cast<R*>(g.e) + last, reflector.beta * s.rescale());
        s.ex.store(static_cast<A*>(g.taup) + last, reflector.tau);
      }
      if (k >= j) s.ex.store_fresh(s.q(k, 2 * last + 1), k == j ? from_real<A>(R{1}) : reflector.apply(r));
      if (s.stream.part == 0) store_more_of_v(s, j, reflector);
    }
    // Where the L2 keeps nothing. Earlier it is in the way of the loads above; more columns, of those of the next step.
    if (sizeof(A) == 16 && g.kept_sixteenths == 0) s.stream.prefetch(2);
    if (!has_rows) return;

    A dots[8] = {}, x_dot{};
    R norm = 0;
#pragma unroll 1
    for (int i0 = s.first_row;;) {
      const int number = Tiles::number(s, i0);
#pragma unroll
      for (int h = 0; h < most; ++h)
        if (h < number)
          s.put_sums(tiles.row_sum[h] - tiles.strip[h].multiply(s.ex, s.shared, Shape::at_one, count),
                     tiles.strip[h].multiply(s.ex, s.shared, Shape::at_two, count), 2 * h);
      s.ex.sync();
      if (s.warp == 0) {
#pragma unroll
        for (int h = 0; h < most; ++h) {
          const int i = i0 + 32 * h + s.lane;
          A b{}, x{};
          if (i < s.end_row && i >= j) {
            b = tiles.of_a[h] - s.get_sum(2 * h + 1);
            if (has_x) {
              x = reflector.tau * multiply_add(b, reflector.scale, s.get_sum(2 * h));
              s.ex.store_fresh(s.p(i, 2 * last + 1), x);
              b = b - x;
            }
            if (has_b) s.ex.store_fresh(s.column(i), b);
            if (i == j) b = A{};
          }
          norm += abs2(b);
          x_dot = multiply_add(x_dot, conjugate(x), b);
          s.shared.put(Shape::at_tile + 32 * h + s.lane, b);
        }
      }
      s.ex.sync();
#pragma unroll
      for (int h = 0; h < most; ++h)
        if (h < number) tiles.strip[h].add_dots(s.shared.get(Shape::at_tile + 32 * h + s.lane), dots);
      i0 += 32 * most;
      if (i0 >= s.end_row) break;
      tiles.load(s, j, i0);
      tiles.load_sums(s, j, i0);
      s.ex.sync();
    }
    if (!has_b) return;
    // Those of the columns of P, and of the column of X that was made last.
    publish_dots(s.ex, g.p_dots, s.row_blocks, s.block, count, dots);
    if (s.warp == 0) {
      norm = warp_sum(s.ex, norm);
      x_dot = warp_sum(s.ex, x_dot);
      if (s.lane == 0) {
        s.ex.store_fresh(static_cast<R*>(g.column_norms) + s.block, norm);
        if (has_x) s.ex.store_fresh(static_cast<A*>(g.p_dots) + count * s.row_blocks + s.block, x_dot);
      }
    }
  }

 private:
  // Of column k of the team, v, where the team has more columns than a block threads.
  static ONEPASS_DEVICE void store_more_of_v(const Block& s, int j, const Reflector<A>& h) {
#pragma unroll 1
    for (int l = s.t + stream_threads; l < s.stream.own; l += stream_threads)
      if (const int k = s.stream.column(l); k >= j)
        s.ex.store_fresh(s.q(k, 2 * j - 1), k == j ? from_real<A>(R{1}) : h.apply(s.ex.load_fresh(s.row(k))));
  }
};

}  // namespace onepass::kernels
