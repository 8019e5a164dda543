// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular value decompositions of up to 32 rows from eigenvectors of M^H M (batch_refine.hpp), 8, 16 or 32 lanes
// having a matrix. Two launches, since the first one needs less shared memory and has to wait more:
//
//   V                 of M^H M (batch_refine_small_start.hpp)
//   W = M V, angles   lane j has column j of what is multiplied by, and all lanes read the same row of the other factor
#pragma once

#include "kernels/lapack/batched/batch_refine.hpp"
#include "kernels/lapack/batched/batch_refine_small_start.hpp"

namespace onepass::kernels {

template <class A, int N>
struct BatchRefineSmall {
  using R = RealOf<A>;
  using E = RefineSmallStart<A>;
  using Angles = RefineAngles<A>;
  using Quad = RefineQuad<A>;
  static constexpr bool from_less = !std::is_same_v<A, E>;  // V is not unitary at first
  static constexpr bool on_tensor_cores = std::is_same_v<A, double> && N >= 16;
  static constexpr int max_threads = 32, together = 32 / N;
  static constexpr int min_blocks = (sizeof(A) == 16 ? 4 : 8) * (N < 32 ? 2 : 1);
  static constexpr int pitch = refine_small_pitch(sizeof(A)), array = N * pitch;
  static constexpr int most_rounds = from_less ? 6 : 3;
  // Squares of |T| beyond which rotations are made one by one: what |T|^4 is beside 1, V is corrected by.
  static constexpr R most = from_less ? static_cast<R>(0x1p-10) : Angles::no_fourth;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const RefineSmallArgs& g) {
    for (std::int64_t first = ex.block_x() * together; first < g.svd.count; first += ex.grid_x() * together) {
      Group<Ex>{{ex, g.svd, first}, g}.solve();
      ex.sync();  // shared memory is free again
    }
  }

 private:
  template <class Ex>
  struct Group : RefineSmallMatrix<A, N, Ex> {
    using Base = RefineSmallMatrix<A, N, Ex>;
    using Base::ex, Base::g, Base::lane, Base::row, Base::base, Base::there, Base::index, Base::wide, Base::p, Base::q;
    template <class T>
    using Shared = typename Ex::template Shared<T>;

    const RefineSmallArgs& args;
    static constexpr int element = static_cast<int>(sizeof(A)), real = static_cast<int>(sizeof(R));
    // Rows of W, V and T are lines; a warp has those of its matrices beside each other.
    Shared<A> w = ex.template shared<A>(0), v = ex.template shared<A>(array * element),
              t = ex.template shared<A>(2 * array * element);
    Shared<R> squares = ex.template shared<R>(3 * array * element),
              inverses = ex.template shared<R>(3 * array * element + 32 * real);
    Shared<int> order = ex.template shared<int>(3 * array * element + 64 * real);
    A own[N] = {};  // column `row` of what is multiplied by

    ONEPASS_DEVICE void solve() {
      bool finite = true;
      const R scale = this->load(finite, [&](int r, int c, A value) { w.put(r * pitch + base + c, value); });
      const E* const start = static_cast<const E*>(args.v) + index * q * q;
#pragma unroll
      for (int r = 0; r < N; ++r) {
        const bool wanted = r < q && row < q;
        own[r] = converted<A>(ex.load_cached_predicated(wanted, start + (wanted ? r * q + row : 0)));
      }
      if constexpr (from_less) {
        keep(v);
        ex.sync();
        make_unitary(false, true);
        take(v);
      }
      if constexpr (on_tensor_cores) keep(t);
      ex.sync();
      times<0>(p, true, [](A, A sum) { return sum; });
      if constexpr (!from_less) keep(v);
      ex.sync();
      const bool done = refine() && finite;
      ex.sync();  // lengths were read
      finish(done, scale);
    }

