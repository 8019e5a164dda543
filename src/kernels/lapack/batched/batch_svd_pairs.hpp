// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular value decompositions of up to N rows by one-sided Jacobi rotations in registers, one matrix in a warp or
// several:
//
//   M := M J,  V := V J     until the columns of M are orthogonal; then they are U diag(s)
//
// `split` lanes have two columns x and y of M and of V, each of them every split-th row, and rotate them; then all y
// move on to other lanes. A sweep: all x meet all y, then x meet x in one half of the lanes and y meet y in the other,
// and so on.
//
// A rotation by t = tan is made without its cosine, as in batch_svd_sweeps.hpp: x := x - t* y, y := y + t x, and both
// are longer by 1 / cos then, until the end of the sweep. The angle needs no more digits than a float has.
#pragma once

#include "kernels/lapack/batched/batch_matrix.hpp"
#include "kernels/lapack/batched/batch_refine_args.hpp"
#include "kernels/lapack/solvers/divide_merge.hpp"

namespace onepass::kernels {

template <class A, int N, int split = batch_svd_pair_lanes(N, sizeof(A))>
struct BatchSvdPairs {
  using R = RealOf<A>;
  using Shape = BatchSvdShape<A, 1, true>;
  static constexpr int pairs = N / 2, lanes = pairs * split, together = 32 / lanes;               // matrices of a warp
  static constexpr int rows = N / split, registers = 4 * rows * static_cast<int>(sizeof(A) / 4);  // of a lane
  static constexpr int max_threads = 32, min_blocks = 65536 / 32 / (registers + (registers < 64 ? 64 : registers));
  static constexpr int most_sweeps = 30;
  static constexpr int pitch = N + 1;  // of a column in shared memory: lanes are in different banks
  static constexpr int at_lengths = together * N * pitch * static_cast<int>(sizeof(A));

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BatchSvdPairsArgs& g) {
    for (std::int64_t first = ex.block_x() * together; first < g.svd.count; first += ex.grid_x() * together) {
      if (g.svd.vectors)
        Matrix<Ex, true>{ex, g.svd, g.state, first}.solve();
      else
        Matrix<Ex, false>{ex, g.svd, g.state, first}.solve();
      ex.sync();  // shared memory is free again
    }
  }

 private:
  template <class Ex, bool vectors>
  struct Matrix {
    Ex ex;
    const BatchSvdArgs& g;
    int* state;
    std::int64_t first;  // of the warp
    int lane = ex.thread() % lanes, pair = lane / split, part = lane % split, base = ex.thread() - lane;
    bool there = first + ex.thread() / lanes < g.count;  // else the lanes work with another's matrix, and store nothing
    std::int64_t index = there ? first + ex.thread() / lanes : first;
    bool wide = g.m < g.n;
    int p = wide ? g.n : g.m, q = wide ? g.m : g.n;

    // Columns of M and of V, what both are to be multiplied by, the inverse of that, and the square of the length of
    // that of M then.
    struct Column {
      A m[rows], v[rows];
      R square, scale, inverse;
    };
    Column x{}, y{};
    int sweeps = 0;  // that this warp went through

    ONEPASS_DEVICE int row_of(int k) const { return part + split * k; }
    template <class T>
    ONEPASS_DEVICE T* matrix(T* array, std::int64_t stride) const {
      using Pointer = T* const*;
      return g.pointer_arrays ? ex.load_cached(reinterpret_cast<Pointer>(array) + index) : array + index * stride;
    }

