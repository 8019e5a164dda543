// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What every call of the C interface ends in: a problem is checked, then run or its workspace counted. Nothing is
// thrown.
#pragma once

#include "lapack/problem.hpp"
#include "onepass/lapack.h"

namespace onepass::lapack {

onepassStatus_t call(onepassLapackHandle_t handle, const LapackProblem& problem, const LapackOperands& operands,
                     void* workspace, std::size_t bytes);
onepassStatus_t buffer_size(onepassLapackHandle_t handle, const LapackProblem& problem, std::size_t* bytes);

}  // namespace onepass::lapack
