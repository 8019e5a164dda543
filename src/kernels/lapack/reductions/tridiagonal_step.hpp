// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the tridiagonalisations on the chip, by many blocks or by one, have in common: the matrix in memory, and the
// scalars of a step.
#pragma once

#include "kernels/lapack/reductions/tridiagonal_args.hpp"
#include "kernels/lapack/reflector.hpp"

namespace onepass::kernels {

template <class A, class Ex>
struct TridiagonalMatrix {
  using R = RealOf<A>;
  Ex ex;
  const TridiagonalArgs& g;

  ONEPASS_DEVICE A* element(int i, int j) const { return static_cast<A*>(g.a) + i * g.row_step + j * g.col_step; }
  // Of the whole matrix, from its stored triangle.
  ONEPASS_DEVICE A load(int i, int j) const {
    if (i >= g.n || j >= g.n) return A{};
    const A value = ex.load_matrix(i >= j ? element(i, j) : element(j, i));
    return i == j ? from_real<A>(real_part(value)) : i > j ? value : conjugate(value);
  }
  // d, e and tau of column k, and what LAPACK leaves of them in A.
  ONEPASS_DEVICE void store_step(int k, R diagonal, const Reflector<A>& h) const {
    const R scale = g.scale == nullptr ? R{1} : ex.load_matrix(static_cast<const R*>(g.scale) + 1);
    ex.store(static_cast<R*>(g.d) + k * g.vector_step, diagonal * scale);
    ex.store(element(k, k), from_real<A>(diagonal * scale));
    if (k + 1 >= g.n) return;
    ex.store(static_cast<R*>(g.e) + k * g.vector_step, h.beta * scale);
    ex.store(static_cast<A*>(g.tau) + k * g.vector_step, h.tau);
    ex.store(element(k + 1, k), from_real<A>(h.beta * scale));
  }
  // By one thread of all.
  ONEPASS_DEVICE void store_unit() const {
    if (g.unit != nullptr)
      ex.store(static_cast<A*>(g.unit), from_real<A>(ex.load_matrix(static_cast<const R*>(g.unit_value))));
  }
};

// Sums over the rows: p* x, and of u beyond element k + 2 |u|^2 and x* u.
template <class A>
struct TridiagonalSums {
  RealOf<A> sum[4] = {};

  ONEPASS_DEVICE void add(A p, A u, A x, A tau, bool beyond) {
    sum[0] += real_part(conjugate(p) * (tau * x));
    if (!beyond) return;
    sum[1] += abs2(u);
    const A uv = u * conjugate(x);
    sum[2] += real_part(uv);
    if constexpr (is_complex<A>) sum[3] += uv.im;
  }
  ONEPASS_DEVICE A cross() const {
    if constexpr (is_complex<A>)
      return {sum[2], sum[3]};
    else
      return sum[2];
  }
};

// What step k makes of p, c and x: w = p + half x; column k + 1 is u - gamma x with u = c - p; of it the diagonal,
// alpha below that, and |.|^2 of what is below alpha.
template <class A>
struct TridiagonalStep {
  using R = RealOf<A>;
  R half, diagonal{};
  A gamma, alpha;
  NextNorm<A> below;

  // p, c: elements k + 1 and k + 2, the latter zero where there is none. `rest`: |x|^2 beyond element k + 2.
  ONEPASS_DEVICE TridiagonalStep(const TridiagonalSums<A>& sums, const A (&p)[2], const A (&c)[2], A x2, R rest,
                                 const Reflector<A>& h)
      : half(-R{0.5} * sums.sum[0]),
        gamma(conjugate(p[0]) + from_real<A>(2 * half)),
        alpha(c[1] - p[1] - gamma * x2),
        below(sums.sum[1], sums.cross(), gamma, rest, h) {
    diagonal = real_part(c[0] - p[0] - gamma);
  }
  ONEPASS_DEVICE bool lost() const { return below.lost(alpha); }
  template <class Ex>
  ONEPASS_DEVICE Reflector<A> next(Ex ex) const {
    return reflector(ex, alpha, below.norm2, below.terms);
  }
};

}  // namespace onepass::kernels
