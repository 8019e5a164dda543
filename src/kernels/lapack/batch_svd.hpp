// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular value decompositions of many small matrices by one-sided Jacobi rotations, a block for each:
//
//   M := M J,  V := V J     until the columns of M are orthogonal; then they are U diag(s)
//
// A round gives each warp two groups of columns. It takes them into registers, a lane having every 32nd row, rotates
// each column of one group with each of the other, and leaves them. Rotations of M are found and made step by step, as
// many pairs at a time as a group has columns. Columns of V are longer columns of M where both are short; else they
// follow from what was noted, without waiting for a sum.
//
// A rotation by t = tan is made without its cosine: x := x - conj(t) y, y := y + t x, and both are longer by 1 / cos
// then. A column x is a X with the X that is in registers, and a is multiplied where the column leaves them. The angle
// needs no more digits than a float has: what is left of x^H y is far smaller than it was.
//
//   rounds within groups   columns whose numbers differ in one bit, for each bit of a number within a group
//   a tournament           of all groups, each against each
#pragma once

#include "kernels/lapack/batch_matrix.hpp"
#include "kernels/lapack/batch_refine_args.hpp"

namespace onepass::kernels {

// whole: M and V are one matrix, in shared memory.
template <class A, int slots, bool whole>
struct BatchSvd {
  using R = RealOf<A>;
  static constexpr int pairs = batch_svd_pairs(slots, sizeof(A)), lanes = 32 / pairs;  // of a pair, in its arithmetic
  static constexpr int most_columns =
      whole && 32 * slots > batch_svd_whole_columns ? batch_svd_whole_columns : 32 * slots;
  static constexpr int max_threads = 32 * batch_svd_warps(most_columns, pairs);
  // 64 registers of a thread beside those of its columns.
  static constexpr int min_blocks = 65536 / (max_threads * (2 * pairs * slots * static_cast<int>(sizeof(A)) / 4 + 64));
  static constexpr int unrolled = pairs < 4 ? pairs : 4;  // steps that are one behind the other in the code
  static constexpr int most_sweeps = 30;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BatchSvdArgs& g) {
    for (std::int64_t index = ex.block_x(); index < g.count; index += ex.grid_x()) {
      const int state = g.state == nullptr ? static_cast<int>(refine_restart) : ex.load_cached(g.state + index);
      if (refine_kind(state) < refine_rotate) continue;
      Block<Ex>{ex, g, index, state}.solve();
      ex.sync();  // shared memory is free again
    }
  }

 private:
  // A float has few exponents: squares of squares of columns must have room. Columns of less than `nothing` are taken
  // for zero: far less than a rounding of the largest element.
  static constexpr R more = std::is_same_v<R, double> ? static_cast<R>(1) : static_cast<R>(0x1p+20);
  static constexpr R nothing = std::is_same_v<R, double> ? static_cast<R>(0x1p-200) : static_cast<R>(0x1p-40);

  template <class Ex>
  struct Block {
    template <class T>
    using Shared = typename Ex::template Shared<T>;
    using Columns = A[pairs][slots];

    Ex ex;
    const BatchSvdArgs& g;
    std::int64_t index;
    int state;
    bool wide = g.m < g.n;
    int p = wide ? g.n : g.m, q = wide ? g.m : g.n;
    int thread = ex.thread(), lane = thread & 31, warp = thread >> 5, warps = ex.threads() / 32;
    R epsilon = std::numeric_limits<R>::epsilon(), tolerance2 = epsilon * epsilon * static_cast<R>(p);
    R once_more2 = epsilon / 8;  // squares of cosines and of angles above which a further sweep must follow

    static ONEPASS_DEVICE int after(int elements, int reals = 0) {
      return elements * static_cast<int>(sizeof(A)) + reals * static_cast<int>(sizeof(R));
    }
    // The row of a column where that of V begins, and where that ends.
    const int v_row = slots == 1 ? p : (p + 31) / 32 * 32, length = whole && g.vectors ? v_row + q : p;
    const int of_v = g.m_on_chip * length, of_log = of_v + (whole ? 0 : g.v_on_chip * q),
              log = whole ? 0 : 2 * pairs * pairs;
    const int all = of_log + warps * log;
    Shared<A> on_chip = ex.template shared<A>(0);
    Shared<A> noted = ex.template shared<A>(after(of_log + warp * log));
    Shared<R> sigma = ex.template shared<R>(after(all));
    Shared<R> sums = ex.template shared<R>(after(all, q));
    Shared<int> order = ex.template shared<int>(after(all, q + 2 * warps));  // rank of each column
    Shared<int> flags = ex.template shared<int>(after(all, q + 2 * warps) + q * 4);
    A* const off_chip =
        static_cast<A*>(g.off_chip) +
        ex.block_x() * (std::int64_t{p} * (q - g.m_on_chip) + (g.vectors ? std::int64_t{q} * (q - g.v_on_chip) : 0));

