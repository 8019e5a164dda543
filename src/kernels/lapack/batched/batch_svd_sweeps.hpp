// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Sweeps of Jacobi rotations of many singular value decompositions, by a block with the columns of one of them:
//
//   rounds within groups   columns whose numbers differ in one bit, for each bit of a number within a group
//   a tournament           of all groups, each against each
//
// A round gives each warp two groups of columns. It takes them into registers, a lane having every 32nd row, rotates
// each column of one group with each of the other, and leaves them. Rotations of M are found and made step by step, as
// many pairs at a time as a group has columns. Columns of V are longer columns of M where both are short; else they
// follow from what was b.noted, without waiting for a sum.
//
// A rotation by t = tan is made without its cosine: x := x - conj(t) y, y := y + t x, and both are longer by 1 / cos
// then. A column x is a X with the X that is in registers, and a is multiplied where the column leaves them. The angle
// needs no more digits than a float has: what is left of x^H y is far smaller than it was.
#pragma once

#include "kernels/lapack/batched/batch_matrix.hpp"
#include "kernels/lapack/batched/batch_svd_args.hpp"

namespace onepass::kernels {

// Block: of a BatchSvd.
template <class A, int slots, bool whole, class Block>
struct BatchSvdSweeps {
  using R = RealOf<A>;
  using Shape = BatchSvdShape<A, slots, whole>;
  using Columns = A[Shape::pairs][slots];
  static constexpr int pairs = Shape::pairs, lanes = 32 / pairs;  // of a pair, in its arithmetic
  static constexpr int unrolled = pairs < 4 ? pairs : 4;          // steps that are one behind the other in the code
  static constexpr int most_sweeps = 30;

  const Block& b;
  decltype(b.ex) ex = b.ex;
  int p = b.p, q = b.q, lane = b.lane, warp = b.warp, warps = b.warps;
  R epsilon = std::numeric_limits<R>::epsilon(), tolerance2 = epsilon * epsilon * static_cast<R>(p);
  R once_more2 = epsilon / 8;  // squares of cosines and of angles above which a further sweep must follow

  // Whether all columns are orthogonal.
  ONEPASS_DEVICE bool orthogonalize() const {
    const int tasks = static_cast<int>(batch_svd_tasks(q, pairs)), others = 2 * tasks - 1;
    int near_rounds = 0;  // those of columns that are there
    while (pairs >> near_rounds > 1) ++near_rounds;
    const int rounds = near_rounds + (q > pairs ? others : 0);
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      bool again = false;
      for (int round = 0; round < rounds; ++round) {
        const int near = round < near_rounds ? pairs >> (round + 1) : pairs;
        if (q <= near) continue;
        for (int task = warp; task < tasks; task += warps) {
          int x = 2 * pairs * task, y = x + near;
          if (near == pairs) {
            const int of_all = round - near_rounds;
            x = (task == 0 ? others : (of_all + task) % others) * pairs;
            y = (of_all + others - task) % others * pairs;
          }
          again |= rotate({.x = x, .y = y, .near = near});
        }
        ex.sync();
      }
      again = ex.any(again);
      if (lane == 0) b.flags.put(warp, again ? 1 : 0);
      ex.sync();
      int any = 0;
      for (int i = 0; i < warps; ++i) any |= b.flags.get(i);
      if (any == 0) return true;
    }
    return false;
  }

  // Two groups: of column i of a group, the bits of i from `near` on are moved up.
  struct Groups {
    int x, y, near;
    ONEPASS_DEVICE int in_x(int i) const { return x + i + (i & -near); }
    ONEPASS_DEVICE int in_y(int i) const { return y + i + (i & -near); }
  };