    ONEPASS_DEVICE void solve() {
      const A* const a = matrix(static_cast<const A*>(g.a), g.stride_a);
      load(a, pair, x);
      load(a, pair + pairs, y);
      R largest = 0;
#pragma unroll
      for (int k = 0; k < rows; ++k) largest = larger(largest, larger(magnitude(x.m[k]), magnitude(y.m[k])));
      largest = group_largest<lanes>(ex, largest);
      const bool finite = largest <= std::numeric_limits<R>::max();
      const R scale = ex.power_of_two_near_reciprocal(largest), by = finite ? scale : R{0};
      // Without -0, which a rotation by nothing could make 0: bits would tell how long others took.
      const auto scaled = [&](A value) {
        return choose(finite, times_real(Shape::more, times_real(by, value)) + A{}, A{});
      };
#pragma unroll
      for (int k = 0; k < rows; ++k) {
        x.m[k] = scaled(x.m[k]);
        y.m[k] = scaled(y.m[k]);
      }
      const bool orthogonal = orthogonalize();
      finish(finite && orthogonal, ex.power_of_two_near_reciprocal(scale));
    }
    // Column c of M, zeros being around it, and of 1.
    ONEPASS_DEVICE void load(const A* a, int c, Column& to) const {
#pragma unroll
      for (int k = 0; k < rows; ++k) {
        const int r = row_of(k);
        const bool wanted = r < p && c < q;
        to.m[k] = conjugate_if(wide, ex.load_cached_predicated(wanted, a + (!wanted ? 0
                                                                            : wide  ? c + r * g.lda
                                                                                    : r + c * g.lda)));
        to.v[k] = from_real<A>(r == c && c < q ? R{1} : R{0});
      }
    }

    // ---- Sweeps ----------------------------------------------------------------------------------

    // Whether all columns are orthogonal. Matrices of one warp go through the same sweeps, those that are done without
    // effect.
    ONEPASS_DEVICE bool orthogonalize() {
      bool active = true;
      while (sweeps < most_sweeps) {
        ++sweeps;
        begin(x);
        begin(y);
        const int again = group_largest<lanes>(ex, sweep_all(active) ? 1 : 0);
        active = active && again != 0;
        const auto shorten = [&](A& of_x, A& of_y) {
          of_x = times_real(x.scale, of_x);
          of_y = times_real(y.scale, of_y);
        };
        for_m(shorten);
        for_v(shorten);
        if (!ex.any(active)) break;
      }
      return !active;
    }
    ONEPASS_DEVICE void begin(Column& of) const {
      of.square = square(of.m);
      of.scale = of.inverse = 1;
    }
    ONEPASS_DEVICE R square(const A (&m)[rows]) const {
      R sum[2] = {};
#pragma unroll
      for (int k = 0; k < rows; ++k) sum[k % 2] += abs2(m[k]);
      return group_sum<split>(ex, sum[0] + sum[1]);
    }
    // Rotations of V are behind those of M by one, so that they fill the time in which the next angles are found.
    ONEPASS_DEVICE bool sweep_all(bool active) {
      bool again = false;
#pragma unroll 1
      for (int group = pairs;; group /= 2) {  // of pairs, whose x meet its y
        Rotation now = find(active, again, [] {});
#pragma unroll 1
        for (int step = 1; step < group; ++step) {
          const int to = (step & -step) * split;
          rotate_m(now);
          move_m(to);
          now = find(active, again, [&] {
            rotate_v(now);
            move_v(to);
          });
        }
        rotate_m(now);
        rotate_v(now);
        if (group == 1) return again;
        // All x to one half of the group, all y to the other.
        const bool upper = (pair & group / 2) != 0;
        const auto exchange = [&](auto& of_x, auto& of_y) {
          const auto given = choose(upper, of_x, of_y);
          of_x = choose(upper, of_y, of_x);
          of_y = given;
        };
        for_m(exchange);
        for_numbers(exchange);
        for_v(exchange);
        move_m(group / 2 * split);
        move_v(group / 2 * split);
      }
    }
    // All y, to the lanes that are so far apart.
    ONEPASS_DEVICE void move_m(int to) {
      const auto move = [&](auto&, auto& of_y) { of_y = ex.shuffle_xor(of_y, to); };
      for_m(move);
      for_numbers(move);
    }
    ONEPASS_DEVICE void move_v(int to) {
      for_v([&](A&, A& of_y) { of_y = ex.shuffle_xor(of_y, to); });
    }
    template <class F>
    ONEPASS_DEVICE void for_m(F f) {
#pragma unroll
      for (int k = 0; k < rows; ++k) f(x.m[k], y.m[k]);
    }
    template <class F>
    ONEPASS_DEVICE void for_v(F f) {
      if constexpr (vectors)
#pragma unroll
        for (int k = 0; k < rows; ++k) f(x.v[k], y.v[k]);
    }
    template <class F>
    ONEPASS_DEVICE void for_numbers(F f) {
      f(x.square, y.square);
      f(x.scale, y.scale);
      f(x.inverse, y.inverse);
    }

