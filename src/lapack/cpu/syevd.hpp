// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A Hermitian eigenproblem: tridiagonal form, its eigenproblem, and Q times the eigenvectors of that.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "lapack/cpu/q.hpp"
#include "lapack/cpu/scaling.hpp"
#include "lapack/cpu/stedc.hpp"
#include "lapack/cpu/sytrd.hpp"
#include "lapack/wanted.hpp"

namespace onepass::lapack {

template <class T>
class Eigen {
  using R = Real<T>;

 public:
  Eigen(const LapackProblem& p, int threads, std::int64_t panel, Scratch& scratch)
      : problem_(p),
        reduction_(of(p, LapackRoutine::sytrd), threads, panel, scratch),
        tridiagonal_(p.job, p.n, scratch),
        z_(scratch.take_matrix<R>(order_of_v(), order_of_v())),
        whole_(scratch.take_matrix<T>(is_complex<T> ? order_of_v() : 0, is_complex<T> ? order_of_v() : 0)),
        apply_(applied(p, v().ld), threads, std::max<std::int64_t>(1, block_width(p.type, p.n - 1)), scratch),
        e_(scratch.take<R>(p.n)),
        tau_(scratch.take<T>(p.n)) {}

  void run(const LapackOperands& operands) const {
    const std::int64_t n = problem_.n;
    *operands.info = 0;
    if (problem_.wanted == Wanted::by_value) *operands.found = 0;
    if (n == 0) return;
    const Matrix<T> a = {static_cast<T*>(operands.a), problem_.lda};
    R* const w = static_cast<R*>(operands.w);
    const int exponent = scale_near_one<T>([&](auto f) { for_each(a, f); });
    reduction_.run({.a = operands.a, .d = w, .e = e_, .tau = tau_});
    if (!tridiagonal_.run(w, e_, z_)) return fail(operands);
    for (std::int64_t i = 0; i < n; ++i) w[i] = std::ldexp(w[i], exponent);
    const std::int64_t first = keep_wanted(problem_, w, operands.found), count = count_wanted(problem_);
    if (!vectors()) return;
    if constexpr (is_complex<T>)
      for (std::int64_t c = first; c < first + count; ++c) std::copy_n(z_.column(c), n, whole_.column(c));
    apply_.run({.a = operands.a, .tau = tau_, .c = v().column(first)});
    for (std::int64_t c = 0; c < count; ++c) std::copy_n(v().column(first + c), n, a.column(c));
  }

 private:
  bool vectors() const { return problem_.job == Job::vectors; }
  std::int64_t order_of_v() const { return vectors() ? problem_.n : 0; }
  // The eigenvectors, at first those of the tridiagonal matrix.
  Matrix<T> v() const {
    if constexpr (is_complex<T>)
      return whole_;
    else
      return z_;
  }
  static LapackProblem of(LapackProblem p, LapackRoutine routine) {
    p.routine = routine;
    return p;
  }
  static LapackProblem applied(const LapackProblem& p, std::int64_t ldc) {
    LapackProblem q = of(p, LapackRoutine::ormtr);
    q.m = p.job == Job::vectors ? p.n : 0;
    q.n = p.job == Job::vectors ? count_wanted(p) : 0;
    q.ldc = ldc;
    return q;
  }

  template <class F>
  void for_each(Matrix<T> a, F f) const {
    const bool lower = problem_.uplo == Uplo::lower;
    for (std::int64_t c = 0; c < problem_.n; ++c)
      for (std::int64_t r = lower ? c : 0; r < (lower ? problem_.n : c + 1); ++r) f(a(r, c));
  }

  void fail(const LapackOperands& operands) const {
    const R nan = std::numeric_limits<R>::quiet_NaN();
    const Matrix<T> a = {static_cast<T*>(operands.a), problem_.lda};
    *operands.info = static_cast<int>(info_of_failure(problem_));
    std::fill_n(static_cast<R*>(operands.w), problem_.n, nan);
    if (vectors())
      for (std::int64_t c = 0; c < problem_.n; ++c) std::fill_n(a.column(c), problem_.n, T{nan});
  }

  LapackProblem problem_;
  Tridiagonal<T> reduction_;
  TridiagonalEigen<R> tridiagonal_;
  Matrix<R> z_;
  Matrix<T> whole_;
  ApplyQ<T> apply_;
  R* e_;
  T* tau_;
};

}  // namespace onepass::lapack
