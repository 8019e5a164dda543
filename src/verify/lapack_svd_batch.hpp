// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Many singular value decompositions that were made in one call between canaries, with vectors and without, and the
// residuals of each.
#pragma once

#include <vector>

#include "verify/lapack_svd.hpp"

namespace onepass::verify {

template <class T>
struct SvdBatch {
  using R = lapack::Real<T>;
  using Dense = verify::Dense<Exact<T>>;

  // What one call left: matrices and their values beside each other.
  struct Solution {
    Guarded<T> a, u, vt;
    Guarded<R> s;
    Guarded<int> info;
    bool intact = false;
  };
  using Run = std::function<bool(const LapackProblem&, const LapackOperands&)>;

  LapackProblem problem;
  std::vector<Dense> originals;
  Solution vectors, values;

  // One matrix for each pattern; `p` has batch, m, n and lda, whose padding U and V^H have, too. `seeds` tells matrices
  // of one pattern apart.
  SvdBatch(LapackProblem p, const std::vector<Pattern>& patterns, const std::vector<std::uint64_t>& seeds,
           const Run& run)
      : problem(typed(p, static_cast<std::int64_t>(patterns.size()))), vectors(nothing()), values(nothing()) {
    for (std::size_t i = 0; i < patterns.size(); ++i)
      originals.push_back(make_matrix<T>(patterns[i], p.m, p.n, false, seeds[i]));
    vectors = solve(Job::vectors, run);
    values = solve(Job::values, run);
  }

  std::int64_t least() const { return std::min(problem.m, problem.n); }
  bool intact() const { return vectors.intact && values.intact; }
  bool has_failed(std::int64_t i) {
    bool nan = vectors.info[i] == least() && values.info[i] == least();
    for (std::int64_t c = 0; c < least(); ++c)
      nan = nan && std::isnan(vectors.s(c, i)) && std::isnan(values.s(c, i)) &&
            std::isnan(lapack::real(vectors.u(c, i * least() + c))) &&
            std::isnan(lapack::real(right(vectors, i, c, c)));
    return nan;
  }
  // NaN, or more than `residual_limit`, if something is wrong with matrix i.
  double worst(std::int64_t i) {
    const std::int64_t m = problem.m, n = problem.n, k = least();
    if (vectors.info[i] != 0 || values.info[i] != 0) return std::nan("");
    if (k == 0) return 0;
    Dense u(m, k), vt(k, n), diagonal(k, k), with(k, 1), without(k, 1);
    for (std::int64_t c = 0; c < k; ++c) {
      for (Guarded<R>* s : {&vectors.s, &values.s})
        if (!((*s)(c, i) >= 0) || (c > 0 && !((*s)(c - 1, i) >= (*s)(c, i)))) return std::nan("");
      diagonal(c, c) = with(c, 0) = vectors.s(c, i);
      without(c, 0) = values.s(c, i);
      for (std::int64_t r = 0; r < m; ++r) u(r, c) = static_cast<Exact<T>>(vectors.u(r, i * k + c));
      for (std::int64_t r = 0; r < n; ++r) vt(c, r) = static_cast<Exact<T>>(right(vectors, i, c, r));
    }
    const double eps = unit_of<T>;
    const SvdResiduals found = {
        .equation = reduction_residual(originals[static_cast<std::size_t>(i)], u, diagonal, vt, eps),
        .u = orthogonality_residual(u, eps),
        .v = orthogonality_residual(vt, eps),
        .values = difference(without, with, eps)};
    return found.worst();
  }
  // Whether matrix i of this batch and j of another were given the same bits.
  bool same_bits(std::int64_t i, SvdBatch& other, std::int64_t j) {
    const std::int64_t k = least();
    const auto equal = [](const auto& x, const auto& y) { return std::memcmp(&x, &y, sizeof(x)) == 0; };
    bool same = vectors.info[i] == other.vectors.info[j] && values.info[i] == other.values.info[j];
    for (std::int64_t c = 0; c < k; ++c) {
      same = same && equal(vectors.s(c, i), other.vectors.s(c, j)) && equal(values.s(c, i), other.values.s(c, j));
      for (std::int64_t r = 0; r < problem.m; ++r)
        same = same && equal(vectors.u(r, i * k + c), other.vectors.u(r, j * k + c));
      for (std::int64_t r = 0; r < problem.n; ++r)
        same = same && equal(right(vectors, i, c, r), right(other.vectors, j, c, r));
    }
    return same;
  }

 private:
  static LapackProblem typed(LapackProblem p, std::int64_t count) {
    p.routine = LapackRoutine::gesvd;
    p.type = type_of<T>;
    p.batch_count = count;
    p.stride_a = p.lda * p.n;
    p.stride_w = std::min(p.m, p.n) + 1;
    return p;
  }
  // Element (c, r) of V^H of matrix i.
  T right(Solution& x, std::int64_t i, std::int64_t c, std::int64_t r) const {
    return problem.plain_v ? lapack::conjugate(x.vt(r, i * least() + c)) : x.vt(c, i * problem.n + r);
  }
  static Solution nothing() { return {Guarded<T>(0), Guarded<T>(0), Guarded<T>(0), Guarded<R>(0), Guarded<int>(0)}; }
  Solution solve(Job job, const Run& run) const {
    LapackProblem p = problem;
    const std::int64_t k = least(), count = p.batch_count, padding = p.lda - std::max<std::int64_t>(1, p.m);
    const bool wanted = job == Job::vectors;
    p.job = job;
    p.ldu = std::max<std::int64_t>(1, p.m) + padding;
    p.ldvt = std::max<std::int64_t>(1, p.plain_v ? p.n : k) + 2 * padding;
    p.stride_u = p.ldu * k;
    p.stride_vt = p.ldvt * columns_on_the_right(p);
    Solution x = {Guarded<T>(p.m, p.n * count, p.lda), Guarded<T>(p.m, wanted ? k * count : 0, p.ldu),
                  Guarded<T>(p.plain_v ? p.n : k, wanted ? columns_on_the_right(p) * count : 0, p.ldvt),
                  Guarded<R>(k, count, k + 1), Guarded<int>(count)};
    Dense all(p.m, p.n * count);
    for (std::int64_t i = 0; i < count; ++i)
      std::copy_n(originals[static_cast<std::size_t>(i)].data.begin(), p.m * p.n, all.data.begin() + i * p.m * p.n);
    x.a.set(all);
    std::vector<T*> of_a, of_u, of_vt;
    for (std::int64_t i = 0; i < count; ++i) {
      of_a.push_back(x.a.data() + i * p.stride_a);
      of_u.push_back(wanted ? x.u.data() + i * p.stride_u : nullptr);
      of_vt.push_back(wanted ? x.vt.data() + i * p.stride_vt : nullptr);
    }
    const auto matrices = [&](std::vector<T*>& pointers, Guarded<T>& data) {
      return p.batch == Batch::pointers ? static_cast<void*>(pointers.data()) : data.data();
    };
    const bool ran = run(p, {.a = matrices(of_a, x.a),
                             .w = x.s.data(),
                             .info = x.info.data(),
                             .u = matrices(of_u, x.u),
                             .vt = matrices(of_vt, x.vt)});
    x.intact = ran && x.a.intact() && x.u.intact() && x.vt.intact() && x.s.intact() && x.info.intact();
    return x;
  }
};

}  // namespace onepass::verify
