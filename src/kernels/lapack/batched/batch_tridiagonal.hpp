// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Tridiagonal form of many matrices that registers do not hold (batch_tridiagonal_held.hpp), a block for each:
// A = Q T Q^H, of the lower triangle. It lies packed in shared memory; the first columns of one that does not fit stay
// in global memory, where few passes need them.
//
// One pass over the triangle for a column: the update of the column before it is made on the way,
//
//   x = column k, updated;  reflector (v, tau) of x
//   a(r, c) := a(r, c) - v'_r w'_c - w'_r v'_c,   p_r += a(r, c) v_c,   p_c += a(r, c) v_r      v', w' of the last
//   column w = y - tau / 2 (y^H v) v,  y = tau p
//
// Three barriers a column: with u = x, but for its first element alpha - beta, v is u scale, and the product with u
// need not wait for the reflector; and there is no branch in the pass.
//
// A warp takes four columns at a time, always the same ones, and lanes take rows: every element has one thread, which
// loads it once and stores it once a pass. Sums of columns go over the lanes of a warp, and each warp has its own sums
// of rows.
#pragma once

#include "kernels/lapack/batched/batch_tridiagonal_ends.hpp"

namespace onepass::kernels {

template <class A, int rows_of_lane>
struct BatchTridiagonal {
  using R = RealOf<A>;
  static constexpr int threads = batch_packed_threads(sizeof(A)), max_threads = threads, min_blocks = 1;
  static constexpr int warps = threads / 32, width = batch_packed_columns;

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
    int off_chip = g.off_chip;  // columns in global memory
    A* const out = static_cast<A*>(g.v) + index * n * n;

    static ONEPASS_DEVICE int after(int elements, int reals = 0) {
      return elements * static_cast<int>(sizeof(A)) + reals * static_cast<int>(sizeof(R));
    }
    const int on_chip = n - off_chip, triangle = on_chip * (on_chip + 1) / 2, all = triangle + (warps + 4) * n;
    Shared<A> packed = ex.template shared<A>(0);
    Shared<A> v = ex.template shared<A>(after(triangle)), w = ex.template shared<A>(after(triangle + n));
    Shared<A> x = ex.template shared<A>(after(triangle + 2 * n));
    Shared<A> of_columns = ex.template shared<A>(after(triangle + 3 * n));  // sums, then y
    Shared<A> of_rows = ex.template shared<A>(after(triangle + 4 * n));     // n of each warp
    Shared<R> d = ex.template shared<R>(after(all)), e = ex.template shared<R>(after(all, n));
    // Of each warp 2 for norms, 8 for products, and 2 for the largest.
    static constexpr int of_norms = 0, of_products = 2 * warps, of_largest = 10 * warps;
    BatchTridiagonalEnds<A, threads, Ex> ends{ex, g, index, numbers(of_largest)};

    ONEPASS_DEVICE Shared<R> numbers(int first) const { return ex.template shared<R>(after(all, 2 * n + first)); }
    // Where element r of column c is in shared memory, less r.
    ONEPASS_DEVICE int packed_column(int c) const {
      const int column = c - off_chip;
      return column * on_chip - column * (column + 1) / 2 - off_chip;
    }
    ONEPASS_DEVICE A* column_of(int c) const { return out + static_cast<std::int64_t>(c) * n; }
    ONEPASS_DEVICE bool is_on_chip(int c) const { return c >= off_chip; }
    // Element (r, c), r >= c.
    ONEPASS_DEVICE A get(int r, int c) const {
      return is_on_chip(c) ? packed.get(packed_column(c) + r) : ex.load_matrix(column_of(c) + r);
    }
    ONEPASS_DEVICE void put(int r, int c, A value) const {
      if (is_on_chip(c))
        packed.put(packed_column(c) + r, value);
      else
        ex.store(column_of(c) + r, value);
    }

    ONEPASS_DEVICE void reduce() const {
      const R largest = ends.block_largest(largest_of_stored());
      const bool finite = largest <= std::numeric_limits<R>::max();
      const R scale = finite ? ex.power_of_two_near_reciprocal(largest) : R{0};
      load(finite, scale);
      for (int i = thread; i < (warps + 4) * n; i += threads) v.put(i, A{});  // and w, sums and all
      ex.sync();
      A factor{};
      for (int k = 0; k < n; ++k) {
        const R norm2 = begin_column(k, factor);
        if (k + 1 < n) factor = finish_column(k, norm2);
      }
      ends.store({d, e}, finite, scale);
    }

