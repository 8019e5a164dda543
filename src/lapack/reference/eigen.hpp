// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A Hermitian eigenproblem in wider numbers: reflectors one by one, then QR; rounded once, at the end.
#pragma once

#include <limits>

#include "lapack/reference/reduce.hpp"
#include "lapack/tridiagonal_qr.hpp"
#include "lapack/wanted.hpp"

namespace onepass::lapack::reference {

// A = V diag(w) V^H
template <class T>
void eigen(const LapackProblem& p, const LapackOperands& o, Matrix<T> a) {
  using W = Wide<T>;
  const std::int64_t n = p.n;
  WideMatrix<W> t(n, n), v(n, n);
  for (std::int64_t c = 0; c < n; ++c) {
    v(c, c) = W{1};
    t(c, c) = W(real(converted<W>(a(c, c))));
    for (std::int64_t r = c + 1; r < n; ++r) {
      t(r, c) = p.uplo == Uplo::lower ? converted<W>(a(r, c)) : conjugate(converted<W>(a(c, r)));
      t(c, r) = conjugate(t(r, c));
    }
  }
  std::vector<Real<W>> d(static_cast<std::size_t>(n)), e(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i + 1 < n; ++i) {
    const auto h = reflector_of<W>(i + 1, n, false, [&](std::int64_t r) { return t(r, i); });
    apply_left<W>(t, h.v, conjugate(h.tau), i);
    apply_right<W>(t, h.v, h.tau, 0, n);
    if (p.job == Job::vectors) apply_right<W>(v, h.v, h.tau, 0, n);
    e[static_cast<std::size_t>(i)] = h.beta;
  }
  for (std::int64_t i = 0; i < n; ++i) d[static_cast<std::size_t>(i)] = real(t(i, i));
  const bool found = tridiagonal_qr<Real<W>>(n, d.data(), e.data(), [&](std::int64_t k, Real<W> c, Real<W> s) {
    if (p.job == Job::vectors)
      for (std::int64_t r = 0; r < n; ++r) {
        const W x = v(r, k), y = v(r, k + 1);
        v(r, k) = c * x + s * y;
        v(r, k + 1) = c * y - s * x;
      }
  });
  *o.info = found ? 0 : static_cast<int>(info_of_failure(p));
  constexpr Real<T> nan = std::numeric_limits<Real<T>>::quiet_NaN();
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  ascending<Real<W>>(n, d.data(), order.data());
  Real<T>* const w = static_cast<Real<T>*>(o.w);
  for (std::int64_t i = 0; i < n; ++i)
    w[i] = found ? static_cast<Real<T>>(d[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]) : nan;
  const std::int64_t first = keep_wanted(p, w, o.found);
  if (p.job != Job::vectors) return;
  for (std::int64_t i = 0; i < count_wanted(p); ++i)
    for (std::int64_t r = 0; r < n; ++r)
      a(r, i) = found ? converted<T>(v(r, order[static_cast<std::size_t>(first + i)])) : T{nan};
}

}  // namespace onepass::lapack::reference
