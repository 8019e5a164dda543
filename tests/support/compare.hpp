// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Holds a backend's y against the reference's: equal, or within the error bound.
#pragma once

#include <gtest/gtest.h>

#include "support/operands.hpp"
#include "support/run.hpp"

namespace onepass::test {

// Fill::integers: equal. Fill::reals: for each output, with k terms in its sum,
//   |y - expected| <= (k + 4) eps_sum |alpha| |A||x| + 2 eps_sum |beta y_before| + eps_y |expected|
// Where the expected value is not finite, the same NaN or infinity.
testing::AssertionResult agrees(const Case& c, const HostOperands& operands, const Outcome& actual,
                                const Outcome& expected);

// Lays the case out, runs it on the backend and on the reference, and compares.
testing::AssertionResult agrees_with_reference(const Backend& backend, const Case& c, RunOptions options = {});

}  // namespace onepass::test