  // Step k rotates column i of X with column i ^ k of Y, for `near` steps at least: other pairs are in other rounds.
  // Whether another sweep must follow. Some steps are one behind the other in the code, so that which Y is
  // whose needs no moves; then the halves of Y change places.
  ONEPASS_DEVICE bool rotate(Groups of) const {
    Columns x, y;
    load(false, of, x, y);
    // Of pair lane / lanes.
    Column of_x = {.square = squares(x)}, of_y = {.square = squares(y)};
    bool again = false, rotated = false;
    int last = 0;
    const auto follow = [&](int k) {
      const int from = lane ^ ((last ^ k) * lanes);
      of_y = {ex.shuffle_each(of_y.square, from), ex.shuffle_each(of_y.scale, from),
              ex.shuffle_each(of_y.inverse, from)};
      last = k;
    };
    for_steps(of.near, y, [&]<int step>(int k) {
      if (k > 0) follow(k);
      const Rotation mine = find<step>(x, y, of_x, of_y, again);
      rotated = rotated || mine.wanted;
      if (!whole && b.g.vectors && lane % lanes == 0) {
        b.noted.put(2 * k * pairs + lane / lanes, mine.of_y);
        b.noted.put((2 * k + 1) * pairs + lane / lanes, mine.of_x);
      }
      apply<step>(mine.of_y, mine.of_x, x,
                  y);  // also where nothing is wanted: a branch around it moves all registers
    });
    if (!ex.any(rotated)) return false;
    const int swapped = last / unrolled * unrolled;
    follow(swapped);
    unload(false, of, swapped, x, y, of_x.scale, of_y.scale);
    if (whole || !b.g.vectors) return again;
    load(true, of, x, y);
    for_steps(of.near, y, [&]<int step>(int k) {
      const bool has = lane % lanes == 0;
      const auto note = [&](int which) { return has ? b.noted.get((2 * k + which) * pairs + lane / lanes) : A{}; };
      apply<step>(note(0), note(1), x, y);
    });
    unload(true, of, swapped, x, y, of_x.scale, of_y.scale);
    return again;
  }
  // f.operator()<step>(k): Y[i ^ step] is column i ^ k. At least as many as are one behind the other.
  template <class F>
  ONEPASS_DEVICE void for_steps(int steps, Columns& y, F f) const {
#pragma unroll 1
    for (int high = 0; high < steps; high += unrolled) {
      if (high > 0) swap_halves(y);
      each_step<0>(high, f);
    }
  }
  template <int step, class F>
  ONEPASS_DEVICE void each_step(int high, F& f) const {
    if constexpr (step < unrolled) {
      f.template operator()<step>(high + step);
      each_step<step + 1>(high, f);
    }
  }
  ONEPASS_DEVICE static void swap_halves(Columns& y) {
#pragma unroll
    for (int i = 0; i < pairs; ++i)
#pragma unroll
      for (int k = 0; k < slots; ++k)
        if ((i & unrolled) == 0) {
          const A other = y[i ^ unrolled][k];
          y[i ^ unrolled][k] = y[i][k];
          y[i][k] = other;
        }
  }

  // f(row, its slot) of the rows of this lane.
  template <class F>
  ONEPASS_DEVICE void for_elements(int rows, F f) const {
#pragma unroll
    for (int k = 0; k < slots; ++k)
      if (32 * k + lane < rows) f(32 * k + lane, k);
  }
  ONEPASS_DEVICE void load(bool v, Groups of, Columns& x, Columns& y) const {
#pragma unroll
    for (int i = 0; i < pairs; ++i) {
      load(v, of.in_x(i), x[i]);
      load(v, of.in_y(i), y[i]);
    }
  }
  ONEPASS_DEVICE void load(bool v, int c, A (&x)[slots]) const {
#pragma unroll
    for (int k = 0; k < slots; ++k) x[k] = A{};
    if (c >= q) return;
    const int rows = v ? q : b.length, here = v ? b.g.v_on_chip : b.g.m_on_chip;
    if (whole || c < here) {
      const int at = (v ? b.of_v : 0) + c * rows;
      for_elements(rows, [&](int r, int k) { x[k] = b.on_chip.get(at + r); });
    } else {
      const A* const from = b.outside(v, c - here, rows);
      for_elements(rows, [&](int r, int k) { x[k] = ex.load_matrix(from + r); });
    }
  }
  // Y[i] is column i ^ swapped, and lanes i of pairs know its scale.
  ONEPASS_DEVICE void unload(bool v, Groups of, int swapped, const Columns& x, const Columns& y, R of_x, R of_y) const {
#pragma unroll
    for (int i = 0; i < pairs; ++i) {
      unload(v, of.in_x(i), x[i], ex.shuffle_from(of_x, i * lanes));
      unload(v, of.in_y(i ^ swapped), y[i], ex.shuffle_from(of_y, i * lanes));
    }
  }
  ONEPASS_DEVICE void unload(bool v, int c, const A (&x)[slots], R scale) const {
    if (c >= q) return;
    const int rows = v ? q : b.length, here = v ? b.g.v_on_chip : b.g.m_on_chip;
    if (whole || c < here) {
      const int at = (v ? b.of_v : 0) + c * rows;
      for_elements(rows, [&](int r, int k) { b.on_chip.put(at + r, times_real(scale, x[k])); });
    } else {
      A* const to = b.outside(v, c - here, rows);
      for_elements(rows, [&](int r, int k) { ex.store(to + r, times_real(scale, x[k])); });
    }
  }
  ONEPASS_DEVICE R squares(const Columns& x) const {
    R sum[pairs] = {};
    for_m([&](int k) {
#pragma unroll
      for (int i = 0; i < pairs; ++i) sum[i] += abs2(x[i][k]);
    });
    return sum_over_m(sum);
  }
  // f(slot) of those that have rows of M; behind its last row there are zeros, or those of V if there is one slot.
  template <class F>
  ONEPASS_DEVICE void for_m(F f) const {
#pragma unroll
    for (int k = 0; k < slots; ++k)
      if (!whole || 32 * k < p) f(k);
  }
  template <class T>
  ONEPASS_DEVICE T sum_over_m(T (&sum)[pairs]) const {
    if constexpr (whole && slots == 1)
#pragma unroll
      for (int i = 0; i < pairs; ++i) sum[i] = choose(lane < p, sum[i], T{});
    return transposed_sum<pairs>(ex, sum);
  }

