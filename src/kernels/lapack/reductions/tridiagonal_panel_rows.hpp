// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Step A of the tridiagonal panel kernel: w of column k = j - 1 in the rows of a block, and with it column j updated.
//   t1 = W^H v, t2 = V^H v;  w = tau (A v - V t1 - W t2) - |tau|^2 / 2 (v^H A v - 2 Re t1^H t2) v
//   x = A_j - V W_j^H - W V_j^H
#pragma once

#include "kernels/lapack/reductions/tridiagonal_panel_block.hpp"

namespace onepass::kernels {

// Threads are rows x parts of the sums. Instructions are what this step costs, so each element is multiplied by numbers
// from shared memory that are zero where it does not count, and addresses are steps from the one before.
template <class A, class Ex, PanelPart part_of_panel>
class TridiagonalPanelRows {
  using R = RealOf<A>;
  using Shape = TridiagonalPanelShape<A>;
  using Block = TridiagonalPanelBlock<A, Ex, part_of_panel>;
  static constexpr int nb = panel_columns;

 public:
  // h is that of column j - 1.
  static ONEPASS_DEVICE void run(const Block& s, int j, const Reflector<A>& h) {
    const R norm = sizeof(A) == 16 || 2 * s.rows.parts() >= nb ? update<2>(s, j, h) : update<4>(s, j, h);
    if (j < s.g.columns) s.publish_sum(norm, 32, s.g.norms, s.rows.padded());
  }

 private:
  // Columns of the panel and of W whose elements are loaded at once.
  template <int columns>
  static ONEPASS_DEVICE R update(const Block& s, int j, const Reflector<A>& h) {
    constexpr int batch = sizeof(A) == 16 ? 3 : 5;  // sums of tiles that are loaded at once
    const TridiagonalPanelArgs& g = s.g;
    const int k = j - 1, part = s.rows.part, parts = s.rows.parts(), i = s.rows.first + s.rows.row;
    const bool has_w = j > 0, has_x = j < g.columns, live = s.rows.live && i >= j, in_rest = i >= g.columns;

    // All loads first.
    Common common(s, j, h);
    A sum[batch], a[columns], w[columns], for_w{}, for_x{}, old_x{};
    const A* sums = nullptr;
    const int pitch = s.tiles.pitch(), slots = live && has_w ? slots_of_row(s, j, in_rest) : 0;
    int slot = part;
    if (has_w) {
      sums = static_cast<const A*>(g.sums) + (i - g.columns) + std::int64_t{part} * pitch;
      load_sums<batch>(s, sums, slot, slots, sum);
    }
    const int last = i < g.columns ? i : g.columns;  // above the diagonal nothing is stored
    const std::int64_t a_step = parts * g.col_step, w_step = parts * g.w_col_step;
    const A *of_a = s.element(i, part), *of_w = s.w(i, part);
    int c = part;
    const auto load_columns = [&] {
#pragma unroll
      for (int q = 0; q < columns; ++q, c += parts, of_a += a_step, of_w += w_step) {
        a[q] = s.ex.load_fresh_if(live && c != k && c < last, of_a);
        w[q] = s.ex.load_fresh_if(live && c < k, of_w);
      }
    };
    if (has_w) load_columns();
    if (live && part == 0) {
      if (has_x) for_x = s.ex.load_fresh(s.element(i, j));
      if (has_w) {
        old_x = s.x_at(i, k);
        if (!in_rest) for_w = dot(s, 2 * k + i - j);
      }
    }

    if (has_w) {
      common.publish();
      for (;;) {
#pragma unroll
        for (int q = 0; q < batch; ++q) for_w = for_w + sum[q];
        if (slot >= slots) break;
        load_sums<batch>(s, sums, slot, slots, sum);
      }
      for (int from = part;;) {
#pragma unroll
        for (int q = 0; q < columns; ++q, from += parts) {
          const int at = from & (nb - 1);
          for_w = multiply_add(multiply_add(for_w, a[q], common.a_for_w(at)), w[q], common.w_for_w(at));
          for_x = multiply_add(multiply_add(for_x, a[q], common.a_for_x(at)), w[q], common.w_for_x(at));
        }
        if (from >= g.columns) break;
        load_columns();
      }
    }

    // Sums over the parts, in the room of the tiles' sums; w, x and d.
    s.shared.put(Shape::at_rows + s.t, for_w);
    s.shared.put(Shape::at_cols + s.t, for_x);
    s.ex.sync();
    if (!live || part != 0) return 0;
#pragma unroll 4
    for (int q = 1; q < parts; ++q) {
      for_w = for_w + s.shared.get(Shape::at_rows + q * s.rows.padded() + s.t);
      for_x = for_x + s.shared.get(Shape::at_cols + q * s.rows.padded() + s.t);
    }
    A x = for_x;
    if (has_w) {
      const A v = s.v_of(i, k, h, old_x), w_i = h.tau * for_w + from_real<A>(common.part_of_v()) * v;
      s.ex.store_fresh(s.w(i, k), w_i);
      x = x - v * conjugate(common.w_j()) - w_i;
    }
    if (!has_x) return 0;
    if (i == j) {
      s.ex.store_fresh(static_cast<R*>(g.d) + j * g.vector_step, real_part(x) * s.scale_back());
      return 0;
    }
    s.ex.store_fresh(s.x(i, j), x);
    return i > j + 1 ? abs2(x) : R{0};
  }

