// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Plane rotations on the host: (x, y) := (c x + s y, c y - s x).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace onepass::lapack {

// That which makes (length, 0) of the two numbers of which it is made. c^2 + s^2 is 1 up to rounding for any two of
// them whose length does not overflow.
template <class R>
struct Rotation {
  R c = 1, s = 0, length = 0;

  Rotation(R x, R y) {
    // A subnormal length has few digits, and c and s would have no more.
    constexpr R least = std::numeric_limits<R>::min(), down = std::numeric_limits<R>::epsilon();
    const bool scaled = std::max(std::abs(x), std::abs(y)) < least;
    if (scaled) {
      x /= down;
      y /= down;
    }
    length = std::hypot(x, y);
    if (length == 0) return;
    c = x / length;
    s = y / length;
    if (scaled) length *= down;
  }
};

}  // namespace onepass::lapack
