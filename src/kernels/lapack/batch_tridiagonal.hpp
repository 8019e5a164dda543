// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Tridiagonal form of many matrices, a block for each: A = Q T Q^H, of the lower triangle. It lies packed in shared
// memory; the first columns of one that does not fit stay in global memory, where few passes need them.
//
// One pass over the triangle for a column: the update of the column before it is made on the way,
//
//   x = column k, updated;  u = x, but for its first element alpha - beta;  v = u scale = (1, x scale)
//   a(r, c) := a(r, c) - v'_r w'_c - w'_r v'_c,   p_r += a(r, c) u_c,   p_c += a(r, c) u_r      v', w' of the last
//   column w = y - tau / 2 (y^H v) v,  y = tau scale p
//
// Between the three barriers of a column a thread has the same rows, and there is nothing to wait for but sums: of
// |x|^2, of p, and of y^H v.
//
// A warp takes four columns at a time, always the same ones, and lanes take rows: every element has one thread, which
// loads it once and stores it once a pass. Sums of columns go over the lanes of a warp, and each warp has its own sums
// of rows.
#pragma once

#include "kernels/lapack/batch_matrix.hpp"

namespace onepass::kernels {

// all_on_chip: none of the columns is in global memory.
template <class A, int threads, bool all_on_chip>
struct BatchTridiagonal {
  using R = RealOf<A>;
  static constexpr int max_threads = threads, min_blocks = 512 / threads, warps = threads / 32;
  static constexpr int width = sizeof(A) < 16 ? batch_tridiagonal_columns : batch_tridiagonal_columns / 2;

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
    int off_chip = all_on_chip ? 0 : g.off_chip;  // columns in global memory
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
    Shared<R> sums = ex.template shared<R>(after(all, 2 * n));  // 2 warps for norms, 8 for products, 2 for the largest
    static constexpr int of_norms = 0, of_products = 2 * warps, of_largest = 10 * warps;

    // Where element r of column c is in shared memory, less r.
    ONEPASS_DEVICE int packed_column(int c) const {
      const int column = c - off_chip;
      return column * on_chip - column * (column + 1) / 2 - off_chip;
    }
    ONEPASS_DEVICE A* column_of(int c) const { return out + static_cast<std::int64_t>(c) * n; }
    ONEPASS_DEVICE bool is_on_chip(int c) const { return all_on_chip || c >= off_chip; }
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
      const R largest = block_largest(largest_of_stored());
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
      block_sums<warps>(ex, ex.template shared<R>(after(all, 2 * n + of_norms)), 0, norm2);
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
      constexpr int each = is_complex<A> ? 2 : 1;
      R parts[2 * each];
      if constexpr (is_complex<A>) {
        parts[0] = product.re, parts[1] = product.im, parts[2] = coupling.re, parts[3] = coupling.im;
      } else {
        parts[0] = product, parts[1] = coupling;
      }
      block_sums<warps>(ex, ex.template shared<R>(after(all, 2 * n + of_products)), 0, parts);
      if constexpr (is_complex<A>) {
        product = {parts[0], parts[1]};
        coupling = {parts[2], parts[3]};
      } else {
        product = parts[0];
        coupling = parts[1];
      }
      if (g.batch.vectors && thread == 0) ex.store(static_cast<A*>(g.coupling) + index * n + k, coupling);
      return times_real(R{-0.5}, h.tau) * product;
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

    // `width` columns, from `left` on, those up to k with zeros for v, w and u: they stay as they are. Elements of
    // `depth` steps of 32 rows are on their way at a time, each in registers of its own: a move from one to another
    // would wait for them. What is not needed in every step is left to the first one, which alone has rows above the
    // diagonal, up to k, or k + 1: most of the time of a pass goes into instructions beside the products.
    template <bool here>
    struct Columns {
      static constexpr int depth = here ? 2 : 4;
      const Block& b;
      int left, k;
      int at[width] = {};   // of each column in shared memory, and
      A* from[width] = {};  // in global memory, less the row
      A old_v[width], old_w[width], u[width], sum[width] = {};

      ONEPASS_DEVICE Columns(const Block& block, int first, int column) : b(block), left(first), k(column) {}

