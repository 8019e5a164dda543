// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The arguments of each routine, in LAPACK's order.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

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

// Those of one routine, in memory that needs no allocation.
class Arguments {
 public:
  constexpr Arguments(std::initializer_list<Argument> list) : count_(list.size()) {
    std::copy(list.begin(), list.end(), list_.begin());
  }
  constexpr const Argument* begin() const { return list_.data(); }
  constexpr const Argument* end() const { return list_.data() + count_; }

 private:
  std::array<Argument, 17> list_{};
  std::size_t count_;
};
const Arguments& arguments(const LapackProblem& p);

// The order of A, or of the Q that is applied.
constexpr std::int64_t order(const LapackProblem& p) { return applies(p.routine) ? order_applied(p) : p.n; }

}  // namespace onepass::lapack
