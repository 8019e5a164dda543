// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Reduces a symmetric or Hermitian matrix that fits on the chip to tridiagonal form, with one grid barrier a column.
//
// A block has whole columns of both triangles (chip_lines.hpp). Step k has the Householder vector x of column k, and v,
// w of the step before. Each block
//   1. updates its columns and multiplies them, in one pass: A_j -= v w_j* + w v_j*,  p_j = tau A_j* x
//   2. publishes p_j and c_j, its elements of row k + 1 (which is column k + 1, not yet updated by this step)
//   3. waits at the grid barrier and loads all of p and c
//   4. computes, as every other block does, with the same bits: w = p - tau/2 (p* x) x, the updated column k + 1, which
//      is u - g x with u = c - p, and from it the next Householder vector.
//
// The norm of u - g x comes from sums that ride with p* x: |u|^2 - 2 Re(conj(g) x* u) + |g|^2 |x|^2. Where these
// cancel, or where squares would underflow, it is summed plainly, scaled by a power of two.
#pragma once

#include "kernels/lapack/reductions/chip_lines.hpp"
#include "kernels/lapack/reductions/tridiagonal_step.hpp"

namespace onepass::kernels {

template <class A, int RT, int CT>
struct Tridiagonal {
  using R = RealOf<A>;
  static constexpr int max_threads = chip_threads, min_blocks = 1, warps = max_threads / 32;
  static constexpr int rows = max_threads * RT;  // of the largest matrix

  // Shared memory, in elements of A.
  static constexpr int at_v = 0, at_w = rows, at_x = 2 * rows, at_columns = 3 * rows;

  template <class Ex>
  struct Block : TridiagonalMatrix<A, Ex> {
    int t;
    typename Ex::template Shared<A> shared;
    typename Ex::template Shared<R> sums;
    ChipLines<A, RT, CT, Ex> columns;