    // ---- Columns of M and V -------------------------------------------------------------------

    ONEPASS_DEVICE A get(bool v, int r, int c) const {
      if constexpr (whole) return on_chip.get(c * length + (v ? v_row : 0) + r);
      const int here = v ? g.v_on_chip : g.m_on_chip, rows = v ? q : p;
      if (c < here) return on_chip.get((v ? of_v : 0) + c * rows + r);
      return ex.load_matrix(outside(v, c - here, rows) + r);
    }
    ONEPASS_DEVICE void put(bool v, int r, int c, A value) const {
      if constexpr (whole) return on_chip.put(c * length + (v ? v_row : 0) + r, value);
      const int here = v ? g.v_on_chip : g.m_on_chip, rows = v ? q : p;
      if (c < here)
        on_chip.put((v ? of_v : 0) + c * rows + r, value);
      else
        ex.store(outside(v, c - here, rows) + r, value);
    }
    ONEPASS_DEVICE A* outside(bool v, int c, int rows) const {
      return off_chip + (v ? p * (q - g.m_on_chip) : 0) + c * rows;
    }

    // ---- From A to S, U and V -----------------------------------------------------------------

    ONEPASS_DEVICE void solve() const {
      const bool goes_on = refine_kind(state) == refine_rotate;
      R scale = 0;
      bool good = goes_on;
      if (goes_on)
        scale = take_over();
      else
        scale = load(good);
      if (good) {
        if (whole && g.vectors)
          for (int c = warp; c < q; c += warps)
            if (p + lane < v_row) put(false, p + lane, c, A{});
        ex.sync();
        good = orthogonalize();
        const int nulls = find_values();
        if (g.vectors && nulls > 0) complete(nulls);
      }
      store(good, ex.power_of_two_near_reciprocal(scale));
    }
    // M of A, and what A was multiplied by, if all of it is finite; V = 1.
    ONEPASS_DEVICE R load(bool& finite) const {
      const A* const a = matrix(static_cast<const A*>(g.a), g.stride_a);
      R largest = 0;
      for_stored([&](int r, int c) { largest = larger(largest, magnitude(ex.load_matrix(a + r + c * g.lda))); });
      largest = block_largest(largest);
      finite = largest <= std::numeric_limits<R>::max();
      const R scale = ex.power_of_two_near_reciprocal(largest);
      if (!finite) return scale;
      for_stored([&](int r, int c) {
        const A value = times_real(more, times_real(scale, ex.load_matrix(a + r + c * g.lda)));
        put(false, wide ? c : r, wide ? r : c, conjugate_if(wide, value));
      });
      if (g.vectors)
        for (int c = warp; c < q; c += warps)
          for (int r = lane; r < q; r += 32) put(true, r, c, from_real<A>(r == c ? R{1} : R{0}));
      return scale;
    }
    // M and V as others left them.
    ONEPASS_DEVICE R take_over() const {
      const std::int64_t ld = p + q;
      const A* const x = static_cast<const A*>(g.begun[refine_round(state) % 2]) + index * ld * q;
      for (int c = warp; c < q; c += warps) {
        for (int r = lane; r < p; r += 32) put(false, r, c, times_real(more, ex.load_cached(x + r + c * ld)));
        if (g.vectors)
          for (int r = lane; r < q; r += 32) put(true, r, c, ex.load_cached(x + p + r + c * ld));
      }
      return ex.load_cached(static_cast<const R*>(g.scale) + index);
    }

    template <class T>
    ONEPASS_DEVICE T* matrix(T* first, std::int64_t stride) const {
      using Pointer = T* const*;
      return g.pointer_arrays ? ex.load_cached(reinterpret_cast<Pointer>(first) + index) : first + index * stride;
    }
    // f(r, c) of the elements of A.
    template <class F>
    ONEPASS_DEVICE void for_stored(F f) const {
      for (int c = warp; c < g.n; c += warps)
        for (int r = lane; r < g.m; r += 32) f(r, c);
    }
    ONEPASS_DEVICE R block_largest(R value) const {
      for (int mask = 16; mask > 0; mask /= 2) value = larger(value, ex.shuffle_xor(value, mask));
      if (lane == 0) sums.put(warp, value);
      ex.sync();
      for (int i = 0; i < warps; ++i) value = larger(value, sums.get(i));
      return value;
    }

