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
//   rounds within groups   columns whose numbers differ in one bit, for each bit of a number within a group
//   a tournament           of all groups, each against each
#pragma once

#include "kernels/lapack/batch_matrix.hpp"
#include "kernels/lapack/batch_svd_args.hpp"

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
  static constexpr int most_sweeps = 30;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BatchSvdArgs& g) {
    for (std::int64_t index = ex.block_x(); index < g.count; index += ex.grid_x()) {
      Block<Ex>{ex, g, index}.solve();
      ex.sync();  // shared memory is free again
    }
  }

 private:
  // A float has few exponents: squares of squares of columns must have room. Columns of less than `nothing` are taken
  // for zero: far less than a rounding of the largest element.
  static constexpr R more = std::is_same_v<R, double> ? static_cast<R>(1) : static_cast<R>(0x1p+20);
  static constexpr R nothing = std::is_same_v<R, double> ? static_cast<R>(0x1p-400) : static_cast<R>(0x1p-40);

  template <class Ex>
  struct Block {
    template <class T>
    using Shared = typename Ex::template Shared<T>;
    using Columns = A[pairs][slots];

    Ex ex;
    const BatchSvdArgs& g;
    std::int64_t index;
    bool wide = g.m < g.n;
    int p = wide ? g.n : g.m, q = wide ? g.m : g.n;
    int thread = ex.thread(), lane = thread & 31, warp = thread >> 5, warps = ex.threads() / 32;
    R epsilon = std::numeric_limits<R>::epsilon(), tolerance2 = epsilon * epsilon * static_cast<R>(p);
    R once_more2 = epsilon / 8;  // squares of cosines and of angles above which a further sweep must follow

    static ONEPASS_DEVICE int after(int elements, int reals = 0) {
      return elements * static_cast<int>(sizeof(A)) + reals * static_cast<int>(sizeof(R));
    }
    const int length = whole && g.vectors ? p + q : p;  // of a column with that of V
    const int of_v = g.m_on_chip * p, of_log = of_v + g.v_on_chip * q, log = whole ? 0 : pairs * pairs;
    const int all = of_log + warps * log;
    Shared<A> on_chip = ex.template shared<A>(0);
    Shared<A> sines = ex.template shared<A>(after(of_log + warp * log));
    Shared<R> cosines = ex.template shared<R>(after(all, warp* log));
    Shared<R> sigma = ex.template shared<R>(after(all, warps* log));
    Shared<R> sums = ex.template shared<R>(after(all, warps* log + q));
    Shared<int> order = ex.template shared<int>(after(all, warps* log + q + 2 * warps));  // rank of each column
    Shared<int> flags = ex.template shared<int>(after(all, warps* log + q + 2 * warps) + q * 4);
    A* const off_chip =
        static_cast<A*>(g.off_chip) +
        ex.block_x() * (std::int64_t{p} * (q - g.m_on_chip) + (g.vectors ? std::int64_t{q} * (q - g.v_on_chip) : 0));

    // ---- Columns of M and V -------------------------------------------------------------------

    ONEPASS_DEVICE A get(bool v, int r, int c) const {
      if constexpr (whole) return on_chip.get(c * length + (v ? p : 0) + r);
      const int here = v ? g.v_on_chip : g.m_on_chip, rows = v ? q : p;
      if (c < here) return on_chip.get((v ? of_v : 0) + c * rows + r);
      return ex.load_matrix(outside(v, c - here, rows) + r);
    }
    ONEPASS_DEVICE void put(bool v, int r, int c, A value) const {
      if constexpr (whole) return on_chip.put(c * length + (v ? p : 0) + r, value);
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
      const A* const a = matrix(static_cast<const A*>(g.a), g.stride_a);
      R largest = 0;
      for_stored([&](int r, int c) { largest = larger(largest, magnitude(ex.load_matrix(a + r + c * g.lda))); });
      largest = block_largest(largest);
      const bool finite = largest <= std::numeric_limits<R>::max();
      const R scale = ex.power_of_two_near_reciprocal(largest);
      bool good = finite;
      if (finite) {
        for_stored([&](int r, int c) {
          const A value = times_real(more, times_real(scale, ex.load_matrix(a + r + c * g.lda)));
          put(false, wide ? c : r, wide ? r : c, conjugate_if(wide, value));
        });
        if (g.vectors)
          for (int c = warp; c < q; c += warps)
            for (int r = lane; r < q; r += 32) put(true, r, c, from_real<A>(r == c ? R{1} : R{0}));
        ex.sync();
        good = orthogonalize();
        const int nulls = find_values();
        if (g.vectors && nulls > 0) complete(nulls);
      }
      store(good, ex.power_of_two_near_reciprocal(scale));
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
      const int tasks = static_cast<int>(batch_svd_tasks(q, pairs)), groups = 2 * tasks;
      for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        bool again = false;
        for (int near = pairs / 2; near > 0; near /= 2) {
          if (q <= near) continue;
          for (int task = warp; task < tasks; task += warps) again |= rotate_near(task, near);
          ex.sync();
        }
        if (q > pairs)
          for (int round = 0; round + 1 < groups; ++round) {
            for (int task = warp; task < tasks; task += warps) {
              const int others = groups - 1, i = task == 0 ? others : (round + task) % others;
              const int j = (round + others - task) % others;
              again |= rotate({.x = i * pairs, .y = j * pairs, .near = pairs}, 0, pairs);
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

    // Columns whose numbers differ in the bit `near`; of their pairs those that no other round has.
    ONEPASS_DEVICE bool rotate_near(int task, int near) const {
      const int x = 2 * pairs * task;
      return rotate({.x = x, .y = x + near, .near = near}, pairs + 1 - near, 2 * near - 1);
    }

    // Step k rotates column i of X with column (i + first + k) mod `pairs` of Y. Whether another sweep must follow.
    ONEPASS_DEVICE bool rotate(Groups of, int first, int steps) const {
      Columns x, y;
      load(false, of, first, x, y);
      R x2 = squares(x), y2 = squares(y);  // of pair lane / lanes
      bool again = false;
      std::uint32_t rotated = 0;
#pragma unroll 1
      for (int k = 0; k < steps; ++k) {
        const Rotation mine = find(x, y, x2, y2, again);
        const bool any = ex.any(mine.wanted);
        if (any) {
          rotated |= 1u << k;
          if (!whole && g.vectors && lane % lanes == 0) {
            cosines.put(k * pairs + lane / lanes, mine.c);
            sines.put(k * pairs + lane / lanes, mine.s);
          }
          apply(mine.c, mine.s, slots, x, y);
        }
        advance(y);
        y2 = ex.shuffle_each(y2, (lane + lanes) & 31);
      }
      if (rotated == 0) return again;
      unload(false, of, first + steps, x, y);
      if (whole || !g.vectors) return again;
      const int used = (q + 31) / 32;
      load(true, of, first, x, y);
#pragma unroll 1
      for (int k = 0; k < steps; ++k) {
        if ((rotated >> k & 1) != 0) {
          const bool has = lane % lanes == 0;
          const R c = has ? cosines.get(k * pairs + lane / lanes) : R{1};
          apply(c, has ? sines.get(k * pairs + lane / lanes) : A{}, used, x, y);
        }
        advance(y);
      }
      unload(true, of, first + steps, x, y);
      return again;
    }

    ONEPASS_DEVICE void load(bool v, Groups of, int first, Columns& x, Columns& y) const {
      const int rows = v ? q : length;
#pragma unroll
      for (int i = 0; i < pairs; ++i) {
        const int c = of.in_x(i), d = of.in_y((i + first) % pairs);
#pragma unroll
        for (int k = 0; k < slots; ++k) {
          const int r = 32 * k + lane;
          x[i][k] = c < q && r < rows ? get(v, r, c) : A{};
          y[i][k] = d < q && r < rows ? get(v, r, d) : A{};
        }
      }
    }
    ONEPASS_DEVICE void unload(bool v, Groups of, int first, const Columns& x, const Columns& y) const {
      const int rows = v ? q : length;
#pragma unroll
      for (int i = 0; i < pairs; ++i) {
        const int c = of.in_x(i), d = of.in_y((i + first) % pairs);
#pragma unroll
        for (int k = 0; k < slots; ++k) {
          const int r = 32 * k + lane;
          if (c < q && r < rows) put(v, r, c, x[i][k]);
          if (d < q && r < rows) put(v, r, d, y[i][k]);
        }
      }
    }
    ONEPASS_DEVICE R squares(const Columns& x) const {
      R sum[pairs] = {};
#pragma unroll
      for (int i = 0; i < pairs; ++i)
#pragma unroll
        for (int k = 0; k < slots; ++k)
          if (32 * k + lane < p) sum[i] += abs2(x[i][k]);
      return transposed_sum<pairs>(ex, sum);
    }

    // x := c x - conj(s) y,  y := s x + c y
    struct Rotation {
      R c;
      A s;
      bool wanted;
    };
    ONEPASS_DEVICE Rotation find(const Columns& x, const Columns& y, R& x2, R& y2, bool& again) const {
      A dot[pairs] = {};
#pragma unroll
      for (int i = 0; i < pairs; ++i)
#pragma unroll
        for (int k = 0; k < slots; ++k)
          if (32 * k + lane < p) dot[i] = multiply_add(dot[i], conjugate(x[i][k]), y[i][k]);
      const A product = transposed_sum<pairs>(ex, dot);
      const R h2 = abs2(product), most = x2 * y2;
      if (!(x2 >= nothing && y2 >= nothing && h2 > tolerance2 * most)) return {R{1}, A{}, false};
      // cos 2t = |y2 - x2| / length,  sin 2t = 2 |x^H y| / length
      const R apart = y2 - x2, inverse = ex.reciprocal_sqrt(apart * apart + 4 * h2);
      const R c2 = R{0.5} + R{0.5} * absolute(apart) * inverse, over_c = ex.reciprocal_sqrt(c2);
      const R factor = (apart < 0 ? -inverse : inverse) * over_c, change = h2 * factor * over_c;
      const R s2 = h2 * factor * factor;
      // What the angle makes of the cosines of others, beside the smaller of both columns.
      again = again || h2 > once_more2 * most || s2 * larger(x2, y2) > once_more2 * (x2 < y2 ? x2 : y2);
      x2 -= change;
      y2 += change;
      return {c2 * over_c, times_real(factor, product), true};
    }

    // Of each pair the first lane knows c and s.
    ONEPASS_DEVICE void apply(R c, A s, int used, Columns& x, Columns& y) const {
#pragma unroll
      for (int i = 0; i < pairs; ++i) {
        const R by_c = ex.shuffle_from(c, i * lanes);
        const A by_s = ex.shuffle_from(s, i * lanes), back = conjugate(by_s);
#pragma unroll
        for (int k = 0; k < slots; ++k) {
          if (k >= used) continue;
          const A old = x[i][k];
          x[i][k] = subtract_product(times_real(by_c, old), back, y[i][k]);
          y[i][k] = multiply_add(times_real(by_c, y[i][k]), by_s, old);
        }
      }
    }
    ONEPASS_DEVICE static void advance(Columns& y) {
#pragma unroll
      for (int k = 0; k < slots; ++k) {
        const A first = y[0][k];
#pragma unroll
        for (int i = 0; i + 1 < pairs; ++i) y[i][k] = y[i + 1][k];
        y[pairs - 1][k] = first;
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
      if (of_u)
        ex.store(to + r + rank * g.ldu, value);
      else
        ex.store(to + rank + r * g.ldvt, conjugate(value));
    }
  };
};

}  // namespace onepass::kernels
