// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From the eigenvectors V of M^H M, whose W = M V has columns that are nearly orthogonal, to those whose W has columns
// that are: W := W exp(T), V := V exp(T) with a skew T that is small.
//
//   h_ij = w_i^H w_j,   t_ij = h_ij / (h_jj - h_ii),   t_ji = -conj(t_ij)
//
// is what a Jacobi rotation of i and j would be, and all are made at once: what is left of h is of second order. Angles
// are relative to the lengths of columns, so that those of small singular values become orthogonal, too, which the
// eigenvectors of M^H M are far from. 1 + T is unitary but for |T|^2, with T^2 / 2 but for |T|^4 / 4, and with terms up
// to T^4 but for |T|^6 / 72. A T that is not small enough for these is left to rotations one by one.
//
// Of columns whose lengths are nearly equal h is small, and all of its digits but a few are roundings: T is skew, and
// exp(T) unitary, if h_ji is conj(h_ij) to the last digit.
#pragma once

#include "kernels/lapack/batched/batch_matrix.hpp"
#include "kernels/lapack/batched/batch_refine_args.hpp"

namespace onepass::kernels {

// What is known of all angles of a matrix, or of those that a thread has found.
template <class A>
struct RefineAngles {
  using R = RealOf<A>;
  static constexpr bool is_double = std::is_same_v<R, double>;
  static constexpr R epsilon = std::numeric_limits<R>::epsilon();
  // Squares of |T|: up to the first one T^2 is nothing, up to the second one T^4 is, and up to the third one T^6.
  static constexpr R no_square = epsilon / 4, no_fourth = static_cast<R>(is_double ? 0x1p-26 : 0x1p-11),
                     no_sixth = static_cast<R>(is_double ? 0x1p-16 : 0x1p-6);
  // Columns whose squares are below are for rotations.
  static constexpr R nothing = static_cast<R>(is_double ? 0x1p-200 : 0x1p-70);

  R wanted;             // the square of a cosine from which on there is an angle
  R sum = 0;            // of |t|^2
  R relative = 0;       // of cosines^2, and of angles^2 relative to lengths
  bool broken = false;  // there is NaN

  // t of columns r and c, whose squares of lengths and inverses of lengths are these.
  template <class Ex>
  ONEPASS_DEVICE A find(Ex ex, bool apart, A h, R square_r, R inverse_r, R square_c, R inverse_c) {
    const R cosine2 = abs2(times_real(inverse_c * inverse_r, h));
    const bool rotates = apart && cosine2 > wanted;
    const R over = static_cast<R>(ex.approximate_reciprocal(static_cast<float>(square_c - square_r)));
    const A value = choose(rotates, times_real(over, h), A{});
    const R value2 = abs2(value), shorter = larger(inverse_c, inverse_r);
    sum += value2;
    relative += value2 * (larger(square_c, square_r) * shorter * shorter) + (rotates ? cosine2 : R{0});
    broken = broken || !(abs2(h) <= std::numeric_limits<R>::max());
    return value;
  }
  // Of the sums over all threads. What is left of a cosine is below a quarter of `relative`, and far below that, since
  // few angles are as large: up to some roundings there is no need to look again.
  ONEPASS_DEVICE RefineKind kind(bool any_broken, bool any_nothing, R most, bool last_round) const {
    if (any_broken) return refine_restart;
    if (any_nothing || !(sum <= most)) return refine_rotate;
    if (sum == 0) return refine_done;
    if (relative * relative <= 4096 * wanted) return refine_last;
    return last_round ? refine_rotate : refine_apply;
  }
};

// T in the place of W^H W, and what is to be done with it: a block for each matrix.
template <class A>
struct BatchAngles {
  using R = RealOf<A>;
  using Angles = RefineAngles<A>;
  static constexpr int max_threads = refine_threads, min_blocks = 4, warps = max_threads / 32;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const RefineArgs& g) {
    const std::int64_t index = ex.block_x();
    const int kind = refine_kind(ex.load_own(g.state + index));
    if (kind != refine_active && kind != refine_apply) return;
    const int thread = ex.thread(), lane = thread & 31, warp = thread >> 5;
    const RefineShape of(g.svd.m, g.svd.n, sizeof(A));
    const int p = of.p, q = of.q;
    A* const t = static_cast<A*>(g.t) + index * of.of_t();
    const auto squares = ex.template shared<R>(0), inverses = ex.template shared<R>(q * static_cast<int>(sizeof(R)));
    const auto sums = ex.template shared<R>(2 * q * static_cast<int>(sizeof(R)));
    const auto flags = ex.template shared<int>((2 * q + 4 * warps) * static_cast<int>(sizeof(R)));
    Angles angles = {.wanted = Angles::epsilon * Angles::epsilon * static_cast<R>(p)};
    bool nothing = false;
    for (int i = thread; i < q; i += max_threads) {
      const R square = real_part(ex.load_own(t + i + i * of.ld_t));
      const bool some = square >= Angles::nothing;
      nothing = nothing || !some;
      squares.put(i, square);
      inverses.put(i, ex.reciprocal_sqrt(some ? square : R{1}));
    }
    ex.sync();
    for (int c = warp; c < q; c += warps) {
      const R square = squares.get(c), inverse = inverses.get(c);
      for (int r = lane; r < q; r += 32)
        ex.store(t + r + c * of.ld_t, angles.find(ex, r != c, ex.load_own(t + r + c * of.ld_t), squares.get(r),
                                                  inverses.get(r), square, inverse));
    }
    R all[2] = {angles.sum, angles.relative};
    block_sums<warps>(ex, sums, 0, all);
    angles.sum = all[0];
    angles.relative = all[1];
    nothing = ex.any(nothing);
    const bool broken = ex.any(angles.broken);
    if (lane == 0) flags.put(warp, (nothing ? 1 : 0) | (broken ? 2 : 0));
    ex.sync();
    int any = 0;
    for (int i = 0; i < warps; ++i) any |= flags.get(i);
    const RefineKind now = angles.kind((any & 2) != 0, (any & 1) != 0, Angles::no_sixth, g.last_round);
    const bool pairs = now == refine_rotate && any == 0 && g.round == 0 && !g.last_round &&
                       keep_pairs(ex, t, of, squares, inverses, flags);
    if (thread == 0)
      ex.store(g.state + index,
               pairs ? refine_state(refine_apply, false, false, g.round)
                     : refine_state(now, angles.sum > Angles::no_square, angles.sum > Angles::no_fourth, g.round));
  }

