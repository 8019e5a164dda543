// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/lapack/call.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "interop/lapack/log.hpp"
#include "lapack/backend.hpp"
#include "lapack/check.hpp"
#include "lapack/element.hpp"

// That of the program if it has one, else that of its BLAS.
extern "C" void xerbla_(const char* name, const std::int32_t* position, std::size_t length);

namespace onepass::lapack {
namespace {

constexpr std::size_t alignment = 64;
// What a thread keeps between calls at most: a solver's n x n matrices are not worth holding on to.
constexpr std::size_t most_kept = std::size_t{16} << 20;

// Memory that grows with what is asked of it.
class Kept {
 public:
  Kept() = default;
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() { std::free(data_); }

  // At least so many bytes, whatever they hold; or null.
  void* at_least(std::size_t bytes) {
    if (bytes > size_) {
      std::free(data_);
      data_ = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
      size_ = data_ == nullptr ? 0 : bytes;
    }
    return data_;
  }
  void give_back() {
    if (size_ <= most_kept) return;
    std::free(data_);
    data_ = nullptr;
    size_ = 0;
  }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

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

bool with_memory(Type type, void* work, std::int64_t lwork, std::size_t needed, const std::function<void(void*)>& run) {
  std::size_t bytes = static_cast<std::size_t>(lwork) * static_cast<std::size_t>(size_of(type));
  if (void* memory = work; std::align(alignment, needed, memory, bytes) != nullptr) return run(memory), true;
  thread_local Kept own;
  void* const memory = own.at_least(needed);
  if (memory == nullptr) return false;
  run(memory);
  own.give_back();
  return true;
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
  *info = 0;
  const bool asks = lwork == -1;
  const std::int64_t least = least_lwork(problem);
  const auto refused = [&](int position) { refuse(lapack_name(problem), position, info); };
  if (const BadArgument bad = check(problem); bad.position != 0) return refused(bad.position);
  if (!asks && lwork < least) return refused(position_of_lwork(problem.routine));
  if (!asks) count_call(problem.routine, problem.type);
  if (is_empty(problem)) return tell_lwork(problem.type, work, least);
  const LapackBackend& backend = lapack_cpu();
  const LapackPlan plan = backend.plan(problem, 0);
  if (!asks && !with_memory(problem.type, work, lwork, plan.workspace_bytes,
                            [&](void* memory) { backend.run(plan, operands, memory); }))
    return refused(position_of_lwork(problem.routine));
  tell_lwork(problem.type, work, best_lwork(problem.type, least, plan.workspace_bytes));
}

}  // namespace onepass::lapack
