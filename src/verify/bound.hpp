// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How far an output may lie from that of the reference: the one error bound of tests, `onepass check` and the tuner.
#pragma once

#include <cstdint>

#include "problem/problem.hpp"
#include "verify/operands.hpp"

namespace onepass::verify {

// What an output is made of, in absolute values.
struct Magnitudes {
  std::int64_t terms = 0;  // of its sum
  double sum = 0;          // of those terms: |alpha| |A||x|, or |alpha| |x(i)| |y(j)|
  double kept = 0;         // of what was there before: |beta| |y(i)|, or |A(i, j)|
  double expected = 0;     // the output of the reference
};

// Of either component:
//   (terms + 4) eps_sum sum + 2 eps_sum kept, and a rounding to the output's type on each side
double error_bound(const Problem& p, const Magnitudes& m);

// Of an output of the case, from the operands before the call.
double error_bound(const Case& c, const HostOperands& before, std::int64_t product, const Output& output,
                   Value expected);

// Of random terms of either sign and at most 1 in size, with alpha = 1 and beta = 0, whose operands are not at hand:
// partial sums of n of them grow as sqrt(n), and n roundings of those as sqrt(n) again, so that the sum is off by eps n
// on each side. Eight times that is never reached by chance, and is less than one term as long as n < 1 / (16 eps).
double likely_error_bound(const Problem& p, double expected);

}  // namespace onepass::verify