  // Of a row: the sums that it is made of. Those of column 0, where it has a launch of its own, are added up.
  static ONEPASS_DEVICE int slots_of_row(const Block& s, int j, bool in_rest) {
    if (part_of_panel == PanelPart::others && j == 1) return in_rest ? 1 : 0;
    return s.slots().get(s.t);
  }

  // Of a row of R: its next sums in this part.
  template <int batch>
  static ONEPASS_DEVICE void load_sums(const Block& s, const A*& sums, int& slot, int slots, A (&sum)[batch]) {
    const int parts = s.rows.parts();
    const std::int64_t step = std::int64_t{parts} * s.tiles.pitch();
#pragma unroll
    for (int q = 0; q < batch; ++q, slot += parts, sums += step) sum[q] = s.ex.load_fresh_if(slot < slots, sums);
  }

  static ONEPASS_DEVICE A dot(const Block& s, int number) {
    const A* const halves = static_cast<const A*>(s.g.dots) + 2 * number;
    return s.ex.load_fresh(halves) + s.ex.load_fresh(halves + 1);
  }

  // What the first warps find for everyone; columns of the panel are lanes. Numbers by which elements of the panel and
  // of W are multiplied for w and x: - t1 or, in the strip, v; - t2; row j of W and of V, negative and conjugate.
  class Common {
    const Block& s;
    const TridiagonalPanelArgs& g;
    const Reflector<A>& h;
    int k;
    bool before, after;  // a column before k, or after it
    A first[2] = {}, second[2] = {}, x{};
    R on_diagonal = 0;
    typename Block::FromBlocks squares;

   public:
    // Loads alone: nothing waits for them.
    ONEPASS_DEVICE Common(const Block& block, int j, const Reflector<A>& reflector)
        : s(block),
          g(block.g),
          h(reflector),
          k(j - 1),
          before(block.lane < k),
          after(block.lane > k && block.lane < block.g.columns) {
      if (j == 0) return;
      if (s.warp == 0) {
        squares.load(s, g.squares);
        load_dot(after, 2 * k + s.lane - j, first);
        x = s.ex.load_fresh_if(after, s.x(s.lane, k));
        if (after) on_diagonal = real_part(s.ex.load_matrix(s.element(s.lane, s.lane)));
      } else if (s.warp == 1) {
        load_dot(before, s.lane, first);
        load_dot(before, k + s.lane, second);
        x = s.ex.load_fresh_if(after, s.x(s.lane, k));
      } else if (s.warp == 2 && j < g.columns) {
        first[0] = s.ex.load_fresh_if(before, s.w(j, s.lane));
        second[0] = s.ex.load_fresh_if(before, s.element(j, s.lane));
      }
    }
    ONEPASS_DEVICE void load_dot(bool wanted, int number, A (&halves)[2]) const {
      const A* const from = static_cast<const A*>(g.dots) + 2 * number;
      halves[0] = s.ex.load_fresh_if(wanted, from);
      halves[1] = s.ex.load_fresh_if(wanted, from + 1);
    }

    ONEPASS_DEVICE A a_for_w(int c) const { return s.shared.get(Shape::at_t + c); }
    ONEPASS_DEVICE A w_for_w(int c) const { return s.shared.get(Shape::at_t + nb + c); }
    ONEPASS_DEVICE A a_for_x(int c) const { return s.shared.get(Shape::at_t + 2 * nb + c); }
    ONEPASS_DEVICE A w_for_x(int c) const { return s.shared.get(Shape::at_t + 3 * nb + c); }
    // The coefficient of v in w; w_j.
    ONEPASS_DEVICE R part_of_v() const { return s.sums.get(0); }
    ONEPASS_DEVICE A w_j() const { return s.shared.get(Shape::at_sums); }

    ONEPASS_DEVICE void publish() {
      const A v = after && s.warp < 2 ? s.v_of(s.lane, k, h, x) : A{};
      if (s.warp == 1 || s.warp == 2) {
        const A one = first[0] + first[1], other = second[0] + second[1];
        const int at = Shape::at_t + (s.warp - 1) * 2 * nb + s.lane;
        s.shared.put(at, v - (s.warp == 1 ? one : conjugate(one)));
        s.shared.put(at + nb, A{} - (s.warp == 1 ? other : conjugate(other)));
      }
      s.ex.sync();
      // - |tau|^2 / 2 (v^H A v - 2 Re t1^H t2), with the strip's part of v^H A v.
      if (s.warp == 0) {
        const A dot = first[0] + first[1];
        R square = squares.sum(s, g.squares);
        A y{};
        if (after) square += 2 * real_part(conjugate(v) * dot) - on_diagonal * abs2(v);
        if (s.lane == k + 1) y = dot;
        if (before) {
          const A t1 = a_for_w(s.lane), t2 = w_for_w(s.lane);
          square -= 2 * real_part(conjugate(t1) * t2);
          y = A{} - (conjugate(w_for_x(s.lane)) * t1 + conjugate(a_for_x(s.lane)) * t2);
        }
        for (int mask = 16; mask > 0; mask /= 2) {
          square += s.ex.shuffle_xor(square, mask);
          y = y + s.ex.shuffle_xor(y, mask);
        }
        if (s.lane == 0) {
          const R part_of_v = -R{0.5} * abs2(h.tau) * square;
          s.sums.put(0, part_of_v);
          s.shared.put(Shape::at_sums, h.tau * y + from_real<A>(part_of_v));
        }
      }
    }
  };
};

}  // namespace onepass::kernels