    // f(r, c) of the elements that are stored.
    template <class F>
    ONEPASS_DEVICE void for_stored(F f) const {
      for (int c = warp; c < n; c += warps) {
        const int end = g.batch.lower ? n : c + 1;
        for (int r = (g.batch.lower ? c : 0) + lane; r < end; r += 32) f(r, c);
      }
    }
    ONEPASS_DEVICE R largest_of_stored() const {
      R largest = 0;
      for_stored([&](int r, int c) { largest = larger(largest, magnitude(ends.stored(r, c))); });
      return largest;
    }
    ONEPASS_DEVICE void load(bool finite, R scale) const {
      for_stored([&](int r, int c) {
        const A value = finite ? times_real(scale, ends.stored(r, c)) : A{};
        put(g.batch.lower ? r : c, g.batch.lower ? c : r, conjugate_if(!g.batch.lower, value));
      });
    }

    // y^H v over the block; of v and the reflector before it likewise, which is stored.
    ONEPASS_DEVICE A sum_products(int k, A product, A coupling) const {
      constexpr int each = is_complex<A> ? 2 : 1;
      R parts[2 * each];
      if constexpr (is_complex<A>) {
        parts[0] = product.re, parts[1] = product.im, parts[2] = coupling.re, parts[3] = coupling.im;
      } else {
        parts[0] = product, parts[1] = coupling;
      }
      block_sums<warps>(ex, numbers(of_products), 0, parts);
      if constexpr (is_complex<A>) {
        product = {parts[0], parts[1]};
        coupling = {parts[2], parts[3]};
      } else {
        product = parts[0];
        coupling = parts[1];
      }
      if (!batch_applies_blocks(sizeof(R)) && g.batch.vectors && thread == 0)
        ex.store(static_cast<A*>(g.coupling) + index * n + k, coupling);
      return product;
    }

    // f(r) of the rows of this thread, from `first` on.
    template <class F>
    ONEPASS_DEVICE void for_rows(int first, F f) const {
      for (int r = thread; r < n; r += threads)
        if (r >= first) f(r);
    }

    // w of the column before, x of this one. |x|^2 without its first element.
    ONEPASS_DEVICE R begin_column(int k, A factor) const {
      const A v_k = conjugate(v.get(k)), w_k = conjugate(multiply_add(of_columns.get(k), factor, v.get(k)));
      R norm2[1] = {};
      for_rows(k, [&](int r) {
        const A v_r = v.get(r), w_r = multiply_add(of_columns.get(r), factor, v_r);
        const A value = subtract_product(subtract_product(get(r, k), v_r, w_k), w_r, v_k);
        w.put(r, w_r);
        x.put(r, value);
        if (r == k) d.put(k, real_part(value));
        if (r > k + 1) norm2[0] += abs2(value);
      });
      block_sums<warps>(ex, numbers(of_norms), 0, norm2);
      return norm2[0];
    }

    // The reflector of x, the pass, y. -tau / 2 y^H v.
    ONEPASS_DEVICE A finish_column(int k, R norm2) const {
      const A alpha = x.get(k + 1);
      const Reflector<A> h = reflector_of_scaled(ex, alpha, norm2);
      if (thread == 0) {
        e.put(k, h.beta);
        if (g.batch.vectors) ex.store(static_cast<A*>(g.tau) + index * n + k, h.tau);
      }
      multiply(k, alpha - from_real<A>(h.beta));
      ex.sync();

      A product{}, coupling{};
      const A tau_scale = h.tau * h.scale;
      for_rows(k + 1, [&](int r) {
        A sum = of_columns.get(r), parts[warps];
#pragma unroll
        for (int i = 0; i < warps; ++i) parts[i] = of_rows.get(i * n + r);
#pragma unroll
        for (int i = 0; i < warps; ++i) {
          sum = sum + parts[i];
          of_rows.put(i * n + r, A{});
        }
        const A y = tau_scale * sum, value = r == k + 1 ? from_real<A>(1) : x.get(r) * h.scale;
        of_columns.put(r, y);
        coupling = multiply_add(coupling, conjugate(v.get(r)), value);
        v.put(r, value);
        if (g.batch.vectors) ex.store(column_of(k) + r, value);
        product = multiply_add(product, conjugate(y), value);
      });
      return times_real(R{-0.5}, h.tau) * sum_products(k, product, coupling);
    }

    // The pass over the columns behind k. `lead`: the first element of u.
    ONEPASS_DEVICE void multiply(int k, A lead) const {
      const int first = (k + 1) / width;
      for (int q = first + (warp + warps - first % warps) % warps; q * width < n; q += warps)
        if (is_on_chip(q * width))
          Columns<true>{*this, q * width, k}.pass(lead);
        else
          Columns<false>{*this, q * width, k}.pass(lead);
    }

