// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The verdicts of the verification kit (src/verify) as assertions.
#pragma once

#include <gtest/gtest.h>

#include "verify/compare.hpp"

namespace onepass::test {

using namespace verify;

testing::AssertionResult agrees(const Case& c, const HostOperands& operands, const Outcome& actual,
                                const Outcome& expected);

// Lays the case out, runs it on the backend and on the reference, and compares.
testing::AssertionResult agrees_with_reference(const Backend& backend, const Case& c, RunOptions options = {});

}  // namespace onepass::test
