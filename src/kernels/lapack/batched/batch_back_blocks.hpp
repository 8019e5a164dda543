// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// V = Q Z and w of many matrices in double precision, by the tensor cores: eight reflectors at a time are
//
//   H_0 ... H_7 = I - V T V^H,   T upper triangular
//
// BatchFactors makes T of each eight, a warp for each. BatchBackBlocks then has 16 columns of Z to a warp, transposed,
// in the registers of sums that mma adds to, and for each eight from the last one on
//
//   W^T = Z^T conj(V),   W^T := -W^T T^T,   Z^T := Z^T + W^T V^T
//
// What a lane has of sums is what it must have of the first factor of the next product, if the terms of that are taken
// in this order: all even ones of eight, then all odd ones. So nothing but V and T comes from shared memory. A complex
// number is two real ones beside each other; of real rows the first four of eight are the even ones, so that lanes are
// in different banks. Rows are dealt to `shares` warps, whose W are added.
#pragma once

#include "kernels/lapack/batched/batch_matrix.hpp"

namespace onepass::kernels {

template <class A>
struct BatchFactors {
  static constexpr int max_threads = batch_factors_threads, min_blocks = sizeof(A) == 16 ? 2 : 4, panel = batch_panel;
  static constexpr int each = 8, sums = (panel * (panel - 1) / 2 + each - 1) / each;  // pairs that are summed together

  // The pair of i < j.
  static ONEPASS_DEVICE constexpr int pair(int i, int j) { return j * (j - 1) / 2 + i; }

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BatchBackArgs& g) {
    const int n = g.batch.n, lane = ex.thread() & 31, panels = batch_panels(n);
    const std::int64_t number = ex.block_x() * (max_threads / 32) + (ex.thread() >> 5), index = number / panels;
    if (index >= g.batch.count) return;
    const int begin = static_cast<int>(number % panels) * panel;
    const A* const v = static_cast<const A*>(g.v) + index * n * n;

    A products[sums][each] = {}, total[sums];  // v_i^H v_j of all i < j
    for (int top = begin / 32 * 32; top < n; top += 32) {
      A x[panel];
#pragma unroll
      for (int j = 0; j < panel; ++j) {
        const int r = top + lane, k = begin + j;
        const bool there = r > k && r < n;
        x[j] = ex.load_cached_if(there, v + (there ? r + static_cast<std::int64_t>(k) * n : 0));
      }
#pragma unroll
      for (int j = 1; j < panel; ++j)
#pragma unroll
        for (int i = 0; i < j; ++i) {
          A& product = products[pair(i, j) / each][pair(i, j) % each];
          product = multiply_add(product, conjugate(x[i]), x[j]);
        }
    }
#pragma unroll
    for (int q = 0; q < sums; ++q) total[q] = transposed_sum<each>(ex, products[q]);

    // Lane i has row i: t_ij = -tau_j sum_l t_il v_l^H v_j
    A t[panel];
#pragma unroll
    for (int j = 0; j < panel; ++j) {
      const bool there = begin + j + 1 < n;
      const A tau = ex.load_cached_if(there, static_cast<const A*>(g.tau) + index * n + (there ? begin + j : 0));
      A sum{};
#pragma unroll
      for (int l = 0; l < j; ++l)
        sum = multiply_add(sum, t[l], ex.shuffle_from(total[pair(l, j) / each], pair(l, j) % each * (32 / each)));
      t[j] = choose(lane == j, tau, choose(lane < j, times_real(RealOf<A>{-1}, tau) * sum, A{}));
    }
    if (lane >= panel) return;
#pragma unroll
    for (int j = 0; j < panel; ++j) ex.store(static_cast<A*>(g.factors) + (number * panel + j) * panel + lane, t[j]);
  }
};

