// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The arguments of each routine, in LAPACK's order.
#pragma once

#include <cstdint>
#include <vector>

#include "lapack/problem.hpp"

namespace onepass::lapack {

enum class Argument {
  job,
  uplo,
  vect,
  side,
  op,
  m,
  n,
  k,
  ilo,
  ihi,
  a,
  lda,
  d,
  e,
  tau,
  taup,
  c,
  ldc,
  w,
  u,
  ldu,
  vt,
  ldvt,
  work,
  lwork,
  iwork,
  liwork,
  info,
  stride_a,
  stride_w,
  stride_u,
  stride_vt,
  batch_count,
  wanted,
  found
};

const std::vector<Argument>& arguments(const LapackProblem& p);

// The order of A, or of the Q that is applied.
constexpr std::int64_t order(const LapackProblem& p) { return applies(p.routine) ? order_applied(p) : p.n; }

}  // namespace onepass::lapack
