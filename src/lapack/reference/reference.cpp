// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The reference backend of the reductions: what the others are held to.
#include <algorithm>
#include <new>
#include <vector>

#include "lapack/backend.hpp"
#include "lapack/batch.hpp"
#include "lapack/reference/eigen.hpp"
#include "lapack/reference/reduce.hpp"
#include "lapack/reference/singular.hpp"
#include "lapack/reflectors.hpp"

namespace onepass {
namespace lapack::reference {
namespace {

// H(i) from the place where LAPACK keeps it.
template <class T>
WideVector<Wide<T>> stored(const Reflectors& q, Matrix<T> a, std::int64_t i) {
  using W = Wide<T>;
  const std::int64_t unit = q.unit + i, line = q.line + i;
  WideVector<W> v = {.first = q.first_row(i), .elements = {}};
  for (std::int64_t r = v.first; r < q.last_row(i + 1); ++r)
    v.elements.push_back(r == unit ? W{1} : q.by_rows ? conjugate(converted<W>(a(line, r))) : converted<W>(a(r, line)));
  return v;
}

// C := op(Q) C or C op(Q). `is_unit`: C is the unit matrix, of which H(i) leaves the columns before its own alone.
template <class T>
void multiply(const Reflectors& q, Matrix<T> a, const T* tau, Side side, bool conjugated, bool is_unit,
              WideMatrix<Wide<T>>& c) {
  using W = Wide<T>;
  const bool ascending = first_comes_first(q, side, conjugated);
  for (std::int64_t step = 0; step < q.count; ++step) {
    const std::int64_t i = ascending ? step : q.count - 1 - step;
    const W factor = conjugated ? conjugate(converted<W>(tau[i])) : converted<W>(tau[i]);
    if (side == Side::left)
      apply_left<W>(c, stored(q, a, i), factor, is_unit && !q.backward ? q.unit + i : 0);
    else
      apply_right<W>(c, stored(q, a, i), factor, 0, c.rows());
  }
}

template <class T>
void generate(const LapackProblem& p, const LapackOperands& o, Matrix<T> a) {
  const Reflectors q = reflectors(p);
  const std::int64_t rows = is_rectangular(p.routine) ? p.m : p.n;
  WideMatrix<Wide<T>> whole(q.order, lines_made(p));
  for (std::int64_t i = 0; i < whole.columns(); ++i) whole(i, i) = Wide<T>{1};
  const T* tau = static_cast<const T*>(o.tau) + first_tau(p);
  multiply<T>(q, a, tau, Side::left, false, true, whole);
  for (std::int64_t c = 0; c < p.n; ++c)
    for (std::int64_t r = 0; r < rows; ++r)
      a(r, c) = q.by_rows ? converted<T>(conjugate(whole(c, r))) : converted<T>(whole(r, c));
}

template <class T>
void apply(const LapackProblem& p, const LapackOperands& o, Matrix<T> a) {
  const Matrix<T> c = {static_cast<T*>(o.c), p.ldc};
  WideMatrix<Wide<T>> wide(p.m, p.n, c);
  const T* tau = static_cast<const T*>(o.tau) + first_tau(p);
  multiply<T>(reflectors(p), a, tau, p.side, p.op != Op::n, false, wide);
  for (std::int64_t j = 0; j < p.n; ++j)
    for (std::int64_t i = 0; i < p.m; ++i) c(i, j) = converted<T>(wide(i, j));
}

template <class T>
void run_typed(const LapackProblem& p, const LapackOperands& o) {
  const Matrix<T> a = {static_cast<T*>(o.a), p.lda};
  if (generates(p.routine)) return generate<T>(p, o, a);
  if (applies(p.routine)) return apply<T>(p, o, a);
  if (is_batched(p)) {
    for (std::int64_t i = 0; i < p.batch_count; ++i) {
      const LapackOperands one = matrix_of_batch<T>(p, o, i);
      const Matrix<T> matrix = {static_cast<T*>(one.a), p.lda};
      if (p.routine != LapackRoutine::gesvd) {
        eigen<T>(p, one, matrix);
      } else if (!p.plain_v || p.job == Job::values) {
        singular<T>(p, one, matrix);
      } else {
        LapackProblem adjoint = p;
        adjoint.ldvt = std::max<std::int64_t>(1, rows_of_vt(p));
        std::vector<T> vt(static_cast<std::size_t>(rows_of_vt(p) * p.n));
        LapackOperands there = one;
        there.vt = vt.data();
        singular<T>(adjoint, there, matrix);
        if (one.vt != nullptr) adjoint_into(p, vt.data(), static_cast<T*>(one.vt));
      }
    }
    return;
  }
  if (p.routine == LapackRoutine::syevd) return eigen<T>(p, o, a);
  if (p.routine == LapackRoutine::gesvd) return singular<T>(p, o, a);
  Reduction<T> reduction(p, o, a, is_rectangular(p.routine) ? p.m : p.n, p.n);
  switch (p.routine) {
    case LapackRoutine::sytrd: return reduction.tridiagonal();
    case LapackRoutine::gebrd: return reduction.bidiagonal();
    case LapackRoutine::geqrf: return reduction.triangular();
    default: return reduction.hessenberg();
  }
}

LapackPlan plan(const LapackProblem& problem, int) {
  return {.problem = problem, .backend = BackendId::reference, .threads = 1, .panel = 1};
}

Status run(const LapackPlan& plan, const LapackOperands& operands, void*) {
  try {
    by_type(plan.problem.type, [&]<class T>(T) { run_typed<T>(plan.problem, operands); });
    return {};
  } catch (const std::bad_alloc&) {
    return {ONEPASS_STATUS_OUT_OF_MEMORY, "no memory for a matrix in wider numbers"};
  }
}

}  // namespace
}  // namespace lapack::reference

const LapackBackend& lapack_reference() {
  static constexpr LapackBackend backend = {
      .id = BackendId::reference, .plan = lapack::reference::plan, .run = lapack::reference::run};
  return backend;
}

}  // namespace onepass
