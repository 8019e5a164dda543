// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Bidiagonal form of many matrices, a block for each that keeps all of it in registers (batch_held.hpp): A = Q B P^H
// with four barriers of the block for a column and a row, for singular values alone.
//
//   all warps    g_r = sum_c a(r, c) v_c, a part of it in each warp;   column t
//   a barrier
//   the first    z = tau_v (g - x (y* v));  column t - x y_t* - z v_t* is column t up to date, of which d_t and the
//                next reflector of columns are made;  u := x, and x is the new one
//   a barrier
//   all warps    a(r, c) := a(r, c) - u_r y_c* - z_r v_c*,   p_c = sum_r a(r, c)* x_r;   row t
//   a barrier
//   the first    y = tau_x p;  row t, conjugate, less y is row t up to date, of which e_t and the next reflector of
//                rows, v, are made
//   a barrier
//
// A matrix that is not square is one with zeros behind its last row or column; it is done after as many columns as B
// has.
#pragma once

#include "kernels/lapack/batched/batch_held.hpp"
#include "kernels/lapack/batched/batch_svd_args.hpp"
#include "kernels/lapack/batched/batch_tridiagonal_ends.hpp"

namespace onepass::kernels {

template <class A, BatchHeldShape shape>
struct BatchBidiagonal {
  using R = RealOf<A>;
  using Sizes = HeldSizes<A, shape>;
  static constexpr int N = Sizes::N, threads = Sizes::threads, warps = Sizes::warps, down = Sizes::down;
  static constexpr int max_threads = threads, min_blocks = shape.together;
  static constexpr int step = Sizes::step, phases = Sizes::phases;
  static_assert(shape.blocks == 1 && Sizes::missing == 0 && down == 16);

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BatchBidiagonalArgs& g) {
    Block<Ex>{ex, g, ex.block_x()}.reduce();
  }

 private:
  template <class Ex>
  struct Block {
    template <class T>
    using Shared = typename Ex::template Shared<T>;
    using Matrix = HeldMatrix<A, shape, Ex>;

    Ex ex;
    const BatchBidiagonalArgs& g;
    std::int64_t index;
    int m = g.svd.m, n = g.svd.n, skipped = N - (m > n ? m : n);  // rows and columns before the first
    int lane = ex.thread() & 31, warp = ex.thread() >> 5;

    static constexpr int of_a = static_cast<int>(sizeof(A)), of_r = static_cast<int>(sizeof(R));
    static constexpr int at_d = ((batch_bidiagonal_vectors + warps) * N + Sizes::kept_elements) * of_a;
    static constexpr int at_e = at_d + N * of_r, at_numbers = at_e + N * of_r;
    ONEPASS_DEVICE Shared<A> array(int which) const { return ex.template shared<A>(which * N * of_a); }
    // Of rows u, z, x and column t, of columns y, v, p and row t; g of each warp.
    Shared<A> u = array(0), z = array(1), x = array(2), column = array(3);
    Shared<A> y = array(4), v = array(5), p = array(6), row = array(7), parts = array(batch_bidiagonal_vectors);
    Matrix matrix{ex, 0, array(batch_bidiagonal_vectors + warps)};
    Shared<R> d = ex.template shared<R>(at_d), e = ex.template shared<R>(at_e);
    A tau_x{}, tau_v{}, y_v{};  // in the first warp; y_v: y* v

    ONEPASS_DEVICE void reduce() {
      const A* const a = g.svd.pointer_arrays ? ex.load_cached(static_cast<const A* const*>(g.svd.a) + index)
                                              : static_cast<const A*>(g.svd.a) + index * g.svd.stride_a;
      R largest = 0;
      matrix.for_all([&](int i, int j) {
        const int r = matrix.row_of(i) - skipped, c = matrix.column_of(j) - skipped;
        const bool there = r >= 0 && r < m && c >= 0 && c < n;
        const A value = there ? ex.load_matrix(a + r + c * g.svd.lda) : A{};
        largest = larger(largest, magnitude(value));
        matrix.set(i, j, value);
      });
      largest = block_largest<warps>(ex, ex.template shared<R>(at_numbers), largest);
      const bool finite = largest <= std::numeric_limits<R>::max();
      const R scale = finite ? ex.power_of_two_near_reciprocal(largest) : R{0};
      matrix.for_all([&](int i, int j) { matrix.set(i, j, finite ? times_real(scale, matrix.get(i, j)) : A{}); });
      for (int i = ex.thread(); i < (batch_bidiagonal_vectors + warps) * N; i += threads) u.put(i, A{});  // and others
      ex.sync();
      reduce_from<0>();
      const int first = skipped * of_r;
      store_diagonals<R, Ex>(ex, {ex.template shared<R>(at_d + first), ex.template shared<R>(at_e + first)}, g.order,
                             static_cast<R*>(g.d) + index * g.order, static_cast<R*>(g.e) + index * g.order,
                             finite ? ex.power_of_two_near_reciprocal(scale) : std::numeric_limits<R>::quiet_NaN());
    }

