// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Twists: padding, offsets, increments, batches and scalars, to try on a problem of any routine.
#pragma once

#include <span>
#include <string>

#include "support/compare.hpp"

namespace onepass::test {

struct Twist {
  const char* name;
  std::int64_t padding = 0;  // of lda
  int offset_a = 0, offset_x = 0, offset_y = 0;
  std::int64_t incx = 1, incy = 1;
  std::int64_t batch = 1;
  bool pointer_array = false;
  std::int64_t gap = 0;   // elements between the operands of a strided batch
  int sign = 1;           // of the strides
  bool shared_a = false;  // one matrix for all products
  Scalars scalars = Scalars::host;
  Value alpha = {2.0, 1.0}, beta = {-1.0, 1.0};
};

// The first of them changes nothing.
std::span<const Twist> twists();

// A problem that has its form, types, sizes and lda, with a twist; the name ends in that of the twist.
Case twisted(const std::string& name, Problem p, const Twist& t);

}  // namespace onepass::test
