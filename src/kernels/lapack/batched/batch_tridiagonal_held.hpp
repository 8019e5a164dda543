// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Tridiagonal form of many matrices, a block for each that keeps all of it, both triangles, in registers
// (batch_held.hpp): A = Q T Q^H with two barriers of the block a column.
//
//   all warps    a(r, c) := a(r, c) - v_r w_c* - w_r v_c*,   p_c = sum_r a(r, c)* x_r,   row t of what is left
//   a barrier
//   the first    w = y - tau / 2 (y* x) x,  y = tau p;  column t - x w_t* - w x_t* is column t up to date, of which
//                d_t, e_t and the next reflector are made;  v := x, and x is the new one
//   the second   stores the last reflector, and its product with the one before
//   a barrier
//
// What follows from p alone takes longer by 32 lanes than by all, but others would wait, and several matrices share a
// multiprocessor.
//
// A larger matrix has a cluster of blocks: p and row t go to all of them, the first barrier is one of the cluster, and
// the first warp of each does the same.
#pragma once

#include "kernels/lapack/batched/batch_held.hpp"
#include "kernels/lapack/batched/batch_tridiagonal_ends.hpp"

namespace onepass::kernels {

template <class A, BatchHeldShape shape>
struct BatchTridiagonalHeld {
  using R = RealOf<A>;
  using Sizes = HeldSizes<A, shape>;
  using Row = HeldVectors<A>;
  static constexpr int N = Sizes::N, threads = Sizes::threads, warps = Sizes::warps, blocks = Sizes::blocks;
  static constexpr int max_threads = threads, min_blocks = shape.together;
  static constexpr int step = Sizes::step, phases = Sizes::phases;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BatchTridiagonalArgs& g) {
    Block<Ex>{ex, g, ex.block_x() / blocks, static_cast<int>(ex.block_x() % blocks)}.reduce();
  }

 private:
  // The reflector before, what goes with it, and the last reflector: twice N of each in shared memory, so that the next
  // may be written while these are read. Those of 4 bytes together: one load of 16 bytes.
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

    static constexpr int of_a = static_cast<int>(sizeof(A)), of_r = static_cast<int>(sizeof(R));
    static constexpr int at_p = 2 * N * (of_a == 4 ? 4 : 3) * of_a, at_c = at_p + 2 * N * of_a;
    static constexpr int at_columns = at_c + 2 * N * of_a;
    static constexpr int at_d = at_columns + Sizes::kept_elements * of_a, at_e = at_d + N * of_r;
    static constexpr int at_numbers = at_e + N * of_r, at_largest = at_numbers + 2 * warps * of_r;
    Vectors<Ex> vectors{ex};
    Shared<A> p = ex.template shared<A>(at_p), c = ex.template shared<A>(at_c);  // A x; row t; twice, as the vectors
    HeldMatrix<A, shape, Ex> matrix{ex, rank, ex.template shared<A>(at_columns)};
    Shared<R> d = ex.template shared<R>(at_d), e = ex.template shared<R>(at_e);
    Ends ends{ex, g, index, ex.template shared<R>(at_numbers)};

    A tau{};         // of x
    int buffer = 0;  // where the vectors are: 0 or N

    ONEPASS_DEVICE void reduce() {
      for (int i = ex.thread(); i < 2 * N; i += threads) vectors.put(i, {});
      for (int i = ex.thread(); i < 4 * N; i += threads) p.put(i, A{});  // and c
      R largest = 0;
      matrix.for_all([&](int i, int j) {
        const A value = stored(matrix.row_of(i) - skipped, matrix.column_of(j) - skipped);
        largest = larger(largest, magnitude(value));
        matrix.set(i, j, value);
      });
      largest = of_all_blocks(ends.block_largest(largest));
      const bool finite = largest <= std::numeric_limits<R>::max();
      const R scale = finite ? ex.power_of_two_near_reciprocal(largest) : R{0};
      matrix.for_all([&](int i, int j) { matrix.set(i, j, finite ? times_real(scale, matrix.get(i, j)) : A{}); });
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
      const auto of = [&](int i) { return vectors.get(buffer + i); };
      matrix.template update<first>(of, of, [&](int i, int block, A total) { give(p, i, block, total); });
      matrix.template with_row<first>(t, [&](int i, A value) {
#pragma unroll
        for (int block = 0; block < blocks; ++block) give(c, i, block, conjugate(value));
      });
    }
    ONEPASS_DEVICE void give(const Shared<A>& to, int i, int block, A value) const {
      if constexpr (blocks > 1)
        ex.put_in_cluster(to, buffer + i, block, value);
      else
        to.put(buffer + i, value);
    }
    static ONEPASS_DEVICE bool is_row(int slot, int r) { return 32 * (slot + 1) <= N || r < N; }
    // By the first warp: d_t, e_t, and the next reflector. x is zero above row t; what w has there transforms rows and
    // columns that are done, which nothing reads.
    template <int first>
    ONEPASS_DEVICE void lead(int t) {
      constexpr int top = first * step / 32, there = (N + 31) / 32 - top;
      A x[there], w[there], u[there], product{};
#pragma unroll
      for (int q = 0; q < there; ++q) {
        const int r = 32 * (top + q) + lane;
        const bool there_is = is_row(q + top, r);
        const int at = buffer + (there_is ? r : N - 1);
        x[q] = choose(there_is, vectors.get(at).x, A{});
        w[q] = tau * p.get(at);
        u[q] = c.get(at);
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
        if (r > t + 1 && is_row(q + top, r)) norm2 += abs2(u[q]);
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
        if (is_row(q + top, r)) vectors.put(N - buffer + r, {x[q], w[q], next_x});
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
        if (r < t || !is_row(q, r)) continue;
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

}  // namespace onepass::kernels
