// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A matrix whose products would overflow or underflow is brought to elements around 1 before it is reduced.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "lapack/element.hpp"

namespace onepass::lapack {

// A := 2^-exponent A, of the elements that `for_each` calls its argument with; 0 where they are well as they are.
template <class T, class ForEach>
int scale_near_one(ForEach for_each) {
  using R = Real<T>;
  constexpr int most = std::numeric_limits<R>::max_exponent / 4;
  R largest = 0;
  for_each([&](T& x) { largest = std::max({largest, std::abs(real(x)), std::abs(imaginary(x))}); });
  if (largest == 0 || !std::isfinite(largest)) return 0;
  const int exponent = std::ilogb(largest);
  if (std::abs(exponent) <= most) return 0;
  for_each([&](T& x) {
    if constexpr (is_complex<T>)
      x = {std::ldexp(x.real(), -exponent), std::ldexp(x.imag(), -exponent)};
    else
      x = std::ldexp(x, -exponent);
  });
  return exponent;
}

}  // namespace onepass::lapack
