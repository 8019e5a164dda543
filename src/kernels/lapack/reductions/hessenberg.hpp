// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Reduces a matrix that fits on the chip twice, by columns and by rows, to Hessenberg form, with one grid barrier a
// column.
//
// Step k has the Householder vector x of column k, and u, y, z of the step before, which left A - u y^H - z u^H to be
// done. Each block
//   1. updates its columns and multiplies them with x: p_j = A_j^H x; and its rows: q_i = A_i x. One pass over each.
//   2. publishes y_j = tau p_j, z_i = tau q_i, and w_i = c_i - z_i, where c_i are its elements of column k + 1
//   3. waits at the grid barrier and loads y, z and w
//   4. computes, as every other block does, with the same bits, sigma = x^H z, z -= conj(tau) sigma x, and the updated
//      column k + 1, which is w - gamma x with gamma = conj(y_{k+1}) - conj(tau) sigma; and from it the next vector.
//
// Rows stay on the chip to the end, since each step changes all rows above from the right; columns only below row k.
// The norm of w - gamma x comes from sums that ride with sigma, as in tridiagonal.hpp.
#pragma once

#include "kernels/lapack/reductions/chip_lines.hpp"
#include "kernels/lapack/reductions/hessenberg_args.hpp"

namespace onepass::kernels {

// A thread holds RT elements of a line; of each block CT columns and CR rows are in registers.
template <class A, int RT, int CT, int CR>
struct Hessenberg {
  using R = RealOf<A>;
  static constexpr int max_threads = chip_threads, min_blocks = 1, warps = max_threads / 32;
  static constexpr int rows = max_threads * RT;  // of the largest matrix

