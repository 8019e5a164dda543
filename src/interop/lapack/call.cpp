// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/lapack/call.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdlib>
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

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

char upper_case(char letter) { return static_cast<char>(std::toupper(static_cast<unsigned char>(letter))); }

void refuse(const LapackProblem& p, int position, std::int32_t* info) {
  std::string name = lapack_name(p);
  std::transform(name.begin(), name.end(), name.begin(), upper_case);
  *info = -position;
  const std::int32_t told = position;
  xerbla_(name.c_str(), &told, name.size());
}

// Elements of WORK with which a plan needs no memory of its own, wherever WORK begins.
std::int64_t best_lwork(const LapackPlan& plan) {
  const std::int64_t bytes =
      static_cast<std::int64_t>(plan.workspace_bytes + (plan.workspace_bytes > 0 ? alignment : 0));
  const std::int64_t size = size_of(plan.problem.type);
  return std::max(least_lwork(plan.problem), (bytes + size - 1) / size);
}

// WORK(1), where LWORK is told as a number of the type. It must not be rounded down, as a float would.
void tell_lwork(const LapackProblem& p, void* work, std::int64_t lwork) {
  by_type(p.type, [&]<class T>(T) {
    using R = Real<T>;
    auto value = static_cast<R>(lwork);
    if (static_cast<double>(value) < static_cast<double>(lwork))
      value = std::nextafter(value, std::numeric_limits<R>::infinity());
    *static_cast<T*>(work) = value;
  });
}

}  // namespace

Uplo uplo_of(char letter) {
  return upper_case(letter) == 'L' ? Uplo::lower : upper_case(letter) == 'U' ? Uplo::upper : Uplo{-1};
}
Vect vect_of(char letter) {
  return upper_case(letter) == 'Q' ? Vect::q : upper_case(letter) == 'P' ? Vect::p : Vect{-1};
}
Side side_of(char letter) {
  return upper_case(letter) == 'L' ? Side::left : upper_case(letter) == 'R' ? Side::right : Side{-1};
}
Op op_of(char letter) {
  switch (upper_case(letter)) {
    case 'N': return Op::n;
    case 'T': return Op::t;
    case 'C': return Op::c;
    default: return Op{-1};
  }
}

void call(const LapackProblem& problem, const LapackOperands& operands, void* work, std::int32_t lwork,
          std::int32_t* info) noexcept {
  *info = 0;
  const bool asks = lwork == -1;
  if (const BadArgument bad = check(problem); bad.position != 0) return refuse(problem, bad.position, info);
  if (!asks && lwork < least_lwork(problem)) return refuse(problem, position_of_lwork(problem.routine), info);
  if (!asks) count_call(problem);
  if (is_empty(problem)) return tell_lwork(problem, work, 1);
  const LapackBackend& backend = lapack_cpu();
  const LapackPlan plan = backend.plan(problem, 0);
  const std::int64_t best = best_lwork(plan);
  if (!asks) {
    void* memory = work;
    std::size_t bytes = static_cast<std::size_t>(lwork) * static_cast<std::size_t>(size_of(problem.type));
    if (std::align(alignment, plan.workspace_bytes, memory, bytes) == nullptr) {
      thread_local Kept own;
      memory = own.at_least(plan.workspace_bytes);
      if (memory == nullptr) return refuse(problem, position_of_lwork(problem.routine), info);
    }
    backend.run(plan, operands, memory);
  }
  tell_lwork(problem, work, best);
}

}  // namespace onepass::lapack
