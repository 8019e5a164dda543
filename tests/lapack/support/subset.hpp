// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Some eigenvalues and eigenvectors of a Hermitian matrix, held to all of them.
#pragma once

#include <algorithm>
#include <cmath>

#include "eigenproblem.hpp"

namespace onepass::test {

template <class T>
class SubsetOfEigenvalues {
  using R = lapack::Real<T>;

 public:
  SubsetOfEigenvalues(const LapackBackend& backend, Uplo uplo, std::int64_t n)
      : backend_(backend), whole_(backend, uplo, n, 1, verify::Pattern::random) {
    double norm = 0;
    for (const auto& x : whole_.original.data) norm += std::norm(x);
    tolerance_ = verify::residual_limit * static_cast<double>(n) * verify::unit_of<T> * std::sqrt(norm);
  }

  void expect_by_index(std::int64_t il, std::int64_t iu) {
    for (const Job job : {Job::values, Job::vectors}) {
      LapackProblem p = whole_.problem;
      p.job = job;
      p.wanted = Wanted::by_index;
      p.il = il;
      p.iu = iu;
      SCOPED_TRACE(whole_.described() + " " + std::to_string(il) + ".." + std::to_string(iu) +
                   (job == Job::vectors ? " with vectors" : ""));
      Solution found = solve(p);
      expect_values(found, il - 1, iu - il + 1);
      if (job == Job::vectors) expect_vectors(found, iu - il + 1);
    }
  }

  // Between eigenvalues, and at none of them: rounding decides those.
  void expect_by_value(std::int64_t before, std::int64_t last) {
    LapackProblem p = whole_.problem;
    p.wanted = Wanted::by_value;
    const auto between = [&](std::int64_t k) {
      const std::int64_t n = p.n;
      if (k == 0) return double{whole_.values.w[0]} - 1;
      if (k == n) return double{whole_.values.w[n - 1]} + 1;
      return (double{whole_.values.w[k - 1]} + double{whole_.values.w[k]}) / 2;
    };
    p.vl = between(before);
    p.vu = between(last);
    SCOPED_TRACE(whole_.described() + " in (" + std::to_string(p.vl) + ", " + std::to_string(p.vu) + "]");
    Solution found = solve(p);
    EXPECT_EQ(found.count[0], last - before);
    expect_values(found, before, last - before);
  }

 private:
  struct Solution {
    Guarded<T> a;
    Guarded<R> w;
    Guarded<int> info, count;
  };

  Solution solve(const LapackProblem& p) {
    Solution s = {Guarded<T>(p.n, p.n, p.lda), Guarded<R>(p.n), Guarded<int>(1), Guarded<int>(1)};
    s.a.set(whole_.original);
    EXPECT_EQ(check(p).status.text, "");
    EXPECT_TRUE(run(backend_, p, {.a = s.a.data(), .w = s.w.data(), .info = s.info.data(), .found = s.count.data()}));
    EXPECT_TRUE(s.a.intact() && s.w.intact() && s.info.intact() && s.count.intact());
    EXPECT_EQ(s.info[0], 0);
    return s;
  }
  void expect_values(Solution& found, std::int64_t first, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
      EXPECT_NEAR(double{found.w[i]}, double{whole_.vectors.w[first + i]}, tolerance_) << i;
  }
  // A v = w v, and V^H V = I.
  void expect_vectors(Solution& found, std::int64_t count) {
    const std::int64_t n = whole_.problem.n;
    const auto v = found.a.values();
    for (std::int64_t c = 0; c < count; ++c) {
      for (std::int64_t r = 0; r < n; ++r) {
        auto sum = -double{found.w[c]} * v(r, c);
        for (std::int64_t k = 0; k < n; ++k) sum += whole_.original(r, k) * v(k, c);
        ASSERT_LT(std::abs(sum), tolerance_) << r << ", " << c;
      }
      for (std::int64_t other = 0; other <= c; ++other) {
        auto sum = v(0, c) - v(0, c);
        for (std::int64_t k = 0; k < n; ++k) sum += lapack::conjugate(v(k, other)) * v(k, c);
        ASSERT_NEAR(std::abs(sum), other == c ? 1 : 0,
                    verify::residual_limit * static_cast<double>(n) * verify::unit_of<T>)
            << other << ", " << c;
      }
    }
  }

  const LapackBackend& backend_;
  Eigenproblem<T> whole_;
  double tolerance_ = 0;
};

// The ends, the middle, one and all, of both triangles.
template <class T>
void expect_subsets(const LapackBackend& backend, std::int64_t n) {
  for (const Uplo uplo : both_triangles) {
    SubsetOfEigenvalues<T> subset(backend, uplo, n);
    for (const auto& [il, iu] : {std::pair{std::int64_t{1}, std::int64_t{1}}, {1, n}, {n, n}, {n / 3 + 1, n / 2 + 1}})
      subset.expect_by_index(il, iu);
    for (const auto& [before, last] : {std::pair{std::int64_t{0}, n}, {0, n / 2}, {n / 3, n}})
      if (before < last) subset.expect_by_value(before, last);
  }
}

}  // namespace onepass::test