  // Shared memory, in elements of A.
  static constexpr int at_u = 0, at_y = rows, at_z = 2 * rows, at_x = 3 * rows, at_own_z = 4 * rows;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const HessenbergArgs& g) {
    const int t = ex.thread(), n = g.n, lines = g.lines;
    const auto shared = ex.template shared<A>(0);
    const int at_columns = at_own_z + lines, at_rows = at_columns + chip_lines_elements(rows, lines, CT);
    const auto sums =
        ex.template shared<R>((at_rows + chip_lines_elements(rows, lines, CR)) * static_cast<int>(sizeof(A)));
    ChipLines<A, RT, CT, Ex> columns(ex, shared, n, lines, at_columns);
    ChipLines<A, RT, CR, Ex> by_rows(ex, shared, n, lines, at_rows);
    const auto element = [&](int i, int j) { return static_cast<A*>(g.a) + i + j * g.lda; };
    const auto loaded = [&](int i, int j) { return i < n && j < n ? ex.load_matrix(element(i, j)) : A{}; };
    columns.load([&](int i, int j) { return loaded(i, j); });
    by_rows.load([&](int j, int i) { return conjugate(loaded(i, j)); });

    // Column 0 and its Householder vector.
    A w[RT];
#pragma unroll
    for (int r = 0; r < RT; ++r) {
      const int i = t + r * max_threads;
      w[r] = i > 1 ? loaded(i, 0) : A{};
    }
    Reflector<A> h = plain_reflector<RT>(ex, sums, 1, w, loaded(1, 0));
#pragma unroll
    for (int r = 0; r < RT; ++r) {
      const int i = t + r * max_threads;
      for (const int at : {at_u, at_y, at_z}) shared.put(at + i, A{});
      shared.put(at_x + i, i == 1 ? from_real<A>(R{1}) : h.apply(w[r]));
    }
    for (int l = t; l < lines; l += max_threads) shared.put(at_own_z + l, A{});
    ex.sync();
    R rest = larger(h.norm2 - abs2(shared.get(at_x + 2)), R{0});  // of x beyond element k + 2

    GridBarrier<Ex> barrier{ex, g.barrier, g.timed_out};
    for (int k = 0; k < n - 1; ++k) {
      A* const exchange = static_cast<A*>(g.exchange) + (k & 1) * 3 * rows;
      columns.multiply(
          k + 1, -1, at_u, at_z, at_x, [&](int l) { return conjugate(shared.get(at_y + columns.line(l))); },
          [&](int l) { return conjugate(shared.get(at_u + columns.line(l))); });
      by_rows.multiply(  // column k gets its last update
          k, k + 1, at_y, at_u, at_x, [&](int l) { return conjugate(shared.get(at_u + by_rows.line(l))); },
          [&](int l) { return conjugate(shared.get(at_own_z + l)); });
      ex.sync();
      // The first half of the threads have the columns of the block, the second its rows.
      const int own = t - max_threads / 2;
      const bool has_row = own >= 0 && own < by_rows.count;
      A own_z{}, own_x{};
      if (t < columns.count && t < max_threads / 2)
        ex.store_fresh(exchange + columns.line(t), h.tau * columns.product(t));
      if (has_row) {
        const int i = by_rows.line(own);
        own_z = h.tau * by_rows.product(own);
        own_x = shared.get(at_x + i);
        ex.store_fresh(exchange + rows + i, own_z);
        ex.store_fresh(exchange + 2 * rows + i, conjugate(by_rows.picked(own)) - own_z);
      }
      barrier.wait();
      // Only now has every block loaded its part of A.
      if (columns.block == k % columns.blocks) {
        for (int i = k + 2 + t; i < n; i += max_threads) ex.store(element(i, k), shared.get(at_x + i));
        if (t == 0) {
          ex.store(element(k + 1, k), from_real<A>(h.beta));
          ex.store(static_cast<A*>(g.tau) + k, h.tau);
        }
      }

      const auto load = [&](int what, int i) { return i < n ? ex.load_fresh(exchange + what * rows + i) : A{}; };
      const A y1 = load(0, k + 1), w2 = load(2, k + 2);
      A y[RT], z[RT];
#pragma unroll
      for (int r = 0; r < RT; ++r) {
        const int i = t + r * max_threads;
        y[r] = i > k ? load(0, i) : A{};
        z[r] = i > k ? load(1, i) : A{};
        w[r] = i > k + 2 ? load(2, i) : A{};
      }
      R sum[is_complex<A> ? 8 : 4] = {};
#pragma unroll
      for (int r = 0; r < RT; ++r) {
        const A xi = conjugate(shared.get(at_x + t + r * max_threads));
        const A xz = xi * z[r], xw = xi * w[r];
        sum[0] += real_part(xz);
        sum[1] += abs2(w[r]);
        sum[2] += real_part(xw);
        if constexpr (is_complex<A>) {
          sum[3] += xz.im;
          sum[4] += xw.im;
        }
      }
      block_sums<warps>(ex, sums, k & 1, sum);
      A sigma, cross;
      if constexpr (is_complex<A>) {
        sigma = {sum[0], sum[3]};
        cross = {sum[2], sum[4]};
      } else {
        sigma = sum[0];
        cross = sum[2];
      }
      const A shift = conjugate(h.tau) * sigma, gamma = conjugate(y1) - shift;
      const A alpha = k + 2 < n ? w2 - gamma * shared.get(at_x + k + 2) : A{};
      const NextNorm<A> below(sum[1], cross, gamma, rest, h);
      ex.sync();  // all of x was read
#pragma unroll
      for (int r = 0; r < RT; ++r) {
        const int i = t + r * max_threads;
        const A xi = shared.get(at_x + i);
        shared.put(at_u + i, xi);
        shared.put(at_y + i, y[r]);
        shared.put(at_z + i, i > k ? z[r] - shift * xi : A{});
        w[r] = i > k + 2 ? w[r] - gamma * xi : A{};
      }
      if (has_row) shared.put(at_own_z + own, own_z - shift * own_x);
      if (k + 2 == n) break;
      if (below.lost(alpha))
        h = plain_reflector<RT>(ex, sums, k & 1, w, alpha);
      else
        h = reflector(ex, alpha, below.norm2, below.terms);
#pragma unroll
      for (int r = 0; r < RT; ++r) {
        const int i = t + r * max_threads;
        shared.put(at_x + i, i == k + 2 ? from_real<A>(R{1}) : h.apply(w[r]));
      }
      ex.sync();
      const int next = k + 3 < rows ? k + 3 : rows - 1;
      rest = larger(h.norm2 - abs2(shared.get(at_x + next)), R{0});
    }

    // H on and above the diagonal, with the last update.
    ex.sync();
    by_rows.for_each([&](A value, int j, int i) {
      if (j < i || j >= n) return;
      const A ui = shared.get(at_u + i), zi = shared.get(at_own_z + i / by_rows.blocks);
      value = subtract_product(subtract_product(value, shared.get(at_y + j), conjugate(ui)), shared.get(at_u + j),
                               conjugate(zi));
      ex.store(element(i, j), conjugate(value));
    });
  }
};

}  // namespace onepass::kernels
