// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Many Hermitian eigenproblems that were solved in one call between canaries, with eigenvectors and without, and the
// residuals of each.
#pragma once

#include <functional>
#include <vector>

#include "verify/lapack_eigen.hpp"

namespace onepass::verify {

template <class T>
struct EigenBatch {
  using R = lapack::Real<T>;
  using Dense = verify::Dense<Exact<T>>;

  // What one call left: matrices and their eigenvalues beside each other.
  struct Solution {
    Guarded<T> a;
    Guarded<R> w;
    Guarded<int> info;
    bool intact = false;
  };
  using Run = std::function<bool(const LapackProblem&, const LapackOperands&)>;

  LapackProblem problem;
  std::vector<Dense> originals;
  Solution vectors, values;

  // One matrix for each pattern; `p` has batch, uplo, n and lda. `seeds` tells matrices of one pattern apart.
  EigenBatch(LapackProblem p, const std::vector<Pattern>& patterns, const std::vector<std::uint64_t>& seeds,
             const Run& run)
      : problem(typed(p, static_cast<std::int64_t>(patterns.size()))),
        originals(matrices(problem.n, patterns, seeds)),
        vectors(solve(Job::vectors, run)),
        values(solve(Job::values, run)) {}

  bool intact() const { return vectors.intact && values.intact; }
  bool has_failed(std::int64_t i) {
    bool nan = vectors.info[i] == 2 * problem.n + 1 && values.info[i] == problem.n;
    for (std::int64_t r = 0; r < problem.n; ++r)
      nan = nan && std::isnan(vectors.w(r, i)) && std::isnan(values.w(r, i)) &&
            std::isnan(lapack::real(vectors.a(r, i * problem.n + r)));
    return nan;
  }
  // NaN, or more than `residual_limit`, if something is wrong with matrix i.
  double worst(std::int64_t i) {
    const std::int64_t n = problem.n;
    if (vectors.info[i] != 0 || values.info[i] != 0) return std::nan("");
    if (n == 0) return 0;
    Dense v(n, n), diagonal(n, n), with(n, 1), without(n, 1);
    for (std::int64_t c = 0; c < n; ++c) {
      if (c > 0 && !(vectors.w(c - 1, i) <= vectors.w(c, i) && values.w(c - 1, i) <= values.w(c, i)))
        return std::nan("");
      diagonal(c, c) = with(c, 0) = vectors.w(c, i);
      without(c, 0) = values.w(c, i);
      for (std::int64_t r = 0; r < n; ++r) v(r, c) = static_cast<Exact<T>>(vectors.a(r, i * n + c));
    }
    const double eps = unit_of<T>;
    const EigenResiduals found = {
        .equation = reduction_residual(originals[static_cast<std::size_t>(i)], v, diagonal, adjoint(v), eps),
        .orthogonality = orthogonality_residual(v, eps),
        .values = difference(without, with, eps)};
    return found.worst();
  }
  // Whether matrix i of this batch and j of another were given the same bits.
  bool same_bits(std::int64_t i, EigenBatch& other, std::int64_t j) {
    const auto equal = [&](Solution& s, Solution& t, bool whole) {
      bool same = s.info[i] == t.info[j];
      for (std::int64_t c = 0; c < problem.n; ++c) {
        same = same && std::memcmp(&s.w(c, i), &t.w(c, j), sizeof(R)) == 0;
        for (std::int64_t r = 0; whole && r < problem.n; ++r)
          same = same && std::memcmp(&s.a(r, i * problem.n + c), &t.a(r, j * problem.n + c), sizeof(T)) == 0;
      }
      return same;
    };
    return equal(vectors, other.vectors, true) && equal(values, other.values, false);
  }

 private:
  static LapackProblem typed(LapackProblem p, std::int64_t count) {
    p.routine = LapackRoutine::syevd;
    p.type = type_of<T>;
    p.batch_count = count;
    p.stride_a = p.lda * p.n;
    p.stride_w = p.n + 1;
    return p;
  }
  static std::vector<Dense> matrices(std::int64_t n, const std::vector<Pattern>& patterns,
                                     const std::vector<std::uint64_t>& seeds) {
    std::vector<Dense> made;
    for (std::size_t i = 0; i < patterns.size(); ++i) made.push_back(make_matrix<T>(patterns[i], n, n, true, seeds[i]));
    return made;
  }
  bool is_stored(std::int64_t r, std::int64_t c) const { return problem.uplo == Uplo::lower ? r >= c : r <= c; }
  Solution solve(Job job, const Run& run) const {
    const std::int64_t n = problem.n, count = problem.batch_count;
    Solution s = {Guarded<T>(n, n * count, problem.lda), Guarded<R>(n, count, n + 1), Guarded<int>(count)};
    Dense all(n, n * count);
    for (std::int64_t i = 0; i < count; ++i)
      std::copy_n(originals[static_cast<std::size_t>(i)].data.begin(), n * n, all.data.begin() + i * n * n);
    s.a.set(all, [&](std::int64_t r, std::int64_t c) { return is_stored(r, c % n); });
    std::vector<T*> pointers;
    for (std::int64_t i = 0; i < count; ++i) pointers.push_back(s.a.data() + i * problem.stride_a);
    LapackProblem p = problem;
    p.job = job;
    const bool ran = run(p, {.a = p.batch == Batch::pointers ? static_cast<void*>(pointers.data()) : s.a.data(),
                             .w = s.w.data(),
                             .info = s.info.data()});
    s.intact = ran &&
               s.a.intact([&](std::int64_t r, std::int64_t c) { return job == Job::vectors || is_stored(r, c % n); }) &&
               s.w.intact() && s.info.intact();
    return s;
  }
};

}  // namespace onepass::verify
