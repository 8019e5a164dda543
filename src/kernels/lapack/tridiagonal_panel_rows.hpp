// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Step A of the tridiagonal panel kernel: w of column k = j - 1 in the rows of a block, and with it column j updated.
//   t1 = W^H v, t2 = V^H v;  w = tau (A v - V t1 - W t2) - |tau|^2 / 2 (v^H A v - 2 Re t1^H t2) v
//   x = A_j - V W_j^H - W V_j^H
#pragma once

#include "kernels/lapack/tridiagonal_panel_block.hpp"

namespace onepass::kernels {

// Threads are rows x parts of the sums.
template <class A, class Ex>
struct TridiagonalPanelRows {
  using R = RealOf<A>;
  using Shape = TridiagonalPanelShape<A>;
  using Block = TridiagonalPanelBlock<A, Ex>;
  static constexpr int tile = Shape::tile, nb = panel_columns;
  static constexpr int batch = 4;  // columns of V, W and the strip whose elements are loaded at once

  // h is that of column j - 1.
  static ONEPASS_DEVICE void run(const Block& s, int j, const Reflector<A>& h) {
    TridiagonalPanelRows rows(s, j, h);
    // All loads first.
    rows.load_common();
    rows.load_parts(0);
    rows.load_own();
    if (rows.has_w) {
      rows.find_common();
      rows.add_parts(0);
      for (int c0 = batch * rows.parts; c0 < s.g.columns; c0 += batch * rows.parts) {
        rows.load_parts(c0);
        rows.add_parts(c0);
      }
    }
    const R norm = rows.finish();
    if (rows.has_x) s.publish_sum(norm, 32, s.g.norms);
  }

 private:
  const Block& s;
  const TridiagonalPanelArgs& g;
  const Reflector<A>& h;
  int j, k;
  bool has_w, has_x;
  typename Block::Rows rows;
  int row, part, parts, i;
  bool live;
  // Of the first warps: what they load for everyone; columns of the strip are lanes.
  bool in_strip;
  A one{}, other{};
  R square = 0, on_diagonal = 0;
  // Of the row.
  A v_part[batch], w_part[batch], strip_part[batch];
  A old_x{}, for_w{}, for_x{};

  ONEPASS_DEVICE TridiagonalPanelRows(const Block& block, int column, const Reflector<A>& reflector)
      : s(block),
        g(block.g),
        h(reflector),
        j(column),
        k(column - 1),
        has_w(column > 0),
        has_x(column < block.g.columns),
        rows(block),
        row(block.t & (rows.padded - 1)),
        part(block.t / rows.padded),
        parts(Shape::threads / rows.padded),
        i(rows.first + row),
        live(row < rows.end - rows.first && i >= j),
        in_strip(block.lane > k && block.lane < block.g.columns) {}

  ONEPASS_DEVICE A t1(int c) const { return s.shared.get(Shape::at_t + c); }
  ONEPASS_DEVICE A t2(int c) const { return s.shared.get(Shape::at_t + nb + c); }
  ONEPASS_DEVICE A row_v(int c) const { return s.shared.get(Shape::at_t + 2 * nb + c); }
  ONEPASS_DEVICE A row_w(int c) const { return s.shared.get(Shape::at_t + 3 * nb + c); }
  ONEPASS_DEVICE A strip_v(int c) const { return s.shared.get(Shape::at_t + 4 * nb + c); }
  ONEPASS_DEVICE A dot(int number) const {
    const A* const halves = static_cast<const A*>(g.dots) + 2 * number;
    return s.ex.load_fresh(halves) + s.ex.load_fresh(halves + 1);
  }

  // What the first warps find for everyone: sums of v^H A v; t1 and t2; row j of V and W; v of the strip.
  ONEPASS_DEVICE void load_common() {
    if (has_w && s.warp == 0) {
      square = s.sum_over_blocks(g.squares);
      if (in_strip) {
        one = dot(2 * k + s.lane - j);
        other = s.v_at(s.lane, k, h);
        on_diagonal = real_part(s.ex.load_matrix(s.element(s.lane, s.lane)));
      }
    } else if (has_w && s.warp == 1) {
      if (s.lane < k) {
        one = dot(s.lane);
        other = dot(k + s.lane);
      }
    } else if (has_w && s.warp == 2) {
      if (s.lane < k && has_x) {
        one = s.ex.load_fresh(s.element(j, s.lane));
        other = s.ex.load_fresh(s.w(j, s.lane));
      }
    } else if (has_w && s.warp == 3) {
      if (in_strip) one = s.v_at(s.lane, k, h);
    }
  }

  // Elements of V, W and the strip.
  ONEPASS_DEVICE void load_parts(int c0) {
    const int last = i < g.columns ? i : g.columns;
#pragma unroll
    for (int q = 0; q < batch; ++q) {
      const int c = c0 + part + q * parts;
      const bool wanted = live && c < k;
      v_part[q] = wanted ? s.ex.load_fresh(s.element(i, c)) : A{};
      w_part[q] = wanted ? s.ex.load_fresh(s.w(i, c)) : A{};
      strip_part[q] = live && has_w && j + c < last ? s.ex.load_fresh(s.element(i, j + c)) : A{};
    }
  }
  ONEPASS_DEVICE void add_parts(int c0) {
#pragma unroll
    for (int q = 0; q < batch; ++q) {
      const int c = c0 + part + q * parts;
      if (c < k) {
        for_w = subtract_product(subtract_product(for_w, v_part[q], t1(c)), w_part[q], t2(c));
        if (has_x)
          for_x =
              subtract_product(subtract_product(for_x, v_part[q], conjugate(row_w(c))), w_part[q], conjugate(row_v(c)));
      }
      if (j + c < g.columns) for_w = multiply_add(for_w, strip_part[q], strip_v(j + c));
    }
  }

