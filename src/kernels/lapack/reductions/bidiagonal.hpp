// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Reduces a matrix that fits on the chip twice, by columns and by rows, to bidiagonal form, with two grid barriers a
// column.
//
// Step k has the Householder vector u of column k, and u', y', x', v' of the step before. Each block
//   1. updates its columns, A_j -= u' y'_j* + x' v'_j*, and multiplies them: y_j = tauq A_j^H u
//      publishes y_j and r_j, the updated row k, conjugate: conj(A_kj) - y_j
//      -- grid barrier --  loads y and r; all compute v of row k, with the same bits
//   2. updates its rows, A_i -= x'_i v'^H + u_i y^H, and multiplies them: x_i = taup A_i v
//      publishes x_i and c_i, the updated column k + 1: A_i,k+1 - x_i
//      -- grid barrier --  loads x and c; all compute u of column k + 1
//
// So rows are half a step ahead of columns, and neither is passed over twice.
#pragma once

#include "kernels/lapack/reductions/bidiagonal_args.hpp"
#include "kernels/lapack/reductions/chip_lines.hpp"

namespace onepass::kernels {

// A thread holds RT elements of a line; of each block CT columns and CR rows are in registers.
template <class A, int RT, int CT, int CR>
struct Bidiagonal {
  using R = RealOf<A>;
  static constexpr int max_threads = chip_threads, min_blocks = 1, warps = max_threads / 32;
  static constexpr int rows = max_threads * RT;  // of the largest matrix

  // Shared memory, in elements of A. Steps take turns in the two places of u and of v.
  static constexpr int at_x = 4 * rows, at_y = 5 * rows, at_columns = 6 * rows;
  static ONEPASS_DEVICE int at_u(int k) { return (k & 1) * rows; }
  static ONEPASS_DEVICE int at_v(int k) { return (2 + (k & 1)) * rows; }

  template <class Ex>
  struct Block {
    Ex ex;
    const BidiagonalArgs& g;
    int t;
    typename Ex::template Shared<A> shared;
    typename Ex::template Shared<R> sums;

    ONEPASS_DEVICE A* element(int i, int j) const { return static_cast<A*>(g.a) + i + j * g.lda; }
    ONEPASS_DEVICE A load(int i, int j) const { return i < g.m && j < g.n ? ex.load_matrix(element(i, j)) : A{}; }
    ONEPASS_DEVICE A* exchange(int what) const { return static_cast<A*>(g.exchange) + what * rows; }
    ONEPASS_DEVICE A conjugate_at(int at) const { return conjugate(shared.get(at)); }
  };

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BidiagonalArgs& g) {
    const int at_rows = at_columns + chip_lines_elements(rows, g.lines, CT);
    const Block<Ex> s{.ex = ex,
                      .g = g,
                      .t = ex.thread(),
                      .shared = ex.template shared<A>(0),
                      .sums = ex.template shared<R>((at_rows + chip_lines_elements(rows, g.lines, CR)) *
                                                    static_cast<int>(sizeof(A)))};
    ChipLines<A, RT, CT, Ex> columns(ex, s.shared, g.n, g.lines, at_columns);
    ChipLines<A, RT, CR, Ex> by_rows(ex, s.shared, g.m, g.lines, at_rows);
    columns.load([&](int i, int j) { return s.load(i, j); });
    by_rows.load([&](int j, int i) { return conjugate(s.load(i, j)); });

    // Column 0 and its Householder vector.
    A x[RT];
#pragma unroll
    for (int r = 0; r < RT; ++r) {
      const int i = s.t + r * max_threads;
      x[r] = i > 0 ? s.load(i, 0) : A{};
      for (const int at : {at_u(1), at_v(1), at_x, at_y}) s.shared.put(at + i, A{});
    }
    Reflector<A> h = plain_reflector<RT>(ex, s.sums, 1, x, s.load(0, 0));
    put_vector(s, at_u(0), 0, h, x);
    ex.sync();

    GridBarrier<Ex> barrier{ex, g.barrier, g.timed_out};
    const R scale = g.scale == nullptr ? R{1} : ex.load_matrix(static_cast<const R*>(g.scale) + 1);
    for (int k = 0; k < g.columns; ++k) {
      columns.multiply(
          k, k, at_u(k + 1), at_x, at_u(k), [&](int l) { return s.conjugate_at(at_y + columns.line(l)); },
          [&](int l) { return s.conjugate_at(at_v(k + 1) + columns.line(l)); });
      ex.sync();
      if (s.t < columns.count) {
        const int j = columns.line(s.t);
        const A y = h.tau * columns.product(s.t);
        ex.store_fresh(s.exchange(0) + j, y);
        ex.store_fresh(s.exchange(1) + j, conjugate(columns.picked(s.t)) - y);
      }
      barrier.wait();
      // Only now has every block loaded its part of A.
      if (columns.block == k % columns.blocks) write_column(s, k, h, scale);
      if (k + 1 == g.n) break;
      A alpha = load_exchanged(s, 0, k, g.n, at_y, x);
      h = next_reflector(s, 0, x, alpha);
      put_vector(s, at_v(k), k + 1, h, x);
      ex.sync();

      by_rows.multiply(
          k + 1, k + 1, at_v(k + 1), at_y, at_v(k), [&](int l) { return s.conjugate_at(at_x + by_rows.line(l)); },
          [&](int l) { return s.conjugate_at(at_u(k) + by_rows.line(l)); });
      ex.sync();
      if (s.t < by_rows.count) {
        const int i = by_rows.line(s.t);
        const A xi = h.tau * by_rows.product(s.t);
        ex.store_fresh(s.exchange(2) + i, xi);
        ex.store_fresh(s.exchange(3) + i, conjugate(by_rows.picked(s.t)) - xi);
      }
      barrier.wait();
      if (by_rows.block == k % by_rows.blocks) write_row(s, k, h, scale);
      alpha = load_exchanged(s, 2, k, g.m, at_x, x);
      if (k + 1 < g.columns) {
        h = next_reflector(s, 1, x, alpha);
        put_vector(s, at_u(k + 1), k + 1, h, x);
      }
      ex.sync();
    }
    if (g.columns == g.n) return;
    const int last = g.columns - 1;
    columns.for_each([&](A value, int i, int j) {
      if (i < g.columns || j < g.columns || i >= g.m) return;
      value = subtract_product(value, s.shared.get(at_u(last) + i), s.conjugate_at(at_y + j));
      ex.store(s.element(i, j), subtract_product(value, s.shared.get(at_x + i), s.conjugate_at(at_v(last) + j)));
    });
  }

