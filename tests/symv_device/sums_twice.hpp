// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What products of triangles with twice the digits have in common, whichever kernel makes them.
#pragma once

#include "symv_device/triangle.hpp"

namespace onepass::test {

// Sums of powers of two are right to the last digit, whatever the size of products and the order in which they come.
void expect_sums_of_powers(Case c, const RunOptions& options);

// The product has the same bits in any order of blocks and threads.
void expect_same_bits(Case c, const RunOptions& options);

}  // namespace onepass::test
