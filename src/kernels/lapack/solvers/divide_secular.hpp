// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The roots of the secular equation, some lanes for each, which share the poles:
//
//   f(x) = 1 / rho + sum_i z_i^2 / (d_i - x) = 0,   d_j < x_j < d_(j+1),   x_last < d_last + rho |z|^2
//
// A root is kept as its distance from the nearer of its two poles: so d_i - x_j is known to all digits. A step goes to
// the root of c + s / (d_j - x) + t / (d_(j+1) - x), which has the value and the slope of f, and either the term of the
// nearer pole as it is ("fixed weight") or the slopes left and right of the root ("middle way"): the one or the other,
// changed whenever a step did not make f ten times smaller. A step that leaves the bracket is replaced by bisection,
// and so are all after many steps. (With the middle way alone some roots of glued matrices took 56 steps, and 13 so.)
//
// Of a bidiagonal matrix rho = 1, and poles and roots are the squares of d and of the singular value. Slopes z^2 / x^2
// may be tol^-6 there: they are in double precision, also for float.
#pragma once

#include <type_traits>

#include "kernels/lapack/solvers/divide_merge.hpp"

namespace onepass::kernels {

template <class R, Form form = Form::tridiagonal, int lanes = 32>
struct DivideSecular {
  static constexpr bool bidiagonal = form == Form::bidiagonal;
  using W = std::conditional_t<bidiagonal, double, R>;  // of sums
  static constexpr int max_threads = divide_threads, min_blocks = 4;
  static constexpr int most_steps = 160, steps_before_bisection = 24;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const DivideLevelArgs& g) {
    const DivideShare<lanes> root(ex, g.n);
    const Merge<R, form> m(g, root.number / (2 * g.half));
    const int j = static_cast<int>(root.number - m.base), poles = ex.load_cached(g.pole_count + m.index);
    const bool wanted = root.there && j < poles;
    if (!ex.any(wanted)) return;
    const Solver<Ex> solver{ex, m.at(g.pole_d), m.at(g.pole_z), wanted ? poles : 0, m.rho(ex)};
    const Root found = solver.solve(j);
    if (!wanted || ex.thread() % lanes != 0) return;
    ex.store(m.at(g.shift) + j, static_cast<R>(found.shift));
    ex.store(m.at(g.origin) + j, found.origin);
    ex.store(m.at(g.found) + j, value(ex, solver.d(found.origin), found.shift));
  }

 private:
  struct Root {
    int origin;
    W shift;
  };
  // s^2 = d^2 + shift without a square of what is small: s = d + shift / (d + s)
  template <class Ex>
  static ONEPASS_DEVICE R value(Ex ex, W d, W shift) {
    if constexpr (bidiagonal) {
      const W s = square_root(ex, d * d + shift);
      return static_cast<R>(d > 0 ? d + shift * ex.reciprocal(d + s) : s);
    } else {
      return d + shift;
    }
  }
  // Of the poles up to one and of those behind it: sums z^2 / (d - x) and z^2 / (d - x)^2.
  struct Sums {
    W left, left_slope, right, right_slope;
  };

  template <class Ex>
  struct Solver {
    Ex ex;
    const R *poles_d, *poles_z;
    int poles;
    W rho;

    ONEPASS_DEVICE W d(int i) const { return ex.load_cached_if(i < poles, poles_d + i); }
    ONEPASS_DEVICE W z2(int i) const {
      const W z = ex.load_cached_if(i < poles, poles_z + i);
      return z * z;
    }

    ONEPASS_DEVICE Sums sums(W origin, W shift, int last_left) const {
      Sums s = {};
      for (int i = ex.thread() % lanes; i < poles; i += lanes) {
        const W z = ex.load_cached(poles_z + i), pole = ex.load_cached(poles_d + i);
        const W over = z * ex.reciprocal(pole_distance<form>(pole, origin) - shift);
        const bool is_left = i <= last_left;
        const W term = z * over, slope = over * over;
        s.left += is_left ? term : W{0};
        s.left_slope += is_left ? slope : W{0};
        s.right += is_left ? W{0} : term;
        s.right_slope += is_left ? W{0} : slope;
      }
      return {group_sum<lanes>(ex, s.left), group_sum<lanes>(ex, s.left_slope), group_sum<lanes>(ex, s.right),
              group_sum<lanes>(ex, s.right_slope)};
    }

    // The root lies between lo and hi, counted from a pole; one of them is 0.
    struct Bracket {
      bool near_p;
      W origin, lo, hi, shift;  // shift: where to begin
    };

