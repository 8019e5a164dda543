// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How good eigenvectors of a tridiagonal matrix are, in units of their rounding errors.
#pragma once

#include "tridiagonal_cases.hpp"

namespace onepass::test {

// Z is n x n, column j belongs to w(j).
template <class R>
struct Eigensystem {
  std::int64_t n = 0, ldz = 0;
  std::vector<R> w, z;
  int info = -1;

  Eigensystem() = default;
  explicit Eigensystem(std::int64_t order) : n(order), ldz(order + 3) {
    w.assign(static_cast<std::size_t>(n), untouched);
    z.assign(static_cast<std::size_t>(ldz * n), untouched);
  }
  R at(std::int64_t row, std::int64_t column) const { return z[static_cast<std::size_t>(row + column * ldz)]; }
  static constexpr R untouched = 77;
};

struct Residuals {
  long double equation = 0;       // |T Z - Z W| / (|T| n eps), in the largest column sum
  long double orthogonality = 0;  // |Z^T Z - I| / (n eps), likewise
};

template <class R>
Residuals residuals(const Tridiagonal<R>& t, const Eigensystem<R>& s) {
  const long double norm = t.norm(), unit = std::numeric_limits<R>::epsilon() / 2 * static_cast<long double>(s.n);
  Residuals worst;
  for (std::int64_t j = 0; j < s.n; ++j) {
    long double of_column = 0, of_products = 0;
    for (std::int64_t i = 0; i < s.n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      long double sum = (static_cast<long double>(t.d[at]) - s.w[static_cast<std::size_t>(j)]) * s.at(i, j);
      if (i > 0) sum += static_cast<long double>(t.e[at - 1]) * s.at(i - 1, j);
      if (i + 1 < s.n) sum += static_cast<long double>(t.e[at]) * s.at(i + 1, j);
      of_column += std::abs(sum);
      long double product = i == j ? -1 : 0;
      for (std::int64_t k = 0; k < s.n; ++k) product += static_cast<long double>(s.at(k, i)) * s.at(k, j);
      of_products += std::abs(product);
    }
    worst.equation = std::max(worst.equation, of_column / ((norm == 0 ? 1 : norm) * unit));
    worst.orthogonality = std::max(worst.orthogonality, of_products / unit);
  }
  return worst;
}

}  // namespace onepass::test