// tiles: of eight real rows that a warp has.
template <class A, int tiles, int shares>
struct BatchBackBlocks {
  using R = RealOf<A>;
  static constexpr bool real = !is_complex<A>;
  static constexpr int max_threads = batch_back_threads, min_blocks = tiles <= 8 ? 2 : 1, panel = batch_panel;
  static constexpr int rows = real ? 8 : 4, sums = real ? 1 : 2;  // of a tile; tiles of W^T
  static constexpr int width = 16 * batch_back_warps / shares;    // columns of the block
  static constexpr int line = batch_block_line(tiles, shares, sizeof(A)), buffer = batch_block_buffer(line);

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BatchBackArgs& g) {
    const int blocks = (g.batch.n + width - 1) / width;
    Warp<Ex>{ex, g, ex.block_x() / blocks, static_cast<int>(ex.block_x() % blocks) * width}.apply();
  }

 private:
  template <class Ex>
  struct Warp {
    Ex ex;
    const BatchBackArgs& g;
    std::int64_t index;
    int first_column;
    int n = g.batch.n, lane = ex.thread() & 31, warp = ex.thread() >> 5, share = warp % shares;
    int group = lane / 4, of_four = lane % 4;
    int column = first_column + warp / shares * 16 + group;  // and the one 8 further on
    typename Ex::template Shared<A> shared = ex.template shared<A>(0);
    typename Ex::template Shared<double> exchanged =
        ex.template shared<double>(2 * buffer * static_cast<int>(sizeof(A)));
    double z[tiles][4] = {};

    // The first row of a tile; of this lane.
    ONEPASS_DEVICE int top(int i) const { return (i * shares + share) * rows; }
    ONEPASS_DEVICE int row(int i, int h) const { return top(i) + of_four + 4 * h; }
    // f(row, column, place in z[i]) of the elements of a tile; complex ones have two places.
    template <class F>
    ONEPASS_DEVICE void for_elements(F f) {
#pragma unroll
      for (int i = 0; i < tiles; ++i)
#pragma unroll
        for (int c = 0; c < 2; ++c)
#pragma unroll
          for (int h = 0; h < (real ? 2 : 1); ++h) f(i, row(i, h), column + 8 * c, 2 * c + h);
    }

    ONEPASS_DEVICE void apply() {
      const R* const from = static_cast<const R*>(g.z) + index * g.rows * g.rows;
      for_elements([&](int i, int r, int c, int at) {
        const bool there = r < n && c < n;
        z[i][at] = ex.load_cached_if(there, from + (there ? r + static_cast<std::int64_t>(c) * g.rows : 0));
        if constexpr (!real) z[i][at + 1] = 0;
      });
      apply_panels();
      store();
    }

    ONEPASS_DEVICE void store() {
      int bad = ex.load_cached(g.not_finite + index);
      for (int i = 0; i < g.leaves; ++i) bad |= ex.load_cached(g.failed + index * g.leaves + i);
      const R none = std::numeric_limits<R>::quiet_NaN();
      A* const a = matrix_of<A>(ex, g.batch, index);
      for_elements([&](int i, int r, int c, int at) {
        if (r >= n || c >= n) return;
        A value;
        if constexpr (real)
          value = z[i][at];
        else
          value = {z[i][at], z[i][at + 1]};
        ex.store(a + r + c * g.batch.lda, bad != 0 ? from_real<A>(none) : value);
      });
      for (int c = first_column + ex.thread(); c < n && c < first_column + width; c += max_threads) {
        const R* const back = static_cast<const R*>(g.back) + 2 * index;
        const R found = ex.load_cached(static_cast<const R*>(g.values) + index * g.rows + c);
        ex.store(static_cast<R*>(g.batch.w) + index * g.batch.stride_w + c,
                 bad != 0 ? none : found * ex.load_cached(back) * ex.load_cached(back + 1));
      }
      if (first_column == 0 && ex.thread() == 0) ex.store(g.batch.info + index, bad != 0 ? g.batch.info_of_failure : 0);
    }

    // Reflectors `begin` and so on, each a line, and T behind them, on their way.
    ONEPASS_DEVICE void copy(int begin, int at) const {
      const A* const v = static_cast<const A*>(g.v) + index * n * n;
      const A* const t = static_cast<const A*>(g.factors) + (index * batch_panels(n) + begin / panel) * panel * panel;
      const int k = begin + warp;
      static_assert(panel == batch_back_warps, "a warp copies a reflector");
      constexpr int together = 2 * rows * shares;
      for (int r = begin / together * together + lane; r < tiles * shares * rows; r += 32) {
        const bool there = r > k && r < n;
        ex.copy_element_if(there, shared, at + batch_block_place(line, warp, r),
                           v + (there ? r + static_cast<std::int64_t>(k) * n : 0));
      }
      const int i = ex.thread();
      if (i < panel * panel) ex.copy_element_if(true, shared, at + batch_block_place(line, panel, i), t + i);
    }

    ONEPASS_DEVICE void apply_panels() {
      int at = 0;
      const int last = (n - 2) / panel * panel;
      copy(last, at);
#pragma unroll 1
      for (int begin = last; begin >= 0; begin -= panel) {
        ex.wait_for_copies();
        ex.sync();  // and those before are done with
        if (begin > 0) copy(begin - panel, buffer - at);
        apply_panel(begin, at);
        at = buffer - at;
      }
    }

    // Whether tiles i and i + 1 have rows of the reflectors.
    ONEPASS_DEVICE bool is_live(int i, int begin) const { return top(i + 1) + rows > begin + 1 && top(i) < n; }
    ONEPASS_DEVICE A of_v(int at, int k, int r) const { return shared.get(at + batch_block_place(line, k, r)); }
    ONEPASS_DEVICE A of_t(int at, int i, int j) const {
      return shared.get(at + batch_block_place(line, panel, j * panel + i));
    }
    // x y, x complex: what it has for a real column of the product, y' and y'' being terms of their own.
    struct Terms {
      double even, odd;
    };
    ONEPASS_DEVICE Terms of_complex(A x) const {
      const bool imaginary = group % 2 != 0;
      return {imaginary ? imaginary_part(x) : real_part(x), imaginary ? real_part(x) : -imaginary_part(x)};
    }

    // What follows goes on with another sum before it comes back to one: products wait for each other.
    ONEPASS_DEVICE void apply_panel(int begin, int at) {
      double w[2][4] = {};  // of reals one of even and one of odd terms
#pragma unroll
      for (int i = 0; i < tiles; i += 2) {
        if (!is_live(i, begin)) continue;
#pragma unroll
        for (int j = i; j < i + 2; ++j) {
          const double even[2] = {z[j][0], z[j][2]}, odd[2] = {z[j][1], z[j][3]};
          if constexpr (real) {
            ex.matrix_multiply_add(w[0], even, of_v(at, group, row(j, 0)));
            ex.matrix_multiply_add(w[1], odd, of_v(at, group, row(j, 1)));
          } else {
            const Terms x[2] = {of_complex(conjugate(of_v(at, group / 2, row(j, 0)))),
                                of_complex(conjugate(of_v(at, 4 + group / 2, row(j, 0))))};
            ex.matrix_multiply_add(w[0], even, x[0].even);
            ex.matrix_multiply_add(w[1], even, x[1].even);
            ex.matrix_multiply_add(w[0], odd, x[0].odd);
            ex.matrix_multiply_add(w[1], odd, x[1].odd);
          }
        }
      }
      if constexpr (real)
#pragma unroll
        for (int e = 0; e < 4; ++e) w[0][e] += w[1][e];
      add_shares(w);

      double f[2][4] = {};
#pragma unroll
      for (int q = 0; q < sums; ++q) {  // terms
        const double even[2] = {-w[q][0], -w[q][2]}, odd[2] = {-w[q][1], -w[q][3]};
        if constexpr (real) {
          ex.matrix_multiply_add(f[0], even, of_t(at, group, 2 * of_four));
          ex.matrix_multiply_add(f[0], odd, of_t(at, group, 2 * of_four + 1));
        } else {
          const Terms x[2] = {of_complex(of_t(at, group / 2, 4 * q + of_four)),
                              of_complex(of_t(at, 4 + group / 2, 4 * q + of_four))};
          ex.matrix_multiply_add(f[0], even, x[0].even);
          ex.matrix_multiply_add(f[1], even, x[1].even);
          ex.matrix_multiply_add(f[0], odd, x[0].odd);
          ex.matrix_multiply_add(f[1], odd, x[1].odd);
        }
      }

#pragma unroll
      for (int i = 0; i < tiles; i += 2) {
        if (!is_live(i, begin)) continue;
#pragma unroll
        for (int q = 0; q < sums; ++q) {
          const double even[2] = {f[q][0], f[q][2]}, odd[2] = {f[q][1], f[q][3]};
          Terms x[2];
#pragma unroll
          for (int j = 0; j < 2; ++j) {
            if constexpr (real) {
              const int r = top(i + j) + group / 2 + group % 2 * 4;
              x[j] = {of_v(at, 2 * of_four, r), of_v(at, 2 * of_four + 1, r)};
            } else {
              x[j] = of_complex(of_v(at, 4 * q + of_four, top(i + j) + group / 2));
            }
          }
          ex.matrix_multiply_add(z[i], even, x[0].even);
          ex.matrix_multiply_add(z[i + 1], even, x[1].even);
          ex.matrix_multiply_add(z[i], odd, x[0].odd);
          ex.matrix_multiply_add(z[i + 1], odd, x[1].odd);
        }
      }
    }

    // Of all warps with these columns, in one order.
    ONEPASS_DEVICE void add_shares(double (&w)[2][4]) const {
      if constexpr (shares > 1) {
        constexpr int each = sums * 4 * 32;
#pragma unroll
        for (int q = 0; q < sums; ++q)
#pragma unroll
          for (int e = 0; e < 4; ++e) exchanged.put(warp * each + (4 * q + e) * 32 + lane, w[q][e]);
        ex.sync();
#pragma unroll
        for (int q = 0; q < sums; ++q)
#pragma unroll
          for (int e = 0; e < 4; ++e) {
            double sum = 0;
#pragma unroll
            for (int s = 0; s < shares; ++s)
              sum += exchanged.get((warp / shares * shares + s) * each + (4 * q + e) * 32 + lane);
            w[q][e] = sum;
          }
      }
    }
  };
};

}  // namespace onepass::kernels
