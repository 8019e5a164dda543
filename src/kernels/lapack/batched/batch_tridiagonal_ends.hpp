// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the tridiagonal forms of many matrices have in common, whatever holds a matrix on its way: elements as they are
// stored, the largest of them, and T as the next launch takes it.
#pragma once

#include "kernels/lapack/batched/batch_matrix.hpp"

namespace onepass::kernels {

// A form with two diagonals, in shared memory.
template <class R, class Ex>
struct Diagonals {
  typename Ex::template Shared<R> d, e;
};
// Of order n, times a factor.
template <class R, class Ex>
ONEPASS_DEVICE void store_diagonals(Ex ex, const Diagonals<R, Ex>& t, int n, R* d, R* e, R factor) {
  for (int i = ex.thread(); i < n; i += ex.threads()) {
    ex.store(d + i, t.d.get(i) * factor);
    if (i + 1 < n) ex.store(e + i, t.e.get(i) * factor);
  }
}

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
    return kernels::block_largest<warps>(ex, numbers, value, at);
  }

  ONEPASS_DEVICE void store(const Diagonals<R, Ex>& t, bool finite, R scale) const {
    if (ex.thread() == 0) ex.store(g.not_finite + index, finite ? 0 : 1);
    if (g.batch.vectors)
      store_cut(t, scale);
    else
      store_diagonals<R, Ex>(ex, t, g.batch.n, static_cast<R*>(g.d) + index * g.rows,
                             static_cast<R*>(g.e) + index * g.rows,
                             finite ? ex.power_of_two_near_reciprocal(scale) : std::numeric_limits<R>::quiet_NaN());
  }

 private:
  // As DivideSetup does it.
  ONEPASS_DEVICE void store_cut(const Diagonals<R, Ex>& t, R scale_of_a) const {
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
};

}  // namespace onepass::kernels