 private:
  // Behind a barrier: y or x, which goes to shared memory, and the updated row or column beyond element k + 1, which
  // is returned.
  template <class Ex>
  static ONEPASS_DEVICE A load_exchanged(const Block<Ex>& s, int what, int k, int end, int to, A (&x)[RT]) {
    const A* const product = s.exchange(what);
    const A* const line = s.exchange(what + 1);
    const A alpha = k + 1 < end ? s.ex.load_fresh(line + k + 1) : A{};
    A y[RT];
#pragma unroll
    for (int r = 0; r < RT; ++r) {
      const int i = s.t + r * max_threads;
      x[r] = i > k + 1 && i < end ? s.ex.load_fresh(line + i) : A{};
      y[r] = i > k && i < end ? s.ex.load_fresh(product + i) : A{};
    }
#pragma unroll
    for (int r = 0; r < RT; ++r) s.shared.put(to + s.t + r * max_threads, y[r]);
    return alpha;
  }

  template <class Ex>
  static ONEPASS_DEVICE Reflector<A> next_reflector(const Block<Ex>& s, int buffer, const A (&x)[RT], A alpha) {
    R sum[1] = {};
#pragma unroll
    for (int r = 0; r < RT; ++r) sum[0] += abs2(x[r]);
    block_sums<warps>(s.ex, s.sums, buffer, sum);
    if (sum[0] + abs2(alpha) < smallest_square<R>()) return plain_reflector<RT>(s.ex, s.sums, buffer, x, alpha);
    return reflector(s.ex, alpha, sum[0]);
  }

  template <class Ex>
  static ONEPASS_DEVICE void put_vector(const Block<Ex>& s, int to, int unit, const Reflector<A>& h, const A (&x)[RT]) {
#pragma unroll
    for (int r = 0; r < RT; ++r) {
      const int i = s.t + r * max_threads;
      s.shared.put(to + i, i == unit ? from_real<A>(R{1}) : h.apply(x[r]));
    }
  }

  template <class Ex>
  static ONEPASS_DEVICE void write_column(const Block<Ex>& s, int k, const Reflector<A>& h, R scale) {
    for (int i = k + 1 + s.t; i < s.g.m; i += max_threads) s.ex.store(s.element(i, k), s.shared.get(at_u(k) + i));
    if (s.t != 0) return;
    s.ex.store(static_cast<R*>(s.g.d) + k, h.beta * scale);
    s.ex.store(static_cast<A*>(s.g.tauq) + k, h.tau);
    s.ex.store(s.element(k, k), from_real<A>(h.beta * scale));
    if (k + 1 == s.g.n) s.ex.store(static_cast<A*>(s.g.taup) + k, A{});
  }
  template <class Ex>
  static ONEPASS_DEVICE void write_row(const Block<Ex>& s, int k, const Reflector<A>& h, R scale) {
    for (int j = k + 2 + s.t; j < s.g.n; j += max_threads) s.ex.store(s.element(k, j), s.conjugate_at(at_v(k) + j));
    if (s.t != 0) return;
    s.ex.store(static_cast<R*>(s.g.e) + k, h.beta * scale);
    s.ex.store(static_cast<A*>(s.g.taup) + k, h.tau);
    s.ex.store(s.element(k, k + 1), from_real<A>(h.beta * scale));
  }
};

}  // namespace onepass::kernels