    // X := X - by_y Y,  Y := Y + by_x X
    struct Rotation {
      A by_y, by_x;
    };
    ONEPASS_DEVICE void rotate_m(const Rotation& by) {
      for_m([&](A& of_x, A& of_y) { rotate(by, of_x, of_y); });
    }
    ONEPASS_DEVICE void rotate_v(const Rotation& by) {
      for_v([&](A& of_x, A& of_y) { rotate(by, of_x, of_y); });
    }
    static ONEPASS_DEVICE void rotate(const Rotation& by, A& of_x, A& of_y) {
      const A old = of_x;
      of_x = subtract_product(of_x, by.by_y, of_y);
      of_y = multiply_add(of_y, by.by_x, old);
    }
    // Of the pair of this lane, and whether another sweep must follow. `meanwhile` has nothing to do with M.
    template <class Meanwhile>
    ONEPASS_DEVICE Rotation find(bool active, bool& again, Meanwhile meanwhile) {
      constexpr R epsilon = std::numeric_limits<R>::epsilon();
      constexpr int sums = rows < 4 ? rows : 4;
      A sum[sums] = {};
#pragma unroll
      for (int k = 0; k < rows; ++k) sum[k % sums] = multiply_add(sum[k % sums], conjugate(x.m[k]), y.m[k]);
#pragma unroll
      for (int i = 1; i < sums; ++i) sum[0] = sum[0] + sum[i];
      const A product = times_real(x.scale * y.scale, group_sum<split>(ex, sum[0]));
      meanwhile();
      const R x2 = x.square, y2 = y.square, h2 = abs2(product), both = x2 * y2;
      const bool wanted =
          active && x2 >= Shape::nothing && y2 >= Shape::nothing && h2 > epsilon * epsilon * static_cast<R>(p) * both;
      // t = 2 x^H y sign(y2 - x2) / (|y2 - x2| + length),  length^2 = (y2 - x2)^2 + 4 |x^H y|^2
      const R most = larger(x2, y2), power = ex.power_of_two_near_reciprocal(most);
      const auto apart = static_cast<float>(power * (y2 - x2)), h2_there = static_cast<float>(power * h2 * power);
      const float length = ex.approximate_sqrt(apart * apart + 4 * h2_there);
      const float twice = (apart < 0 ? -2.f : 2.f) * ex.approximate_reciprocal(absolute(apart) + length);
      const R factor = wanted ? power * static_cast<R>(twice) : R{0}, t2 = factor * factor * h2;
      const A t = times_real(factor, product);
      const Rotation found = {times_real(y.scale * x.inverse, conjugate(t)), times_real(x.scale * y.inverse, t)};
      const R cosine = wanted ? inverse_root(1 + t2) : R{1}, over_cosine = cosine * (1 + t2), change = factor * h2;
      x.square = x2 - change;
      x.scale *= cosine;
      x.inverse *= over_cosine;
      y.square = y2 + change;
      y.scale *= cosine;
      y.inverse *= over_cosine;
      constexpr R once_more2 = epsilon / 8;  // squares of cosines and of angles above which a further sweep must follow
      again = again || (wanted && (h2 > once_more2 * both || t2 * most > once_more2 * (x2 < y2 ? x2 : y2)));
      return found;
    }

    ONEPASS_DEVICE R inverse_root(R value) const {  // of 1 to 2
      if constexpr (std::is_same_v<R, double>) return ex.reciprocal_sqrt(value);
      const R near = ex.approximate_reciprocal(ex.approximate_sqrt(static_cast<float>(value)));
      return near + near * R{0.5} * (1 - value * (near * near));
    }

    // ---- Results ---------------------------------------------------------------------------------

