// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A reduction that has run between canaries, and the matrices of which its residuals are made.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "verify/lapack_guarded.hpp"
#include "verify/lapack_residual.hpp"

namespace onepass::verify {

// Elements of the vectors that a reduction writes.
struct ReductionVectors {
  std::int64_t d = 0, e = 0, tau = 0, taup = 0;
};
inline ReductionVectors vectors_of(const LapackProblem& p) {
  const bool bidiagonal = p.routine == LapackRoutine::gebrd;
  const std::int64_t least = bidiagonal ? std::min(p.m, p.n) : p.n, beside = std::max<std::int64_t>(0, least - 1);
  if (p.routine == LapackRoutine::gehrd) return {.tau = beside};
  if (p.routine == LapackRoutine::geqrf) return {.tau = std::min(p.m, p.n)};
  return {.d = least, .e = beside, .tau = bidiagonal ? least : beside, .taup = bidiagonal ? least : 0};
}

// The three of LAPACK's testers, of which none may reach `residual_limit`.
struct Residuals {
  double reduction = 0;     // |A - Q R P^H| / (|A| n eps)
  double q = 0, right = 0;  // |I - Q^H Q| / (n eps), and of P or again of Q
  // NaN if one of them is.
  double worst() const {
    double largest = 0;
    for (const double each : {reduction, q, right}) {
      if (std::isnan(each)) return each;
      largest = std::max(largest, each);
    }
    return largest;
  }
};

template <class T>
struct Reduction {
  using R = lapack::Real<T>;
  using Dense = verify::Dense<Exact<T>>;

  LapackProblem problem;
  Dense original;
  Guarded<T> a;
  Guarded<R> d, e;
  Guarded<T> tau, taup;
  bool intact = false;

  // `run(problem, operands)` runs it where it likes, and is false if something there went wrong.
  Reduction(LapackProblem p, Pattern pattern, std::uint64_t seed,
            const std::function<bool(const LapackProblem&, const LapackOperands&)>& run)
      : problem(typed(p)),
        original(make_original(problem, pattern, seed)),
        a(original.rows, original.columns, problem.lda),
        d(vectors_of(problem).d),
        e(vectors_of(problem).e),
        tau(vectors_of(problem).tau),
        taup(vectors_of(problem).taup) {
    const auto keep = [&](std::int64_t r, std::int64_t c) { return is_stored(r, c); };
    a.set(original, keep);
    const LapackOperands operands = {
        .a = a.data(), .d = d.data(), .e = e.data(), .tau = tau.data(), .taup = taup.data()};
    intact = run(problem, operands) && a.intact(keep) && d.intact() && e.intact() && tau.intact() && taup.intact();
  }

  // T, B, H or R, whole.
  Dense reduced() {
    Dense b(original.rows, original.columns);
    for (std::int64_t c = 0; c < b.columns; ++c)
      for (std::int64_t r = 0; r < b.rows; ++r)
        if (is(LapackRoutine::gehrd) || is(LapackRoutine::geqrf)) {
          if (r <= c + (is(LapackRoutine::gehrd) ? 1 : 0)) b(r, c) = static_cast<Exact<T>>(a(r, c));
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
    p.routine = maker_of_q(problem.routine);
    if (is(LapackRoutine::geqrf)) {
      p.k = std::min(p.m, p.n);
      p.n = p.m;
    }
    if (bidiagonal) {
      p.k = vect == Vect::q ? problem.n : problem.m;
      p.m = p.n = vect == Vect::q ? problem.m : problem.n;
      p.lda = std::max<std::int64_t>(1, p.n);
    }
    Guarded<T> whole(p.n, p.n, p.lda);
    for (std::int64_t c = 0; c < std::min(original.columns, p.n); ++c)
      for (std::int64_t r = 0; r < std::min(original.rows, p.n); ++r) whole(r, c) = a(r, c);
    verify::run(backend, p, {.a = whole.data(), .tau = vect == Vect::q ? tau.data() : taup.data()});
    return whole.values();
  }

  Residuals residuals(const LapackBackend& generator) {
    const double eps = unit_of<T>;
    const Dense q = factor(generator), right = is(LapackRoutine::gebrd)   ? factor(generator, Vect::p)
                                               : is(LapackRoutine::geqrf) ? unit(problem.n)
                                                                          : adjoint(q);
    return {.reduction = reduction_residual(original, q, reduced(), right, eps),
            .q = orthogonality_residual(q, eps),
            .right = orthogonality_residual(right, eps)};
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
  static Dense unit(std::int64_t n) {
    Dense e(n, n);
    for (std::int64_t i = 0; i < n; ++i) e(i, i) = 1;
    return e;
  }
  bool is(LapackRoutine routine) const { return problem.routine == routine; }
  bool is_stored(std::int64_t r, std::int64_t c) const {
    return !is(LapackRoutine::sytrd) || (problem.uplo == Uplo::lower ? r >= c : r <= c);
  }
  // What gehrd is told to be reduced already is triangular.
  static Dense make_original(const LapackProblem& p, Pattern pattern, std::uint64_t seed) {
    const std::int64_t rows = is_rectangular(p.routine) ? p.m : p.n;
    Dense a =
        make_matrix<T>(pattern, rows, p.n, p.routine == LapackRoutine::sytrd, seed + static_cast<std::uint64_t>(p.n));
    if (p.routine == LapackRoutine::gehrd)
      for (std::int64_t c = 0; c < p.n; ++c)
        for (std::int64_t r = c + 1; r < p.n; ++r)
          if (c < p.ilo - 1 || r > p.ihi - 1) a(r, c) = 0;
    return a;
  }
};

}  // namespace onepass::verify
