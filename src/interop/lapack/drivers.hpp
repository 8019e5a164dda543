// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Calls of LAPACK's drivers, syevd, syev, gesdd and gesvd: their checks, spaces and INFO around one run of the cpu
// backend. The driver by QR is served by divide and conquer, too.
#pragma once

#include <cstdint>

#include "interop/lapack/call.hpp"
#include "interop/lapack/log.hpp"

namespace onepass::lapack {

// WORK and, if the driver has them, RWORK and IWORK with lengths of their own; those of others are not looked at.
struct Spaces {
  void* work = nullptr;
  std::int32_t lwork = 0;
  void* rwork = nullptr;
  const std::int32_t* lrwork = nullptr;
  std::int32_t* iwork = nullptr;
  const std::int32_t* liwork = nullptr;
};

// `problem`: syevd with the arguments of either driver.
void solve_symmetric(Driver driver, const LapackProblem& problem, void* a, void* w, const Spaces& spaces,
                     std::int32_t* info) noexcept;

struct SvdCall {
  Driver driver = Driver::gesdd;
  Type type = Type::d;
  Wants u_wanted = Wants::none, vt_wanted = Wants::none;
  std::int64_t m = 0, n = 0;
  void* a = nullptr;
  std::int64_t lda = 1;
  void* s = nullptr;
  void* u = nullptr;
  std::int64_t ldu = 1;
  void* vt = nullptr;
  std::int64_t ldvt = 1;
};

void decompose(const SvdCall& call, void* work, std::int32_t lwork, std::int32_t* info) noexcept;

// JOBZ of gesdd as what gesvd would be told: in A lie the vectors of the longer side.
constexpr Wants u_of_jobz(Wants jobz, std::int64_t m, std::int64_t n) {
  return jobz == Wants::in_a && m < n ? Wants::all : jobz;
}
constexpr Wants vt_of_jobz(Wants jobz, std::int64_t m, std::int64_t n) {
  return jobz == Wants::in_a && m >= n ? Wants::all : jobz;
}

}  // namespace onepass::lapack
