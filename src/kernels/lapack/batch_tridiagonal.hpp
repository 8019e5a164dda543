// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Tridiagonal form of many matrices, a block for each: A = Q T Q^H, of the lower triangle, which lies packed in shared
// memory, or in global memory where it does not fit.
//
// One pass over the triangle for a column: the update of the column before it is made on the way,
//
//   x = column k, updated;  reflector (v, tau) of x
//   a(r, c) := a(r, c) - v'_r w'_c - w'_r v'_c,   p_r += a(r, c) v_c,   p_c += a(r, c) v_r      v', w' of the last
//   column w = y - tau / 2 (y^H v) v,  y = tau p
//
// A warp takes four columns at a time, always the same ones, and lanes take rows: every element has one thread, which
// loads it once and stores it once a pass. Sums of columns go over the lanes of a warp, and each warp has its own sums
// of rows.
#pragma once

#include "kernels/lapack/batch_matrix.hpp"

namespace onepass::kernels {

template <class A, int threads, bool on_chip>
struct BatchTridiagonal {
  using R = RealOf<A>;
  static constexpr int max_threads = threads, min_blocks = 512 / threads, warps = threads / 32, width = 4;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BatchTridiagonalArgs& g) {
    Block<Ex>{ex, g, ex.block_x()}.reduce();
  }

 private:
  template <class Ex>
  struct Block {
    template <class T>
    using Shared = typename Ex::template Shared<T>;

    Ex ex;
    const BatchTridiagonalArgs& g;
    std::int64_t index;
    int n = g.batch.n, thread = ex.thread(), lane = thread & 31, warp = thread >> 5;
    A* const out = static_cast<A*>(g.v) + index * n * n;

    static ONEPASS_DEVICE int after(int elements, int reals = 0) {
      return elements * static_cast<int>(sizeof(A)) + reals * static_cast<int>(sizeof(R));
    }
    const int triangle = on_chip ? n * (n + 1) / 2 : 0, all = triangle + (warps + 4) * n + 1;
    Shared<A> packed = ex.template shared<A>(0);
    Shared<A> v = ex.template shared<A>(after(triangle)), w = ex.template shared<A>(after(triangle + n));
    Shared<A> next = ex.template shared<A>(after(triangle + 2 * n));
    Shared<A> of_columns = ex.template shared<A>(after(triangle + 3 * n));
    Shared<A> of_rows = ex.template shared<A>(after(triangle + 4 * n));  // n of each warp
    Shared<A> head = ex.template shared<A>(after(all - 1));
    Shared<R> d = ex.template shared<R>(after(all)), e = ex.template shared<R>(after(all, n));
    Shared<R> sums = ex.template shared<R>(after(all, 2 * n));  // 2 warps for norms, 4 for products, 2 for the largest
    static constexpr int of_norms = 0, of_products = 2 * warps, of_largest = 6 * warps;

    // Element (r, c), r >= c.
    ONEPASS_DEVICE A get(int r, int c) const {
      if constexpr (on_chip)
        return packed.get(c * n - c * (c + 1) / 2 + r);
      else
        return ex.load_matrix(out + r + static_cast<std::int64_t>(c) * n);
    }
    ONEPASS_DEVICE void put(int r, int c, A value) const {
      if constexpr (on_chip)
        packed.put(c * n - c * (c + 1) / 2 + r, value);
      else
        ex.store(out + r + static_cast<std::int64_t>(c) * n, value);
    }

    ONEPASS_DEVICE void reduce() const {
      const R largest = block_largest(largest_of_stored());
      const bool finite = largest <= std::numeric_limits<R>::max();
      const R scale = finite ? ex.power_of_two_near_reciprocal(largest) : R{0};
      load(finite, scale);
      for (int i = thread; i < warps * n; i += threads) of_rows.put(i, A{});
      ex.sync();
      for (int k = 0; k + 1 < n; ++k) reduce_column(k);
      if (thread == 0) d.put(n - 1, real_part(updated(n - 1, n - 1, n > 1)));
      ex.sync();
      if (thread == 0) ex.store(g.not_finite + index, finite ? 0 : 1);
      if (g.batch.vectors)
        store_cut(scale);
      else
        store_whole(finite, ex.power_of_two_near_reciprocal(scale));
    }