  // Elements of A and x; the sums of tiles.
  ONEPASS_DEVICE void load_own() {
    for_x = live && has_x && part == 0 ? s.ex.load_fresh(s.element(i, j)) : A{};
    old_x = live && has_w && part == 0 ? s.x_at(i, k) : A{};
    if (live && has_w) for_w = i < g.columns ? (part == 0 ? dot(2 * k + i - j) : A{}) : sum_of_tiles(i - g.columns);
  }
  // Of a row of R: this part of the sums of its tiles.
  ONEPASS_DEVICE A sum_of_tiles(int row_of_rest) const {
    const int of = row_of_rest / tile, in = row_of_rest % tile, pieces = s.tiles.pieces();
    const A* const row_sums = static_cast<const A*>(g.row_sums) + in;
    const A* const column_sums = static_cast<const A*>(g.column_sums) + in;
    A sum{};
    constexpr int batch = sizeof(A) == 16 ? 2 : 4;  // tiles; with more of 16 bytes registers would spill
    for (int b0 = part; b0 < s.tiles.side; b0 += batch * parts) {
      A first[batch], second[batch], below[batch];
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        const int b = b0 + q * parts;
        const bool to_left = b <= of, under = b >= of && b < s.tiles.side;
        const int index = to_left ? s.tiles.index(of, b) : 0;
        const bool shared_tile = to_left && s.tiles.last_block(index) > s.tiles.first_block(index);
        const A* const at = row_sums + std::int64_t{index} * pieces * tile;
        first[q] = to_left ? s.ex.load_fresh(at) : A{};
        second[q] = shared_tile ? s.ex.load_fresh(at + tile) : A{};
        below[q] = under ? s.ex.load_fresh(column_sums + std::int64_t{s.tiles.index(b, of)} * tile) : A{};
      }
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        sum = sum + (first[q] + second[q]) + below[q];
        const int b = b0 + q * parts;
        if (pieces > 2 && b <= of) {
          const int index = s.tiles.index(of, b), count = s.tiles.last_block(index) - s.tiles.first_block(index) + 1;
#pragma unroll 1
          for (int n = 2; n < count; ++n)
            sum = sum + s.ex.load_fresh(row_sums + (std::int64_t{index} * pieces + n) * tile);
        }
      }
    }
    return sum;
  }

  // Leaves in shared memory what was loaded for everyone, the coefficient of v in w, and w_j.
  ONEPASS_DEVICE void find_common() {
    if (s.warp == 1 && s.lane < k) {
      s.shared.put(Shape::at_t + s.lane, one);
      s.shared.put(Shape::at_t + nb + s.lane, other);
    }
    if (s.warp == 2 && s.lane < k) {
      s.shared.put(Shape::at_t + 2 * nb + s.lane, one);
      s.shared.put(Shape::at_t + 3 * nb + s.lane, other);
    }
    if (s.warp == 3 && in_strip) s.shared.put(Shape::at_t + 4 * nb + s.lane, one);
    s.ex.sync();
    // - |tau|^2 / 2 (v^H A v - 2 Re t1^H t2), with the strip's part of v^H A v.
    if (s.warp == 0) {
      A y{};
      if (in_strip) square += 2 * real_part(conjugate(other) * one) - on_diagonal * abs2(other);
      if (s.lane == j) y = one;
      if (s.lane < k) {
        square -= 2 * real_part(conjugate(t1(s.lane)) * t2(s.lane));
        if (has_x) y = A{} - (row_v(s.lane) * t1(s.lane) + row_w(s.lane) * t2(s.lane));
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

  // Sums over the parts, in the room of the tiles' sums; stores w, x and d. What is returned is |x|^2 of the row, or 0.
  ONEPASS_DEVICE R finish() {
    s.shared.put(Shape::at_rows + s.t, for_w);
    s.shared.put(Shape::at_cols + s.t, for_x);
    s.ex.sync();
    if (!live || part != 0) return 0;
#pragma unroll 8
    for (int q = 1; q < parts; ++q) {
      for_w = for_w + s.shared.get(Shape::at_rows + q * rows.padded + row);
      for_x = for_x + s.shared.get(Shape::at_cols + q * rows.padded + row);
    }
    A x = for_x;
    if (has_w) {
      const R half = s.sums.get(0);
      const A w_j = s.shared.get(Shape::at_sums);
      const A v = s.v_of(i, k, h, old_x), w = h.tau * for_w + from_real<A>(half) * v;
      s.ex.store_fresh(s.w(i, k), w);
      x = x - v * conjugate(w_j) - w;
    }
    if (!has_x) return 0;
    if (i == j) {
      s.ex.store_fresh(static_cast<R*>(g.d) + j * g.vector_step, real_part(x) * s.scale_back());
      return 0;
    }
    s.ex.store_fresh(s.x(i, j), x);
    return i > j + 1 ? abs2(x) : R{0};
  }
};

}  // namespace onepass::kernels
