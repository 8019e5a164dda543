// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// ONEPASS_INTERPOSE=log: how many calls came here, said when the program ends.
#pragma once

#include "lapack/problem.hpp"

namespace onepass::lapack {

void count_call(const LapackProblem& p);

}  // namespace onepass::lapack
