// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular value decompositions on a GPU, through the C interface, with guards around what lies there.
#include <algorithm>
#include <tuple>

#include "gpu.hpp"
#include "solver_there.hpp"
#include "svd.hpp"

namespace onepass::test {
namespace {

template <class T>
class CudaGesvd : public testing::Test {
 protected:
  void SetUp() override {
    if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  }
};
TYPED_TEST_SUITE(CudaGesvd, Types);

TYPED_TEST(CudaGesvd, HasSmallResidualsForSmallShapes) {
  for (const std::int64_t n : {0, 1, 2, 3, 5, 8, 9, 17, 31, 32, 33, 47, 64, 65, 70})
    for (const std::int64_t more : {0, 1, 20})
      expect_small_svd_residuals<TypeParam>(cuda(), n + more, n, verify::Pattern::random);
}

TYPED_TEST(CudaGesvd, HasSmallResidualsForLargerShapes) {
  for (const std::int64_t n : {128, 255, 257})
    for (const std::int64_t more : {0, 40, 300})
      expect_small_svd_residuals<TypeParam>(cuda(), n + more, n, verify::Pattern::random);
}

TYPED_TEST(CudaGesvd, HasSmallResidualsForEveryPattern) {
  for (const verify::Pattern pattern : verify::finite_patterns)
    for (const std::int64_t n : {2, 35, 120}) {
      expect_small_svd_residuals<TypeParam>(cuda(), n, n, pattern);
      expect_small_svd_residuals<TypeParam>(cuda(), n + n / 3, n, pattern);
      expect_small_svd_residuals<TypeParam>(cuda(), 3 * n, n, pattern);
    }
}

TYPED_TEST(CudaGesvd, SaysThatAMatrixIsNotFinite) {
  for (const verify::Pattern pattern : verify::other_patterns)
    for (const std::int64_t n : {3, 40, 200})
      for (const std::int64_t m : {n, n + 1, 3 * n}) {
        Svd<TypeParam>(cuda(), m, n, 1, pattern).expect_failure();
        Svd<TypeParam>(cuda(), n, m, 1, pattern).expect_failure();
      }
}

TYPED_TEST(CudaGesvd, HasTheSameBitsInEveryRun) {
  for (const std::int64_t m : {150, 300}) {
    const Svd<TypeParam> first(cuda(), m, 140, 0, verify::Pattern::random);
    for (int repeat = 0; repeat < 10; ++repeat)
      EXPECT_TRUE(Svd<TypeParam>(cuda(), m, 140, 0, verify::Pattern::random).same_bits(first));
  }
}

template <class T>
class GesvdThere : public SolverThere<T> {
 public:
  GesvdThere(std::int64_t m, std::int64_t n, Job job)
      : SolverThere<T>({.routine = LapackRoutine::gesvd,
                        .type = type_of<T>,
                        .m = m,
                        .n = n,
                        .lda = m,
                        .job = job,
                        .ldu = m,
                        .ldvt = std::max<std::int64_t>(1, std::min(m, n))},
                       m, false),
        u_(static_cast<std::size_t>(m * columns_of_u(this->problem_))),
        vt_(static_cast<std::size_t>(rows_of_vt(this->problem_) * n)) {
    this->put_there(u_.data(), vt_.data());
  }
  const std::vector<T>& u() const { return u_; }
  const std::vector<T>& vt() const { return vt_; }
  T u(std::int64_t r, std::int64_t c) const { return u_[static_cast<std::size_t>(r + c * this->problem_.ldu)]; }
  T vt(std::int64_t r, std::int64_t c) const { return vt_[static_cast<std::size_t>(r + c * this->problem_.ldvt)]; }

 private:
  std::vector<T> u_, vt_;
};

// So large that gebrd has panels: A v = s u for some vectors, and products of them.
template <class T>
void expect_some_vectors(std::int64_t m, std::int64_t n) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  GesvdThere<T> solved(m, n, Job::vectors), values(m, n, Job::values);
  EXPECT_EQ(solved.run(nullptr, 0), ONEPASS_STATUS_SUCCESS) << onepassLapackLastErrorMessage();
  solved.back();
  EXPECT_EQ(values.run(nullptr, 0), ONEPASS_STATUS_SUCCESS) << onepassLapackLastErrorMessage();
  values.back();
  const std::int64_t k = std::min(m, n);
  const double unit = static_cast<double>(std::max(m, n)) * verify::unit_of<T>, norm = solved.values()[0];
  for (std::int64_t i = 0; i < k; ++i)
    EXPECT_NEAR(solved.values()[static_cast<std::size_t>(i)], values.values()[static_cast<std::size_t>(i)],
                verify::residual_limit * unit * norm);
  EXPECT_TRUE(std::is_sorted(solved.values().rbegin(), solved.values().rend()));
  for (const std::int64_t c : {std::int64_t{0}, k / 3, k - 1}) {
    double error = 0;
    for (std::int64_t r = 0; r < m; ++r) {
      T sum = -solved.values()[static_cast<std::size_t>(c)] * solved.u(r, c);
      for (std::int64_t j = 0; j < n; ++j) sum += solved.a(r, j) * lapack::conjugate(solved.vt(c, j));
      error += std::abs(sum);
    }
    EXPECT_LT(error, verify::residual_limit * unit * norm * std::sqrt(static_cast<double>(m))) << c;
    for (std::int64_t other = 0; other < k; ++other) {
      T of_u = other == c ? T{-1} : T{}, of_v = of_u;
      for (std::int64_t i = 0; i < m; ++i) of_u += lapack::conjugate(solved.u(i, other)) * solved.u(i, c);
      for (std::int64_t i = 0; i < n; ++i) of_v += solved.vt(other, i) * lapack::conjugate(solved.vt(c, i));
      ASSERT_LT(std::abs(of_u), verify::residual_limit * unit) << c << ", " << other;
      ASSERT_LT(std::abs(of_v), verify::residual_limit * unit) << c << ", " << other;
    }
  }
}
TEST(CudaGesvdRun, OfALargeMatrix) { expect_some_vectors<double>(1700, 1500); }
TEST(CudaGesvdRun, OfALargeWideMatrix) { expect_some_vectors<float>(1300, 1700); }
TEST(CudaGesvdRun, OfALargeComplexMatrix) { expect_some_vectors<std::complex<double>>(1100, 1000); }
TEST(CudaGesvdRun, OfATallMatrix) { expect_some_vectors<double>(6000, 700); }
TEST(CudaGesvdRun, OfALongMatrix) { expect_some_vectors<std::complex<float>>(500, 4000); }

TEST(CudaGesvdRun, HasTheSameBitsInAGraph) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  for (const Job job : {Job::values, Job::vectors})
    for (const std::int64_t m : {600, 400, 2000}) {
      GesvdThere<std::complex<float>> solved(m, 500, job);
      expect_same_bits_in_a_graph(solved, [](const auto& x) { return std::tuple(x.values(), x.u(), x.vt()); });
    }
}

}  // namespace
}  // namespace onepass::test
