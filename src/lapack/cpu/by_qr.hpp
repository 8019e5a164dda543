// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Tridiagonal eigenproblems and bidiagonal singular value problems by QR, with vectors: for hosts without LAPACK's
// divide and conquer, and for orders that its integers cannot count.
#pragma once

#include <algorithm>
#include <cmath>

#include "lapack/bidiagonal_qr.hpp"
#include "lapack/element.hpp"
#include "lapack/tridiagonal_qr.hpp"

namespace onepass::lapack {

// Columns k and k + 1, of n elements each.
template <class R>
void rotate_columns(std::int64_t n, Matrix<R> columns, std::int64_t k, R c, R s) {
  R *const x = columns.column(k), *const y = columns.column(k + 1);
  for (std::int64_t r = 0; r < n; ++r) {
    const R before = x[r];
    x[r] = c * before + s * y[r];
    y[r] = c * y[r] - s * before;
  }
}
template <class R>
void set_identity(std::int64_t n, Matrix<R> a) {
  for (std::int64_t c = 0; c < n; ++c)
    for (std::int64_t r = 0; r < n; ++r) a(r, c) = r == c ? R{1} : R{0};
}

// d becomes the eigenvalues in ascending order, Z (if vectors are wanted) the eigenvectors; e is lost. `rotated`, n x
// n, and `order`, n, are for vectors alone. False if it did not converge, or if an element is not finite.
template <class R>
bool tridiagonal_by_qr(bool vectors, std::int64_t n, R* d, R* e, Matrix<R> rotated, std::int64_t* order, Matrix<R> z) {
  if (vectors) set_identity(n, rotated);
  const bool found = tridiagonal_qr<R>(n, d, e, [&](std::int64_t k, R c, R s) {
    if (vectors) rotate_columns(n, rotated, k, c, s);
  });
  if (vectors) {
    ascending<R>(n, d, order);
    for (std::int64_t c = 0; c < n; ++c) std::copy_n(rotated.column(order[c]), n, z.column(c));
  }
  std::sort(d, d + n);
  return found;
}

// d becomes the singular values in descending order, U and V^T (if vectors are wanted) those vectors; otherwise as
// above.
template <class R>
bool bidiagonal_by_qr(bool vectors, std::int64_t n, R* d, R* e, Matrix<R> rotated_u, Matrix<R> rotated_v,
                      std::int64_t* order, Matrix<R> u, Matrix<R> vt) {
  if (vectors) {
    set_identity(n, rotated_u);
    set_identity(n, rotated_v);
  }
  const auto rotate = [&](Matrix<R> columns) {
    return [=](std::int64_t k, R c, R s) {
      if (vectors) rotate_columns(n, columns, k, c, s);
    };
  };
  const bool found = bidiagonal_qr<R>(n, d, e, rotate(rotated_u), rotate(rotated_v));
  if (vectors) descending<R>(n, d, order);
  for (std::int64_t c = 0; vectors && c < n; ++c) {
    const std::int64_t from = order[c];
    std::copy_n(rotated_u.column(from), n, u.column(c));
    for (std::int64_t r = 0; r < n; ++r) vt(c, r) = std::copysign(R{1}, d[from]) * rotated_v(r, from);
  }
  for (std::int64_t i = 0; i < n; ++i) d[i] = std::abs(d[i]);
  std::sort(d, d + n, [](R a, R b) { return a > b; });
  return found;
}

}  // namespace onepass::lapack
