// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// LapackProblem -> first bad argument. Pure: knows no backend, reads no operand.
#pragma once

#include <cstddef>

#include "lapack/problem.hpp"
#include "problem/pointer.hpp"
#include "problem/status.hpp"

namespace onepass {

struct BadArgument {
  int position = 0;  // in LAPACK's interface of Fortran, counted from 1; 0 if all are right
  Status status;     // names argument and value, and says what would be right
};

// Enums, sizes and leading dimensions, in LAPACK's order. What passes is so small that no sum of bytes in a plan, and
// no size that a BLAS is told as an integer of 32 bits, overflows.
BadArgument check(const LapackProblem& p);

// Likewise the pointers of a call, for a problem that passed the check above: none that is needed may be null, or no
// multiple of what its elements must be.
BadArgument check(const LapackProblem& p, const LapackOperands& operands, Alignment alignment);

// Likewise the workspace that a caller brings.
Status check_workspace(const void* workspace, std::size_t bytes, std::size_t needed, std::int64_t multiple);

// The elements of WORK that LAPACK insists on, and the position of LWORK.
std::int64_t least_lwork(const LapackProblem& p);
int position_of_lwork(LapackRoutine routine);

// In the spelling of the type: "dsytrd", "zhetrd", "cunmbr".
std::string lapack_name(const LapackProblem& p);

}  // namespace onepass