    // Whether columns of W are orthogonal.
    ONEPASS_DEVICE bool refine() {
      bool active = true, done = false;
      for (int round = 0; round < most_rounds; ++round) {
        const R square = gram<0>(p);
        if constexpr (is_complex<A>) make_hermitian();
        const bool some = square >= Angles::nothing || row >= q;
        squares.put(lane, square);
        inverses.put(lane, ex.reciprocal_sqrt(some && row < q ? square : R{1}));
        ex.sync();
        Angles angles = {.wanted = Angles::epsilon * Angles::epsilon * static_cast<R>(p)};
        const R inverse = inverses.get(lane);
#pragma unroll
        for (int i = 0; i < N; ++i)
          own[i] = angles.find(ex, i != row && i < q && row < q, own[i], squares.get(base + i), inverses.get(base + i),
                               square, inverse);
        angles.sum = group_sum<N>(ex, angles.sum);
        angles.relative = group_sum<N>(ex, angles.relative);
        const int flags = group_largest<N>(ex, angles.broken ? 2 : some ? 0 : 1);
        const RefineKind kind =
            active ? angles.kind(flags == 2, flags == 1, most, round == most_rounds - 1) : refine_done;
        const bool applies = kind == refine_apply || kind == refine_last;
        done = active ? kind == refine_done || kind == refine_last : done;
        active = active && kind == refine_apply;
        if (!ex.any(applies)) return done;
#pragma unroll
        for (int i = 0; i < N; ++i) own[i] = choose(applies, own[i], A{});
        const bool squares_t = applies && angles.sum > Angles::no_square;
        if (on_tensor_cores || ex.any(squares_t)) keep(t);
        ex.sync();
        if (ex.any(squares_t)) {
          times<2>(q, squares_t, [](A old, A sum) { return old + times_real(R{0.5}, sum); });
          if constexpr (!on_tensor_cores) take(t);
        }
        const auto add = [](A old, A sum) { return old + sum; };
        times<0>(p, applies, add);
        if (g.vectors || from_less) times<1>(q, applies, add);
        ex.sync();
        if constexpr (from_less) {
          const bool corrects = applies && angles.sum > Angles::no_fourth;
          if (ex.any(corrects)) make_unitary(true, corrects);
        }
        if (!ex.any(active)) return done;
      }
      return done;
    }

    // Both sums of an element are not rounded alike: below the diagonal that of the other lane counts.
    ONEPASS_DEVICE void make_hermitian() {
      keep(t);
      ex.sync();
#pragma unroll
      for (int i = 0; i < N; ++i) own[i] = choose(i > row, conjugate(t.get(row * pitch + base + i)), own[i]);
      ex.sync();
    }
    // V := V (1 + R / 2 + 3 R^2 / 8) with R = 1 - V^H V, and W likewise.
    ONEPASS_DEVICE void make_unitary(bool with_w, bool concerned) {
      gram<1>(q);
#pragma unroll
      for (int i = 0; i < N; ++i) own[i] = choose(row < q && i < q, from_real<A>(i == row ? R{1} : R{0}) - own[i], A{});
      keep(t);
      ex.sync();
      times<2>(q, true, [](A old, A sum) { return times_real(R{0.5}, old) + times_real(R{0.375}, sum); });
      if constexpr (!on_tensor_cores) take(t);
      const auto add = [](A old, A sum) { return old + sum; };
      times<1>(q, concerned, add);
      if (with_w) times<0>(p, concerned, add);
      ex.sync();
    }

    // ---- Products --------------------------------------------------------------------------------

    template <int which>
    ONEPASS_DEVICE Quad quad(int r, int c) const {
      return ex.template shared<Quad>(which * array * element).get((r * pitch + base + c) / Quad::count);
    }
    template <int which>
    ONEPASS_DEVICE Shared<A> rows_of() const {
      return which == 0 ? w : which == 1 ? v : t;
    }
    ONEPASS_DEVICE void keep(const Shared<A>& x) const {
#pragma unroll
      for (int i = 0; i < N; ++i) x.put(i * pitch + lane, own[i]);
    }
    ONEPASS_DEVICE void take(const Shared<A>& x) {
      ex.sync();
#pragma unroll
      for (int i = 0; i < N; ++i) own[i] = x.get(i * pitch + lane);
    }
    // own := column `row` of X^H X; its diagonal element. T is free.
    template <int which>
    ONEPASS_DEVICE R gram(int rows) {
      if constexpr (on_tensor_cores) {
        multiply<true>(rows_of<which>(), rows_of<which>(), rows, N, true,
                       [&](bool, int at, double sum) { t.put(at, sum); });
        take(t);
        return t.get(row * pitch + lane);
      }
      R square = 0;
#pragma unroll
      for (int i = 0; i < N; ++i) own[i] = A{};
#pragma unroll 2
      for (int r = 0; r < rows; ++r) {
        const A mine = rows_of<which>().get(r * pitch + lane);
        square += abs2(mine);
#pragma unroll
        for (int c = 0; c < N; c += Quad::count) {
          const Quad others = quad<which>(r, c);
#pragma unroll
          for (int i = 0; i < Quad::count; ++i)
            own[c + i] = multiply_add(own[c + i], conjugate(others.element[i]), mine);
        }
      }
      return square;
    }
    // X(r, row) := f(X(r, row), row r of X times own), some rows at a time; a neighbour that is not concerned keeps its
    // bits. On the tensor cores T has what is own.
    template <int which, class F>
    ONEPASS_DEVICE void times(int rows, bool concerned, F f) const {
      const Shared<A> x = rows_of<which>();
      if constexpr (on_tensor_cores) {
        multiply<false>(x, t, q, rows, concerned, [&](bool wanted, int at, double sum) {
          const double old = x.get(at);
          x.put(at, wanted ? f(old, sum) : old);
        });
        ex.sync();
        return;
      }
      constexpr int at_once = 4;
#pragma unroll 1
      for (int first = 0; first < rows; first += at_once) {
        A sum[at_once] = {};
#pragma unroll
        for (int c = 0; c < N; c += Quad::count)
#pragma unroll
          for (int k = 0; k < at_once; ++k) {
            const Quad others = quad<which>(first + k, c);
#pragma unroll
            for (int i = 0; i < Quad::count; ++i) sum[k] = multiply_add(sum[k], others.element[i], own[c + i]);
          }
        ex.sync();
#pragma unroll
        for (int k = 0; k < at_once; ++k) {
          const int at = (first + k) * pitch + lane;
          const A old = x.get(at);
          x.put(at, choose(concerned, f(old, sum[k]), old));
        }
      }
    }

