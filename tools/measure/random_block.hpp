// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Random operands: numbers between 1/2 and 1 in size, of either sign, so that no product is trivial.
#pragma once

#include <cstddef>
#include <vector>

#include "problem/problem.hpp"

namespace onepass::tools {

// A block of such numbers, to be repeated through memory; its length divides no power of two.
std::vector<std::byte> random_block(Type type);

}  // namespace onepass::tools
