// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A reduction that has run between canaries, and the matrices of which its residuals are made.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "guarded.hpp"
#include "lapack/check.hpp"
#include "types.hpp"
#include "verify/lapack_residual.hpp"

namespace onepass::test {

template <class T>
struct Reduction {
  using R = lapack::Real<T>;
  using Dense = verify::Dense<verify::Exact<T>>;

  LapackProblem problem;
  Dense original;
  Guarded<T> a;
  Guarded<R> d, e;
  Guarded<T> tau, taup;
  bool intact = false;

  Reduction(const LapackBackend& backend, LapackProblem p, verify::Pattern pattern, int threads = 1)
      : problem(typed(p)),
        original(make_original(problem, pattern)),
        a(original.rows, original.columns, problem.lda),
        d(is(LapackRoutine::gehrd) ? 0 : least()),
        e(is(LapackRoutine::gehrd) ? 0 : std::max<std::int64_t>(0, least() - 1)),
        tau(is(LapackRoutine::gebrd) ? least() : std::max<std::int64_t>(0, problem.n - 1)),
        taup(is(LapackRoutine::gebrd) ? least() : 0) {
    const auto keep = [&](std::int64_t r, std::int64_t c) { return is_stored(r, c); };
    a.set(original, keep);
    const LapackOperands operands = {
        .a = a.data(), .d = d.data(), .e = e.data(), .tau = tau.data(), .taup = taup.data()};
    intact = run(backend, problem, operands, threads) && a.intact(keep) && d.intact() && e.intact() && tau.intact() &&
             taup.intact();
  }

  // T, B or H, whole.
  Dense reduced() {
    Dense b(original.rows, original.columns);
    for (std::int64_t c = 0; c < b.columns; ++c)
      for (std::int64_t r = 0; r < b.rows; ++r)
        if (is(LapackRoutine::gehrd)) {
          if (r <= c + 1) b(r, c) = static_cast<verify::Exact<T>>(a(r, c));
        } else if (r == c) {
          b(r, c) = d[r];
        } else if (is(LapackRoutine::sytrd) ? std::abs(r - c) == 1 : b.rows >= b.columns ? c == r + 1 : r == c + 1) {
          b(r, c) = e[std::min(r, c)];
        }
    return b;
  }

  // Q, or P^H. By the reference backend it is the truth of what the reflectors mean; for large orders that takes long.
  Dense factor(const LapackBackend& backend, Vect vect = Vect::q) {
    LapackProblem p = problem;
    p.vect = vect;
    const bool bidiagonal = is(LapackRoutine::gebrd);
    p.routine = static_cast<LapackRoutine>(static_cast<int>(p.routine) + 3);
    if (bidiagonal) {
      p.k = vect == Vect::q ? problem.n : problem.m;
      p.m = p.n = vect == Vect::q ? problem.m : problem.n;
      p.lda = std::max<std::int64_t>(1, p.n);
    }
    Guarded<T> whole(p.n, p.n, p.lda);
    for (std::int64_t c = 0; c < std::min(original.columns, p.n); ++c)
      for (std::int64_t r = 0; r < std::min(original.rows, p.n); ++r) whole(r, c) = a(r, c);
    run(backend, p, {.a = whole.data(), .tau = vect == Vect::q ? tau.data() : taup.data()});
    return whole.values();
  }

  void expect_small_residuals(const LapackBackend& generator = lapack_reference()) {
    SCOPED_TRACE(lapack_name(problem) + " m = " + std::to_string(problem.m) + " n = " + std::to_string(problem.n) +
                 " uplo = " + std::to_string(static_cast<int>(problem.uplo)) + " ilo = " + std::to_string(problem.ilo) +
                 " ihi = " + std::to_string(problem.ihi) + " lda = " + std::to_string(problem.lda));
    EXPECT_TRUE(intact);
    const double eps = verify::unit_of<T>;
    const Dense q = factor(generator),
                right = is(LapackRoutine::gebrd) ? factor(generator, Vect::p) : verify::adjoint(q);
    EXPECT_LT(verify::reduction_residual(original, q, reduced(), right, eps), verify::residual_limit);
    EXPECT_LT(verify::orthogonality_residual(q, eps), verify::residual_limit);
    EXPECT_LT(verify::orthogonality_residual(right, eps), verify::residual_limit);
  }

  bool is_finite() {
    for (const auto& x : reduced().data)
      if (!std::isfinite(std::abs(x))) return false;
    return true;
  }
  bool same_bits(const Reduction& other) const {
    return a.bytes() == other.a.bytes() && d.bytes() == other.d.bytes() && e.bytes() == other.e.bytes() &&
           tau.bytes() == other.tau.bytes() && taup.bytes() == other.taup.bytes();
  }

 private:
  static LapackProblem typed(LapackProblem p) {
    p.type = type_of<T>;
    return p;
  }
  bool is(LapackRoutine routine) const { return problem.routine == routine; }
  std::int64_t least() const { return is(LapackRoutine::gebrd) ? std::min(problem.m, problem.n) : problem.n; }
  bool is_stored(std::int64_t r, std::int64_t c) const {
    return !is(LapackRoutine::sytrd) || (problem.uplo == Uplo::lower ? r >= c : r <= c);
  }
  // What gehrd is told to be reduced already is triangular.
  static Dense make_original(const LapackProblem& p, verify::Pattern pattern) {
    const std::int64_t rows = p.routine == LapackRoutine::gebrd ? p.m : p.n;
    Dense a = verify::make_matrix<T>(pattern, rows, p.n, p.routine == LapackRoutine::sytrd,
                                     17 + static_cast<std::uint64_t>(p.n));
    if (p.routine == LapackRoutine::gehrd)
      for (std::int64_t c = 0; c < p.n; ++c)
        for (std::int64_t r = c + 1; r < p.n; ++r)
          if (c < p.ilo - 1 || r > p.ihi - 1) a(r, c) = 0;
    return a;
  }
};

}  // namespace onepass::test
