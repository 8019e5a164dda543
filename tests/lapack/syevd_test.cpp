// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Hermitian eigenproblems on the host: residuals, nothing written beside the outputs, the same bits, and what is said
// of matrices that are not finite.
#include <gtest/gtest.h>

#include "eigenproblem.hpp"
#include "lapack/tridiagonal_qr.hpp"
#include "subset.hpp"
#include "tridiagonal_cases.hpp"

namespace onepass::test {
namespace {

template <class T>
class Syevd : public testing::Test {};
TYPED_TEST_SUITE(Syevd, Types);

TYPED_TEST(Syevd, HasSmallResidualsForSmallOrders) {
  for (std::int64_t n = 0; n <= 20; ++n)
    expect_small_eigen_residuals<TypeParam>(lapack_cpu(), n, verify::Pattern::random);
}

TYPED_TEST(Syevd, HasSmallResidualsForEveryPattern) {
  for (const verify::Pattern pattern : verify::finite_patterns)
    for (const std::int64_t n : {1, 2, 9, 35}) expect_small_eigen_residuals<TypeParam>(lapack_cpu(), n, pattern);
}

TYPED_TEST(Syevd, HasSmallResidualsWithThreads) {
  expect_small_eigen_residuals<TypeParam>(lapack_cpu(), 130, verify::Pattern::random, 2);
}

TYPED_TEST(Syevd, OfTheReferenceHasSmallResiduals) {
  for (std::int64_t n = 0; n <= 8; ++n)
    expect_small_eigen_residuals<TypeParam>(lapack_reference(), n, verify::Pattern::random);
  for (const verify::Pattern pattern : verify::finite_patterns)
    expect_small_eigen_residuals<TypeParam>(lapack_reference(), 17, pattern);
}

// What remains of such a matrix after the first column is rounding, and underflows: at these orders it ends in
// subnormal numbers.
TYPED_TEST(Syevd, OfTheReferenceHasSmallResidualsForEqualElements) {
  for (const std::int64_t n : {20, 25, 30, 33, 40})
    expect_small_eigen_residuals<TypeParam>(lapack_reference(), n, verify::Pattern::rank_one);
}

TYPED_TEST(Syevd, FindsSomeOfTheEigenvalues) {
  for (const std::int64_t n : {1, 2, 9, 40}) expect_subsets<TypeParam>(lapack_cpu(), n);
  for (const std::int64_t n : {1, 8}) expect_subsets<TypeParam>(lapack_reference(), n);
}

TYPED_TEST(Syevd, FindsNoEigenvaluesOfAnEmptyMatrix) {
  for (const LapackBackend* backend : {&lapack_cpu(), &lapack_reference()}) {
    int info = -1, found = -1;
    const LapackProblem p = {
        .routine = LapackRoutine::syevd, .type = type_of<TypeParam>, .wanted = Wanted::by_value, .vl = 0, .vu = 1};
    EXPECT_TRUE(run(*backend, p, {.info = &info, .found = &found}));
    EXPECT_EQ(info, 0);
    EXPECT_EQ(found, 0);
  }
}

// Without the lower end and with the upper one. Of a diagonal matrix no eigenvalue is rounded.
TYPED_TEST(Syevd, FindsThoseInAHalfOpenInterval) {
  for (const LapackBackend* backend : {&lapack_cpu(), &lapack_reference()}) {
    TypeParam a[16] = {};
    for (int i = 0; i < 4; ++i) a[5 * i] = static_cast<TypeParam>(static_cast<lapack::Real<TypeParam>>(4 - i));
    lapack::Real<TypeParam> w[4] = {};
    int info = -1, found = -1;
    const LapackProblem p = {.routine = LapackRoutine::syevd,
                             .type = type_of<TypeParam>,
                             .n = 4,
                             .lda = 4,
                             .wanted = Wanted::by_value,
                             .vl = 2,
                             .vu = 3};
    EXPECT_TRUE(run(*backend, p, {.a = a, .w = w, .info = &info, .found = &found}));
    EXPECT_EQ(found, 1);
    EXPECT_EQ(w[0], 3);
  }
}

TYPED_TEST(Syevd, SaysThatAMatrixIsNotFinite) {
  for (const verify::Pattern pattern : verify::other_patterns)
    for (const std::int64_t n : {3, 40}) {
      Eigenproblem<TypeParam>(lapack_cpu(), Uplo::lower, n, 1, pattern).expect_failure();
      Eigenproblem<TypeParam>(lapack_reference(), Uplo::upper, n, 1, pattern).expect_failure();
    }
}

TYPED_TEST(Syevd, OfASingleElement) {
  using R = lapack::Real<TypeParam>;
  for (const LapackBackend* backend : {&lapack_cpu(), &lapack_reference()})
    for (const R element : {R(-3), std::numeric_limits<R>::infinity()}) {
      TypeParam a = element;
      R w = 0;
      int info = -1;
      const LapackProblem p = {
          .routine = LapackRoutine::syevd, .type = type_of<TypeParam>, .n = 1, .job = Job::vectors};
      EXPECT_TRUE(run(*backend, p, {.a = &a, .w = &w, .info = &info}));
      const bool finite = std::isfinite(element);
      EXPECT_EQ(info, finite ? 0 : 3);
      EXPECT_TRUE(finite ? w == element : std::isnan(w));
      EXPECT_TRUE(finite ? a == TypeParam{1} : std::isnan(lapack::real(a)));
    }
}

TYPED_TEST(Syevd, HasTheSameBitsInEveryRun) {
  const Eigenproblem<TypeParam> first(lapack_cpu(), Uplo::lower, 70, 0, verify::Pattern::random, 2);
  for (int repeat = 0; repeat < 10; ++repeat)
    EXPECT_TRUE(Eigenproblem<TypeParam>(lapack_cpu(), Uplo::lower, 70, 0, verify::Pattern::random, 2).same_bits(first));
}

// What `onepass check` relies on.
TYPED_TEST(Syevd, HasLargeResidualsIfOneNumberIsWrong) {
  using R = lapack::Real<TypeParam>;
  Eigenproblem<TypeParam> other_value(lapack_cpu(), Uplo::lower, 12, 0, verify::Pattern::random);
  other_value.vectors.w[3] += R(0.1);
  EXPECT_GT(other_value.residuals().equation, verify::residual_limit);
  EXPECT_GT(other_value.residuals().values, verify::residual_limit);
  Eigenproblem<TypeParam> other_vector(lapack_cpu(), Uplo::lower, 12, 0, verify::Pattern::random);
  other_vector.vectors.a(2, 5) += R(0.1);
  EXPECT_GT(other_vector.residuals().orthogonality, verify::residual_limit);
}

// With and without eigenvectors, which are found in ways of their own.
template <class R>
void expect_eigenvalues_of_hard_tridiagonals() {
  constexpr std::int64_t n = 45;
  for (const auto& t : hard_tridiagonals<R>(n)) {
    const auto wanted = wide_eigenvalues(t);
    const long double bound = n * std::numeric_limits<R>::epsilon() * t.norm();
    for (const LapackBackend* backend : {&lapack_cpu(), &lapack_reference()})
      for (const Job job : {Job::values, Job::vectors}) {
        std::vector<R> a(n * n);
        for (std::size_t i = 0; i < n; ++i) {
          a[i * (n + 1)] = t.d[i];
          if (i + 1 < n) a[i * (n + 1) + 1] = t.e[i];
        }
        std::vector<R> w(n);
        int info = -1;
        const LapackProblem p = {.routine = LapackRoutine::syevd, .type = type_of<R>, .n = n, .lda = n, .job = job};
        EXPECT_TRUE(run(*backend, p, {.a = a.data(), .w = w.data(), .info = &info}));
        ASSERT_EQ(info, 0) << t.name;
        for (std::size_t k = 0; k < n; ++k)
          ASSERT_LE(std::abs(w[k] - wanted[k]), bound) << t.name << ": " << k << " job " << static_cast<int>(job);
      }
  }
}
TEST(SyevdOfTridiagonals, FindsTheEigenvaluesOfHardOnes) {
  expect_eigenvalues_of_hard_tridiagonals<float>();
  expect_eigenvalues_of_hard_tridiagonals<double>();
}

// The way of a build whose BLAS has no LAPACK beside it.
TEST(TridiagonalQr, FindsTheEigenvaluesOfHardMatrices) {
  for (const auto& t : hard_tridiagonals<double>(45)) {
    std::vector<double> d = t.d, e = t.e;
    ASSERT_TRUE(lapack::tridiagonal_qr<double>(t.n(), d.data(), e.data(), [](std::int64_t, double, double) {}))
        << t.name;
    std::sort(d.begin(), d.end());
    const auto wanted = wide_eigenvalues(t);
    const long double bound = 45 * std::numeric_limits<double>::epsilon() * t.norm();
    for (std::size_t k = 0; k < d.size(); ++k) ASSERT_LE(std::abs(d[k] - wanted[k]), bound) << t.name << ": " << k;
  }
}

}  // namespace
}  // namespace onepass::test
