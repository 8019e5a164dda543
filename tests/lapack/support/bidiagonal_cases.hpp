// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Upper bidiagonal matrices, those that are hard for a singular value decomposition among them, and their singular
// values in a wider precision. They are kept as tridiagonal ones are: d, and e above it.
#pragma once

#include "tridiagonal_cases.hpp"

namespace onepass::test {

// The matrix of Golub and Kahan: zeros on the diagonal, d_1, e_1, d_2 ... beside it.
template <class R>
Tridiagonal<R> golub_kahan(const Tridiagonal<R>& b) {
  Tridiagonal<R> t{b.name, std::vector<R>(2 * b.d.size()), {}};
  for (std::size_t i = 0; i < b.d.size(); ++i) {
    t.e.push_back(b.d[i]);
    if (i < b.e.size()) t.e.push_back(b.e[i]);
  }
  return t;
}

// Descending.
template <class R>
std::vector<long double> wide_singular_values(const Tridiagonal<R>& b) {
  std::vector<long double> values = wide_eigenvalues(golub_kahan(b), b.n());
  std::reverse(values.begin(), values.end());
  for (long double& value : values) value = std::max(value, 0.0L);
  return values;
}

// Every kind of matrix of order n.
template <class R>
std::vector<Tridiagonal<R>> hard_bidiagonals(std::int64_t n) {
  std::vector<Tridiagonal<R>> all = hard_tridiagonals<R>(n);
  std::mt19937 generator(13);
  std::uniform_real_distribution<double> value(-1, 1);
  const auto random = [&](auto) { return value(generator); };
  const auto unless = [&](std::int64_t period, std::int64_t at) {
    return [&value, &generator, period, at](auto i) { return i % period == at ? 0 : value(generator); };
  };
  const auto constant = [](double c) { return [c](std::int64_t) { return c; }; };
  const double eps = std::numeric_limits<R>::epsilon();
  all.push_back(tridiagonal<R>("zeros on d", n, unless(5, 3), random));
  all.push_back(tridiagonal<R>("zero d first", n, unless(n, 0), random));
  all.push_back(tridiagonal<R>("zero d last", n, unless(n, n - 1), random));
  all.push_back(tridiagonal<R>("zeros on d and e", n, unless(4, 2), unless(3, 1)));
  all.push_back(tridiagonal<R>("ones", n, constant(1), constant(1)));
  all.push_back(tridiagonal<R>("almost singular", n, constant(0.25), constant(1)));
  all.push_back(tridiagonal<R>("tiny d", n, constant(eps), random));
  all.push_back(tridiagonal<R>(
      "descending clusters", n, [](auto i) { return std::ldexp(1.0, -3 * static_cast<int>(i / 5)); }, constant(eps)));
  return all;
}

}  // namespace onepass::test
