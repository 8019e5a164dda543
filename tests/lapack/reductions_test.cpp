// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The reductions: residuals as LAPACK's testers have them, nothing written beside the outputs, the same bits.
#include <gtest/gtest.h>

#include "reduction.hpp"
#include "support/thorough.hpp"
#include "verify/lapack_cases.hpp"

namespace onepass::test {
namespace {

template <class T>
class Reductions : public testing::Test {
 public:
  template <class F>
  static void each(std::int64_t order, std::int64_t padding, F f) {
    for (const LapackRoutine routine :
         {LapackRoutine::sytrd, LapackRoutine::gebrd, LapackRoutine::gehrd, LapackRoutine::geqrf})
      for (const LapackProblem& p : verify::reductions_of(routine, order, padding)) f(p);
  }
  static void expect_small_residuals(const LapackBackend& backend, verify::Pattern pattern, std::int64_t order,
                                     std::int64_t padding) {
    SCOPED_TRACE(verify::name(pattern));
    each(order, padding, [&](const LapackProblem& p) { Reduction<T>(backend, p, pattern).expect_small_residuals(); });
  }
  // Q by the cpu backend: by the reference it takes long, and the tests of Q compare the two up to an order of 100.
  static void expect_small_residuals(std::int64_t order, std::int64_t padding, int threads) {
    each(order, padding, [&](const LapackProblem& p) {
      Reduction<T>(lapack_cpu(), p, verify::Pattern::random, threads).expect_small_residuals(lapack_cpu());
    });
  }
};
TYPED_TEST_SUITE(Reductions, Types);

TYPED_TEST(Reductions, HaveSmallResidualsForSmallOrders) {
  for (std::int64_t n = 0; n <= 40; ++n) this->expect_small_residuals(lapack_cpu(), verify::Pattern::random, n, 0);
}

TYPED_TEST(Reductions, HaveSmallResidualsAroundTheBordersOfPanels) {
  for (const std::int64_t n : {64, 65, 97}) this->expect_small_residuals(n, 3, 1);
}

TYPED_TEST(Reductions, HaveSmallResidualsForEveryPattern) {
  for (const verify::Pattern pattern : verify::finite_patterns)
    for (const std::int64_t n : {2, 9, 35}) this->expect_small_residuals(lapack_cpu(), pattern, n, 1);
}

TYPED_TEST(Reductions, OfTheReferenceHaveSmallResiduals) {
  for (std::int64_t n = 0; n <= 12; ++n)
    this->expect_small_residuals(lapack_reference(), verify::Pattern::random, n, 1);
  for (const verify::Pattern pattern : verify::finite_patterns)
    this->expect_small_residuals(lapack_reference(), pattern, 20, 0);
}

TYPED_TEST(Reductions, HaveSmallResidualsWithThreads) { this->expect_small_residuals(130, 1, 3); }

TYPED_TEST(Reductions, HaveSmallResidualsForLargerOrders) { this->expect_small_residuals(thorough ? 300 : 150, 5, 2); }

TYPED_TEST(Reductions, EndWhereThereAreNanAndInfinity) {
  for (const verify::Pattern pattern : verify::other_patterns)
    for (const std::int64_t n : {3, 70})
      this->each(n, 1, [&](const LapackProblem& p) {
        Reduction<TypeParam> reduction(lapack_cpu(), p, pattern);
        EXPECT_TRUE(reduction.intact);
        EXPECT_TRUE(!reduction.is_finite() || (p.routine == LapackRoutine::gehrd && p.ihi - p.ilo < n - 1));
      });
}

// What `onepass check` relies on.
TYPED_TEST(Reductions, HaveLargeResidualsIfOneNumberIsWrong) {
  using R = lapack::Real<TypeParam>;
  this->each(12, 1, [&](const LapackProblem& p) {
    if (p.routine == LapackRoutine::gehrd && p.ihi - p.ilo < 2) return;
    Reduction<TypeParam> changed(lapack_cpu(), p, verify::Pattern::random);
    const bool in_place = p.routine == LapackRoutine::gehrd || p.routine == LapackRoutine::geqrf;
    R& number = in_place ? reinterpret_cast<R&>(changed.a(0, 0)) : changed.d[0];
    number += R(0.1);
    EXPECT_GT(changed.residuals(lapack_reference()).worst(), verify::residual_limit);
    number = std::numeric_limits<R>::quiet_NaN();
    EXPECT_TRUE(std::isnan(changed.residuals(lapack_reference()).worst()));

    Reduction<TypeParam> other_q(lapack_cpu(), p, verify::Pattern::random);
    other_q.tau[p.routine == LapackRoutine::gehrd ? p.ilo - 1 : 1] *= R(0.9);
    EXPECT_GT(other_q.residuals(lapack_reference()).q, verify::residual_limit);
  });
}

TYPED_TEST(Reductions, HaveTheSameBitsInEveryRun) {
  for (const int threads : {1, 2})
    this->each(100, 0, [&](const LapackProblem& p) {
      const Reduction<TypeParam> first(lapack_cpu(), p, verify::Pattern::random, threads);
      for (int repeat = 0; repeat < (thorough ? 20 : 3); ++repeat)
        EXPECT_TRUE(Reduction<TypeParam>(lapack_cpu(), p, verify::Pattern::random, threads).same_bits(first));
    });
}

TYPED_TEST(Reductions, OfGeqrfKeepColumnsOfAnySize) { expect_columns_of_any_size<TypeParam>(lapack_cpu()); }

}  // namespace
}  // namespace onepass::test
