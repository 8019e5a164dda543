// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A Hermitian eigenproblem that was solved between canaries, with eigenvectors and without, and its residuals.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "verify/lapack_guarded.hpp"
#include "verify/lapack_residual.hpp"

namespace onepass::verify {

// None may reach `residual_limit`.
struct EigenResiduals {
  double equation = 0;       // |A - V diag(w) V^H| / (|A| n eps)
  double orthogonality = 0;  // |I - V^H V| / (n eps)
  double values = 0;         // the largest difference to the eigenvalues without eigenvectors, over |A| n eps
  // NaN if one of them is.
  double worst() const {
    double largest = 0;
    for (const double each : {equation, orthogonality, values}) {
      if (std::isnan(each)) return each;
      largest = std::max(largest, each);
    }
    return largest;
  }
};

template <class T>
struct Eigenproblem {
  using R = lapack::Real<T>;
  using Dense = verify::Dense<Exact<T>>;

  // What one call left.
  struct Solution {
    Guarded<T> a;
    Guarded<R> w;
    Guarded<int> info;
    bool intact = false;

    bool same_bits(const Solution& other) const {
      return a.bytes() == other.a.bytes() && w.bytes() == other.w.bytes() && info.bytes() == other.info.bytes();
    }
  };
  using Run = std::function<bool(const LapackProblem&, const LapackOperands&)>;

  LapackProblem problem;
  Dense original;
  Solution vectors, values;

  // `run(problem, operands)` runs it where it likes, and is false if something there went wrong.
  Eigenproblem(LapackProblem p, Pattern pattern, std::uint64_t seed, const Run& run)
      : problem(typed(p)),
        original(make_matrix<T>(pattern, p.n, p.n, true, seed + static_cast<std::uint64_t>(p.n))),
        vectors(solve(Job::vectors, run)),
        values(solve(Job::values, run)) {}

  bool intact() const { return vectors.intact && values.intact; }
  bool same_bits(const Eigenproblem& other) const {
    return vectors.same_bits(other.vectors) && values.same_bits(other.values);
  }
  bool is_sorted() {
    const auto sorted = [&](Solution& s) { return std::is_sorted(s.w.data(), s.w.data() + problem.n); };
    return sorted(vectors) && sorted(values);
  }
  bool is_all_nan() {
    for (std::int64_t i = 0; i < problem.n; ++i)
      if (!std::isnan(vectors.w[i]) || !std::isnan(values.w[i]) || !std::isnan(lapack::real(vectors.a(i, i))))
        return false;
    return true;
  }

  EigenResiduals residuals() {
    const double eps = unit_of<T>;
    const std::int64_t n = problem.n;
    const Dense v = vectors.a.values();
    Dense diagonal(n, n), with(n, 1), without(n, 1);
    for (std::int64_t i = 0; i < n; ++i) {
      diagonal(i, i) = with(i, 0) = vectors.w[i];
      without(i, 0) = values.w[i];
    }
    return {.equation = reduction_residual(original, v, diagonal, adjoint(v), eps),
            .orthogonality = orthogonality_residual(v, eps),
            .values = difference(without, with, eps)};
  }

 private:
  static LapackProblem typed(LapackProblem p) {
    p.routine = LapackRoutine::syevd;
    p.type = type_of<T>;
    return p;
  }
  bool is_stored(std::int64_t r, std::int64_t c) const { return problem.uplo == Uplo::lower ? r >= c : r <= c; }
  // Without eigenvectors the other triangle of A stays as it was; with them all of A is written.
  Solution solve(Job job, const Run& run) const {
    Solution s = {Guarded<T>(problem.n, problem.n, problem.lda), Guarded<R>(problem.n), Guarded<int>(1)};
    s.a.set(original, [&](std::int64_t r, std::int64_t c) { return is_stored(r, c); });
    LapackProblem p = problem;
    p.job = job;
    const bool ran = run(p, {.a = s.a.data(), .w = s.w.data(), .info = s.info.data()});
    const auto may_change = [&](std::int64_t r, std::int64_t c) { return job == Job::vectors || is_stored(r, c); };
    s.intact = ran && s.a.intact(may_change) && s.w.intact() && s.info.intact();
    return s;
  }
};

}  // namespace onepass::verify
