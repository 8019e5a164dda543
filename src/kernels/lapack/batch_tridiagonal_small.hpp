// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The columns of a tridiagonal form (batch_tridiagonal.hpp) in small blocks, of which a multiprocessor holds several:
// five barriers for each, and few instructions.
#pragma once

#include "kernels/lapack/batch_matrix.hpp"

namespace onepass::kernels {

template <class A, int threads, class Block>
struct BatchColumnsInFive {
  using R = RealOf<A>;
  static constexpr int warps = threads / 32, width = batch_tridiagonal_columns;
  const Block& b;

  ONEPASS_DEVICE void reduce() const {
    for (int k = 0; k + 1 < b.n; ++k) reduce_column(k);
    if (b.thread == 0) b.d.put(b.n - 1, real_part(updated(b.n - 1, b.n - 1, b.n > 1)));
    b.ex.sync();
  }

  ONEPASS_DEVICE A updated(int r, int c, bool pending) const {
    const A value = b.get(r, c);
    if (!pending) return value;
    return subtract_product(subtract_product(value, b.v.get(r), conjugate(b.w.get(c))), b.w.get(r),
                            conjugate(b.v.get(c)));
  }

  ONEPASS_DEVICE void reduce_column(int k) const {
    const bool pending = k > 0;
    R norm2[1] = {};
    for (int r = k + b.thread; r < b.n; r += threads) {
      const A value = updated(r, k, pending);
      b.x.put(r, value);
      if (r == k) b.d.put(k, real_part(value));
      if (r == k + 1) b.head.put(0, value);
      if (r > k + 1) norm2[0] += abs2(value);
    }
    block_sums<warps>(b.ex, b.ex.template shared<R>(b.after(b.all, 2 * b.n + Block::of_norms)), 0, norm2);
    const Reflector<A> h = reflector_of_scaled(b.ex, b.head.get(0), norm2[0]);
    for (int r = k + b.thread; r < b.n; r += threads) {
      if (r == k) continue;
      const A value = r == k + 1 ? from_real<A>(1) : b.x.get(r) * h.scale;
      b.x.put(r, value);
      if (b.g.batch.vectors) b.ex.store(b.out + r + static_cast<std::int64_t>(k) * b.n, value);
    }
    if (b.thread == 0) {
      b.e.put(k, h.beta);
      if (b.g.batch.vectors) b.ex.store(static_cast<A*>(b.g.tau) + b.index * b.n + k, h.tau);
    }
    b.ex.sync();
    multiply_columns(k, pending);
    b.ex.sync();

    A product{}, coupling{};
    for (int r = k + 1 + b.thread; r < b.n; r += threads) {
      A sum = b.of_columns.get(r);
#pragma unroll
      for (int i = 0; i < warps; ++i) {
        sum = sum + b.of_rows.get(i * b.n + r);
        b.of_rows.put(i * b.n + r, A{});
      }
      const A y = h.tau * sum, value = b.x.get(r);
      b.w.put(r, y);
      coupling = multiply_add(coupling, conjugate(b.v.get(r)), value);
      b.v.put(r, value);
      product = multiply_add(product, conjugate(y), value);
    }
    const A factor = times_real(R{-0.5}, h.tau) * b.sum_products(k, product, coupling);
    for (int r = k + 1 + b.thread; r < b.n; r += threads) b.w.put(r, multiply_add(b.w.get(r), factor, b.v.get(r)));
    b.ex.sync();
  }

  // The pass over the columns behind k.
  ONEPASS_DEVICE void multiply_columns(int k, bool pending) const {
    constexpr int at_once = sizeof(A) < 16 ? 2 : 1;  // rows of a lane, whose loads are in flight together
    const int first = (k + 1) / width;
    for (int q = first + (b.warp + warps - first % warps) % warps; q * width < b.n; q += warps) {
      const auto is_there = [&](int c) { return c > k && c < b.n; };
      A old_v[width], old_w[width], new_v[width], sum[width] = {};
#pragma unroll
      for (int j = 0; j < width; ++j) {
        const int c = q * width + j;
        old_v[j] = pending && is_there(c) ? conjugate(b.v.get(c)) : A{};
        old_w[j] = pending && is_there(c) ? conjugate(b.w.get(c)) : A{};
        new_v[j] = is_there(c) ? b.x.get(c) : A{};
      }
      for (int top = q * width / 32 * 32; top < b.n; top += 32 * at_once) {
        A a[at_once][width];
#pragma unroll
        for (int i = 0; i < at_once; ++i)
#pragma unroll
          for (int j = 0; j < width; ++j) {
            const int r = top + 32 * i + b.lane, c = q * width + j;
            a[i][j] = is_there(c) && r >= c && r < b.n ? b.get(r, c) : A{};
          }
#pragma unroll
        for (int i = 0; i < at_once; ++i) {
          const int r = top + 32 * i + b.lane;
          if (r <= k || r >= b.n) continue;
          const A v_r = pending ? b.v.get(r) : A{}, w_r = pending ? b.w.get(r) : A{}, new_r = b.x.get(r);
          A of_row{};
#pragma unroll
          for (int j = 0; j < width; ++j) {
            const int c = q * width + j;
            if (!is_there(c) || r < c) continue;
            if (pending) {
              a[i][j] = subtract_product(subtract_product(a[i][j], v_r, old_w[j]), w_r, old_v[j]);
              b.put(r, c, a[i][j]);
            }
            of_row = multiply_add(of_row, a[i][j], new_v[j]);
            if (r > c) sum[j] = multiply_add(sum[j], conjugate(a[i][j]), new_r);
          }
          b.of_rows.put(b.warp * b.n + r, b.of_rows.get(b.warp * b.n + r) + of_row);
        }
      }
      const A total = transposed_sum<width>(b.ex, sum);
      const int c = q * width + b.lane / (32 / width);
      if (b.lane % (32 / width) == 0 && is_there(c)) b.of_columns.put(c, total);
    }
  }
};

}  // namespace onepass::kernels
