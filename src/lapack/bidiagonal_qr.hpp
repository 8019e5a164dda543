// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular values of a real upper bidiagonal matrix on the host, by implicit QR steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "lapack/rotation.hpp"

namespace onepass::lapack {

// The smaller singular value of ( f g ; 0 h ), without overflow or underflow that could be avoided.
template <class R>
R smaller_singular_value(R f, R g, R h) {
  const R least = std::min(std::abs(f), std::abs(h)), most = std::max(std::abs(f), std::abs(h)), beside = std::abs(g);
  if (least == 0) return 0;
  if (beside <= most) {
    const R sum = 1 + least / most, gap = (most - least) / most, square = (beside / most) * (beside / most);
    return least * (2 / (std::sqrt(sum * sum + square) + std::sqrt(gap * gap + square)));
  }
  const R ratio = most / beside, sum = 1 + least / most, gap = (most - least) / most;
  const R inverse = 1 / (std::sqrt(1 + (sum * ratio) * (sum * ratio)) + std::sqrt(1 + (gap * ratio) * (gap * ratio)));
  return 2 * least * inverse * ratio;
}

// One sweep over rows first..last: B B^T - shift^2 I by QR. `left(k, c, s)` is told of each rotation of columns k and
// k + 1 of U, `right` of those of V.
template <class R, class Left, class Right>
void bidiagonal_sweep(std::int64_t first, std::int64_t last, R shift, R* d, R* e, Left left, Right right) {
  if (shift == 0) {  // no differences: small singular values keep their digits, and a zero in d its zero
    Rotation<R> other(1, 0);
    R c = 1;
    for (std::int64_t i = first; i < last; ++i) {
      const Rotation<R> r(d[i] * c, e[i]);
      if (i > first) e[i - 1] = other.s * r.length;
      c = r.c;
      other = Rotation<R>(other.c * r.length, d[i + 1] * r.s);
      d[i] = other.length;
      right(i, r.c, r.s);
      left(i, other.c, other.s);
    }
    const R h = d[last] * c;
    d[last] = h * other.c;
    e[last - 1] = h * other.s;
    return;
  }
  R f = (std::abs(d[first]) - shift) * (std::copysign(R{1}, d[first]) + shift / d[first]), g = e[first];
  for (std::int64_t i = first; i < last; ++i) {
    const Rotation<R> r(f, g);
    if (i > first) e[i - 1] = r.length;
    f = r.c * d[i] + r.s * e[i];
    e[i] = r.c * e[i] - r.s * d[i];
    g = r.s * d[i + 1];
    d[i + 1] *= r.c;
    const Rotation<R> l(f, g);
    d[i] = l.length;
    f = l.c * e[i] + l.s * d[i + 1];
    d[i + 1] = l.c * d[i + 1] - l.s * e[i];
    if (i + 1 < last) {
      g = l.s * e[i + 1];
      e[i + 1] *= l.c;
    }
    right(i, r.c, r.s);
    left(i, l.c, l.s);
  }
  e[last - 1] = f;
}

// d becomes the singular values, in no order and of either sign, and e zero; `left` and `right` as above. False if an
// element is not finite, or if it does not converge.
template <class R, class Left, class Right>
bool bidiagonal_qr(std::int64_t n, R* d, R* e, Left left, Right right) {
  const auto finite = [](R x) { return std::isfinite(x); };
  if (!std::all_of(d, d + n, finite) || !std::all_of(e, e + std::max<std::int64_t>(0, n - 1), finite)) return false;
  R largest = 0;
  for (std::int64_t i = 0; i < n; ++i) largest = std::max({largest, std::abs(d[i]), i + 1 < n ? std::abs(e[i]) : R{0}});
  const R eps = std::numeric_limits<R>::epsilon() / 2, nothing = eps * largest;
  std::int64_t steps_left = 60 * n;
  for (std::int64_t last = n - 1; last > 0;) {
    const auto is_small = [&](std::int64_t k) {
      return std::abs(e[k]) <= nothing || std::abs(e[k]) <= eps * (std::abs(d[k]) + std::abs(d[k + 1]));
    };
    if (is_small(last - 1)) {
      e[--last] = 0;
      continue;
    }
    if (steps_left-- == 0) return false;
    std::int64_t first = last - 1;
    while (first > 0 && !is_small(first - 1)) --first;
    if (first > 0) e[first - 1] = 0;
    // A zero in d makes a singular value zero: found by the sweep whose shift is just that.
    R shift = smaller_singular_value(d[last - 1], e[last - 1], d[last]);
    const R top = std::abs(d[first]);
    if (std::any_of(d + first, d + last, [&](R x) { return std::abs(x) <= nothing; }) ||
        (shift / top) * (shift / top) < eps)
      shift = 0;
    bidiagonal_sweep(first, last, shift, d, e, left, right);
  }
  return true;
}

// `order`: the places of the elements of d in descending order of their absolute values.
template <class R>
void descending(std::int64_t n, const R* d, std::int64_t* order) {
  std::iota(order, order + n, std::int64_t{0});
  std::stable_sort(order, order + n, [d](std::int64_t a, std::int64_t b) { return std::abs(d[a]) > std::abs(d[b]); });
}

}  // namespace onepass::lapack
