// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A reduction, what is done with its factor Q, or an eigenproblem, as a plain value; the pointers of one call.
#pragma once

#include <cstdint>

#include "problem/problem.hpp"

namespace onepass {

// In the names of the real types: sytrd is hetrd of complex ones, orgtr ungtr, ormtr unmtr, syevd heevd and so on.
enum class LapackRoutine : int {
  sytrd,  // A = Q T Q^H, T tridiagonal
  gebrd,  // A = Q B P^H, B bidiagonal: upper for m >= n, lower for m < n
  gehrd,  // A = Q H Q^H, H of Hessenberg form
  orgtr,  // Q of sytrd in the place of its reflectors
  orgbr,  // Q or P^H of gebrd, likewise
  orghr,  // Q of gehrd, likewise
  ormtr,  // C := op(Q) C or C op(Q), Q of sytrd
  ormbr,  // likewise Q or P of gebrd
  ormhr,  // likewise Q of gehrd
  syevd,  // A = V diag(w) V^H
};

enum class Side : int { left, right };
enum class Vect : int { q, p };
enum class Job : int { values, vectors };
// Many matrices of one shape: at equal distances, or wherever an array of pointers says.
enum class Batch : int { none, strided, pointers };

// Fields that the routine has no use for keep their defaults. Column major, as LAPACK is.
struct LapackProblem {
  LapackRoutine routine = LapackRoutine::sytrd;
  Type type = Type::d;
  Uplo uplo = Uplo::lower;  // sytrd, orgtr, ormtr, syevd
  Vect vect = Vect::q;      // orgbr, ormbr
  Side side = Side::left;   // ormtr, ormbr, ormhr
  Op op = Op::n;            // likewise: N, and T of real or C of complex types
  std::int64_t m = 0;       // rows of A (gebrd, orgbr) or of C
  std::int64_t n = 0;       // order or columns of A, or columns of C
  std::int64_t k = 0;       // orgbr, ormbr: the other dimension of the matrix that gebrd reduced
  std::int64_t ilo = 1;     // gehrd, orghr, ormhr: rows and columns ilo..ihi, counted from 1, are reduced
  std::int64_t ihi = 0;
  std::int64_t lda = 1, ldc = 1;
  Job job = Job::values;      // syevd: whether V is wanted, too
  Batch batch = Batch::none;  // syevd
  std::int64_t batch_count = 1;
  std::int64_t stride_a = 0, stride_w = 0;  // elements from one matrix, or its eigenvalues, to the next

  bool operator==(const LapackProblem&) const = default;
};

struct LapackOperands {
  void* a = nullptr;     // of Batch::pointers an array of pointers
  void* d = nullptr;     // diagonal of T or B, real; sytrd, gebrd
  void* e = nullptr;     // beside it, real; likewise
  void* tau = nullptr;   // factors of the reflectors; those of Q, if there is a P too
  void* taup = nullptr;  // those of P; gebrd
  void* c = nullptr;     // ormtr, ormbr, ormhr
  void* w = nullptr;     // eigenvalues, real and ascending; syevd
  int* info = nullptr;   // LAPACK's, where the operands live, one for each matrix; likewise
};

constexpr bool is_reduction(LapackRoutine r) { return r <= LapackRoutine::gehrd; }
constexpr bool generates(LapackRoutine r) { return r >= LapackRoutine::orgtr && r <= LapackRoutine::orghr; }
constexpr bool applies(LapackRoutine r) { return r >= LapackRoutine::ormtr && r <= LapackRoutine::ormhr; }
constexpr bool is_batched(const LapackProblem& p) { return p.batch != Batch::none; }
constexpr bool has_m(LapackRoutine r) { return r == LapackRoutine::gebrd || r == LapackRoutine::orgbr || applies(r); }
// Nothing is read or written but info.
constexpr bool is_empty(const LapackProblem& p) { return p.n == 0 || (has_m(p.routine) && p.m == 0); }

// What syevd says in info where A has NaN or infinity, or nothing converged: as LAPACK says it of all rows.
constexpr std::int64_t info_of_failure(const LapackProblem& p) { return p.job == Job::vectors ? 2 * p.n + 1 : p.n; }

// The order of Q or P that is applied.
constexpr std::int64_t order_applied(const LapackProblem& p) { return p.side == Side::left ? p.m : p.n; }

}  // namespace onepass
