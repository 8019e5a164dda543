// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Whether two launches computed the same y, but for the order of their sums.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "problem/problem.hpp"

namespace onepass::tools {

// Of y = op(A) x with the operands of random_block; empty, or the first element that differs by more than rounding, and
// `what` computed it.
std::string why_different(const Problem& p, std::span<const std::byte> y, std::span<const std::byte> expected,
                          const std::string& what);

}  // namespace onepass::tools
