// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The stages of the solvers by QR, which serve where LAPACK's divide and conquer is not linked or cannot count its own
// workspace; and where that is.
#include "lapack/cpu/by_qr.hpp"

#include <gtest/gtest.h>

#include "bidiagonal_residuals.hpp"
#include "lapack/backend.hpp"
#include "lapack/cpu/host_limits.hpp"
#include "lapack/rotation.hpp"
#include "tridiagonal_residuals.hpp"

namespace onepass::test {
namespace {

template <class R>
class ByQr : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(ByQr, Reals);

// Products of n rotations, each of which is off by a few roundings.
constexpr long double limit = 10;

TYPED_TEST(ByQr, RotationsOfNumbersOfAnySizeAreOrthogonal) {
  using R = TypeParam;
  constexpr R least = std::numeric_limits<R>::denorm_min(), most = std::numeric_limits<R>::max() / 2;
  for (const R x : {least, -5 * least, std::numeric_limits<R>::min(), R(3), most})
    for (const R y : {R(0), least, 2 * least, -std::numeric_limits<R>::min(), R(-4), most}) {
      const lapack::Rotation<R> r(x, y);
      const long double c = r.c, s = r.s;
      EXPECT_NEAR(static_cast<double>(c * c + s * s), 1, 4 * std::numeric_limits<R>::epsilon()) << x << " " << y;
      EXPECT_NEAR(static_cast<double>(r.length / std::hypot<long double>(x, y)), 1,
                  std::max<double>(4 * std::numeric_limits<R>::epsilon(), least / std::hypot<long double>(x, y)));
    }
}

TYPED_TEST(ByQr, SolvesHardEigenproblems) {
  using R = TypeParam;
  constexpr std::int64_t n = 45;
  for (const auto& t : hard_tridiagonals<R>(n)) {
    std::vector<R> e = t.e, rotated(static_cast<std::size_t>(n * n));
    std::int64_t order[n];
    Eigensystem<R> s(n);
    s.w = t.d;
    ASSERT_TRUE(
        lapack::tridiagonal_by_qr<R>(true, n, s.w.data(), e.data(), {rotated.data(), n}, order, {s.z.data(), s.ldz}))
        << t.name;
    EXPECT_TRUE(std::is_sorted(s.w.begin(), s.w.end())) << t.name;
    const Residuals found = residuals(t, s);
    EXPECT_LT(found.equation, limit) << t.name;
    EXPECT_LT(found.orthogonality, limit) << t.name;
  }
}

TYPED_TEST(ByQr, SolvesHardSingularValueProblems) {
  using R = TypeParam;
  constexpr std::int64_t n = 45;
  for (const auto& b : hard_bidiagonals<R>(n)) {
    std::vector<R> e = b.e, rotated_u(static_cast<std::size_t>(n * n)), rotated_v = rotated_u;
    std::int64_t order[n];
    SingularSystem<R> s(n);
    s.s = b.d;
    ASSERT_TRUE(lapack::bidiagonal_by_qr<R>(true, n, s.s.data(), e.data(), {rotated_u.data(), n}, {rotated_v.data(), n},
                                            order, {s.u.data(), s.ldu}, {s.vt.data(), s.ldvt}))
        << b.name;
    EXPECT_TRUE(std::is_sorted(s.s.rbegin(), s.s.rend())) << b.name;
    const SingularResiduals found = residuals(b, s);
    EXPECT_LT(found.equation, limit) << b.name;
    EXPECT_LT(found.orthogonality, limit) << b.name;
  }
}

TEST(HostLimits, AreThoseOfIntegersOf32Bits) {
  EXPECT_TRUE(lapack::fits_stedc(46338));
  EXPECT_FALSE(lapack::fits_stedc(46339));
  EXPECT_TRUE(lapack::fits_bdsdc(26754));
  EXPECT_FALSE(lapack::fits_bdsdc(26755));
  for (const std::int64_t n : {std::int64_t{1} << 31, std::int64_t{1} << 33, std::int64_t{1} << 62}) {
    EXPECT_FALSE(lapack::fits_stedc(n));
    EXPECT_FALSE(lapack::fits_bdsdc(n));
  }
}

// A plan is made without memory. Beyond the limit there are one or two matrices for rotations in place of a workspace.
TEST(HostLimits, PlansGoOnBehindThem) {
  const auto matrices = [](LapackRoutine routine, std::int64_t n) {
    const LapackProblem p = {.routine = routine, .m = n, .n = n, .lda = n, .job = Job::vectors, .ldu = n, .ldvt = n};
    return static_cast<double>(lapack_cpu().plan(p, 1).workspace_bytes) / (8.0 * static_cast<double>(n * n));
  };
  EXPECT_NEAR(matrices(LapackRoutine::syevd, 46338), 2, 0.1);
  EXPECT_NEAR(matrices(LapackRoutine::syevd, 46339), 2, 0.1);
  EXPECT_NEAR(matrices(LapackRoutine::syevd, 70000), 2, 0.1);
  EXPECT_LT(matrices(LapackRoutine::gesvd, 26754), 3.1);
  EXPECT_NEAR(matrices(LapackRoutine::gesvd, 70000), 2, 0.1);
}

}  // namespace
}  // namespace onepass::test