    // store(whether the matrix is concerned, place, element) of X Y, or of X^H Y, each with `inner` terms and so many
    // rows, by the tensor cores, when all lanes have read: what mma calls rows are columns of the product.
    template <bool adjoint, class Store>
    ONEPASS_DEVICE void multiply(const Shared<double>& x, const Shared<double>& y, int inner, int rows, bool concerned,
                                 Store store) const {
      constexpr int across = N / 16, down = N / 8;
      const int group = lane / 4, of_four = lane % 4;
#pragma unroll 1
      for (int first = 0; first < 32; first += N) {
        double sums[across][down][4] = {};
#pragma unroll 2
        for (int k = of_four; k - of_four < inner; k += 4) {
          double a[across][2], b[down];
#pragma unroll
          for (int m = 0; m < across; ++m)
#pragma unroll
            for (int h = 0; h < 2; ++h) a[m][h] = y.get(k * pitch + first + 16 * m + 8 * h + group);
#pragma unroll
          for (int n = 0; n < down; ++n)
            b[n] = adjoint ? x.get(k * pitch + first + 8 * n + group) : x.get((8 * n + group) * pitch + first + k);
#pragma unroll
          for (int m = 0; m < across; ++m)
#pragma unroll
            for (int n = 0; n < down; ++n) ex.matrix_multiply_add(sums[m][n], a[m], b[n]);
        }
        const bool wanted = ex.shuffle_from(concerned ? 1 : 0, first) != 0;
        ex.sync();
#pragma unroll
        for (int n = 0; n < down; ++n) {
          if (8 * n >= rows) continue;
#pragma unroll
          for (int m = 0; m < across; ++m)
#pragma unroll
            for (int i = 0; i < 4; ++i)
              store(wanted, (8 * n + 2 * of_four + i % 2) * pitch + first + 16 * m + i / 2 * 8 + group, sums[m][n][i]);
        }
      }
    }

    // ---- Results ---------------------------------------------------------------------------------

    ONEPASS_DEVICE void finish(bool done, R scale) {
      R sum = 0;
      for (int r = 0; r < p; ++r) sum += abs2(w.get(r * pitch + lane));
      const R inverse = ex.reciprocal_sqrt(row < q && done ? sum : R{1}), sigma = row < q ? sum * inverse : R{-1};
      int rank = 0;
#pragma unroll
      for (int i = 0; i < N; ++i) {
        const R other = ex.shuffle_each(sigma, base + i);
        if (other > sigma || (other == sigma && i < row)) ++rank;
      }
      if (there && row == 0) {
        ex.store(args.state + index, static_cast<int>(done ? refine_done : refine_restart));
        if (done) ex.store(g.info + index, 0);
      }
      if (there && done && row < q)
        ex.store(static_cast<R*>(g.s) + index * g.stride_s + rank, sigma * ex.power_of_two_near_reciprocal(scale));
      if (!g.vectors) return;
      inverses.put(lane, inverse);
      if (done) order.put(base + rank, row);
      ex.sync();
      if (!there || !done) return;
      A* const u = this->matrix(static_cast<A*>(g.u), g.stride_u);
      A* const vt = this->matrix(static_cast<A*>(g.vt), g.stride_vt);
      store(!wide, wide ? vt : u, w, p, [&](int c) { return inverses.get(base + c); });
      store(wide, wide ? u : vt, v, q, [](int) { return R{1}; });
    }
    template <class Factor>
    ONEPASS_DEVICE void store(bool of_u, A* to, const Shared<A>& x, int rows, Factor factor) const {
      if (of_u || g.plain_v) {
        const std::int64_t ld = of_u ? g.ldu : g.ldvt;
        for (int rank = 0; rank < q; ++rank) {
          const int c = order.get(base + rank);
          if (row < rows) ex.store(to + row + rank * ld, times_real(factor(c), x.get(row * pitch + base + c)));
        }
      } else if (row < q) {
        const int c = order.get(base + row);
        const R by = factor(c);
        for (int r = 0; r < rows; ++r)
          ex.store(to + row + r * g.ldvt, conjugate(times_real(by, x.get(r * pitch + base + c))));
      }
    }
  };
};

}  // namespace onepass::kernels
