// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Holds a backend's output against the reference's: equal, or within the error bound.
#pragma once

#include <string>

#include "verify/operands.hpp"
#include "verify/run.hpp"

namespace onepass::verify {

struct Verdict {
  std::string failure;  // empty: passed
  double worst = 0;     // largest error, as a fraction of its bound
};

// Fill::integers: equal. Fill::reals: within error_bound (verify/bound.hpp). Where the expected value is not finite,
// the same NaN or infinity. Failed calls and damage beside the outputs are failures.
Verdict compare(const Case& c, const HostOperands& before, const Outcome& actual, const Outcome& expected);

// Lays the case out, runs it on the backend and on the reference, and compares. With `again`, both calls must give the
// same bits.
Verdict compare_with_reference(const Backend& backend, const Case& c, RunOptions options = {});

}  // namespace onepass::verify
