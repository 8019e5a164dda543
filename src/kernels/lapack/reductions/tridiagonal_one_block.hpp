// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Reduces a small symmetric or Hermitian matrix to tridiagonal form by one block, with two barriers of the block a
// column: also what is left when a larger matrix has become small.
//
//        columns, dealt to warps      The matrix, both triangles, is in registers. A warp has columns warp, warp + 8,
//        0   1   2   3   ...          ...; of each its lanes have elements lane, lane + 32, ...
//      +---+---+---+---+---
// lane | a | a | a | a | a            The steps are those of tridiagonal.hpp, with a barrier of the block for that of
// the
//      +---+---+---+---+---           grid. Every warp has the vectors v, w, x whole, and does for itself what follows
// + 32 | a | a | a | a | a            from p and c, with the same bits: no sum goes over the block.
#pragma once

#include "kernels/lapack/reductions/tridiagonal_shared.hpp"
#include "kernels/lapack/reductions/tridiagonal_step.hpp"

namespace onepass::kernels {

// RT: elements of a column that a lane has.
template <class A, int RT>
struct TridiagonalOneBlock {
  using R = RealOf<A>;
  static constexpr int max_threads = one_block_threads, min_blocks = 1, warps = max_threads / 32;
  static constexpr int rows = 32 * RT;                          // of the largest matrix
  static constexpr int columns = rows / warps, together = 4;    // of a warp, and those summed together
  static constexpr int at_v = 0, at_w = rows, at_x = 2 * rows;  // in shared memory
  static constexpr int at_p = 3 * rows, at_c = 4 * rows, elements = 5 * rows;
  static constexpr std::size_t shared_bytes = one_block_shared_bytes(RT, sizeof(A));
  static_assert(shared_bytes == elements * sizeof(A) && columns % together == 0);

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const TridiagonalArgs& g) {
    Block<Ex> s{{.ex = ex, .g = g}, ex.thread() & 31, ex.thread() >> 5, ex.template shared<A>(0)};
    s.reduce();
  }

 private:
  template <class Ex>
  struct Block : TridiagonalMatrix<A, Ex> {
    using Matrix = TridiagonalMatrix<A, Ex>;
    using Matrix::ex, Matrix::g, Matrix::load;
    int lane, warp;
    typename Ex::template Shared<A> shared;
    A a[columns][RT] = {}, v[RT] = {}, w[RT] = {}, x[RT] = {}, u[RT] = {};

    ONEPASS_DEVICE int row(int r) const { return lane + 32 * r; }
    ONEPASS_DEVICE int column(int l) const { return warp + warps * l; }
    ONEPASS_DEVICE A p_at(int i, int k) const { return i > k && i < g.n ? shared.get(at_p + i) : A{}; }
    ONEPASS_DEVICE A c_at(int i, int k) const { return i > k && i < g.n ? shared.get(at_c + i) : A{}; }
    ONEPASS_DEVICE A x_at(int i) const { return i < g.n ? shared.get(at_x + i) : A{}; }

    ONEPASS_DEVICE void reduce() {
#pragma unroll
      for (int l = 0; l < columns; ++l)
#pragma unroll
        for (int r = 0; r < RT; ++r) a[l][r] = load(row(r), column(l));
#pragma unroll
      for (int r = 0; r < RT; ++r) u[r] = row(r) > 1 ? load(row(r), 0) : A{};
      Reflector<A> h = plain(load(1, 0));
      set_x(1, h);
      R diagonal = real_part(load(0, 0));
      ex.sync();
      A x2 = x_at(2);                             // element k + 2
      R rest = larger(h.norm2 - abs2(x2), R{0});  // of x beyond it
      if (ex.thread() == 0) this->store_unit();

      for (int k = 0; k < g.steps; ++k) {
        multiply(k, h.tau);
        ex.sync();
        if (warp == k % warps) {
#pragma unroll
          for (int r = 0; r < RT; ++r)
            if (row(r) > k + 1 && row(r) < g.n) ex.store(this->element(row(r), k), x[r]);
          if (lane == 0) this->store_step(k, diagonal, h);
        }

        const A next_p[] = {p_at(k + 1, k), p_at(k + 2, k)}, next_c[] = {c_at(k + 1, k), c_at(k + 2, k)};
        TridiagonalSums<A> sums;
#pragma unroll
        for (int r = 0; r < RT; ++r) {
          w[r] = p_at(row(r), k);
          u[r] = c_at(row(r), k) - w[r];
          sums.add(w[r], u[r], x[r], h.tau, row(r) > k + 2);
        }
        const R total = transposed_sum<4>(ex, sums.sum);
#pragma unroll
        for (int q = 0; q < 4; ++q) sums.sum[q] = ex.shuffle_from(total, 8 * q);
        const TridiagonalStep<A> step(sums, next_p, next_c, x2, rest, h);
        diagonal = step.diagonal;
        if (k + 1 == g.steps) break;
#pragma unroll
        for (int r = 0; r < RT; ++r) {
          w[r] = w[r] + from_real<A>(step.half) * x[r];
          u[r] = row(r) > k + 2 ? u[r] - step.gamma * x[r] : A{};
        }
        h = step.lost() ? plain(step.alpha) : step.next(ex);
        set_x(k + 2, h);
        ex.sync();
        x2 = x_at(k + 3);
        rest = larger(h.norm2 - abs2(x2), R{0});
      }
      if (ex.thread() == 0) this->store_step(g.n - 1, diagonal, h);
    }

