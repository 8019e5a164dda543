// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The problems of `onepass check sytrd` and the like, and what is right or wrong with a run of one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reductions/clock.hpp"
#include "reductions/handle.hpp"
#include "verify/lapack_matrix.hpp"

namespace onepass::tools {

struct ReductionCase {
  LapackProblem problem;
  verify::Pattern pattern;
};

// Every order of 1 to 40, then some around the borders of panels and plans; every form of each; special matrices of
// a few orders. In ascending order, so that a larger `max_size` only adds some behind.
// `batched`: up to 512 rows, of gesvd 256, matrices of every pattern in one call.
std::vector<ReductionCase> reduction_cases(LapackRoutine routine, Type type, std::int64_t max_size,
                                           bool batched = false);

// "n = 5, uplo L, lda 7, random"
std::string print(const ReductionCase& c);

struct ReductionVerdict {
  std::string failure;  // empty: it passed
  double worst = 0;     // residual
};

// Twice, from the same start: the bits must be the same.
ReductionVerdict check_reduction(const ReductionHandle& handle, ReductionClock& clock, const ReductionCase& c,
                                 std::uint64_t seed);

}  // namespace onepass::tools