    // f(r, c) of the elements that are stored.
    template <class F>
    ONEPASS_DEVICE void for_stored(F f) const {
      for (int c = warp; c < n; c += warps) {
        const int end = g.batch.lower ? n : c + 1;
        for (int r = (g.batch.lower ? c : 0) + lane; r < end; r += 32) f(r, c);
      }
    }
    ONEPASS_DEVICE A stored(int r, int c) const {
      const A value = ex.load_matrix(matrix_of<A>(ex, g.batch, index) + r + c * g.batch.lda);
      return r == c ? from_real<A>(real_part(value)) : value;
    }
    ONEPASS_DEVICE R largest_of_stored() const {
      R largest = 0;
      for_stored([&](int r, int c) { largest = larger(largest, magnitude(stored(r, c))); });
      return largest;
    }
    ONEPASS_DEVICE void load(bool finite, R scale) const {
      for_stored([&](int r, int c) {
        const A value = finite ? times_real(scale, stored(r, c)) : A{};
        put(g.batch.lower ? r : c, g.batch.lower ? c : r, conjugate_if(!g.batch.lower, value));
      });
    }

    ONEPASS_DEVICE R block_largest(R value, int at = 0) const {
      for (int mask = 16; mask > 0; mask /= 2) value = larger(value, ex.shuffle_xor(value, mask));
      if (lane == 0) sums.put(of_largest + at * warps + warp, value);
      ex.sync();
      for (int i = 0; i < warps; ++i) value = larger(value, sums.get(of_largest + at * warps + i));
      return value;
    }

    ONEPASS_DEVICE A updated(int r, int c, bool pending) const {
      const A value = get(r, c);
      if (!pending) return value;
      return subtract_product(subtract_product(value, v.get(r), conjugate(w.get(c))), w.get(r), conjugate(v.get(c)));
    }

    ONEPASS_DEVICE void reduce_column(int k) const {
      const bool pending = k > 0;
      R norm2[1] = {};
      for (int r = k + thread; r < n; r += threads) {
        const A x = updated(r, k, pending);
        next.put(r, x);
        if (r == k) d.put(k, real_part(x));
        if (r == k + 1) head.put(0, x);
        if (r > k + 1) norm2[0] += abs2(x);
      }
      block_sums<warps>(ex, ex.template shared<R>(after(all, 2 * n + of_norms)), 0, norm2);
      const Reflector<A> h = reflector_of_scaled(ex, head.get(0), norm2[0]);
      for (int r = k + thread; r < n; r += threads) {
        if (r == k) continue;
        const A value = r == k + 1 ? from_real<A>(1) : next.get(r) * h.scale;
        next.put(r, value);
        if (g.batch.vectors) ex.store(out + r + static_cast<std::int64_t>(k) * n, value);
      }
      if (thread == 0) {
        e.put(k, h.beta);
        if (g.batch.vectors) ex.store(static_cast<A*>(g.tau) + index * n + k, h.tau);
      }
      ex.sync();
      multiply(k, pending);
      ex.sync();

      A product{};
      for (int r = k + 1 + thread; r < n; r += threads) {
        A sum = of_columns.get(r);
#pragma unroll
        for (int i = 0; i < warps; ++i) {
          sum = sum + of_rows.get(i * n + r);
          of_rows.put(i * n + r, A{});
        }
        const A y = h.tau * sum, value = next.get(r);
        w.put(r, y);
        v.put(r, value);
        product = multiply_add(product, conjugate(y), value);
      }
      R parts[2] = {real_part(product), imaginary_part(product)};
      block_sums<warps>(ex, ex.template shared<R>(after(all, 2 * n + of_products)), 0, parts);
      if constexpr (is_complex<A>)
        product = {parts[0], parts[1]};
      else
        product = parts[0];
      const A factor = times_real(R{-0.5}, h.tau) * product;
      for (int r = k + 1 + thread; r < n; r += threads) w.put(r, multiply_add(w.get(r), factor, v.get(r)));
      ex.sync();
    }

