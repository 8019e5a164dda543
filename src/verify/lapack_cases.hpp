// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The forms of a reduction or an eigenproblem that must be tried at an order: both triangles, tall and wide, parts that
// are reduced already.
#pragma once

#include <vector>

#include "lapack/problem.hpp"

namespace onepass::verify {

// Of no type yet; lda is so much larger than the rows.
std::vector<LapackProblem> reductions_of(LapackRoutine routine, std::int64_t order, std::int64_t padding);

}  // namespace onepass::verify
