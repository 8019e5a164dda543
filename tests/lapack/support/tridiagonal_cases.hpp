// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Symmetric tridiagonal matrices, those that are hard for an eigensolver among them, and their eigenvalues in a wider
// precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace onepass::test {

template <class R>
struct Tridiagonal {
  std::string name;
  std::vector<R> d, e;

  std::int64_t n() const { return static_cast<std::int64_t>(d.size()); }
  // Its largest row sum.
  long double norm() const {
    long double largest = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
      long double sum = std::abs(static_cast<long double>(d[i]));
      if (i > 0) sum += std::abs(static_cast<long double>(e[i - 1]));
      if (i < e.size()) sum += std::abs(static_cast<long double>(e[i]));
      largest = std::max(largest, sum);
    }
    return largest;
  }
};

template <class R, class D, class E>
Tridiagonal<R> tridiagonal(std::string name, std::int64_t n, D d, E e) {
  Tridiagonal<R> t{std::move(name), {}, {}};
  for (std::int64_t i = 0; i < n; ++i) t.d.push_back(static_cast<R>(d(i)));
  for (std::int64_t i = 0; i + 1 < n; ++i) t.e.push_back(static_cast<R>(e(i)));
  return t;
}

template <class R>
Tridiagonal<R> random_tridiagonal(std::int64_t n, unsigned seed = 5) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  return tridiagonal<R>(
      "random", n, [&](auto) { return value(generator); }, [&](auto) { return value(generator); });
}

// Every kind of matrix of order n.
template <class R>
std::vector<Tridiagonal<R>> hard_tridiagonals(std::int64_t n) {
  const double eps = std::numeric_limits<R>::epsilon(), root = std::sqrt(eps);
  const int limit = std::is_same_v<R, double> ? 1000 : 120;
  // Products of two such elements beside the diagonal are subnormal or zero at the small end.
  const int step = std::is_same_v<R, double> ? 23 : 2;
  std::mt19937 generator(11);
  std::uniform_real_distribution<double> value(-1, 1);
  const auto random = [&](auto) { return value(generator); };
  const auto constant = [](double c) { return [c](std::int64_t) { return c; }; };
  // Wilkinson's matrix of order 21, glued to the next with elements that are small or tiny.
  const auto wilkinson = [](std::int64_t i) { return std::abs(static_cast<double>(i % 21) - 10); };
  const auto glue = [](double with) { return [with](std::int64_t i) { return i % 21 == 20 ? with : 1.0; }; };
  return {
      random_tridiagonal<R>(n),
      tridiagonal<R>("zero", n, constant(0), constant(0)),
      tridiagonal<R>("identity", n, constant(1), constant(0)),
      tridiagonal<R>(
          "diagonal, repeated", n, [](auto i) { return static_cast<double>(i * 7 % 5); }, constant(0)),
      tridiagonal<R>(
          "diagonal, descending", n, [n](auto i) { return static_cast<double>(n - i); }, constant(0)),
      tridiagonal<R>("second difference", n, constant(2), constant(-1)),
      tridiagonal<R>("zero diagonal", n, constant(0), random),
      tridiagonal<R>("zero diagonal, falling", n, constant(0),
                     [step](auto i) { return std::ldexp(1.0, -step * static_cast<int>(i)); }),
      tridiagonal<R>("zero diagonal, rising", n, constant(0),
                     [step, n](auto i) { return std::ldexp(1.0, step * static_cast<int>(i - n)); }),
      tridiagonal<R>(
          "Wilkinson", n, [n](auto i) { return std::abs(static_cast<double>(2 * i - n + 1)) / 2; }, constant(1)),
      tridiagonal<R>("Wilkinson, glued by sqrt(eps)", n, wilkinson, glue(root)),
      tridiagonal<R>("Wilkinson, glued by eps", n, wilkinson, glue(eps)),
      tridiagonal<R>("Wilkinson, glued by 1e-3", n, wilkinson, glue(1e-3)),
      tridiagonal<R>(
          "cluster around 1", n, [&](auto i) { return 1 + 4 * eps * static_cast<double>(i % 3); }, constant(2 * eps)),
      tridiagonal<R>("cluster, coupled by sqrt(eps)", n, constant(1), constant(root)),
      tridiagonal<R>(
          "graded", n, [](auto i) { return std::pow(0.5, static_cast<double>(i)); },
          [](auto i) { return std::pow(0.5, static_cast<double>(i) + 1); }),
      tridiagonal<R>(
          "graded upwards", n, [n](auto i) { return std::pow(0.5, static_cast<double>(n - i)); },
          [n](auto i) { return -std::pow(0.5, static_cast<double>(n - i)); }),
      // Products of its first elements are nothing, and what is behind them has an eigenvalue just below zero.
      tridiagonal<R>(
          "graded from nothing", n,
          [n](auto i) {
            return i < n - 2 ? std::pow(0.5, 30 * static_cast<double>(n - i))
                             : 1 - 1.02 * static_cast<double>(n - 1 - i);
          },
          constant(0)),
      tridiagonal<R>("in blocks", n, random, [&](auto i) { return i % 3 == 2 ? 0 : value(generator); }),
      tridiagonal<R>("tiny couplings", n, random, [&](auto i) { return std::ldexp(1.0, -static_cast<int>(i) * 3); }),
      tridiagonal<R>(
          "large", n, [&](auto i) { return std::ldexp(random(i), limit); },
          [&](auto i) { return std::ldexp(random(i), limit); }),
      tridiagonal<R>(
          "small", n, [&](auto i) { return std::ldexp(random(i), -limit); },
          [&](auto i) { return std::ldexp(random(i), -limit); }),
  };
}

// How many eigenvalues are below x.
template <class R>
std::int64_t count_below(const Tridiagonal<R>& t, long double x, long double smallest) {
  std::int64_t count = 0;
  long double q = 1;
  for (std::size_t i = 0; i < t.d.size(); ++i) {
    const long double e = i > 0 ? t.e[i - 1] : R{0};
    q = t.d[i] - x - (e == 0 ? 0 : e * (e / q));
    if (std::abs(q) < smallest) q = -smallest;
    if (q < 0) ++count;
  }
  return count;
}

// Ascending, without the first of them.
template <class R>
std::vector<long double> wide_eigenvalues(const Tridiagonal<R>& t, std::int64_t first = 0) {
  const long double norm = t.norm(), smallest = norm == 0 ? 1e-4000L : norm * 1e-30L;
  std::vector<long double> values;
  for (std::int64_t k = first; k < t.n(); ++k) {
    long double lo = -norm, hi = norm;
    for (int bit = 0; bit < 66; ++bit) {
      const long double middle = (lo + hi) / 2;
      (count_below(t, middle, smallest) > k ? hi : lo) = middle;
    }
    values.push_back((lo + hi) / 2);
  }
  return values;
}

}  // namespace onepass::test