  // What a column is multiplied by where it leaves, with the inverse of that; its square has it already.
  struct Column {
    R square, scale = 1, inverse = 1;
  };
  // X := X - of_y Y,  Y := Y + of_x X
  struct Rotation {
    A of_y, of_x;
    bool wanted;
  };
  template <int step>
  ONEPASS_DEVICE Rotation find(const Columns& x, const Columns& y, Column& of_x, Column& of_y, bool& again) const {
    A dot[pairs] = {};
    for_m([&](int k) {
#pragma unroll
      for (int i = 0; i < pairs; ++i) dot[i] = multiply_add(dot[i], conjugate(x[i][k]), y[i ^ step][k]);
    });
    const A product = times_real(of_x.scale * of_y.scale, sum_over_m(dot));
    const R x2 = of_x.square, y2 = of_y.square, h2 = abs2(product), both = x2 * y2;
    const bool wanted = x2 >= Shape::nothing && y2 >= Shape::nothing && h2 > tolerance2 * both;
    // t = 2 x^H y sign(y2 - x2) / (|y2 - x2| + length),  length^2 = (y2 - x2)^2 + 4 |x^H y|^2
    const R power = ex.power_of_two_near_reciprocal(larger(x2, y2));
    const auto apart = static_cast<float>(power * (y2 - x2)), square = static_cast<float>(power * h2 * power);
    const float length = ex.approximate_sqrt(apart * apart + 4 * square);
    const float twice = (apart < 0 ? -2.f : 2.f) * ex.approximate_reciprocal(absolute(apart) + length);
    const R factor = wanted ? power * static_cast<R>(twice) : R{0}, t2 = factor * factor * h2;
    again = again || (wanted && (h2 > once_more2 * both || t2 * larger(x2, y2) > once_more2 * (x2 < y2 ? x2 : y2)));
    const A t = times_real(factor, product);
    const Rotation found = {times_real(of_y.scale * of_x.inverse, conjugate(t)),
                            times_real(of_x.scale * of_y.inverse, t), wanted};
    const R change = factor * h2, cosine = ex.reciprocal_sqrt(1 + t2), over_cosine = cosine * (1 + t2);
    of_x = {x2 - change, of_x.scale * cosine, of_x.inverse * over_cosine};
    of_y = {y2 + change, of_y.scale * cosine, of_y.inverse * over_cosine};
    return found;
  }

  // Of each pair the first lane knows its factors.
  template <int step>
  ONEPASS_DEVICE void apply(A of_y, A of_x, Columns& x, Columns& y) const {
#pragma unroll
    for (int i = 0; i < pairs; ++i) {
      const A by_y = ex.shuffle_from(of_y, i * lanes), by_x = ex.shuffle_from(of_x, i * lanes);
#pragma unroll
      for (int k = 0; k < slots; ++k) {
        const A old = x[i][k];
        x[i][k] = subtract_product(old, by_y, y[i ^ step][k]);
        y[i ^ step][k] = multiply_add(y[i ^ step][k], by_x, old);
      }
    }
  }
};

}  // namespace onepass::kernels