    // The pass over the columns behind k.
    ONEPASS_DEVICE void multiply(int k, bool pending) const {
      constexpr int at_once = sizeof(A) < 16 ? 2 : 1;  // rows of a lane, whose loads are in flight together
      const int first = (k + 1) / width;
      for (int q = first + (warp + warps - first % warps) % warps; q * width < n; q += warps) {
        const auto is_there = [&](int c) { return c > k && c < n; };
        A old_v[width], old_w[width], new_v[width], sum[width] = {};
#pragma unroll
        for (int j = 0; j < width; ++j) {
          const int c = q * width + j;
          old_v[j] = pending && is_there(c) ? conjugate(v.get(c)) : A{};
          old_w[j] = pending && is_there(c) ? conjugate(w.get(c)) : A{};
          new_v[j] = is_there(c) ? next.get(c) : A{};
        }
        for (int top = q * width / 32 * 32; top < n; top += 32 * at_once) {
          A a[at_once][width];
#pragma unroll
          for (int i = 0; i < at_once; ++i)
#pragma unroll
            for (int j = 0; j < width; ++j) {
              const int r = top + 32 * i + lane, c = q * width + j;
              a[i][j] = is_there(c) && r >= c && r < n ? get(r, c) : A{};
            }
#pragma unroll
          for (int i = 0; i < at_once; ++i) {
            const int r = top + 32 * i + lane;
            if (r <= k || r >= n) continue;
            const A v_r = pending ? v.get(r) : A{}, w_r = pending ? w.get(r) : A{}, new_r = next.get(r);
            A of_row{};
#pragma unroll
            for (int j = 0; j < width; ++j) {
              const int c = q * width + j;
              if (!is_there(c) || r < c) continue;
              if (pending) {
                a[i][j] = subtract_product(subtract_product(a[i][j], v_r, old_w[j]), w_r, old_v[j]);
                put(r, c, a[i][j]);
              }
              of_row = multiply_add(of_row, a[i][j], new_v[j]);
              if (r > c) sum[j] = multiply_add(sum[j], conjugate(a[i][j]), new_r);
            }
            of_rows.put(warp * n + r, of_rows.get(warp * n + r) + of_row);
          }
        }
        const A total = transposed_sum<width>(ex, sum);
        const int c = q * width + lane / (32 / width);
        if (lane % (32 / width) == 0 && is_there(c)) of_columns.put(c, total);
      }
    }

    // As DivideSetup does it.
    ONEPASS_DEVICE void store_cut(R scale_of_a) const {
      R largest_d = 0, largest_e = 0;
      for (int i = thread; i < n; i += threads) {
        largest_d = larger(largest_d, absolute(d.get(i)));
        if (i + 1 < n) largest_e = larger(largest_e, absolute(e.get(i)));
      }
      const R bound = block_largest(largest_d, 0) / 4 + block_largest(largest_e, 1) / 2;
      const R scale = ex.power_of_two_near_reciprocal(bound) / 8;
      const auto beside = [&](int i) { return i >= 0 && i + 1 < n ? e.get(i) * scale : R{0}; };
      for (int i = thread; i < g.rows; i += threads) {
        const R left = i % g.leaf == 0 ? absolute(beside(i - 1)) : R{0};
        const R right = (i + 1) % g.leaf == 0 ? absolute(beside(i)) : R{0};
        ex.store(static_cast<R*>(g.d) + index * g.rows + i, i < n ? d.get(i) * scale - left - right : R{2});
        ex.store(static_cast<R*>(g.e) + index * g.rows + i, beside(i));
      }
      if (thread != 0) return;
      ex.store(static_cast<R*>(g.back) + 2 * index, ex.power_of_two_near_reciprocal(scale));
      ex.store(static_cast<R*>(g.back) + 2 * index + 1,
               scale_of_a > 0 ? ex.power_of_two_near_reciprocal(scale_of_a) : R{1});
    }
    ONEPASS_DEVICE void store_whole(bool finite, R back) const {
      const R none = std::numeric_limits<R>::quiet_NaN();
      for (int i = thread; i < n; i += threads) {
        ex.store(static_cast<R*>(g.d) + index * g.rows + i, finite ? d.get(i) * back : none);
        if (i + 1 < n) ex.store(static_cast<R*>(g.e) + index * g.rows + i, finite ? e.get(i) * back : none);
      }
    }
  };
};

}  // namespace onepass::kernels
