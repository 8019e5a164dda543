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

#include "kernels/lapack/chip_lines.hpp"
#include "kernels/lapack/tridiagonal_args.hpp"

namespace onepass::kernels {

template <class A, int RT, int CT>
struct Tridiagonal {
  using R = RealOf<A>;
  static constexpr int max_threads = chip_threads, min_blocks = 1, warps = max_threads / 32;
  static constexpr int rows = max_threads * RT;  // of the largest matrix

  // Shared memory, in elements of A.
  static constexpr int at_v = 0, at_w = rows, at_x = 2 * rows, at_columns = 3 * rows;

  template <class Ex>
  struct Block {
    Ex ex;
    const TridiagonalArgs& g;
    int t;
    typename Ex::template Shared<A> shared;
    typename Ex::template Shared<R> sums;
    ChipLines<A, RT, CT, Ex> columns;

    ONEPASS_DEVICE A v(int i) const { return shared.get(at_v + i); }
    ONEPASS_DEVICE A w(int i) const { return shared.get(at_w + i); }
    ONEPASS_DEVICE A x(int i) const { return shared.get(at_x + i); }
    ONEPASS_DEVICE A* element(int i, int j) const { return static_cast<A*>(g.a) + i * g.row_step + j * g.col_step; }
    // Of the whole matrix, from its stored triangle.
    ONEPASS_DEVICE A load(int i, int j) const {
      if (i >= g.n || j >= g.n) return A{};
      const A value = ex.load_matrix(i >= j ? element(i, j) : element(j, i));
      return i == j ? from_real<A>(real_part(value)) : i > j ? value : conjugate(value);
    }
  };

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const TridiagonalArgs& g) {
    const auto shared = ex.template shared<A>(0);
    const int at_sums = at_columns + chip_lines_elements(rows, g.lines, CT);
    Block<Ex> s{.ex = ex,
                .g = g,
                .t = ex.thread(),
                .shared = shared,
                .sums = ex.template shared<R>(at_sums * static_cast<int>(sizeof(A))),
                .columns = {ex, shared, g.n, g.lines, at_columns}};
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

    if (g.unit != nullptr && block == 0 && t == 0)
      ex.store(static_cast<A*>(g.unit), from_real<A>(ex.load_matrix(static_cast<const R*>(g.unit_value))));
    GridBarrier<Ex> barrier{ex, g.barrier, g.timed_out};
    for (int k = 0; k < g.steps; ++k) {
      multiply(s, k, h.tau);
      barrier.wait();
      // Only now has every block loaded its part of A.
      if (block == k % s.columns.blocks) {
        for (int i = k + 2 + t; i < g.n; i += max_threads) ex.store(s.element(i, k), s.x(i));
        if (t == 0) write_step(s, k, diagonal, h);
      }

      // p and c of every row; p is 0 before row k + 1.
      const A* const exchange = static_cast<const A*>(g.exchange) + (k & 1) * 2 * rows;
      const auto p_at = [&](int i) { return i < g.n ? ex.load_fresh(exchange + 2 * i) : A{}; };
      const auto c_at = [&](int i) { return i < g.n ? ex.load_fresh(exchange + 2 * i + 1) : A{}; };
      const A p1 = p_at(k + 1), c1 = c_at(k + 1), p2 = p_at(k + 2), c2 = c_at(k + 2);
      A p[RT];
#pragma unroll
      for (int r = 0; r < RT; ++r) {
        const int i = t + r * max_threads;
        p[r] = i > k ? p_at(i) : A{};
        u[r] = i > k ? c_at(i) : A{};
      }
      R sum[4] = {};
#pragma unroll
      for (int r = 0; r < RT; ++r) {
        const int i = t + r * max_threads;
        const A xi = s.x(i);
        u[r] = u[r] - p[r];
        sum[0] += real_part(conjugate(p[r]) * (h.tau * xi));
        if (i > k + 2) {
          sum[1] += abs2(u[r]);
          const A uv = u[r] * conjugate(xi);
          sum[2] += real_part(uv);
          if constexpr (is_complex<A>) sum[3] += uv.im;
        }
      }
      block_sums<warps>(ex, s.sums, k & 1, sum);
      const R half = -R{0.5} * sum[0];
      const A gamma = conjugate(p1) + from_real<A>(2 * half);
      diagonal = real_part(c1 - p1 - gamma);
      const A x2 = s.x(k + 2 < rows ? k + 2 : rows - 1);
      const A alpha = k + 2 < g.n ? c2 - p2 - gamma * x2 : A{};
      A cross{};
      if constexpr (is_complex<A>)
        cross = A{sum[2], sum[3]};
      else
        cross = sum[2];
      const R norm2 = sum[1] - 2 * real_part(conjugate(gamma) * cross) + abs2(gamma) * rest;
      const R bound = sum[1] + abs2(gamma) * h.norm2;  // its error is some eps of this
      const A x_k1 = from_real<A>(half);
      ex.sync();  // all of x was read
#pragma unroll
      for (int r = 0; r < RT; ++r) {
        const int i = t + r * max_threads;
        const A xi = s.x(i);
        s.shared.put(at_v + i, xi);
        s.shared.put(at_w + i, i > k ? p[r] + x_k1 * xi : A{});
        u[r] = i > k + 2 ? u[r] - gamma * xi : A{};
      }
      if (k + 1 == g.steps) break;
      if (norm2 < R{0.25} * bound || bound + abs2(alpha) < smallest_square<R>())
        h = plain_reflector<RT>(ex, s.sums, k & 1, u, alpha);
      else
        h = reflector(ex, alpha, norm2);
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
      write_step(s, g.n - 1, diagonal, h);
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

  // d, e and tau of column k, and what LAPACK leaves of them in A.
  template <class Ex>
  static ONEPASS_DEVICE void write_step(const Block<Ex>& s, int k, R diagonal, const Reflector<A>& h) {
    const R scale = s.g.scale == nullptr ? R{1} : s.ex.load_matrix(static_cast<const R*>(s.g.scale) + 1);
    s.ex.store(static_cast<R*>(s.g.d) + k * s.g.vector_step, diagonal * scale);
    s.ex.store(s.element(k, k), from_real<A>(diagonal * scale));
    if (k + 1 >= s.g.n) return;
    s.ex.store(static_cast<R*>(s.g.e) + k * s.g.vector_step, h.beta * scale);
    s.ex.store(static_cast<A*>(s.g.tau) + k * s.g.vector_step, h.tau);
    s.ex.store(s.element(k + 1, k), from_real<A>(h.beta * scale));
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