    // The column that began where x or y of this pair is now, if each sweep moved columns as sweep_all does. Equal
    // singular values are sorted by it: places would tell how many sweeps others of the warp needed.
    ONEPASS_DEVICE int origin(bool of_y) const {
      int at = pair;
      for (int sweep = 0; sweep < sweeps; ++sweep)
#pragma unroll
        for (int group = 2; group <= pairs; group *= 2) {  // backwards
          if (of_y) at ^= group / 2;
          if ((at & group / 2) != 0) of_y = !of_y;
          if (of_y) at ^= group / 2;
        }
      return of_y ? at + pairs : at;
    }

    // A column that has no length is for others, who complete it.
    ONEPASS_DEVICE void finish(bool done, R back) {
      R inverse[2], sigma[2];
      int there_are = 0;
      const auto measure = [&](Column& of, int i) {
        const R of_m = square(of.m);
        const bool some = of_m >= Shape::nothing;
        there_are += some ? 1 : 0;
        inverse[i] = ex.reciprocal_sqrt(some ? of_m : R{1});
        sigma[i] = some ? of_m * inverse[i] : R{-1};
        if constexpr (!vectors) return;
        // V is as much too long as M is.
        const R of_v = square(of.v), inverse_v = ex.reciprocal_sqrt(some ? of_v : R{1});
        sigma[i] *= inverse_v;
#pragma unroll
        for (int k = 0; k < rows; ++k) {
          of.m[k] = times_real(inverse[i], of.m[k]);
          of.v[k] = times_real(inverse_v, of.v[k]);
        }
      };
      measure(x, 0);
      measure(y, 1);
      there_are = group_sum<lanes>(ex, there_are);
      done = done && there_are == q * split;
      const auto lengths = ex.template shared<R>(at_lengths + base / split * 2 * static_cast<int>(sizeof(R)));
      const int from[2] = {origin(false), origin(true)};
      if (part == 0)
#pragma unroll
        for (int own = 0; own < 2; ++own) lengths.put(from[own], sigma[own]);
      ex.sync();
      int rank[2] = {};
#pragma unroll 1
      for (int i = 0; i < N; ++i) {
        const R other = lengths.get(i);
#pragma unroll
        for (int own = 0; own < 2; ++own)
          if (other > sigma[own] || (other == sigma[own] && i < from[own])) ++rank[own];
      }
      if (there && lane == 0) {
        ex.store(state + index, static_cast<int>(done ? refine_done : refine_restart));
        if (done) ex.store(g.info + index, 0);
      }
      if (there && done && part == 0)
#pragma unroll
        for (int own = 0; own < 2; ++own)
          if (rank[own] < q)
            ex.store(static_cast<R*>(g.s) + index * g.stride_s + rank[own], sigma[own] * (R{1} / Shape::more) * back);
      if constexpr (!vectors) return;
      store(there && done, !wide, wide ? g.vt : g.u, wide ? g.stride_vt : g.stride_u, p, rank, x.m, y.m);
      store(there && done, wide, wide ? g.u : g.vt, wide ? g.stride_u : g.stride_vt, q, rank, x.v, y.v);
    }
    // Through shared memory, so that neighbouring lanes store neighbours.
    ONEPASS_DEVICE void store(bool wanted, bool of_u, void* array, std::int64_t stride, int length,
                              const int (&rank)[2], const A (&of_x)[rows], const A (&of_y)[rows]) const {
      const auto columns = ex.template shared<A>(base / lanes * N * pitch * static_cast<int>(sizeof(A)));
      ex.sync();  // what was there is stored
#pragma unroll
      for (int k = 0; k < rows; ++k) {
        columns.put(rank[0] * pitch + row_of(k), of_x[k]);
        columns.put(rank[1] * pitch + row_of(k), of_y[k]);
      }
      ex.sync();
      if (!wanted) return;
      A* const to = matrix(static_cast<A*>(array), stride);
      const bool by_columns = of_u || g.plain_v;
      const std::int64_t ld = of_u ? g.ldu : g.ldvt;
      const int inner = by_columns ? length : q, outer = by_columns ? q : length;
      for (int j = 0; j < outer; ++j)
        for (int i = lane; i < inner; i += lanes) {
          const A value = columns.get(by_columns ? j * pitch + i : i * pitch + j);
          ex.store(to + i + j * ld, conjugate_if(!by_columns, value));
        }
    }
  };
};

}  // namespace onepass::kernels
