// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A reduction or factorisation, what is done with its factor Q, an eigenproblem or a singular value decomposition, as a
// plain value; the pointers of one call.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lapack/routine.hpp"
#include "problem/problem.hpp"

namespace onepass {

enum class Side : int { left, right };
enum class Vect : int { q, p };
enum class Job : int { values, vectors, all };
// Many matrices of one shape: at equal distances, or wherever an array of pointers says.
enum class Batch : int { none, strided, pointers };
// Which eigenvalues: all, those with LAPACK's indices il..iu, or those in (vl, vu].
enum class Wanted : int { all, by_index, by_value };

// Fields that the routine has no use for keep their defaults. Column major, as LAPACK is.
struct LapackProblem {
  LapackRoutine routine = LapackRoutine::sytrd;
  Type type = Type::d;
  Uplo uplo = Uplo::lower;  // sytrd, orgtr, ormtr, syevd
  Vect vect = Vect::q;      // orgbr, ormbr
  Side side = Side::left;   // ormtr, ormbr, ormhr, ormqr
  Op op = Op::n;            // likewise: N, and T of real or C of complex types
  std::int64_t m = 0;       // rows of A (gebrd, orgbr, geqrf, orgqr, gesvd) or of C
  std::int64_t n = 0;       // order or columns of A, or columns of C
  std::int64_t k = 0;    // orgbr, ormbr: the other dimension of the matrix that gebrd reduced; orgqr, ormqr: reflectors
  std::int64_t ilo = 1;  // gehrd, orghr, ormhr: rows and columns ilo..ihi, counted from 1, are reduced
  std::int64_t ihi = 0;
  std::int64_t lda = 1, ldc = 1;
  // syevd: whether V is wanted, too. gesvd: whether the first min(m, n) columns of U and rows of V^H are, or all.
  Job job = Job::values;
  std::int64_t ldu = 1, ldvt = 1;  // gesvd
  Batch batch = Batch::none;       // syevd; gesvd, which then has no Job::all
  std::int64_t batch_count = 1;
  std::int64_t stride_a = 0, stride_w = 0;   // elements from one matrix, or its values, to the next
  std::int64_t stride_u = 0, stride_vt = 0;  // gesvd
  bool plain_v = false;                      // gesvd of a batch: V in the place of V^H
  Wanted wanted = Wanted::all;               // syevd; by value without V alone
  std::int64_t il = 1, iu = 0;               // counted from 1
  double vl = 0, vu = 0;

  bool operator==(const LapackProblem&) const = default;
};

struct LapackOperands {
  void* a = nullptr;     // of Batch::pointers an array of pointers; u and vt likewise
  void* d = nullptr;     // diagonal of T or B, real; sytrd, gebrd
  void* e = nullptr;     // beside it, real; likewise
  void* tau = nullptr;   // factors of the reflectors; those of Q, if there is a P too
  void* taup = nullptr;  // those of P; gebrd
  void* c = nullptr;     // ormtr, ormbr, ormhr, ormqr
  void* w = nullptr;     // real: eigenvalues, ascending, or singular values, descending; syevd, gesvd
  int* info = nullptr;   // LAPACK's, where the operands live, one for each matrix; likewise
  void* u = nullptr;     // gesvd
  void* vt = nullptr;    // V^H; likewise
  int* found = nullptr;  // how many eigenvalues there are by value; syevd
};

constexpr bool is_reduction(LapackRoutine r) { return row(r).kind == LapackKind::reduces; }
constexpr bool generates(LapackRoutine r) { return row(r).kind == LapackKind::generates; }
constexpr bool applies(LapackRoutine r) { return row(r).kind == LapackKind::applies; }
constexpr bool solves(LapackRoutine r) { return row(r).kind == LapackKind::solves; }
constexpr bool is_rectangular(LapackRoutine r) { return row(r).rectangular; }
constexpr bool has_m(LapackRoutine r) { return is_rectangular(r) || applies(r); }
constexpr bool is_batched(const LapackProblem& p) { return p.batch != Batch::none; }
// Nothing is read or written but info.
constexpr bool is_empty(const LapackProblem& p) { return p.n == 0 || (has_m(p.routine) && p.m == 0); }

// What info says where A has NaN or infinity, or nothing converged: as LAPACK says it of all rows.
constexpr std::int64_t info_of_failure(const LapackProblem& p) {
  if (p.routine == LapackRoutine::gesvd) return p.m < p.n ? p.m : p.n;
  return p.job == Job::vectors ? 2 * p.n + 1 : p.n;
}

// Whether gesvd reduces R in the place of A, of A = Q R or, if A is wide, A^H = Q R: from 1.6 rows a column on R has so
// much less that its own factor pays.
constexpr bool takes_qr_step(std::int64_t m, std::int64_t n) {
  const std::int64_t most = m > n ? m : n, least = m > n ? n : m;
  return most > least && 5 * most >= 8 * least;
}

// Eigenvalues before those that syevd is asked for, and how many these are; by value they are as many at most.
constexpr std::int64_t first_wanted(const LapackProblem& p) { return p.wanted == Wanted::by_index ? p.il - 1 : 0; }
constexpr std::int64_t count_wanted(const LapackProblem& p) {
  return p.wanted == Wanted::by_index && p.n > 0 ? p.iu - p.il + 1 : p.n;
}

// Columns of U and rows of V^H that gesvd makes.
constexpr std::int64_t columns_of_u(const LapackProblem& p) {
  return p.job == Job::values ? 0 : p.job == Job::all || p.m < p.n ? p.m : p.n;
}
constexpr std::int64_t rows_of_vt(const LapackProblem& p) {
  return p.job == Job::values ? 0 : p.job == Job::all || p.n < p.m ? p.n : p.m;
}

// Of V^H, or of V in its place, as it is stored.
constexpr std::int64_t rows_on_the_right(const LapackProblem& p) {
  return p.plain_v && rows_of_vt(p) > 0 ? p.n : rows_of_vt(p);
}
constexpr std::int64_t columns_on_the_right(const LapackProblem& p) { return p.plain_v ? rows_of_vt(p) : p.n; }

// The order of Q or P that is applied.
constexpr std::int64_t order_applied(const LapackProblem& p) { return p.side == Side::left ? p.m : p.n; }
// The order of A, or of the Q that is applied.
constexpr std::int64_t order(const LapackProblem& p) { return applies(p.routine) ? order_applied(p) : p.n; }

constexpr const lapack::Arguments& arguments(const LapackProblem& p) {
  return is_batched(p) ? row(p.routine).of_batches : row(p.routine).arguments;
}

}  // namespace onepass
