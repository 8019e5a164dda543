// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular values and vectors of the leaves of divide and conquer, by implicit QR, a warp for each.
//
// A leaf has one more column than rows, but for the last. It is taken for a square matrix whose last row is zero: one
// sweep with shift zero makes the last column zero, too, and leaves the last row of U as it is. The last column of V is
// the null vector then. A sweep with shift zero is also what follows where a d is negligible: it makes the last e zero.
#pragma once

#include "kernels/lapack/solvers/divide_leaf.hpp"

namespace onepass::kernels {

// Each lane has a row of U and one of V, and a copy of d and e of its own: all lanes compute the same rotations, and
// none waits for another.
template <class R>
struct BidiagonalLeaf {
  static constexpr int max_threads = 32, min_blocks = 8, most_iterations = 40;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const DivideLeafArgs& g) {
    const int lane = ex.thread();
    const std::int64_t leaf = ex.block_x(), base = leaf * g.leaf, behind = g.n - base;
    const int columns = static_cast<int>(behind < g.leaf ? behind : g.leaf);
    const int rows = columns == g.leaf ? columns - 1 : columns;
    const auto shared = ex.template shared<R>(0);
    const int each = g.leaf * 32;
    const Warp<Ex> warp{
        ex, {shared, lane}, {shared, each + lane}, {shared, 2 * each + lane}, {shared, 3 * each + lane}};
    for (int i = 0; i < columns; ++i) {
      warp.d.put(i, ex.load_cached_if(i < rows, static_cast<const R*>(g.d) + base + i));
      warp.e.put(i, ex.load_cached_if(i + 1 < columns, static_cast<const R*>(g.e) + base + i));
      warp.u.put(i, i == lane ? R{1} : R{0});
      warp.v.put(i, i == lane ? R{1} : R{0});
    }
    if (columns > rows && rows > 0) warp.sweep_unshifted(0, rows);
    const bool converged = warp.diagonalize(rows);

    const auto ranks = ex.template shared<int>(4 * each * static_cast<int>(sizeof(R)));
    const R mine = warp.d.get(lane < rows ? lane : 0);
    int rank = 0;
    for (int i = 0; i < rows; ++i) {
      const R one = absolute(mine), other = absolute(warp.d.get(i));
      const bool before = g.descending ? other > one : other < one;
      if (before || (other == one && i < lane)) ++rank;
    }
    ranks.put(lane, lane < rows ? rank : lane);
    ex.sync();
    if (lane == 0) ex.store(g.failed + leaf, converged ? 0 : 1);
    if (lane < rows) ex.store(static_cast<R*>(g.values) + base + rank, absolute(mine));
    if (lane >= columns) return;
    R* const u = static_cast<R*>(g.q) + leaf * g.q_stride + lane;
    R* const vt = static_cast<R*>(g.vt) + leaf * g.vt_stride + lane * g.vt_ld;
    for (int i = 0; i < columns; ++i) {
      const bool negative = i < rows && warp.d.get(i) < 0;
      const R v = warp.v.get(i);
      ex.store(u + ranks.get(i) * g.q_ld, warp.u.get(i));
      ex.store(vt + ranks.get(i), negative ? -v : v);
    }
  }

 private:
  struct Rotation {
    R c, s, r;  // c f + s g = r, c g - s f = 0
  };

  template <class Ex>
  struct Warp {
    Ex ex;
    OfLane<R, Ex> d, e, u, v;

    ONEPASS_DEVICE Rotation rotation(R f, R g) const {
      if (g == 0) return {1, 0, f};
      R square = f * f + g * g, back = 1;
      if (square < smallest_square<R>()) {
        constexpr R power = std::is_same_v<R, double> ? static_cast<R>(0x1p+500) : static_cast<R>(0x1p+62);
        f *= power;
        g *= power;
        square = f * f + g * g;
        back = 1 / power;
        if (square < smallest_square<R>()) return {1, 0, f * back};  // both are nothing
      }
      const R inverse = ex.reciprocal_sqrt(square);
      return {f * inverse, g * inverse, square * inverse * back};
    }
    static ONEPASS_DEVICE void apply(const OfLane<R, Ex>& row, int i, Rotation by) {
      const R first = row.get(i), second = row.get(i + 1);
      row.put(i, by.c * first + by.s * second);
      row.put(i + 1, by.c * second - by.s * first);
    }

