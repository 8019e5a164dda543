// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How good singular values and vectors of a bidiagonal matrix are, in units of their rounding errors.
#pragma once

#include "bidiagonal_cases.hpp"

namespace onepass::test {

// B = U diag(s) V^T.
template <class R>
struct SingularSystem {
  std::int64_t n = 0, ldu = 0, ldvt = 0;
  std::vector<R> s, u, vt;
  int info = -1;

  SingularSystem() = default;
  explicit SingularSystem(std::int64_t order) : n(order), ldu(order + 3), ldvt(order + 2) {
    s.assign(static_cast<std::size_t>(n), untouched);
    u.assign(static_cast<std::size_t>(ldu * n), untouched);
    vt.assign(static_cast<std::size_t>(ldvt * n), untouched);
  }
  // Element i of the j-th vector.
  R left(std::int64_t i, std::int64_t j) const { return u[static_cast<std::size_t>(i + j * ldu)]; }
  R right(std::int64_t i, std::int64_t j) const { return vt[static_cast<std::size_t>(j + i * ldvt)]; }
  static constexpr R untouched = 77;
};

struct SingularResiduals {
  long double equation = 0;       // |B V - U S| / (|B| n eps), in the largest column sum
  long double orthogonality = 0;  // |U^T U - I| / (n eps) and |V^T V - I| / (n eps), likewise
};

template <class R>
SingularResiduals residuals(const Tridiagonal<R>& b, const SingularSystem<R>& s) {
  const long double norm = b.norm(), unit = std::numeric_limits<R>::epsilon() / 2 * static_cast<long double>(s.n);
  SingularResiduals worst;
  for (std::int64_t j = 0; j < s.n; ++j) {
    long double of_column = 0, of_left = 0, of_right = 0;
    for (std::int64_t i = 0; i < s.n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      long double sum = static_cast<long double>(b.d[at]) * s.right(i, j);
      if (i + 1 < s.n) sum += static_cast<long double>(b.e[at]) * s.right(i + 1, j);
      of_column += std::abs(sum - static_cast<long double>(s.s[static_cast<std::size_t>(j)]) * s.left(i, j));
      long double left = i == j ? -1 : 0, right = left;
      for (std::int64_t k = 0; k < s.n; ++k) {
        left += static_cast<long double>(s.left(k, i)) * s.left(k, j);
        right += static_cast<long double>(s.right(k, i)) * s.right(k, j);
      }
      of_left += std::abs(left);
      of_right += std::abs(right);
    }
    worst.equation = std::max(worst.equation, of_column / ((norm == 0 ? 1 : norm) * unit));
    worst.orthogonality = std::max({worst.orthogonality, of_left / unit, of_right / unit});
  }
  return worst;
}

}  // namespace onepass::test
