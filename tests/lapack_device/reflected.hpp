// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Matrices of known eigenvalues or singular values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "lapack/element.hpp"

namespace onepass::test {

// (1 - 2 h h^H) D (1 - 2 g g^H), m x n, with unit vectors h and g of all elements, which are equal if m = n; value(i)
// is the diagonal of D.
template <class T, class Value>
std::vector<T> reflected(std::int64_t m, std::int64_t n, Value value) {
  using R = lapack::Real<T>;
  const auto unit = [](std::int64_t length) {
    std::vector<T> h(static_cast<std::size_t>(length));
    R square = 0;
    for (std::size_t i = 0; i < h.size(); ++i) {
      h[i] = static_cast<R>(i * 7 % 11) - 5;
      if constexpr (lapack::is_complex<T>) h[i] += T{0, static_cast<R>(i * 5 % 7) - 3};
      square += std::norm(h[i]);
    }
    for (T& e : h) e /= std::sqrt(square);
    return h;
  };
  const std::vector<T> h = unit(m), g = unit(n);
  const auto of_h = [&](std::int64_t i) { return h[static_cast<std::size_t>(i)]; };
  const auto of_g = [&](std::int64_t i) { return g[static_cast<std::size_t>(i)]; };
  const std::int64_t k = std::min(m, n);
  T inner = 0;
  for (std::int64_t i = 0; i < k; ++i) inner += lapack::conjugate(of_h(i)) * static_cast<R>(value(i)) * of_g(i);
  std::vector<T> a(static_cast<std::size_t>(m * n));
  for (std::int64_t c = 0; c < n; ++c)
    for (std::int64_t r = 0; r < m; ++r) {
      T sum = r == c ? static_cast<R>(value(r)) : R{0};
      if (c < k) sum -= R{2} * of_h(r) * lapack::conjugate(of_h(c)) * static_cast<R>(value(c));
      if (r < k) sum -= R{2} * static_cast<R>(value(r)) * of_g(r) * lapack::conjugate(of_g(c));
      a[static_cast<std::size_t>(r + c * m)] = sum + R{4} * of_h(r) * inner * lapack::conjugate(of_g(c));
    }
  return a;
}

}  // namespace onepass::test
