// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A singular value decomposition in wider numbers: reflectors one by one, then QR; rounded once, at the end.
#pragma once

#include <limits>

#include "lapack/bidiagonal_qr.hpp"
#include "lapack/reference/reduce.hpp"

namespace onepass::lapack::reference {

template <class W>
void rotate_columns(WideMatrix<W>& v, std::int64_t k, Real<W> c, Real<W> s) {
  for (std::int64_t r = 0; r < v.rows(); ++r) {
    const W x = v(r, k), y = v(r, k + 1);
    v(r, k) = c * x + s * y;
    v(r, k + 1) = c * y - s * x;
  }
}

// A = U diag(s) V^H, or A^H = V diag(s) U^H of a wide A: "left" is U or V.
template <class T>
void singular(const LapackProblem& p, const LapackOperands& o, Matrix<T> a) {
  using W = Wide<T>;
  const bool wide = p.m < p.n, vectors = p.job != Job::values;
  const std::int64_t rows = std::max(p.m, p.n), n = std::min(p.m, p.n);
  WideMatrix<W> b(rows, n), left(rows, vectors ? rows : 0), right(n, vectors ? n : 0);
  for (std::int64_t c = 0; c < n; ++c)
    for (std::int64_t r = 0; r < rows; ++r) b(r, c) = wide ? conjugate(converted<W>(a(c, r))) : converted<W>(a(r, c));
  for (std::int64_t i = 0; i < left.columns(); ++i) left(i, i) = W{1};
  for (std::int64_t i = 0; i < right.columns(); ++i) right(i, i) = W{1};
  std::vector<Real<W>> d(static_cast<std::size_t>(n)), e(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const auto column = reflector_of<W>(i, rows, false, [&](std::int64_t r) { return b(r, i); });
    apply_left<W>(b, column.v, conjugate(column.tau), i);
    if (vectors) apply_right<W>(left, column.v, column.tau, 0, rows);
    d[static_cast<std::size_t>(i)] = column.beta;
    if (i + 1 == n) break;
    const auto row = reflector_of<W>(i + 1, n, false, [&](std::int64_t c) { return conjugate(b(i, c)); });
    apply_right<W>(b, row.v, row.tau, i, rows);
    if (vectors) apply_right<W>(right, row.v, row.tau, 0, n);
    e[static_cast<std::size_t>(i)] = row.beta;
  }
  const bool found = bidiagonal_qr<Real<W>>(
      n, d.data(), e.data(), [&](auto k, auto c, auto s) { vectors ? rotate_columns<W>(left, k, c, s) : void(); },
      [&](auto k, auto c, auto s) { vectors ? rotate_columns<W>(right, k, c, s) : void(); });
  *o.info = found ? 0 : static_cast<int>(info_of_failure(p));
  constexpr Real<T> nan = std::numeric_limits<Real<T>>::quiet_NaN();
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  descending<Real<W>>(n, d.data(), order.data());
  const auto value = [&](std::int64_t i) { return d[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]; };
  for (std::int64_t i = 0; i < n; ++i)
    static_cast<Real<T>*>(o.w)[i] = found ? static_cast<Real<T>>(std::abs(value(i))) : nan;
  // Column i of U or V; a negative value turns the column of the smaller one.
  const auto element = [&](bool of_left, std::int64_t r, std::int64_t i) {
    if (!found) return T{nan};
    const std::int64_t from = i < n ? order[static_cast<std::size_t>(i)] : i;
    const W x = of_left ? left(r, from) : right(r, from);
    return converted<T>(!of_left && std::signbit(value(i)) ? -x : x);
  };
  const Matrix<T> u = {static_cast<T*>(o.u), p.ldu}, vt = {static_cast<T*>(o.vt), p.ldvt};
  for (std::int64_t c = 0; c < columns_of_u(p); ++c)
    for (std::int64_t r = 0; r < p.m; ++r) u(r, c) = element(!wide, r, c);
  for (std::int64_t c = 0; vectors && c < p.n; ++c)
    for (std::int64_t r = 0; r < rows_of_vt(p); ++r) vt(r, c) = conjugate(element(wide, c, r));
}

}  // namespace onepass::lapack::reference
