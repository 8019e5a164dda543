// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular value decompositions on the host: residuals, nothing written beside the outputs, the same bits, and what is
// said of matrices that are not finite.
#include <gtest/gtest.h>

#include "lapack/bidiagonal_qr.hpp"
#include "svd.hpp"
#include "tridiagonal_cases.hpp"

namespace onepass::test {
namespace {

template <class T>
class Gesvd : public testing::Test {};
TYPED_TEST_SUITE(Gesvd, Types);

TYPED_TEST(Gesvd, HasSmallResidualsForSmallShapes) {
  for (std::int64_t n = 0; n <= 9; ++n)
    for (const std::int64_t more : {0, 1, 3, 9})
      expect_small_svd_residuals<TypeParam>(lapack_cpu(), n + more, n, verify::Pattern::random);
}

TYPED_TEST(Gesvd, HasSmallResidualsForEveryPattern) {
  for (const verify::Pattern pattern : verify::finite_patterns) {
    for (const std::int64_t n : {1, 2, 30}) expect_small_svd_residuals<TypeParam>(lapack_cpu(), n, n, pattern);
    expect_small_svd_residuals<TypeParam>(lapack_cpu(), 20, 17, pattern);
    expect_small_svd_residuals<TypeParam>(lapack_cpu(), 40, 12, pattern);
  }
}

// More than one panel of the reduction and of the factor Q R, and more than one leaf of divide and conquer.
TYPED_TEST(Gesvd, HasSmallResidualsWithThreads) {
  expect_small_svd_residuals<TypeParam>(lapack_cpu(), 75, 60, verify::Pattern::random, 2);
  expect_small_svd_residuals<TypeParam>(lapack_cpu(), 130, 60, verify::Pattern::random, 2);
}

TYPED_TEST(Gesvd, OfTheReferenceHasSmallResiduals) {
  for (std::int64_t n = 0; n <= 6; ++n)
    for (const std::int64_t more : {0, 1, 4})
      expect_small_svd_residuals<TypeParam>(lapack_reference(), n + more, n, verify::Pattern::random);
  for (const verify::Pattern pattern : verify::finite_patterns) {
    expect_small_svd_residuals<TypeParam>(lapack_reference(), 15, 15, pattern);
    expect_small_svd_residuals<TypeParam>(lapack_reference(), 18, 9, pattern);
  }
}

TYPED_TEST(Gesvd, SaysThatAMatrixIsNotFinite) {
  for (const verify::Pattern pattern : verify::other_patterns)
    for (const LapackBackend* backend : {&lapack_cpu(), &lapack_reference()}) {
      Svd<TypeParam>(*backend, 9, 8, 1, pattern).expect_failure();
      Svd<TypeParam>(*backend, 5, 30, 1, pattern).expect_failure();
    }
}

TYPED_TEST(Gesvd, OfASingleElement) {
  using R = lapack::Real<TypeParam>;
  for (const LapackBackend* backend : {&lapack_cpu(), &lapack_reference()})
    for (const R element : {R(-3), R(0), std::numeric_limits<R>::infinity()}) {
      TypeParam a = element, u{}, vt{};
      R s = 0;
      int info = -1;
      const LapackProblem p = {
          .routine = LapackRoutine::gesvd, .type = type_of<TypeParam>, .m = 1, .n = 1, .job = Job::all};
      EXPECT_TRUE(run(*backend, p, {.a = &a, .w = &s, .info = &info, .u = &u, .vt = &vt}));
      const bool finite = std::isfinite(element);
      EXPECT_EQ(info, finite ? 0 : 1);
      EXPECT_TRUE(finite ? s == std::abs(element) : std::isnan(s));
      EXPECT_TRUE(finite ? u * s * vt == TypeParam{element}
                         : std::isnan(lapack::real(u)) && std::isnan(lapack::real(vt)));
    }
}

TYPED_TEST(Gesvd, HasTheSameBitsInEveryRun) {
  for (const std::int64_t m : {50, 90}) {
    const Svd<TypeParam> first(lapack_cpu(), m, 45, 0, verify::Pattern::random, 2);
    for (int repeat = 0; repeat < 4; ++repeat)
      EXPECT_TRUE(Svd<TypeParam>(lapack_cpu(), m, 45, 0, verify::Pattern::random, 2).same_bits(first));
  }
}

// What `onepass check` relies on.
TYPED_TEST(Gesvd, HasLargeResidualsIfOneNumberIsWrong) {
  using R = lapack::Real<TypeParam>;
  Svd<TypeParam> other_value(lapack_cpu(), 12, 9, 0, verify::Pattern::random);
  other_value.vectors.s[3] += R(0.1);
  EXPECT_GT(other_value.residuals(Job::vectors).equation, verify::residual_limit);
  EXPECT_GT(other_value.residuals(Job::vectors).values, verify::residual_limit);
  Svd<TypeParam> other_vector(lapack_cpu(), 12, 9, 0, verify::Pattern::random);
  other_vector.all.u(2, 10) += R(0.1);
  EXPECT_GT(other_vector.residuals(Job::all).u, verify::residual_limit);
  other_vector.vectors.vt(2, 5) += R(0.1);
  EXPECT_GT(other_vector.residuals(Job::vectors).v, verify::residual_limit);
}

// Takes d and e for those of a bidiagonal matrix, and forms U B V of the rotations.
template <class R>
void expect_diagonal(const char* name, const std::vector<R>& d, const std::vector<R>& e) {
  const auto n = static_cast<std::int64_t>(d.size());
  using Square = std::vector<std::vector<R>>;
  Square b(d.size(), std::vector<R>(d.size()));
  for (std::size_t i = 0; i < d.size(); ++i) {
    b[i][i] = d[i];
    if (i + 1 < d.size()) b[i][i + 1] = e[i];
  }
  R largest = 0;
  for (const auto& row : b)
    for (const R x : row) largest = std::max(largest, std::abs(x));
  const auto rotate = [](R& x, R& y, R c, R s) {
    const R before = x;
    x = c * before + s * y;
    y = c * y - s * before;
  };
  std::vector<R> values = d, beside = e;
  const bool found = lapack::bidiagonal_qr<R>(
      n, values.data(), beside.data(),
      [&](std::int64_t k, R c, R s) {
        for (std::int64_t i = 0; i < n; ++i)
          rotate(b[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)],
                 b[static_cast<std::size_t>(k + 1)][static_cast<std::size_t>(i)], c, s);
      },
      [&](std::int64_t k, R c, R s) {
        for (auto& row : b) rotate(row[static_cast<std::size_t>(k)], row[static_cast<std::size_t>(k + 1)], c, s);
      });
  ASSERT_TRUE(found) << name;
  const R bound = 10 * static_cast<R>(n) * std::numeric_limits<R>::epsilon() * largest;
  for (std::size_t i = 0; i < d.size(); ++i)
    for (std::size_t j = 0; j < d.size(); ++j) ASSERT_LE(std::abs(b[i][j] - (i == j ? values[i] : 0)), bound) << name;
}

// The way of a build whose BLAS has no LAPACK beside it.
TEST(BidiagonalQr, MakesHardMatricesDiagonal) {
  for (const auto& t : hard_tridiagonals<double>(45)) expect_diagonal(t.name.c_str(), t.d, t.e);
  for (const std::size_t zero : {0, 3, 6, 7}) {
    std::vector<double> d(8, 1.0), e(7, 1.0);
    d[zero] = 0;
    expect_diagonal("a zero in d", d, e);
    if (zero > 3) d[2] = 0;
    expect_diagonal("zeros in d", d, e);
  }
  std::vector<double> falling, rising;
  for (int i = 0; i < 40; ++i) {
    falling.push_back(std::pow(10.0, -i));
    rising.push_back(std::pow(10.0, i - 40));
  }
  expect_diagonal("falling", falling, std::vector<double>(falling.begin(), falling.end() - 1));
  expect_diagonal("rising", rising, std::vector<double>(rising.begin(), rising.end() - 1));
}

}  // namespace
}  // namespace onepass::test