    // ---- Sweeps -------------------------------------------------------------------------------

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
        if (lane == 0) flags.put(warp, again ? 1 : 0);
        ex.sync();
        int any = 0;
        for (int i = 0; i < warps; ++i) any |= flags.get(i);
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
        if (!whole && g.vectors && lane % lanes == 0) {
          noted.put(2 * k * pairs + lane / lanes, mine.of_y);
          noted.put((2 * k + 1) * pairs + lane / lanes, mine.of_x);
        }
        apply<step>(mine.of_y, mine.of_x, x,
                    y);  // also where nothing is wanted: a branch around it moves all registers
      });
      if (!ex.any(rotated)) return false;
      const int swapped = last / unrolled * unrolled;
      follow(swapped);
      unload(false, of, swapped, x, y, of_x.scale, of_y.scale);
      if (whole || !g.vectors) return again;
      load(true, of, x, y);
      for_steps(of.near, y, [&]<int step>(int k) {
        const bool has = lane % lanes == 0;
        const auto note = [&](int which) { return has ? noted.get((2 * k + which) * pairs + lane / lanes) : A{}; };
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
      const int rows = v ? q : length, here = v ? g.v_on_chip : g.m_on_chip;
      if (whole || c < here) {
        const int at = (v ? of_v : 0) + c * rows;
        for_elements(rows, [&](int r, int k) { x[k] = on_chip.get(at + r); });
      } else {
        const A* const from = outside(v, c - here, rows);
        for_elements(rows, [&](int r, int k) { x[k] = ex.load_matrix(from + r); });
      }
    }
    // Y[i] is column i ^ swapped, and lanes i of pairs know its scale.
    ONEPASS_DEVICE void unload(bool v, Groups of, int swapped, const Columns& x, const Columns& y, R of_x,
                               R of_y) const {
#pragma unroll
      for (int i = 0; i < pairs; ++i) {
        unload(v, of.in_x(i), x[i], ex.shuffle_from(of_x, i * lanes));
        unload(v, of.in_y(i ^ swapped), y[i], ex.shuffle_from(of_y, i * lanes));
      }
    }
    ONEPASS_DEVICE void unload(bool v, int c, const A (&x)[slots], R scale) const {
      if (c >= q) return;
      const int rows = v ? q : length, here = v ? g.v_on_chip : g.m_on_chip;
      if (whole || c < here) {
        const int at = (v ? of_v : 0) + c * rows;
        for_elements(rows, [&](int r, int k) { on_chip.put(at + r, times_real(scale, x[k])); });
      } else {
        A* const to = outside(v, c - here, rows);
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
      const bool wanted = x2 >= nothing && y2 >= nothing && h2 > tolerance2 * both;
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
    // ---- Singular values, in their order ------------------------------------------------------

    // Columns of M become those of U, but for null ones, the number of which it is.
    ONEPASS_DEVICE int find_values() const {
      for (int c = warp; c < q; c += warps) {
        R sum = 0;
        for (int r = lane; r < p; r += 32) sum += abs2(get(false, r, c));
        sum = warp_sum(ex, sum);
        const R inverse = sum >= nothing ? ex.reciprocal_sqrt(sum) : R{0};
        if (lane == 0) sigma.put(c, sum * inverse);
        if (g.vectors)
          for (int r = lane; r < p; r += 32) put(false, r, c, times_real(inverse, get(false, r, c)));
        if (!g.vectors) continue;
        sum = 0;
        for (int r = lane; r < q; r += 32) sum += abs2(get(true, r, c));
        const R of_v = ex.reciprocal_sqrt(warp_sum(ex, sum));
        for (int r = lane; r < q; r += 32) put(true, r, c, times_real(of_v, get(true, r, c)));
      }
      ex.sync();
      for (int c = thread; c < q; c += ex.threads()) {
        const R mine = sigma.get(c);
        int rank = 0;
        for (int i = 0; i < q; ++i) {
          const R other = sigma.get(i);
          if (other > mine || (other == mine && i < c)) ++rank;
        }
        order.put(c, rank);
      }
      int nulls = 0;
      for (int c = 0; c < q; ++c) nulls += sigma.get(c) > 0 ? 0 : 1;
      ex.sync();
      return nulls;
    }

    // A null column becomes the unit vector that the columns so far have least of, less what they have of it.
    ONEPASS_DEVICE void complete(int nulls) const {
      if (warp == 0) {
        R taken[slots] = {};  // of the lane's rows, by columns that are there
        for (int c = 0; c < q; ++c) for_rows([&](int k, int r) { taken[k] += abs2(get(false, r, c)); });
        int there = q - nulls;  // columns of the first ranks
        for (; there < q; ++there) {
          const int best = least_taken(taken);
          A x[slots] = {};
          for_rows([&](int k, int r) { x[k] = from_real<A>(r == best ? R{1} : R{0}); });
          subtract(x);
          subtract(x);
          R sum = 0;
          for_rows([&](int k, int) { sum += abs2(x[k]); });
          const R inverse = ex.reciprocal_sqrt(warp_sum(ex, sum));
          const int c = column_of(there);
          for_rows([&](int k, int r) {
            const A value = times_real(inverse, x[k]);
            put(false, r, c, value);
            taken[k] += abs2(value);
          });
        }
      }
      ex.sync();
    }
    template <class F>
    ONEPASS_DEVICE void for_rows(F f) const {
#pragma unroll
      for (int k = 0; k < slots; ++k)
        if (32 * k + lane < p) f(k, 32 * k + lane);
    }
    ONEPASS_DEVICE int column_of(int rank) const {
      int c = 0;
      while (order.get(c) != rank) ++c;
      return c;
    }
    ONEPASS_DEVICE int least_taken(const R (&taken)[slots]) const {
      R least = std::numeric_limits<R>::max();
      int best = p;
      for_rows([&](int k, int r) {
        if (taken[k] < least) {
          least = taken[k];
          best = r;
        }
      });
      for (int mask = 16; mask > 0; mask /= 2) {
        const R other = ex.shuffle_xor(least, mask);
        const int there = ex.shuffle_xor(best, mask);
        if (other < least || (other == least && there < best)) {
          least = other;
          best = there;
        }
      }
      return best;
    }
    // x := x less what all columns have of it, eight at a time. Columns that are still null have nothing.
    ONEPASS_DEVICE void subtract(A (&x)[slots]) const {
      constexpr int width = 8;
      for (int first = 0; first < q; first += width) {
        const auto column = [&](int c, int r) { return first + c < q ? get(false, r, first + c) : A{}; };
        A dot[width] = {};
#pragma unroll
        for (int c = 0; c < width; ++c)
          for_rows([&](int k, int r) { dot[c] = multiply_add(dot[c], conjugate(column(c, r)), x[k]); });
        const A total = transposed_sum<width>(ex, dot);
#pragma unroll
        for (int c = 0; c < width; ++c) {
          const A factor = ex.shuffle_from(total, c * (32 / width));
          for_rows([&](int k, int r) { x[k] = subtract_product(x[k], factor, column(c, r)); });
        }
      }
    }

    // ---- Results ------------------------------------------------------------------------------

    ONEPASS_DEVICE void store(bool good, R back) const {
      const R none = std::numeric_limits<R>::quiet_NaN();
      if (thread == 0) ex.store(g.info + index, good ? 0 : g.info_of_failure);
      for (int c = thread; c < q; c += ex.threads())
        ex.store(static_cast<R*>(g.s) + index * g.stride_s + (good ? order.get(c) : c),
                 good ? sigma.get(c) * (R{1} / more) * back : none);
      if (!g.vectors) return;
      A* const u = matrix(static_cast<A*>(g.u), g.stride_u);
      A* const vt = matrix(static_cast<A*>(g.vt), g.stride_vt);
      for (int c = warp; c < q; c += warps) {
        const int rank = good ? order.get(c) : c;
        for (int r = lane; r < p; r += 32)
          store_one(!wide, wide ? vt : u, r, rank, good ? get(false, r, c) : from_real<A>(none));
        for (int r = lane; r < q; r += 32)
          store_one(wide, wide ? u : vt, r, rank, good ? get(true, r, c) : from_real<A>(none));
      }
    }
    ONEPASS_DEVICE void store_one(bool of_u, A* to, int r, int rank, A value) const {
      if (of_u || g.plain_v)
        ex.store(to + r + rank * (of_u ? g.ldu : g.ldvt), value);
      else
        ex.store(to + rank + r * g.ldvt, conjugate(value));
    }
  };
};

}  // namespace onepass::kernels