    template <int first>
    ONEPASS_DEVICE void reduce_from() {
      const int end = skipped + g.order;
#pragma unroll 1
      for (int t = larger(skipped, first * step); t < (first + 1) * step && t < end; ++t) {
        multiply_rows<first>(t);
        ex.sync();
        if (warp == 0) reflect_column<first>(t);
        ex.sync();
        if (t + 1 == end) return;
        matrix.template update<first>(
            [&](int r) {
              return HeldVectors<A>{u.get(r), z.get(r), x.get(r)};
            },
            [&](int c) {
              return HeldVectors<A>{v.get(c), y.get(c), A{}};
            },
            [&](int c, int, A total) { p.put(c, total); });
        matrix.template with_row<first>(t, [&](int c, A value) { row.put(c, conjugate(value)); });
        ex.sync();
        if (warp == 0) reflect_row<first>(t);
        ex.sync();
      }
      if constexpr (first + 1 < phases) reduce_from<first + 1>();
    }

    // By all warps. Of two rows each half of the lanes has one in the end.
    template <int first>
    ONEPASS_DEVICE void multiply_rows(int t) {
      constexpr int left = Matrix::left(first), there = Sizes::columns - left;
      A of[there];
#pragma unroll
      for (int j = 0; j < there; ++j) of[j] = v.get(matrix.column_of(left + j));
#pragma unroll
      for (int i = Matrix::top(first); i < Sizes::rows; i += 2) {
        A sum[2] = {};
#pragma unroll
        for (int half = 0; half < 2; ++half)
          if (i + half < Sizes::rows)
#pragma unroll
            for (int j = 0; j < there; ++j) sum[half] = multiply_add(sum[half], matrix.get(i + half, left + j), of[j]);
        const bool upper = lane >= down;
        const A total = choose(upper, sum[1], sum[0]) + ex.shuffle_xor(choose(upper, sum[0], sum[1]), down);
        if (i + 1 < Sizes::rows || !upper) parts.put(warp * N + matrix.row_of(upper ? i + 1 : i), total);
      }
      matrix.template with_column<first>(t, [&](int r, A value) { column.put(r, value); });
    }

    static ONEPASS_DEVICE bool is_row(int r) { return N % 32 == 0 || r < N; }
    // Of a lane without such a row its last one.
    static ONEPASS_DEVICE int own(int r) { return is_row(r) ? r : r - 32; }
    // f(slot, r) of the rows or columns of this lane.
    template <int first, class F>
    static ONEPASS_DEVICE void for_slots(int lane, F f) {
#pragma unroll
      for (int q = 0; q < (N + 31) / 32 - first * step / 32; ++q) f(q, 32 * (first * step / 32 + q) + lane);
    }
    template <int first>
    static constexpr int slots = (N + 31) / 32 - first* step / 32;
    // Element `at` of a vector that is spread over lanes.
    template <int first>
    ONEPASS_DEVICE A element(const A (&of)[slots<first>], int at) const {
      A value = of[0];
#pragma unroll
      for (int q = 1; q < slots<first>; ++q) value = choose(at / 32 == first * step / 32 + q, of[q], value);
      return ex.shuffle_from(value, at % 32);
    }

    // By the first warp: d_t and the next x.
    template <int first>
    ONEPASS_DEVICE void reflect_column(int t) {
      A old[slots<first>], of_v[slots<first>], now[slots<first>];
      const A y_t = conjugate(y.get(t)), v_t = conjugate(v.get(t));
      R norm2 = 0;
      for_slots<first>(lane, [&](int q, int r) {
        const bool left = r >= t && is_row(r);
        const int at = own(r);
        A sum = parts.get(at);
#pragma unroll
        for (int i = 1; i < warps; ++i) sum = sum + parts.get(i * N + at);
        old[q] = choose(left, x.get(at), A{});
        of_v[q] = choose(left, tau_v * subtract_product(sum, old[q], y_v), A{});
        now[q] = choose(left, subtract_product(subtract_product(column.get(at), old[q], y_t), of_v[q], v_t), A{});
        if (r > t) norm2 += abs2(now[q]);
      });
      const A alpha = element<first>(now, t);
      const Reflector<A> h = reflector_of_scaled(ex, alpha, warp_sum(ex, norm2));
      tau_x = h.tau;
      if (lane == 0) d.put(t, h.beta);
      for_slots<first>(lane, [&](int q, int r) {
        if (!is_row(r)) return;
        u.put(r, old[q]);
        z.put(r, of_v[q]);
        x.put(r, r == t ? from_real<A>(1) : now[q] * h.scale);
      });
    }

    // By the first warp: e_t and the next v.
    template <int first>
    ONEPASS_DEVICE void reflect_row(int t) {
      A of_x[slots<first>], now[slots<first>], product{};
      R norm2 = 0;
      for_slots<first>(lane, [&](int q, int c) {
        const bool left = c > t && is_row(c);
        const int at = own(c);
        of_x[q] = choose(left, tau_x * p.get(at), A{});
        now[q] = choose(left, row.get(at) - of_x[q], A{});
        if (c <= t + 1) return;
        norm2 += abs2(now[q]);
        product = multiply_add(product, conjugate(of_x[q]), now[q]);
      });
      const A alpha = element<first>(now, t + 1), y_next = element<first>(of_x, t + 1);
      norm2 = warp_sum(ex, norm2);
      product = warp_sum(ex, product);
      const Reflector<A> h = reflector_of_scaled(ex, alpha, norm2);
      tau_v = h.tau;
      y_v = multiply_add(conjugate(y_next), product, h.scale);
      if (lane == 0) e.put(t, h.beta);
      for_slots<first>(lane, [&](int q, int c) {
        if (!is_row(c)) return;
        y.put(c, of_x[q]);
        v.put(c, c == t + 1 ? from_real<A>(1) : now[q] * h.scale);
      });
    }
  };
};

}  // namespace onepass::kernels
