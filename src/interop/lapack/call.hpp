// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A call of LAPACK as a LapackProblem: characters as enums, and all that its routines have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "lapack/problem.hpp"

namespace onepass::lapack {

// What a character means; where it means nothing, a value that the check refuses.
Uplo uplo_of(char character);
Vect vect_of(char character);
Side side_of(char character);
Op op_of(char character);
Job job_of(char character);
// What gesdd and gesvd make of U, or of V^H: nothing, the first min(m, n) vectors, all, or the first ones in A.
enum class Wants : int { none, some, all, in_a };
Wants wants_of(char character);

// Tells xerbla_, with the name of a routine in LAPACK's capital letters, and INFO.
void refuse(std::string name, int position, std::int32_t* info);

// Elements of WORK with which so many bytes need no memory of our own, wherever WORK begins; the least, if LWORK, an
// integer of 32 bits, cannot say as many.
std::int64_t best_lwork(Type type, std::int64_t least, std::size_t needed);

// WORK(1), where LWORK is told as a number of the type. It must not be rounded down, as a float would.
void tell_lwork(Type type, void* work, std::int64_t lwork);

// Calls `run` with so many bytes, of WORK if it is large enough and else of the calling thread; false if there are
// none.
bool with_memory(Type type, void* work, std::int64_t lwork, std::size_t needed, const std::function<void(void*)>& run);

// Checks, answers a question for the size of WORK (LWORK = -1), or runs on the cpu backend with the threads that OpenMP
// grants the caller. For routines whose INFO tells of bad arguments alone.
void call(const LapackProblem& problem, const LapackOperands& operands, void* work, std::int32_t lwork,
          std::int32_t* info) noexcept;

}  // namespace onepass::lapack
