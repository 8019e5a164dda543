// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Householder reflectors with LAPACK's scaling: H = I - tau v v^H with v = (1, x), and H^H (alpha, x) = (beta, 0).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "lapack/element.hpp"

namespace onepass::lapack {

// sqrt(a^2 + b^2 + c^2) without overflow; NaN and infinity stay what they are.
template <class R>
R hypotenuse(R a, R b, R c) {
  return std::hypot(std::hypot(a, b), c);
}

// The norm of a vector, scaled by its largest element: slow, and right for every finite vector.
template <class T>
Real<T> scaled_norm(std::int64_t n, const T* x, std::int64_t incx) {
  using R = Real<T>;
  R largest = 0;
  for (std::int64_t i = 0; i < n; ++i)
    for (const R part : {std::abs(real(x[i * incx])), std::abs(imaginary(x[i * incx]))}) {
      if (std::isnan(part)) return part;
      largest = std::max(largest, part);
    }
  if (largest == 0 || !std::isfinite(largest)) return largest;
  // A power of two, so that scaling does not round. ldexp: 1 / largest may be infinite.
  const int exponent = std::ilogb(largest);
  R sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const R re = std::ldexp(real(x[i * incx]), -exponent), im = std::ldexp(imaginary(x[i * incx]), -exponent);
    sum += re * re + im * im;
  }
  return std::ldexp(std::sqrt(sum), exponent);
}

template <class T>
struct Reflector {
  T tau{};
  Real<T> beta{};
};

template <class T>
void scale(std::int64_t n, T factor, T* x, std::int64_t incx) {
  if (incx == 1)
    for (std::int64_t i = 0; i < n; ++i) x[i] = times(x[i], factor);
  else
    for (std::int64_t i = 0; i < n; ++i) x[i * incx] = times(x[i * incx], factor);
}

// x := what follows the 1 of v, for x of n elements. norm(n, x, incx): its norm. As LAPACK's larfg: tau is 0 where x is
// zero and alpha real, and a beta that is nearly underflowing is found from a vector scaled up.
template <class T, class Norm>
Reflector<T> make_reflector(T alpha, std::int64_t n, T* x, std::int64_t incx, Norm norm) {
  using R = Real<T>;
  using Limits = std::numeric_limits<R>;
  R length = n > 0 ? norm(n, x, incx) : R{};
  if (length == 0 && imaginary(alpha) == 0) return {.tau = T{}, .beta = real(alpha)};
  const auto beta_of = [&] { return -std::copysign(hypotenuse(real(alpha), imaginary(alpha), length), real(alpha)); };
  constexpr R smallest = Limits::min() / (Limits::epsilon() / 2), up = 1 / smallest;
  R beta = beta_of();
  int scalings = 0;
  if (std::abs(beta) < smallest) {
    for (; scalings < 20 && std::abs(beta) < smallest; ++scalings) {
      scale<T>(n, up, x, incx);
      beta *= up;
      alpha *= up;
    }
    length = n > 0 ? norm(n, x, incx) : R{};
    beta = beta_of();
  }
  T tau{};
  if constexpr (is_complex<T>)
    tau = {(beta - real(alpha)) / beta, -imaginary(alpha) / beta};
  else
    tau = (beta - alpha) / beta;
  scale<T>(n, T{1} / (alpha - beta), x, incx);
  for (; scalings > 0; --scalings) beta *= smallest;
  return {.tau = tau, .beta = beta};
}

}  // namespace onepass::lapack