      ONEPASS_DEVICE void pass(A lead) {
        int top = larger(left, k + 1) / 32 * 32;
        A a[depth][width];
#pragma unroll
        for (int j = 0; j < width; ++j) {
          const int c = left + j < b.n ? left + j : b.n - 1;
          if constexpr (here)
            at[j] = b.packed_column(c);
          else
            from[j] = b.column_of(c);
          a[0][j] = is_lower(top, j) ? get(j, top + b.lane) : A{};
          old_v[j] = choose(c > k, conjugate(b.v.get(c)), A{});
          old_w[j] = choose(c > k, conjugate(b.w.get(c)), A{});
          u[j] = choose(c > k, c == k + 1 ? lead : b.x.get(c), A{});
        }
#pragma unroll
        for (int i = 1; i < depth; ++i) load(top + i * 32, a[i]);
        multiply_first(top, a[0], lead);
        load(top + depth * 32, a[0]);
        top += 32;
        while (top < b.n) {
#pragma unroll
          for (int i = 1; i <= depth; ++i) {
            if (top >= b.n) continue;
            multiply(top, a[i % depth]);
            load(top + depth * 32, a[i % depth]);
            top += 32;
          }
        }
        const A total = transposed_sum<width>(b.ex, sum);
        const int c = left + b.lane / (32 / width);
        if (b.lane % (32 / width) == 0 && c > k && c < b.n) b.of_columns.put(c, total);
      }

     private:
      ONEPASS_DEVICE bool is_lower(int top, int j) const {
        const int r = top + b.lane;
        return r >= left + j && r < b.n;
      }
      ONEPASS_DEVICE A get(int j, int r) const {
        if constexpr (here)
          return b.packed.get(at[j] + r);
        else
          return b.ex.load_matrix(from[j] + r);
      }
      ONEPASS_DEVICE void put(int j, int r, A value) const {
        if constexpr (here)
          b.packed.put(at[j] + r, value);
        else
          b.ex.store(from[j] + r, value);
      }
      // Below the diagonal.
      ONEPASS_DEVICE void load(int top, A (&a)[width]) const {
        if (top >= b.n) return;
        const int r = top + b.lane;
#pragma unroll
        for (int j = 0; j < width; ++j) a[j] = r < b.n ? get(j, r) : A{};
      }
      ONEPASS_DEVICE A updated(A a, int j, A v_r, A w_r) const {
        return subtract_product(subtract_product(a, v_r, old_w[j]), w_r, old_v[j]);
      }

      ONEPASS_DEVICE void multiply_first(int top, const A (&a)[width], A lead) {
        const int r = top + b.lane;
        const bool there = r > k && r < b.n;
        const int row = there ? r : k, place = b.warp * b.n + row;
        const A v_r = choose(there, b.v.get(row), A{}), w_r = choose(there, b.w.get(row), A{});
        const A u_r = choose(there, row == k + 1 ? lead : b.x.get(row), A{});
        A of_row = b.of_rows.get(place), value[width];
#pragma unroll
        for (int j = 0; j < width; ++j) {
          value[j] = choose(is_lower(top, j), updated(a[j], j, v_r, w_r), A{});
          of_row = multiply_add(of_row, value[j], u[j]);
          sum[j] = multiply_add(sum[j], conjugate(value[j]), choose(r > left + j, u_r, A{}));
        }
#pragma unroll
        for (int j = 0; j < width; ++j)
          if (there && is_lower(top, j)) put(j, r, value[j]);
        if (there) b.of_rows.put(place, of_row);
      }
      ONEPASS_DEVICE void multiply(int top, const A (&a)[width]) {
        const int r = top + b.lane;
        const bool there = r < b.n;
        const int row = there ? r : b.n - 1, place = b.warp * b.n + r;
        const A v_r = b.v.get(row), w_r = b.w.get(row), u_r = choose(there, b.x.get(row), A{});
        A of_row = there ? b.of_rows.get(place) : A{}, value[width];
#pragma unroll
        for (int j = 0; j < width; ++j) {
          value[j] = updated(a[j], j, v_r, w_r);
          of_row = multiply_add(of_row, value[j], u[j]);
          sum[j] = multiply_add(sum[j], conjugate(value[j]), u_r);
        }
        if (!there) return;
#pragma unroll
        for (int j = 0; j < width; ++j) put(j, r, value[j]);
        b.of_rows.put(place, of_row);
      }
    };

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
