// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Tridiagonal form of many matrices, a block for each that keeps all of it, both triangles, in registers, or the first
// columns, which vanish first, in shared memory: A = Q T Q^H with two barriers of the block a column.
//
//                 along               Threads are a grid of `down` x `along`, and each has every down-th row of
//        0   1   2   ...   0   1      every along-th column: what is left of the matrix is spread over all of them.
//      +---+---+---+ - - +---+---+    The lanes of a warp are `down` x 32 / down of this grid.
//    0 |   |   |   |     |   |   |
// down 1                              A smaller matrix is the last rows and columns of the square.
//      |   |   |   |     |   |   |
//
//   all warps    a(r, c) := a(r, c) - v_r w_c* - w_r v_c*,   p_c = sum_r a(r, c)* x_r,   row t of what is left
//   a barrier
//   the first    w = y - tau / 2 (y* x) x,  y = tau p;  column t - x w_t* - w x_t* is column t up to date, of which
//                d_t, e_t and the next reflector are made;  v := x, and x is the new one
//   the second   stores the last reflector, and its product with the one before
//   a barrier
//
// What follows from p alone takes longer by 32 lanes than by all, but others would wait, and several matrices share a
// multiprocessor. Rows that are done are skipped some at a time, by code of its own for each.
//
// A larger matrix has a cluster of blocks, each of which has some columns of every group of threads: p and row t go to
// all of them, the first barrier is one of the cluster, and the first warp of each does the same.
#pragma once

#include <bit>

#include "kernels/lapack/batch_tridiagonal_ends.hpp"

namespace onepass::kernels {

template <class A, BatchHeldShape shape>
struct BatchTridiagonalHeld {
  using R = RealOf<A>;
  static constexpr int N = shape.rows, threads = shape.threads, held = shape.kept, down = shape.down;
  static constexpr int max_threads = threads, min_blocks = shape.together, warps = threads / 32;
  static constexpr int blocks = shape.blocks, here = threads / down;  // of a matrix; threads of a row in this block
  static constexpr int along = shape.along(), line = batch_held_line(shape);
  static constexpr int rows = N / down, columns = N / along;  // of a thread
  // Rows that are skipped at a time: a sixth of all at most, if threads have as few.
  static constexpr int step = [] {
    int most = down;
    for (int more = down; 6 * more <= N; more += down)
      if (N % more == 0) most = more;
    return most;
  }();
  static constexpr int phases = N / step;
  static_assert(N % along == 0 && N % down == 0 && warps > 1 && held < columns);

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BatchTridiagonalArgs& g) {
    Block<Ex>{ex, g, ex.block_x() / blocks, static_cast<int>(ex.block_x() % blocks)}.reduce();
  }

 private:
  // Of one row: the reflector before, what goes with it, and the last reflector.
  struct Row {
    A v, w, x;
  };
  // Twice N of them in shared memory, so that the next may be written while these are read. Those of 4 bytes together:
  // one load of 16 bytes.
  template <class Ex>
  struct Vectors {
    struct alignas(16) Packed {
      A v, w, x, unused;
    };
    static constexpr bool packed = sizeof(Packed) == 16;
    Ex ex;
    ONEPASS_DEVICE auto all() const { return ex.template shared<Packed>(0); }
    ONEPASS_DEVICE auto array(int which) const {
      return ex.template shared<A>(which * 2 * N * static_cast<int>(sizeof(A)));
    }
    ONEPASS_DEVICE Row get(int at) const {
      if constexpr (packed) {
        const Packed row = all().get(at);
        return {row.v, row.w, row.x};
      } else {
        return {array(0).get(at), array(1).get(at), array(2).get(at)};
      }
    }
    ONEPASS_DEVICE void put(int at, const Row& row) const {
      if constexpr (packed) {
        all().put(at, {row.v, row.w, row.x, A{}});
      } else {
        array(0).put(at, row.v);
        array(1).put(at, row.w);
        array(2).put(at, row.x);
      }
    }
  };

  template <class Ex>
  struct Block {
    template <class T>
    using Shared = typename Ex::template Shared<T>;
    using Ends = BatchTridiagonalEnds<A, threads, Ex>;

    Ex ex;
    const BatchTridiagonalArgs& g;
    std::int64_t index;
    int rank;                            // of this block
    int n = g.batch.n, skipped = N - n;  // rows before the first
    int lane = ex.thread() & 31, warp = ex.thread() >> 5;
    int row = lane % down, column = warp * (32 / down) + lane / down;  // the first ones of this thread, in this block

