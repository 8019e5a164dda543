// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// One problem with everything that its data depends on, and the one line from which it can be run again.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>

#include "problem/problem.hpp"

namespace onepass::tools {

struct Case {
  Problem problem;
  std::int64_t offset_a = 0, offset_x = 0, offset_y = 0;  // elements past an address that is a multiple of 256
  std::complex<double> alpha = 1, beta = 0;
  bool nan_y = false;  // y holds NaN before the call; only for beta = 0, which must not read it
  std::uint64_t seed = 1;

  bool operator==(const Case&) const = default;
};

// "gemv s N column 5x7 lda 5 incx 1 incy 1 scalars host offsets 0 1 2 alpha 1 beta 0.5,2 seed 7".
std::string print(const Case& c);

// Reads what print() wrote; a routine that is left out is gemv, keys keep their defaults, and lda fits the shape.
Case parse_case(std::string_view line);

}  // namespace onepass::tools
