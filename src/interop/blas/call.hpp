// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A call of BLAS as a Problem: its first bad argument, and its run on the cpu backend.
#pragma once

#include <algorithm>

#include "problem/problem.hpp"

namespace onepass::blas {

// What a character or an enum of the caller means where it means nothing.
inline constexpr Op no_op{-1};
inline constexpr Uplo no_uplo{-1};
inline constexpr Layout no_layout{-1};

// The position of the first bad argument in the Fortran interface, as in
//   xGEMV(TRANS, M, N, ALPHA, A, LDA, X, INCX, BETA, Y, INCY)
//   xSYMV(UPLO, N, ALPHA, A, LDA, X, INCX, BETA, Y, INCY)
// or 0 if all are right. Pure; no operand is looked at.
constexpr int first_bad(const Problem& p) {
  // SYMV has no N of its own beside M: its arguments stand one place earlier.
  const int shift = is_triangle(p) ? 1 : 0;
  if (shift == 1 ? p.uplo == no_uplo : p.op == no_op) return 1;
  if (p.m < 0) return 2;
  if (p.n < 0) return 3;
  if (p.lda < std::max<std::int64_t>(1, stored(p).rows)) return 6 - shift;
  if (p.incx == 0) return 8 - shift;
  if (p.incy == 0) return 11 - shift;
  return 0;
}

// Runs a problem without a bad argument, with the threads that OpenMP grants the caller. Any number of threads may
// run at once: each has its own workspace, made on the first call that needs one.
void run(const Problem& p, const Operands& operands) noexcept;

}  // namespace onepass::blas
