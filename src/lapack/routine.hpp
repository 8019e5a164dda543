// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The table of LAPACK's routines: what is not in it does not exist. Checks, names, backends, the program and the tests
// read it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <iterator>

namespace onepass {

enum class LapackRoutine : int {
  sytrd,
  gebrd,
  gehrd,
  orgtr,
  orgbr,
  orghr,
  ormtr,
  ormbr,
  ormhr,
  syevd,
  geqrf,
  orgqr,
  ormqr,
  gesvd,
};

enum class LapackKind {
  reduces,    // A to a matrix of simpler form, and leaves the reflectors of a Q
  generates,  // a Q in the place of its reflectors
  applies,    // C := op(Q) C or C op(Q)
  solves,     // an eigenproblem, or a singular value decomposition
};

namespace lapack {

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

}  // namespace lapack

struct LapackRow {
  LapackRoutine routine;
  const char* name;          // without the letter of the type
  const char* complex_name;  // of complex types
  LapackKind kind;
  LapackRoutine reduction;       // whose Q it generates or applies; else the routine itself
  bool rectangular;              // A of any shape
  lapack::Arguments arguments;   // in the order of LAPACK
  lapack::Arguments of_batches;  // of many matrices; none if the routine takes one
};

inline constexpr auto lapack_routines = [] {
  using enum lapack::Argument;
  using enum LapackRoutine;
  using enum LapackKind;
  return std::to_array<LapackRow>({
      // A = Q T Q^H, T tridiagonal
      {sytrd, "sytrd", "hetrd", reduces, sytrd, false, {uplo, n, a, lda, d, e, tau, work, lwork}, {}},
      // A = Q B P^H, B bidiagonal: upper for m >= n, lower for m < n
      {gebrd, "gebrd", "gebrd", reduces, gebrd, true, {m, n, a, lda, d, e, tau, taup, work, lwork}, {}},
      // A = Q H Q^H, H of Hessenberg form
      {gehrd, "gehrd", "gehrd", reduces, gehrd, false, {n, ilo, ihi, a, lda, tau, work, lwork}, {}},
      {orgtr, "orgtr", "ungtr", generates, sytrd, false, {uplo, n, a, lda, tau, work, lwork}, {}},
      // Q or P^H
      {orgbr, "orgbr", "ungbr", generates, gebrd, true, {vect, m, n, k, a, lda, tau, work, lwork}, {}},
      {orghr, "orghr", "unghr", generates, gehrd, false, {n, ilo, ihi, a, lda, tau, work, lwork}, {}},
      {ormtr, "ormtr", "unmtr", applies, sytrd, false, {side, uplo, op, m, n, a, lda, tau, c, ldc, work, lwork}, {}},
      // Q or P
      {ormbr, "ormbr", "unmbr", applies, gebrd, false, {vect, side, op, m, n, k, a, lda, tau, c, ldc, work, lwork}, {}},
      {ormhr,
       "ormhr",
       "unmhr",
       applies,
       gehrd,
       false,
       {side, op, m, n, ilo, ihi, a, lda, tau, c, ldc, work, lwork},
       {}},
      // A = V diag(w) V^H; heevd has rwork, too, and the last arguments are syevdx's
      {syevd,
       "syevd",
       "heevd",
       solves,
       syevd,
       false,
       {job, uplo, n, a, lda, w, work, lwork, iwork, liwork, info, wanted, found},
       {job, uplo, n, a, lda, stride_a, w, stride_w, work, info, batch_count, wanted}},
      // A = Q R, R upper triangular
      {geqrf, "geqrf", "geqrf", reduces, geqrf, true, {m, n, a, lda, tau, work, lwork}, {}},
      // The first columns of Q
      {orgqr, "orgqr", "ungqr", generates, geqrf, true, {m, n, k, a, lda, tau, work, lwork}, {}},
      {ormqr, "ormqr", "unmqr", applies, geqrf, false, {side, op, m, n, k, a, lda, tau, c, ldc, work, lwork}, {}},
      // A = U diag(s) V^H; the arguments are gesdd's
      {gesvd,
       "gesvd",
       "gesvd",
       solves,
       gesvd,
       true,
       {job, m, n, a, lda, w, u, ldu, vt, ldvt, work, lwork, iwork, info},
       {job, m, n, a, lda, stride_a, w, stride_w, u, ldu, stride_u, vt, ldvt, stride_vt, work, info, batch_count}},
  });
}();

inline constexpr std::size_t lapack_routine_count = std::size(lapack_routines);
constexpr const LapackRow& row(LapackRoutine routine) { return lapack_routines[static_cast<std::size_t>(routine)]; }

// What generates the Q of a reduction.
constexpr LapackRoutine maker_of_q(LapackRoutine reduction) {
  return std::find_if(std::begin(lapack_routines), std::end(lapack_routines),
                      [&](const LapackRow& r) { return r.kind == LapackKind::generates && r.reduction == reduction; })
      ->routine;
}

static_assert(
    [] {
      for (std::size_t i = 0; i < lapack_routine_count; ++i)
        if (lapack_routines[i].routine != static_cast<LapackRoutine>(i)) return false;
      return true;
    }(),
    "the rows of the table are in the order of the enum");

}  // namespace onepass