    // Rows and columns first to last, e of all but the last not negligible unless it is the first sweep.
    ONEPASS_DEVICE void sweep_unshifted(int first, int last) const {
      Rotation right = {1, 0, 0}, left = {1, 0, 0};
      for (int i = first; i < last; ++i) {
        right = rotation(d.get(i) * right.c, e.get(i));
        if (i > first) e.put(i - 1, left.s * right.r);
        left = rotation(left.c * right.r, d.get(i + 1) * right.s);
        d.put(i, left.r);
        apply(v, i, right);
        apply(u, i, left);
      }
      const R end = d.get(last) * right.c;
      d.put(last, end * left.c);
      e.put(last - 1, end * left.s);
    }

    // The shift is the eigenvalue of the last two rows of B^T B that is closer to the last element.
    ONEPASS_DEVICE void sweep(int first, int last) const {
      const R d_first = d.get(first), d_last = d.get(last), d_before = d.get(last - 1), e_last = e.get(last - 1);
      const R e_before = last - 1 > first ? e.get(last - 2) : R{0};
      const R end = d_last * d_last + e_last * e_last, beside = d_before * e_last;
      const R half = (d_before * d_before + e_before * e_before - end) / 2;
      const R length = square_root(ex, half * half + beside * beside);
      const R divisor = half < 0 ? half - length : half + length;
      const R shift = divisor == 0 ? end : end - beside * beside * ex.reciprocal(divisor);
      R f = d_first - shift * ex.reciprocal(d_first), g = e.get(first), d_i = d_first, e_i = g;
      for (int i = first; i < last; ++i) {
        R d_next = d.get(i + 1);
        const R e_next = e.get(i + 1 < last ? i + 1 : i);
        const Rotation right = rotation(f, g);
        if (i > first) e.put(i - 1, right.r);
        f = right.c * d_i + right.s * e_i;
        e_i = right.c * e_i - right.s * d_i;
        g = right.s * d_next;
        d_next = right.c * d_next;
        const Rotation left = rotation(f, g);
        d.put(i, left.r);
        f = left.c * e_i + left.s * d_next;
        d_i = left.c * d_next - left.s * e_i;
        g = left.s * e_next;
        e_i = left.c * e_next;
        apply(v, i, right);
        apply(u, i, left);
      }
      d.put(last, d_i);
      e.put(last - 1, f);
    }

    // The largest of all lanes.
    ONEPASS_DEVICE int warp_largest(int value) const {
      for (int mask = 16; mask > 0; mask /= 2) {
        const int other = ex.shuffle_xor(value, mask);
        value = other > value ? other : value;
      }
      return value;
    }

    ONEPASS_DEVICE bool diagonalize(int rows) const {
      constexpr R negligible = std::numeric_limits<R>::epsilon() / 2;
      const int lane = ex.thread();
      bool converged = true;
      for (int last = rows - 1; last > 0; --last) {
        int left = most_iterations;
        for (; left > 0; --left) {
          // Behind the last e that is negligible; and the last d that is.
          const bool cut = lane < last && absolute(e.get(lane < last ? lane : 0)) <= negligible;
          const int first = warp_largest(cut ? lane + 1 : 0);
          if (first == last) break;
          const bool zero = lane >= first && lane <= last && absolute(d.get(lane <= last ? lane : 0)) <= negligible;
          const int zero_at = warp_largest(zero ? lane : -1);
          if (zero_at < 0) {
            sweep(first, last);
          } else {
            d.put(zero_at, R{0});
            sweep_unshifted(first, last);
          }
        }
        converged = converged && left > 0;
      }
      return converged;
    }
  };
};

}  // namespace onepass::kernels