 private:
  // Most angles of a matrix are small where some are not. Columns that are each other's largest angle are rotated, for
  // which T becomes J - 1, and the other angles wait for the next round:
  //
  //   t := 2 t / (1 + sqrt(1 + 4 |t|^2)),   j_rc = cos t,   j_cc = cos = 1 / sqrt(1 + |t|^2)
  //
  // Whether there are such pairs. `partners` and `largest` have q elements each.
  template <class Ex>
  static ONEPASS_DEVICE bool keep_pairs(Ex ex, A* t, const RefineShape& of,
                                        const typename Ex::template Shared<R>& partners,
                                        const typename Ex::template Shared<R>& largest,
                                        const typename Ex::template Shared<int>& flags) {
    constexpr R least = static_cast<R>(0x1p-12), most = static_cast<R>(0x1p+40);  // of |t|^2
    const int thread = ex.thread(), lane = thread & 31, warp = thread >> 5, q = of.q;
    ex.sync();  // squares, inverses and flags were read
    for (int c = warp; c < q; c += warps) {
      R best = 0;
      int partner = q;
      for (int r = lane; r < q; r += 32) {
        const R square = abs2(ex.load_own(t + r + c * of.ld_t));
        if (square > best) {
          best = square;
          partner = r;
        }
      }
      for (int mask = 16; mask > 0; mask /= 2) {
        const R other = ex.shuffle_xor(best, mask);
        const int there = ex.shuffle_xor(partner, mask);
        if (other > best || (other == best && there < partner)) {
          best = other;
          partner = there;
        }
      }
      if (lane == 0) {
        partners.put(c, static_cast<R>(best > least && best < most ? partner : q));
        largest.put(c, best);
      }
    }
    ex.sync();
    bool found = false;
    for (int c = warp; c < q; c += warps) {
      const int partner = static_cast<int>(partners.get(c));
      const bool paired = partner < q && static_cast<int>(partners.get(partner < q ? partner : c)) == c;
      // Both columns of a pair have the same angle, but for roundings: that of the first one counts.
      const R square = largest.get(paired && partner < c ? partner : c);
      const auto length = static_cast<R>(ex.approximate_sqrt(static_cast<float>(1 + 4 * square)));
      const R factor = 2 * ex.reciprocal(1 + length), cosine = ex.reciprocal_sqrt(1 + factor * factor * square);
      for (int r = lane; r < q; r += 32) {
        A* const at = t + r + c * of.ld_t;
        const A value = paired && r == partner ? times_real(factor * cosine, ex.load_own(at)) : A{};
        ex.store(at, paired && r == c ? from_real<A>(cosine - 1) : value);
      }
      found = found || paired;
    }
    found = ex.any(found);
    if (lane == 0) flags.put(warp, found ? 1 : 0);
    ex.sync();
    int any = 0;
    for (int i = 0; i < warps; ++i) any |= flags.get(i);
    return any != 0;
  }
};

}  // namespace onepass::kernels