    // Without poles there is none, and of one pole 1 / rho = z^2 / (x - d).
    ONEPASS_DEVICE Root solve(int j) const {
      bool done = poles < 2;
      const bool last = !done && j == poles - 1;
      const int p = done ? 0 : last ? j - 1 : j, q = done ? 0 : p + 1;  // the two poles of a step
      const W inverse_rho = ex.reciprocal(rho), d_p = d(p), d_q = d(q), gap = pole_distance<form>(d_q, d_p);
      const W end = ex.any(last) ? end_of_last() : W{0}, half = (last ? end : gap) / 2;
      const Middle m = middle(p, q, last ? d_q : d_p, half, inverse_rho);
      Bracket b = last ? behind_last(m, p, q, end) : between_poles(m, p, q, gap);
      if (!(b.shift > b.lo && b.shift < b.hi)) b.shift = between(b.lo, b.hi);
      if (done) b.shift = rho * z2(0);
      const W z2_near = z2(b.near_p ? p : q);
      W f_before = 0;
      bool middle_way = false;
      for (int step = 0; step < most_steps && ex.any(!done); ++step) {
        const Sums s = sums(b.origin, b.shift, p);
        if (done) continue;
        const W f = inverse_rho + s.left + s.right, slope = s.left_slope + s.right_slope;
        const W error = 8 * (absolute(s.left) + absolute(s.right)) + inverse_rho + absolute(b.shift) * slope;
        done = absolute(f) <= std::numeric_limits<R>::epsilon() / 2 * error;
        if (done) continue;
        (f < 0 ? b.lo : b.hi) = b.shift;
        if (step > 0 && absolute(f) > absolute(f_before) / 10) middle_way = !middle_way;
        f_before = f;
        const W to_p = pole_distance<form>(d_p, b.origin) - b.shift,
                to_q = pole_distance<form>(d_q, b.origin) - b.shift, over = ex.reciprocal(b.shift);
        W c = f - to_p * s.left_slope - to_q * s.right_slope;
        if (!middle_way) c = f - (b.near_p ? to_q : to_p) * slope + (b.near_p ? gap : -gap) * z2_near * over * over;
        W next = b.shift + rational_step(f, slope, to_p, to_q, c, last);
        if (!(next > b.lo && next < b.hi) || step >= steps_before_bisection) next = between(b.lo, b.hi);
        done = !(next > b.lo && next < b.hi);  // neighbouring numbers
        if (!done) b.shift = next;
      }
      return {b.near_p ? p : q, b.shift};
    }

    // f in the middle, and what all but two of the poles have of it. With that for all x, the root is that of
    // rest + z_p^2 / (d_p - x) + z_q^2 / (d_q - x).
    struct Middle {
      W f, rest;
    };
    ONEPASS_DEVICE Middle middle(int p, int q, W origin, W shift, W inverse_rho) const {
      const Sums s = sums(origin, shift, p);
      const W f = inverse_rho + s.left + s.right;
      return {f, f - z2(p) * ex.reciprocal(pole_distance<form>(d(p), origin) - shift) -
                     z2(q) * ex.reciprocal(pole_distance<form>(d(q), origin) - shift)};
    }
    ONEPASS_DEVICE Bracket between_poles(const Middle& m, int p, int q, W gap) const {
      if (m.f >= 0) {
        const W a = z2(p) + z2(q) + m.rest * gap, b = z2(p) * gap, root = square_root(ex, a * a - 4 * b * m.rest);
        return {true, d(p), 0, gap / 2,
                a > 0 ? 2 * b * ex.reciprocal(a + root) : (a - root) * ex.reciprocal(2 * m.rest)};
      }
      const W a = z2(p) + z2(q) - m.rest * gap, b = z2(q) * gap, root = square_root(ex, a * a + 4 * b * m.rest);
      return {false, d(q), -gap / 2, 0,
              a >= 0 ? -2 * b * ex.reciprocal(a + root) : (a - root) * ex.reciprocal(2 * m.rest)};
    }
    // How far from the last pole the last root is at most.
    ONEPASS_DEVICE W end_of_last() const {
      W all = 0;
      for (int i = ex.thread() % lanes; i < poles; i += lanes) all += z2(i);
      return rho * group_sum<lanes>(ex, all) * (1 + 16 * std::numeric_limits<R>::epsilon());
    }
    ONEPASS_DEVICE Bracket behind_last(const Middle& m, int p, int q, W end) const {
      const W half = end / 2;
      const W gap = pole_distance<form>(d(q), d(p)), a = z2(p) + z2(q) - m.rest * gap, b = z2(q) * gap;
      const W root = square_root(ex, a * a + 4 * b * m.rest);
      return {false, d(q), m.f >= 0 ? W{0} : half, m.f >= 0 ? half : end,
              a < 0 ? 2 * b * ex.reciprocal(root - a) : (a + root) * ex.reciprocal(2 * m.rest)};
    }

    // How far the root of c + s / (d_p - x) + t / (d_q - x), with this value and slope, is from x.
    ONEPASS_DEVICE W rational_step(W f, W slope, W to_p, W to_q, W c, bool last) const {
      const W a = (to_p + to_q) * f - to_p * to_q * slope, b = to_p * to_q * f;
      const W root = square_root(ex, absolute(a * a - 4 * b * c));
      W step = 0;
      if (last)
        step = a >= 0 ? (a + root) * ex.reciprocal(2 * c) : 2 * b * ex.reciprocal(a - root);
      else
        step = a <= 0 ? (a - root) * ex.reciprocal(2 * c) : 2 * b * ex.reciprocal(a + root);
      // f increases: a step must go against its sign.
      return f * step < 0 ? step : -f * ex.reciprocal(slope);
    }

    // Halves the interval, or the number of its digits where one end is much smaller than the other.
    ONEPASS_DEVICE W between(W lo, W hi) const {
      const bool negative = hi <= 0;
      const W small = negative ? -hi : lo, large = negative ? -lo : hi;
      W value = small / 2 + large / 2;
      if (small == 0)
        value = large / 64;
      else if (small < large / 16)
        value = square_root(ex, small) * square_root(ex, large);
      return negative ? -value : value;
    }
  };
};

}  // namespace onepass::kernels
