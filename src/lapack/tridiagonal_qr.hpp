// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues of a real symmetric tridiagonal matrix on the host, by implicit QR steps with Wilkinson's shift.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "lapack/rotation.hpp"

namespace onepass::lapack {

// d becomes the eigenvalues, in no order, and e zero. `rotate(k, c, s)` is told of each rotation of columns k and k +
// 1: (x, y) := (c x + s y, c y - s x). False if an element is not finite, or if it does not converge.
template <class R, class Rotate>
bool tridiagonal_qr(std::int64_t n, R* d, R* e, Rotate rotate) {
  const auto finite = [](R x) { return std::isfinite(x); };
  if (!std::all_of(d, d + n, finite) || !std::all_of(e, e + std::max<std::int64_t>(0, n - 1), finite)) return false;
  R largest = 0;
  for (std::int64_t i = 0; i < n; ++i) largest = std::max({largest, std::abs(d[i]), i + 1 < n ? std::abs(e[i]) : R{0}});
  if (largest == 0) return true;
  // Elements near 1: nothing overflows, and what is subnormal then is too small to matter. Without a bound, rows that
  // are zero but for rounding, such as those of a matrix of rank one, would go on until they underflow.
  const int exponent = std::ilogb(largest);
  const auto scale_by = [&](int power) {
    for (std::int64_t i = 0; i < n; ++i) d[i] = std::ldexp(d[i], power);
    for (std::int64_t i = 0; i + 1 < n; ++i) e[i] = std::ldexp(e[i], power);
  };
  scale_by(-exponent);
  const R eps = std::numeric_limits<R>::epsilon(), nothing = std::sqrt(std::numeric_limits<R>::min());
  const auto is_small = [&](std::int64_t k) {
    return std::abs(e[k]) <= nothing || std::abs(e[k]) <= eps * (std::abs(d[k]) + std::abs(d[k + 1]));
  };
  std::int64_t steps_left = 30 * n;
  for (std::int64_t last = n - 1; last > 0;) {
    if (is_small(last - 1)) {
      e[--last] = 0;
      continue;
    }
    if (steps_left-- == 0) return false;
    std::int64_t first = last - 1;
    while (first > 0 && !is_small(first - 1)) --first;
    if (first > 0) e[first - 1] = 0;
    // The eigenvalue of the last two rows that is nearer to their last element.
    const R half = (d[last - 1] - d[last]) / 2, beside = e[last - 1];
    const R shift = d[last] - beside / (half + std::copysign(std::hypot(half, beside), half)) * beside;
    R x = d[first] - shift, y = e[first];
    for (std::int64_t k = first; k < last; ++k) {
      const Rotation<R> r(x, y);
      const R c = r.c, s = r.s;
      if (k > first) e[k - 1] = r.length;
      const R t = s * (d[k + 1] - d[k]) + 2 * c * e[k];
      d[k] += s * t;
      d[k + 1] -= s * t;
      e[k] = c * t - e[k];
      if (k + 1 < last) {
        x = e[k];
        y = s * e[k + 1];
        e[k + 1] *= c;
      }
      rotate(k, c, s);
    }
  }
  scale_by(exponent);
  return true;
}

// `order`: the places of the elements of d in ascending order.
template <class R>
void ascending(std::int64_t n, const R* d, std::int64_t* order) {
  std::iota(order, order + n, std::int64_t{0});
  std::stable_sort(order, order + n, [d](std::int64_t a, std::int64_t b) { return d[a] < d[b]; });
}

}  // namespace onepass::lapack