    static constexpr int of_a = static_cast<int>(sizeof(A)), of_r = static_cast<int>(sizeof(R));
    static constexpr int at_p = 2 * N * (of_a == 4 ? 4 : 3) * of_a, at_c = at_p + 2 * N * of_a;
    static constexpr int at_columns = at_c + 2 * N * of_a;
    static constexpr int at_d = at_columns + held * here * line * of_a, at_e = at_d + N * of_r;
    static constexpr int at_numbers = at_e + N * of_r, at_largest = at_numbers + 2 * warps * of_r;
    Vectors<Ex> vectors{ex};
    Shared<A> p = ex.template shared<A>(at_p), c = ex.template shared<A>(at_c);  // A x; row t; twice, as the vectors
    Shared<A> kept = ex.template shared<A>(at_columns);                          // columns in shared memory
    Shared<R> d = ex.template shared<R>(at_d), e = ex.template shared<R>(at_e);
    Ends ends{ex, g, index, ex.template shared<R>(at_numbers)};

    A a[rows][columns - held] = {};
    A tau{};         // of x
    int buffer = 0;  // where the vectors are: 0 or N

    ONEPASS_DEVICE int row_of(int i) const { return row + down * i; }
    ONEPASS_DEVICE int column_of(int j) const { return rank * here + column + along * j; }
    ONEPASS_DEVICE int kept_at(int i, int j) const { return (column + here * j) * line + row_of(i); }
    ONEPASS_DEVICE A get(int i, int j) const {
      return j < held ? kept.get(kept_at(i, j)) : a[i][j < held ? 0 : j - held];
    }
    ONEPASS_DEVICE void set(int i, int j, A value) {
      if (j < held)
        kept.put(kept_at(i, j), value);
      else
        a[i][j < held ? 0 : j - held] = value;
    }
    template <class F>
    ONEPASS_DEVICE void for_all(F f) {
#pragma unroll
      for (int i = 0; i < rows; ++i)
#pragma unroll
        for (int j = 0; j < columns; ++j) f(i, j);
    }

    ONEPASS_DEVICE void reduce() {
      R largest = 0;
      for_all([&](int i, int j) {
        const A value = stored(row_of(i) - skipped, column_of(j) - skipped);
        largest = larger(largest, magnitude(value));
        set(i, j, value);
      });
      largest = of_all_blocks(ends.block_largest(largest));
      const bool finite = largest <= std::numeric_limits<R>::max();
      const R scale = finite ? ex.power_of_two_near_reciprocal(largest) : R{0};
      for_all([&](int i, int j) { set(i, j, finite ? times_real(scale, get(i, j)) : A{}); });
      for (int i = ex.thread(); i < 2 * N; i += threads) vectors.put(i, {});
      ex.sync();
      reduce_from<0>();
      const int first = skipped * of_r;
      if (rank > 0) return;
      ends.store({ex.template shared<R>(at_d + first), ex.template shared<R>(at_e + first)}, finite, scale);
    }

    ONEPASS_DEVICE R of_all_blocks(R largest) const {
      if constexpr (blocks == 1) return largest;
      const auto of_blocks = ex.template shared<R>(at_largest);
      ex.cluster_barrier();  // all have begun
      if (ex.thread() < blocks) ex.put_in_cluster(of_blocks, rank, ex.thread(), largest);
      ex.cluster_barrier();
      for (int i = 0; i < blocks; ++i) largest = larger(largest, of_blocks.get(i));
      return largest;
    }

    // Either triangle, from the one that is stored.
    ONEPASS_DEVICE A stored(int r, int c) const {
      if (r < 0 || c < 0) return A{};
      const bool here = g.batch.lower ? r >= c : r <= c;
      return conjugate_if(!here, ends.stored(here ? r : c, here ? c : r));
    }

    template <int first>
    ONEPASS_DEVICE void reduce_from() {
#pragma unroll 1
      for (int t = larger(skipped, first * step); t < (first + 1) * step; ++t) {
        multiply<first>(t);
        if constexpr (blocks > 1)
          ex.cluster_barrier();
        else
          ex.sync();
        if (warp == 0)
          lead<first>(t);
        else if (warp == 1 && rank == 0 && g.batch.vectors && t > skipped)
          keep<first>(t);
        ex.sync();
        buffer = N - buffer;
      }
      if constexpr (first + 1 < phases) reduce_from<first + 1>();
    }