    ONEPASS_DEVICE A v(int i) const { return shared.get(at_v + i); }
    ONEPASS_DEVICE A w(int i) const { return shared.get(at_w + i); }
    ONEPASS_DEVICE A x(int i) const { return shared.get(at_x + i); }
  };

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const TridiagonalArgs& g) {
    const auto shared = ex.template shared<A>(0);
    const int at_sums = at_columns + chip_lines_elements(rows, g.lines, CT);
    const auto sums = ex.template shared<R>(at_sums * static_cast<int>(sizeof(A)));
    Block<Ex> s{{.ex = ex, .g = g}, ex.thread(), shared, sums, {ex, shared, g.n, g.lines, at_columns}};
    const int t = s.t, block = s.columns.block;
    s.columns.load([&](int i, int j) { return s.load(i, j); });

    // Column 0 and its Householder vector.
    A u[RT];
#pragma unroll
    for (int r = 0; r < RT; ++r) {
      const int i = t + r * max_threads;
      u[r] = i > 1 ? s.load(i, 0) : A{};
    }
    Reflector<A> h = plain_reflector<RT>(ex, s.sums, 1, u, g.n > 1 ? s.load(1, 0) : A{});
#pragma unroll
    for (int r = 0; r < RT; ++r) {
      const int i = t + r * max_threads;
      s.shared.put(at_v + i, A{});
      s.shared.put(at_w + i, A{});
      s.shared.put(at_x + i, i == 1 ? from_real<A>(R{1}) : h.apply(u[r]));
    }
    R diagonal = real_part(s.load(0, 0));
    ex.sync();
    R rest = larger(h.norm2 - abs2(s.x(2)), R{0});  // of x beyond element k + 2

    if (block == 0 && t == 0) s.store_unit();
    GridBarrier<Ex> barrier{ex, g.barrier, g.timed_out};
    for (int k = 0; k < g.steps; ++k) {
      multiply(s, k, h.tau);
      barrier.wait();
      // Only now has every block loaded its part of A.
      if (block == k % s.columns.blocks) {
        for (int i = k + 2 + t; i < g.n; i += max_threads) ex.store(s.element(i, k), s.x(i));
        if (t == 0) s.store_step(k, diagonal, h);
      }

      // p and c of every row; p is 0 before row k + 1.
      const A* const exchange = static_cast<const A*>(g.exchange) + (k & 1) * 2 * rows;
      const auto p_at = [&](int i) { return i < g.n ? ex.load_fresh(exchange + 2 * i) : A{}; };
      const auto c_at = [&](int i) { return i < g.n ? ex.load_fresh(exchange + 2 * i + 1) : A{}; };
      const A next_p[] = {p_at(k + 1), p_at(k + 2)}, next_c[] = {c_at(k + 1), c_at(k + 2)};
      A p[RT];
#pragma unroll
      for (int r = 0; r < RT; ++r) {
        const int i = t + r * max_threads;
        p[r] = i > k ? p_at(i) : A{};
        u[r] = i > k ? c_at(i) : A{};
      }
      TridiagonalSums<A> of_rows;
#pragma unroll
      for (int r = 0; r < RT; ++r) {
        const int i = t + r * max_threads;
        u[r] = u[r] - p[r];
        of_rows.add(p[r], u[r], s.x(i), h.tau, i > k + 2);
      }
      block_sums<warps>(ex, s.sums, k & 1, of_rows.sum);
      const A x2 = k + 2 < g.n ? s.x(k + 2) : A{};
      const TridiagonalStep<A> step(of_rows, next_p, next_c, x2, rest, h);
      diagonal = step.diagonal;
      ex.sync();  // all of x was read
#pragma unroll
      for (int r = 0; r < RT; ++r) {
        const int i = t + r * max_threads;
        const A xi = s.x(i);
        s.shared.put(at_v + i, xi);
        s.shared.put(at_w + i, i > k ? p[r] + from_real<A>(step.half) * xi : A{});
        u[r] = i > k + 2 ? u[r] - step.gamma * xi : A{};
      }
      if (k + 1 == g.steps) break;
      h = step.lost() ? plain_reflector<RT>(ex, s.sums, k & 1, u, step.alpha) : step.next(ex);
#pragma unroll
      for (int r = 0; r < RT; ++r) {
        const int i = t + r * max_threads;
        s.shared.put(at_x + i, i == k + 2 ? from_real<A>(R{1}) : h.apply(u[r]));
      }
      ex.sync();
      const int next = k + 3 < rows ? k + 3 : rows - 1;
      rest = larger(h.norm2 - abs2(s.x(next)), R{0});
    }
    if (g.steps + 1 < g.n)
      write_back(s);
    else if (block == 0 && t == 0)
      s.store_step(g.n - 1, diagonal, h);
  }

 private:
  // A_j -= v w_j* + w v_j*, and the products of the updated columns with x, published with row k + 1.
  template <class Ex>
  static ONEPASS_DEVICE void multiply(Block<Ex>& s, int k, A tau) {
    const auto& columns = s.columns;
    s.columns.multiply(
        k + 1, k + 1, at_v, at_w, at_x, [&](int l) { return conjugate(s.w(columns.line(l))); },
        [&](int l) { return conjugate(s.v(columns.line(l))); });
    s.ex.sync();
    if (s.t < columns.count) {
      A* const to = static_cast<A*>(s.g.exchange) + (k & 1) * 2 * rows + 2 * columns.line(s.t);
      s.ex.store_fresh(to, tau * columns.product(s.t));
      s.ex.store_fresh(to + 1, conjugate(columns.picked(s.t)));
    }
  }

  // The matrix that is left, with the last update, into its stored triangle.
  template <class Ex>
  static ONEPASS_DEVICE void write_back(Block<Ex>& s) {
    s.ex.sync();
    s.columns.for_each([&](A value, int i, int j) {
      if (i < j || j < s.g.steps || i >= s.g.n) return;
      value = subtract_product(value, s.v(i), conjugate(s.w(j)));
      s.ex.store(s.element(i, j), subtract_product(value, s.w(i), conjugate(s.v(j))));
    });
  }
};

}  // namespace onepass::kernels
