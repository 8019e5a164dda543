// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A call of LAPACK as a LapackProblem: characters as enums, and all that its routines have in common.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>

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

// So many bytes for one call, of WORK if it is large enough and else of the calling thread. Throws std::bad_alloc.
class CallMemory {
 public:
  CallMemory(Type type, void* work, std::int64_t lwork, std::size_t needed);
  CallMemory(const CallMemory&) = delete;
  CallMemory& operator=(const CallMemory&) = delete;
  ~CallMemory();

  void* data() const { return data_; }

 private:
  void* data_;
  bool is_own_ = false;
};

// INFO where memory is short. LAPACK's own routines take none and have no number for it: that of LAPACKE. No argument
// is at this position, and none is to blame.
inline constexpr std::int32_t work_memory_error = -1010;

// What a call ends in: no exception crosses the border to Fortran.
template <class Body>
void at_border(std::int32_t* info, Body body) noexcept {
  *info = 0;
  try {
    body();
  } catch (const std::bad_alloc&) {
    *info = work_memory_error;
  }
}

// Whether another library has memory for what it cannot do without: OpenBLAS waits for ever for a buffer of 128 MiB.
bool next_has_memory();

// Where memory was short, calls the same symbol of the next library, whose routines need no more than WORK: ours may
// have asked for gigabytes. INFO remains if there is none. The lengths of strings are left out: each has one character.
template <class... Parameters>
void pass_on(void (*)(Parameters...), const char* symbol, std::type_identity_t<Parameters>... arguments) {
  const std::int32_t* const info = std::get<sizeof...(Parameters) - 1>(std::tuple(arguments...));
  if (*info != work_memory_error || !next_has_memory()) return;
  auto* const next = reinterpret_cast<void (*)(Parameters...)>(dlsym(RTLD_NEXT, symbol));
  if (next != nullptr) next(arguments...);
}

// Checks, answers a question for the size of WORK (LWORK = -1), or runs on the cpu backend with the threads that OpenMP
// grants the caller. For routines whose INFO tells of bad arguments alone.
void call(const LapackProblem& problem, const LapackOperands& operands, void* work, std::int32_t lwork,
          std::int32_t* info) noexcept;

}  // namespace onepass::lapack
