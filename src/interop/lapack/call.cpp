// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/lapack/call.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <string>

#include "interop/lapack/log.hpp"
#include "interop/thread_memory.hpp"
#include "lapack/backend.hpp"
#include "lapack/check.hpp"
#include "lapack/element.hpp"

// That of the program if it has one, else that of its BLAS.
extern "C" void xerbla_(const char* name, const std::int32_t* position, std::size_t length);

namespace onepass::lapack {
namespace {

constexpr std::size_t alignment = 64;
static_assert(ThreadMemory::alignment % alignment == 0);
// What a thread keeps between calls at most: a solver's n x n matrices are not worth holding on to.
constexpr std::size_t most_kept = std::size_t{16} << 20;

ThreadMemory& own_memory() {
  static ThreadMemory own;
  return own;
}

char upper_case(char character) { return static_cast<char>(std::toupper(static_cast<unsigned char>(character))); }

}  // namespace

void refuse(std::string name, int position, std::int32_t* info) {
  std::transform(name.begin(), name.end(), name.begin(), upper_case);
  *info = -position;
  const std::int32_t told = position;
  xerbla_(name.c_str(), &told, name.size());
}

std::int64_t best_lwork(Type type, std::int64_t least, std::size_t needed) {
  const auto bytes = static_cast<std::int64_t>(needed + (needed > 0 ? alignment : 0));
  const std::int64_t best = (bytes + size_of(type) - 1) / size_of(type);
  return best > std::numeric_limits<std::int32_t>::max() ? least : std::max(least, best);
}

void tell_lwork(Type type, void* work, std::int64_t lwork) {
  by_type(type, [&]<class T>(T) {
    using R = Real<T>;
    auto value = static_cast<R>(lwork);
    if (static_cast<double>(value) < static_cast<double>(lwork))
      value = std::nextafter(value, std::numeric_limits<R>::infinity());
    *static_cast<T*>(work) = value;
  });
}

CallMemory::CallMemory(Type type, void* work, std::int64_t lwork, std::size_t needed) : data_(work) {
  std::size_t bytes = static_cast<std::size_t>(lwork) * static_cast<std::size_t>(size_of(type));
  if (std::align(alignment, needed, data_, bytes) != nullptr) return;
  is_own_ = true;
  data_ = own_memory().at_least(needed);
  if (data_ == nullptr) throw std::bad_alloc();
}
CallMemory::~CallMemory() {
  if (is_own_) own_memory().keep_at_most(most_kept);
}

bool next_has_memory() {
  constexpr std::size_t bytes = std::size_t{160} << 20;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory != MAP_FAILED && munmap(memory, bytes) == 0;
}

Uplo uplo_of(char character) {
  return upper_case(character) == 'L' ? Uplo::lower : upper_case(character) == 'U' ? Uplo::upper : Uplo{-1};
}
Vect vect_of(char character) {
  return upper_case(character) == 'Q' ? Vect::q : upper_case(character) == 'P' ? Vect::p : Vect{-1};
}
Side side_of(char character) {
  return upper_case(character) == 'L' ? Side::left : upper_case(character) == 'R' ? Side::right : Side{-1};
}
Op op_of(char character) {
  switch (upper_case(character)) {
    case 'N': return Op::n;
    case 'T': return Op::t;
    case 'C': return Op::c;
    default: return Op{-1};
  }
}
Job job_of(char character) {
  return upper_case(character) == 'N' ? Job::values : upper_case(character) == 'V' ? Job::vectors : Job{-1};
}
Wants wants_of(char character) {
  switch (upper_case(character)) {
    case 'N': return Wants::none;
    case 'S': return Wants::some;
    case 'A': return Wants::all;
    case 'O': return Wants::in_a;
    default: return Wants{-1};
  }
}

void call(const LapackProblem& problem, const LapackOperands& operands, void* work, std::int32_t lwork,
          std::int32_t* info) noexcept {
  at_border(info, [&] {
    const bool asks = lwork == -1;
    const std::int64_t least = least_lwork(problem);
    const auto refused = [&](int position) { refuse(lapack_name(problem), position, info); };
    if (const BadArgument bad = check(problem); bad.position != 0) return refused(bad.position);
    if (!asks && lwork < least) return refused(position_of_lwork(problem.routine));
    if (!asks) count_call(problem.routine, problem.type);
    if (is_empty(problem)) return tell_lwork(problem.type, work, least);
    const LapackBackend& backend = lapack_cpu();
    const LapackPlan plan = backend.plan(problem, 0);
    if (!asks) {
      const CallMemory memory(problem.type, work, lwork, plan.workspace_bytes);
      backend.run(plan, operands, memory.data());
    }
    tell_lwork(problem.type, work, best_lwork(problem.type, least, plan.workspace_bytes));
  });
}

}  // namespace onepass::lapack
