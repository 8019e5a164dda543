// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the tridiagonal forms of many matrices have in common, whatever holds a matrix on its way: elements as they are
// stored, the largest of them, and T as the next launch takes it.
#pragma once

#include "kernels/lapack/batch_matrix.hpp"

namespace onepass::kernels {

template <class A, int threads, class Ex>
struct BatchTridiagonalEnds {
  using R = RealOf<A>;
  static constexpr int warps = threads / 32;
  Ex ex;
  const BatchTridiagonalArgs& g;
  std::int64_t index;
  typename Ex::template Shared<R> numbers;  // 2 of each warp

  // An element of the triangle that is stored.
  ONEPASS_DEVICE A stored(int r, int c) const {
    const A value = ex.load_matrix(matrix_of<A>(ex, g.batch, index) + r + c * g.batch.lda);
    return r == c ? from_real<A>(real_part(value)) : value;
  }

  ONEPASS_DEVICE R block_largest(R value, int at = 0) const {
    const int lane = ex.thread() & 31, warp = ex.thread() >> 5;
    for (int mask = 16; mask > 0; mask /= 2) value = larger(value, ex.shuffle_xor(value, mask));
    if (lane == 0) numbers.put(at * warps + warp, value);
    ex.sync();
    for (int i = 0; i < warps; ++i) value = larger(value, numbers.get(at * warps + i));
    return value;
  }

  // T, in shared memory.
  struct Diagonals {
    typename Ex::template Shared<R> d, e;
  };
  ONEPASS_DEVICE void store(const Diagonals& t, bool finite, R scale) const {
    if (ex.thread() == 0) ex.store(g.not_finite + index, finite ? 0 : 1);
    if (g.batch.vectors)
      store_cut(t, scale);
    else
      store_whole(t, finite, ex.power_of_two_near_reciprocal(scale));
  }

 private:
  // As DivideSetup does it.
  ONEPASS_DEVICE void store_cut(const Diagonals& t, R scale_of_a) const {
    const int n = g.batch.n;
    R largest_d = 0, largest_e = 0;
    for (int i = ex.thread(); i < n; i += threads) {
      largest_d = larger(largest_d, absolute(t.d.get(i)));
      if (i + 1 < n) largest_e = larger(largest_e, absolute(t.e.get(i)));
    }
    const R bound = block_largest(largest_d, 0) / 4 + block_largest(largest_e, 1) / 2;
    const R scale = ex.power_of_two_near_reciprocal(bound) / 8;
    const auto beside = [&](int i) { return i >= 0 && i + 1 < n ? t.e.get(i) * scale : R{0}; };
    for (int i = ex.thread(); i < g.rows; i += threads) {
      const R left = i % g.leaf == 0 ? absolute(beside(i - 1)) : R{0};
      const R right = (i + 1) % g.leaf == 0 ? absolute(beside(i)) : R{0};
      ex.store(static_cast<R*>(g.d) + index * g.rows + i, i < n ? t.d.get(i) * scale - left - right : R{2});
      ex.store(static_cast<R*>(g.e) + index * g.rows + i, beside(i));
    }
    if (ex.thread() != 0) return;
    ex.store(static_cast<R*>(g.back) + 2 * index, ex.power_of_two_near_reciprocal(scale));
    ex.store(static_cast<R*>(g.back) + 2 * index + 1,
             scale_of_a > 0 ? ex.power_of_two_near_reciprocal(scale_of_a) : R{1});
  }
  ONEPASS_DEVICE void store_whole(const Diagonals& t, bool finite, R back) const {
    const int n = g.batch.n;
    const R none = std::numeric_limits<R>::quiet_NaN();
    for (int i = ex.thread(); i < n; i += threads) {
      ex.store(static_cast<R*>(g.d) + index * g.rows + i, finite ? t.d.get(i) * back : none);
      if (i + 1 < n) ex.store(static_cast<R*>(g.e) + index * g.rows + i, finite ? t.e.get(i) * back : none);
    }
  }
};

}  // namespace onepass::kernels