    // x, with its 1 in row `first`, is the next Householder vector, and the last one is v. Also for all warps, which
    // read single elements.
    ONEPASS_DEVICE void set_x(int first, const Reflector<A>& h) {
#pragma unroll
      for (int r = 0; r < RT; ++r) {
        v[r] = x[r];
        x[r] = row(r) == first ? from_real<A>(R{1}) : h.apply(u[r]);
        if (warp == r) {
          shared.put(at_v + row(r), v[r]);
          shared.put(at_w + row(r), w[r]);
          shared.put(at_x + row(r), x[r]);
        }
      }
    }

    // A_j -= v w_j* + w v_j*, p_j = tau A_j* x, and c_j, element k + 1 of the column.
    ONEPASS_DEVICE void multiply(int k, A tau) {
#pragma unroll
      for (int l0 = 0; l0 < columns; l0 += together) {
        if (column(l0 + together - 1) <= k || column(l0) >= g.n) continue;
        A sum[together] = {}, v_of[together], w_of[together];
#pragma unroll
        for (int e = 0; e < together; ++e) {
          v_of[e] = conjugate(shared.get(at_v + column(l0 + e)));
          w_of[e] = conjugate(shared.get(at_w + column(l0 + e)));
        }
#pragma unroll
        for (int r = 0; r < RT; ++r) {
          if (32 * (r + 1) <= k + 1 || 32 * r >= g.n) continue;
#pragma unroll
          for (int e = 0; e < together; ++e) {
            A& value = a[l0 + e][r];
            value = subtract_product(subtract_product(value, v[r], w_of[e]), w[r], v_of[e]);
            sum[e] = multiply_add(sum[e], conjugate(value), x[r]);
            if (row(r) == k + 1) shared.put(at_c + column(l0 + e), conjugate(value));
          }
        }
        const A total = transposed_sum<together>(ex, sum);
        if (lane % (32 / together) == 0) shared.put(at_p + column(l0 + lane / (32 / together)), tau * total);
      }
    }

    // The reflector of alpha and u, scaled so that no square overflows or is lost.
    ONEPASS_DEVICE Reflector<A> plain(A alpha) const {
      R largest = larger(absolute(real_part(alpha)), absolute(imaginary_part(alpha)));
#pragma unroll
      for (int r = 0; r < RT; ++r)
        largest = larger(largest, larger(absolute(real_part(u[r])), absolute(imaginary_part(u[r]))));
      for (int mask = 16; mask > 0; mask /= 2) largest = larger(largest, ex.shuffle_xor(largest, mask));
      const R power = ex.power_of_two_near_reciprocal(largest);
      R sum = 0;
#pragma unroll
      for (int r = 0; r < RT; ++r) sum += abs2(from_real<A>(power) * u[r]);
      for (int mask = 16; mask > 0; mask /= 2) sum += ex.shuffle_xor(sum, mask);
      Reflector<A> h = reflector(ex, from_real<A>(power) * alpha, sum);
      h.beta = h.beta * ex.power_of_two_near_reciprocal(power);
      h.power = power;
      return h;
    }
  };
};

}  // namespace onepass::kernels
