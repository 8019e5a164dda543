// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A call of LAPACK as a LapackProblem: characters as enums, and all that its routines have in common.
#pragma once

#include <cstdint>

#include "lapack/problem.hpp"

namespace onepass::lapack {

// What a character means; where it means nothing, a value that the check refuses.
Uplo uplo_of(char letter);
Vect vect_of(char letter);
Side side_of(char letter);
Op op_of(char letter);

// Checks, answers a question for the size of WORK (LWORK = -1), or runs on the cpu backend with the threads that OpenMP
// grants the caller. WORK serves where it is large enough, and else memory that the calling thread keeps.
void call(const LapackProblem& problem, const LapackOperands& operands, void* work, std::int32_t lwork,
          std::int32_t* info) noexcept;

}  // namespace onepass::lapack
