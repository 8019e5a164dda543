// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Hermitian eigenproblems on a GPU, through the C interface, with guards around what lies there.
#include <algorithm>

#include "eigenproblem.hpp"
#include "gpu.hpp"
#include "solver_there.hpp"
#include "subset.hpp"

namespace onepass::test {
namespace {

template <class T>
class CudaSyevd : public testing::Test {
 protected:
  void SetUp() override {
    if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  }
};
TYPED_TEST_SUITE(CudaSyevd, Types);

TYPED_TEST(CudaSyevd, HasSmallResidualsForSmallOrders) {
  for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 47, 64, 65, 70})
    expect_small_eigen_residuals<TypeParam>(cuda(), n, verify::Pattern::random);
}

TYPED_TEST(CudaSyevd, HasSmallResidualsForLargerOrders) {
  for (const std::int64_t n : {255, 256, 257, 300})
    expect_small_eigen_residuals<TypeParam>(cuda(), n, verify::Pattern::random);
}

TYPED_TEST(CudaSyevd, HasSmallResidualsForEveryPattern) {
  for (const verify::Pattern pattern : verify::finite_patterns)
    for (const std::int64_t n : {2, 35, 150}) expect_small_eigen_residuals<TypeParam>(cuda(), n, pattern);
}

TYPED_TEST(CudaSyevd, FindsSomeOfTheEigenvalues) {
  for (const std::int64_t n : {1, 2, 33, 100, 300}) expect_subsets<TypeParam>(cuda(), n);
}

TYPED_TEST(CudaSyevd, SaysThatAMatrixIsNotFinite) {
  for (const verify::Pattern pattern : verify::other_patterns)
    for (const std::int64_t n : {3, 40, 300})
      for (const Uplo uplo : both_triangles) Eigenproblem<TypeParam>(cuda(), uplo, n, 1, pattern).expect_failure();
}

TYPED_TEST(CudaSyevd, HasTheSameBitsInEveryRun) {
  const Eigenproblem<TypeParam> first(cuda(), Uplo::lower, 200, 0, verify::Pattern::random);
  for (int repeat = 0; repeat < 20; ++repeat)
    EXPECT_TRUE(Eigenproblem<TypeParam>(cuda(), Uplo::lower, 200, 0, verify::Pattern::random).same_bits(first));
}

template <class T>
class SyevdThere : public SolverThere<T> {
 public:
  SyevdThere(std::int64_t n, Job job)
      : SolverThere<T>({.routine = LapackRoutine::syevd, .type = type_of<T>, .n = n, .lda = n, .job = job}, n, true) {
    this->put_there();
  }
  const std::vector<T>& v() const { return this->in_place_; }
  T v(std::int64_t r, std::int64_t c) const { return v()[static_cast<std::size_t>(r + c * this->problem_.n)]; }
};

// So large that sytrd has panels: some eigenvectors, and products of them.
template <class T>
void expect_some_vectors(std::int64_t n) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  SyevdThere<T> solved(n, Job::vectors), values(n, Job::values);
  EXPECT_EQ(solved.run(nullptr, 0), ONEPASS_STATUS_SUCCESS) << onepassLapackLastErrorMessage();
  solved.back();
  EXPECT_EQ(values.run(nullptr, 0), ONEPASS_STATUS_SUCCESS) << onepassLapackLastErrorMessage();
  values.back();
  const double unit = static_cast<double>(n) * verify::unit_of<T>;
  double norm = 0;
  for (std::int64_t c = 0; c < n; ++c) {
    double sum = 0;
    for (std::int64_t r = 0; r < n; ++r) sum += std::abs(solved.a(r, c));
    norm = std::max(norm, sum);
    EXPECT_NEAR(solved.values()[static_cast<std::size_t>(c)], values.values()[static_cast<std::size_t>(c)],
                30 * unit * 50);
  }
  EXPECT_TRUE(std::is_sorted(solved.values().begin(), solved.values().end()));
  for (const std::int64_t c : {std::int64_t{0}, n / 3, n - 1}) {
    double error = 0;
    for (std::int64_t r = 0; r < n; ++r) {
      T sum = -solved.values()[static_cast<std::size_t>(c)] * solved.v(r, c);
      for (std::int64_t k = 0; k < n; ++k) sum += lapack::conjugate(solved.a(k, r)) * solved.v(k, c);
      error += std::abs(sum);
    }
    EXPECT_LT(error, verify::residual_limit * unit * norm) << c;
    for (std::int64_t other = 0; other < n; ++other) {
      T sum = other == c ? T{-1} : T{};
      for (std::int64_t k = 0; k < n; ++k) sum += lapack::conjugate(solved.v(k, other)) * solved.v(k, c);
      ASSERT_LT(std::abs(sum), verify::residual_limit * unit) << c << ", " << other;
    }
  }
}
TEST(CudaSyevdRun, OfALargeMatrix) { expect_some_vectors<double>(2100); }
TEST(CudaSyevdRun, OfALargeComplexMatrix) { expect_some_vectors<std::complex<double>>(1300); }

TEST(CudaSyevdRun, HasTheSameBitsInAGraph) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  for (const Job job : {Job::values, Job::vectors}) {
    SyevdThere<std::complex<float>> solved(600, job);
    expect_same_bits_in_a_graph(solved, [job](const auto& x) {
      return std::pair(x.values(), job == Job::values ? std::vector<std::complex<float>>{} : x.v());
    });
  }
}

}  // namespace
}  // namespace onepass::test
