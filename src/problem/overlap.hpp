// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Whether y shares elements with what a product reads, as far as addresses, sizes and increments show it. Pure.
#pragma once

#include "problem/problem.hpp"

namespace onepass {

// "x", "y" or "A": what the operand that is written certainly shares an element with; null if it does not, or if that
// is not seen. It is seen where one of the two is contiguous or both have the same distance of elements (of A: of
// columns). Vectors and matrices that interleave without a common element are none of its business. Of a batch, the
// first products are looked at; of a triangle, the diagonal; arrays of pointers are not followed.
const char* shares_elements_with_output(const Problem& p, const Operands& o);

}  // namespace onepass
