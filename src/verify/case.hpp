// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// One problem with everything that its data depends on, and the one line from which it can be run again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "plan/choice.hpp"
#include "problem/problem.hpp"
#include "verify/element.hpp"

namespace onepass::verify {

enum class Fill {
  integers,  // so small that every sum is exact, in any order: results must be equal
  reals,     // in [-1, 1): results may differ by the error bound
};

struct Case {
  std::string name = {};  // of a test
  Problem problem = {};
  Value alpha = 2.0, beta = -1.0;
  std::int64_t offset_a = 0, offset_x = 0, offset_y = 0;  // elements past a multiple of 256 bytes
  bool half_element = false;                              // and one component of a complex number more
  Fill fill = Fill::integers;
  bool nan_output = false;  // NaN in the output before the call; only for beta = 0, which must not read it
  std::uint64_t seed = 0x5eed;
  std::optional<Choice> choice = {};  // of a device's launch, in place of the planner's; where it can run

  bool operator==(const Case&) const = default;
};

// "gemv s N column 5x7 lda 5 incx 1 incy 1 scalars host offsets 0 1 2 alpha 1 beta 0.5,2 seed 7". The name, half
// elements, integers and the choice are matters of tests, and not part of it.
std::string print(const Case& c);

// Reads what print() wrote: real numbers, alpha 1 and beta 0 unless they are given; a routine that is left out is gemv,
// other keys keep their defaults, and lda fits the shape. Throws std::invalid_argument, whose text says what is wrong
// with the line; the problem itself is checked elsewhere.
Case parse_case(std::string_view line);

}  // namespace onepass::verify
