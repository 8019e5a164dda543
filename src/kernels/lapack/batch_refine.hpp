// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From the eigenvectors V of M^H M, whose W = M V has columns that are nearly orthogonal, to those whose W has columns
// that are: W := W exp(T), V := V exp(T) with a skew T that is small.
//
//   h_ij = w_i^H w_j,   t_ij = h_ij / (h_jj - h_ii),   t_ji = -conj(t_ij)
//
// is what a Jacobi rotation of i and j would be, and all are made at once: what is left of h is of second order. Angles
// are relative to the lengths of columns, so that those of small singular values become orthogonal, too, which the
// eigenvectors of M^H M are far from. 1 + T + T^2 / 2 is unitary but for |T|^4 / 4. A T that is not small enough is
// left to rotations one by one.
#pragma once

#include "kernels/lapack/batch_matrix.hpp"
#include "kernels/lapack/batch_refine_args.hpp"

namespace onepass::kernels {

// T in the place of W^H W, and what is to be done with it: a block for each matrix.
template <class A>
struct BatchAngles {
  using R = RealOf<A>;
  static constexpr int max_threads = refine_threads, min_blocks = 4, warps = max_threads / 32;
  static constexpr R epsilon = std::numeric_limits<R>::epsilon();
  static constexpr bool is_double = std::is_same_v<R, double>;
  // Squares of norms of T: beyond the first one rotations are made one by one, up to the second one T^2 is nothing.
  static constexpr R largest_square = static_cast<R>(is_double ? 0x1p-26 : 0x1p-11), no_square = epsilon / 4;
  static constexpr R nothing = static_cast<R>(is_double ? 0x1p-200 : 0x1p-70);

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const RefineArgs& g) {
    const std::int64_t index = ex.block_x();
    const int kind = refine_kind(ex.load_own(g.state + index));
    if (kind != refine_active && kind != refine_apply) return;
    const int q = g.svd.m < g.svd.n ? g.svd.m : g.svd.n, p = larger(g.svd.m, g.svd.n);
    const int thread = ex.thread(), lane = thread & 31, warp = thread >> 5;
    A* const t = static_cast<A*>(g.t) + index * q * q;
    const auto squares = ex.template shared<R>(0), inverses = ex.template shared<R>(q * static_cast<int>(sizeof(R)));
    const auto sums = ex.template shared<R>(2 * q * static_cast<int>(sizeof(R)));
    const auto flags = ex.template shared<int>((2 * q + 4 * warps) * static_cast<int>(sizeof(R)));
    bool tiny = false, broken = false;  // NaN is
    for (int i = thread; i < q; i += max_threads) {
      const R square = real_part(ex.load_own(t + i + i * q));
      const bool good = square >= nothing;
      tiny = tiny || !good;
      broken = broken || !(square <= std::numeric_limits<R>::max());
      squares.put(i, square);
      inverses.put(i, ex.reciprocal_sqrt(good ? square : R{1}));
    }
    ex.sync();
    const R wanted = epsilon * epsilon * static_cast<R>(p);
    R all[2] = {};  // sums of squares: of T, and of cosines and angles relative to lengths
    R relative = 0, of_cosines = 0;
    for (int c = warp; c < q; c += warps) {
      const R square = squares.get(c), inverse = inverses.get(c);
      for (int r = lane; r < q; r += 32) {
        const A h = ex.load_own(t + r + c * q);
        const R of_r = squares.get(r), inverse_r = inverses.get(r), cosine2 = abs2(times_real(inverse * inverse_r, h));
        const auto apart = static_cast<float>(square - of_r);
        const bool rotates = r != c && cosine2 > wanted;
        const R over = rotates ? static_cast<R>(ex.approximate_reciprocal(apart)) : R{0};
        const A value = rotates ? times_real(over, h) : A{};
        const R value2 = abs2(value), longer = larger(square, of_r), shorter = larger(inverse, inverse_r);
        all[0] += value2;
        relative += value2 * (longer * shorter * shorter);
        of_cosines += rotates ? cosine2 : R{0};
        broken = broken || !(abs2(h) <= std::numeric_limits<R>::max());
        ex.store(t + r + c * q, value);
      }
    }
    all[1] = relative + of_cosines;
    block_sums<warps>(ex, sums, 0, all);
    tiny = ex.any(tiny);
    broken = ex.any(broken);
    if (lane == 0) flags.put(warp, (tiny ? 1 : 0) | (broken ? 2 : 0));
    ex.sync();
    int any = 0;
    for (int i = 0; i < warps; ++i) any |= flags.get(i);
    if (thread != 0) return;
    const bool square = all[0] > no_square, small = all[0] <= largest_square;  // else NaN, or infinite
    // What is left of a cosine is below the product of both.
    const bool last = all[1] * all[1] <= 4 * wanted;
    RefineKind now = refine_apply;
    if (any >= 2)
      now = refine_restart;
    else if (any != 0 || !small)
      now = refine_rotate;
    else if (all[0] == 0)
      now = refine_done;
    else if (last)
      now = refine_last;
    else if (g.last_round)
      now = refine_rotate;
    ex.store(g.state + index, refine_state(now, square, g.round));
  }
};

}  // namespace onepass::kernels
