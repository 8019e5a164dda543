// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A singular value decomposition that was made between canaries, without vectors, with some and with all, and its
// residuals.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "verify/lapack_guarded.hpp"
#include "verify/lapack_residual.hpp"

namespace onepass::verify {

// None may reach `residual_limit`.
struct SvdResiduals {
  double equation = 0;  // |A - U diag(s) V^H| / (|A| max(m, n) eps)
  double u = 0, v = 0;  // |I - U^H U| / (m eps), |I - V^H V| / (n eps)
  double values = 0;    // the largest difference to the singular values without vectors, over |A| n eps
  // NaN if one of them is.
  double worst() const {
    double largest = 0;
    for (const double each : {equation, u, v, values}) {
      if (std::isnan(each)) return each;
      largest = std::max(largest, each);
    }
    return largest;
  }
};

template <class T>
struct Svd {
  using R = lapack::Real<T>;
  using Dense = verify::Dense<Exact<T>>;

  // What one call left.
  struct Solution {
    Guarded<T> a, u, vt;
    Guarded<R> s;
    Guarded<int> info;
    bool intact = false;

    bool same_bits(const Solution& other) const {
      return u.bytes() == other.u.bytes() && vt.bytes() == other.vt.bytes() && s.bytes() == other.s.bytes() &&
             info.bytes() == other.info.bytes();
    }
  };
  using Run = std::function<bool(const LapackProblem&, const LapackOperands&)>;

  LapackProblem problem;  // without leading dimensions of U and V^H, which have the padding of A
  Dense original;
  Solution values, vectors, all;

  // `run(problem, operands)` runs it where it likes, and is false if something there went wrong.
  Svd(LapackProblem p, Pattern pattern, std::uint64_t seed, const Run& run)
      : problem(typed(p)),
        original(make_matrix<T>(pattern, p.m, p.n, false, seed + static_cast<std::uint64_t>(p.m + p.n))),
        values(solve(Job::values, run)),
        vectors(solve(Job::vectors, run)),
        all(solve(Job::all, run)) {}

  std::int64_t least() const { return std::min(problem.m, problem.n); }
  bool intact() const { return values.intact && vectors.intact && all.intact; }
  bool same_bits(const Svd& other) const {
    return values.same_bits(other.values) && vectors.same_bits(other.vectors) && all.same_bits(other.all);
  }
  bool is_sorted() {
    const auto sorted = [&](Solution& x) {
      return std::is_sorted(x.s.data(), x.s.data() + least(), [](R a, R b) { return a > b; }) &&
             std::all_of(x.s.data(), x.s.data() + least(), [](R a) { return a >= 0; });
    };
    return sorted(values) && sorted(vectors) && sorted(all);
  }
  bool is_all_nan() {
    const auto nan = [](auto x) { return std::isnan(lapack::real(x)); };
    for (std::int64_t i = 0; i < least(); ++i)
      for (Solution* x : {&values, &vectors, &all})
        if (!nan(x->s[i]) || (x != &values && (!nan(x->u(i, i)) || !nan(x->vt(i, i))))) return false;
    return true;
  }

  SvdResiduals residuals(Job job) {
    const double eps = unit_of<T>;
    Solution& solved = job == Job::all ? all : vectors;
    const Dense u = solved.u.values(), vt = solved.vt.values();
    Dense diagonal(u.columns, vt.rows), with(least(), 1), without(least(), 1);
    for (std::int64_t i = 0; i < least(); ++i) {
      diagonal(i, i) = with(i, 0) = solved.s[i];
      without(i, 0) = values.s[i];
    }
    return {.equation = reduction_residual(original, u, diagonal, vt, eps),
            .u = orthogonality_residual(u, eps),
            .v = orthogonality_residual(vt, eps),
            .values = difference(without, with, eps)};
  }

 private:
  static LapackProblem typed(LapackProblem p) {
    p.routine = LapackRoutine::gesvd;
    p.type = type_of<T>;
    return p;
  }
  Solution solve(Job job, const Run& run) const {
    LapackProblem p = problem;
    p.job = job;
    const std::int64_t padding = p.lda - std::max<std::int64_t>(1, p.m);
    p.ldu = std::max<std::int64_t>(1, job == Job::values ? 0 : p.m) + padding;
    p.ldvt = std::max<std::int64_t>(1, rows_of_vt(p)) + 2 * padding;
    Solution x = {Guarded<T>(p.m, p.n, p.lda), Guarded<T>(p.m, columns_of_u(p), p.ldu),
                  Guarded<T>(rows_of_vt(p), job == Job::values ? 0 : p.n, p.ldvt), Guarded<R>(least()),
                  Guarded<int>(1)};
    x.a.set(original);
    const bool ran =
        run(p, {.a = x.a.data(), .w = x.s.data(), .info = x.info.data(), .u = x.u.data(), .vt = x.vt.data()});
    x.intact = ran && x.a.intact() && x.u.intact() && x.vt.intact() && x.s.intact() && x.info.intact();
    return x;
  }
};

}  // namespace onepass::verify