    // `width` columns, from `left` on. Those that are none have zeros. All loads of a step, and those of the next one's
    // elements, are before its first store, which the compiler would not let them pass.
    template <bool here>
    struct Columns {
      static constexpr int at_once = rows_of_lane, step = 32 * at_once;
      const Block& b;
      int left, k;
      A old_v[width], old_w[width], u[width], sum[width] = {};

      ONEPASS_DEVICE Columns(const Block& block, int first, int column) : b(block), left(first), k(column) {}
      ONEPASS_DEVICE bool is_there(int j) const { return left + j > k && left + j < b.n; }

      ONEPASS_DEVICE void pass(A lead) {
        A a[at_once][width], ahead[at_once][width];
        const int odd = b.n % 32;  // the last step is full
        int top = (larger(left, k + 1) + 32 - odd) / 32 * 32 - 32 + odd;
        load(top, a);
#pragma unroll
        for (int j = 0; j < width; ++j) {
          const int c = is_there(j) ? left + j : k;
          old_v[j] = choose(is_there(j), conjugate(b.v.get(c)), A{});
          old_w[j] = choose(is_there(j), conjugate(b.w.get(c)), A{});
          u[j] = choose(is_there(j), c == k + 1 ? lead : b.x.get(c), A{});
        }
        for (; top < b.n; top += step) {
          const Rows rows(b, top, k, lead);
          load(top + step, ahead);
          if (top < left + width)
            multiply<true>(top, a, rows);
          else
            multiply<false>(top, a, rows);
#pragma unroll
          for (int i = 0; i < at_once; ++i)
#pragma unroll
            for (int j = 0; j < width; ++j) a[i][j] = ahead[i][j];
        }
        const A total = transposed_sum<width>(b.ex, sum);
        const int j = b.lane / (32 / width);
        if (b.lane % (32 / width) == 0 && is_there(j)) b.of_columns.put(left + j, total);
      }

     private:
      // What the rows of a step have in common for all columns.
      struct Rows {
        A v[at_once], w[at_once], u[at_once], sum[at_once];
        ONEPASS_DEVICE Rows(const Block& b, int top, int k, A lead) {
#pragma unroll
          for (int i = 0; i < at_once; ++i) {
            const int r = top + 32 * i + b.lane;
            const bool there = r > k && r < b.n;
            const int at = there ? r : k;
            v[i] = choose(there, b.v.get(at), A{});
            w[i] = choose(there, b.w.get(at), A{});
            u[i] = choose(there, at == k + 1 ? lead : b.x.get(at), A{});
            sum[i] = b.of_rows.get(b.warp * b.n + at);
          }
        }
      };

      ONEPASS_DEVICE void load(int top, A (&a)[at_once][width]) const {
#pragma unroll
        for (int i = 0; i < at_once; ++i)
#pragma unroll
          for (int j = 0; j < width; ++j) {
            const int r = top + 32 * i + b.lane, c = left + j;
            const bool wanted = is_there(j) && r >= c && r < b.n;
            if constexpr (here)
              a[i][j] = wanted ? b.packed.get(b.packed_column(c) + r) : A{};
            else
              a[i][j] = wanted ? b.ex.load_matrix(b.column_of(c) + r) : A{};
          }
      }

      // diagonal: there are rows above it.
      template <bool diagonal>
      ONEPASS_DEVICE void multiply(int top, A (&a)[at_once][width], const Rows& rows) {
#pragma unroll
        for (int i = 0; i < at_once; ++i) {
          const int r = top + 32 * i + b.lane;
          const bool row_is_there = r > k && r < b.n;
          A of_row = rows.sum[i];
#pragma unroll
          for (int j = 0; j < width; ++j) {
            const int c = left + j;
            A value = subtract_product(subtract_product(a[i][j], rows.v[i], old_w[j]), rows.w[i], old_v[j]);
            if constexpr (diagonal) value = choose(r >= c, value, A{});
            of_row = multiply_add(of_row, value, u[j]);
            sum[j] = multiply_add(sum[j], conjugate(value), diagonal ? choose(r > c, rows.u[i], A{}) : rows.u[i]);
            if (!row_is_there || !is_there(j) || (diagonal && r < c)) continue;
            if constexpr (here)
              b.packed.put(b.packed_column(c) + r, value);
            else
              b.ex.store(b.column_of(c) + r, value);
          }
          if (row_is_there) b.of_rows.put(b.warp * b.n + r, of_row);
        }
      }
    };
  };
};

}  // namespace onepass::kernels