    // By all warps.
    template <int first>
    ONEPASS_DEVICE void multiply(int t) {
      constexpr int top = first * step / down, left = first * step / along, there = columns - left;
      constexpr int padded = static_cast<int>(std::bit_ceil(static_cast<unsigned>(there)));
      static_assert(padded <= down);
      A v[there], w[there], sum[padded] = {};
#pragma unroll
      for (int j = 0; j < there; ++j) {
        const Row of = vectors.get(buffer + column_of(left + j));
        v[j] = conjugate(of.v);
        w[j] = conjugate(of.w);
      }
#pragma unroll
      for (int i = top; i < rows; ++i) {
        const Row of = vectors.get(buffer + row_of(i));
#pragma unroll
        for (int j = 0; j < there; ++j) {
          const A value = subtract_product(subtract_product(get(i, left + j), of.v, w[j]), of.w, v[j]);
          set(i, left + j, value);
          sum[j] = multiply_add(sum[j], conjugate(value), of.x);
        }
      }
      const A total = transposed_sum<padded, down>(ex, sum);
      constexpr int same = down / padded;  // lanes that have it
      const int which = row / same;
#pragma unroll
      for (int to = 0; to < blocks; to += same)
        if (which < there && to + row % same < blocks) give(p, column_of(left + which), to + row % same, total);
      if (t % down != row) return;
#pragma unroll
      for (int j = 0; j < there; ++j) {
        A value = get(top, left + j);
#pragma unroll
        for (int i = 1; i < step / down; ++i) value = choose(t / down == top + i, get(top + i, left + j), value);
#pragma unroll
        for (int block = 0; block < blocks; ++block) give(c, column_of(left + j), block, conjugate(value));
      }
    }
    ONEPASS_DEVICE void give(const Shared<A>& to, int i, int block, A value) const {
      if constexpr (blocks > 1)
        ex.put_in_cluster(to, buffer + i, block, value);
      else
        to.put(buffer + i, value);
    }
    static ONEPASS_DEVICE bool is_row(int r) { return N % 32 == 0 || r < N; }
    // By the first warp: d_t, e_t, and the next reflector.
    template <int first>
    ONEPASS_DEVICE void lead(int t) {
      constexpr int top = first * step / 32, there = (N + 31) / 32 - top;
      A x[there], w[there], u[there], product{};
#pragma unroll
      for (int q = 0; q < there; ++q) {
        const int r = 32 * (top + q) + lane;
        const bool left = r >= t && is_row(r);
        const int at = left ? r : t;
        x[q] = choose(left, vectors.get(buffer + at).x, A{});
        w[q] = choose(left, tau * p.get(buffer + at), A{});
        u[q] = choose(left, c.get(buffer + at), A{});
        product = multiply_add(product, conjugate(w[q]), x[q]);
      }
      const int next = t + 1 < N ? t + 1 : t;
      const A p_t = tau * p.get(buffer + t), p_next = tau * p.get(buffer + next), x_next = vectors.get(buffer + next).x;
      const A c_next = c.get(buffer + next), factor = times_real(R{-0.5}, tau) * warp_sum(ex, product);
      const A w_t = conjugate(p_t + factor), alpha = c_next - x_next * w_t - multiply_add(p_next, factor, x_next);
      R norm2 = 0;
#pragma unroll
      for (int q = 0; q < there; ++q) {
        const int r = 32 * (top + q) + lane;
        w[q] = multiply_add(w[q], factor, x[q]);
        u[q] = subtract_product(u[q], x[q], w_t) - w[q];
        if (r == t) d.put(t, real_part(u[q]));
        if (r > t + 1) norm2 += abs2(u[q]);
      }
      if (t + 1 == N) return;
      const Reflector<A> h = reflector_of_scaled(ex, alpha, warp_sum(ex, norm2));
      tau = h.tau;
      if (lane == 0) {
        e.put(t, h.beta);
        if (g.batch.vectors && rank == 0) ex.store(static_cast<A*>(g.tau) + index * n + t - skipped, tau);
      }
#pragma unroll
      for (int q = 0; q < there; ++q) {
        const int r = 32 * (top + q) + lane;
        const A next_x = r == t + 1 ? from_real<A>(1) : choose(r > t, u[q] * h.scale, A{});
        if (is_row(r)) vectors.put(N - buffer + r, {choose(r > t, x[q], A{}), choose(r > t, w[q], A{}), next_x});
      }
    }

    // By the second: x, and v* x.
    template <int first>
    ONEPASS_DEVICE void keep(int t) const {
      constexpr int top = first * step / 32;
      const std::int64_t reflector = t - 1 - skipped;
      A* const to = static_cast<A*>(g.v) + (index * n + reflector) * n - skipped;
      A coupling{};
#pragma unroll
      for (int q = top; q < (N + 31) / 32; ++q) {
        const int r = 32 * q + lane;
        if (r < t || !is_row(r)) continue;
        const Row of = vectors.get(buffer + r);
        ex.store(to + r, of.x);
        if constexpr (!batch_applies_blocks(sizeof(R))) coupling = multiply_add(coupling, conjugate(of.v), of.x);
      }
      if constexpr (batch_applies_blocks(sizeof(R))) return;
      coupling = warp_sum(ex, coupling);
      if (lane == 0) ex.store(static_cast<A*>(g.coupling) + index * n + reflector, coupling);
    }
  };
};

// What f makes of the kernel for a square of so many rows.
template <class A, std::size_t i = 0, class F>
auto with_held(int rows, F f) {
  constexpr auto shapes = batch_held_shapes(sizeof(A));
  constexpr BatchHeldShape shape = shapes[i];
  if constexpr (i + 1 < shapes.size())
    if (rows != shape.rows) return with_held<A, i + 1>(rows, f);
  return f.template operator()<BatchTridiagonalHeld<A, shape>>();
}

}  // namespace onepass::kernels
