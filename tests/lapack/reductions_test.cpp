// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The reductions: residuals as LAPACK's testers have them, nothing written beside the outputs, the same bits.
#include <gtest/gtest.h>

#include <vector>

#include "reduction.hpp"

namespace onepass::test {
namespace {

// The shapes of each routine for an order.
std::vector<LapackProblem> sytrd_shapes(std::int64_t n, std::int64_t padding) {
  const std::int64_t lda = std::max<std::int64_t>(1, n + padding);
  return {{.routine = LapackRoutine::sytrd, .uplo = Uplo::lower, .n = n, .lda = lda},
          {.routine = LapackRoutine::sytrd, .uplo = Uplo::upper, .n = n, .lda = lda}};
}

std::vector<LapackProblem> gebrd_shapes(std::int64_t n, std::int64_t padding) {
  const auto shape = [&](std::int64_t rows, std::int64_t columns) {
    return LapackProblem{
        .routine = LapackRoutine::gebrd, .m = rows, .n = columns, .lda = std::max<std::int64_t>(1, rows + padding)};
  };
  return {shape(n, n), shape(n + 1, n), shape(n, n + 1), shape(n + n / 2 + 2, n), shape(n, n + n / 2 + 2)};
}

std::vector<LapackProblem> gehrd_shapes(std::int64_t n, std::int64_t padding) {
  const auto shape = [&](std::int64_t ilo, std::int64_t ihi) {
    return LapackProblem{
        .routine = LapackRoutine::gehrd, .n = n, .ilo = ilo, .ihi = ihi, .lda = std::max<std::int64_t>(1, n + padding)};
  };
  if (n == 0) return {shape(1, 0)};
  return {shape(1, n), shape(std::min<std::int64_t>(2, n), n), shape((n + 2) / 3, std::max((n + 2) / 3, n - 3)),
          shape(n, n)};
}

template <class T>
class Reductions : public testing::Test {
 public:
  template <class F>
  static void each(std::int64_t order, std::int64_t padding, F f) {
    for (const auto shapes : {sytrd_shapes, gebrd_shapes, gehrd_shapes})
      for (const LapackProblem& p : shapes(order, padding)) f(p);
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

TYPED_TEST(Reductions, HaveSmallResidualsForLargerOrders) { this->expect_small_residuals(300, 5, 2); }

TYPED_TEST(Reductions, EndWhereThereAreNanAndInfinity) {
  for (const verify::Pattern pattern : verify::other_patterns)
    for (const std::int64_t n : {3, 70})
      this->each(n, 1, [&](const LapackProblem& p) {
        Reduction<TypeParam> reduction(lapack_cpu(), p, pattern);
        EXPECT_TRUE(reduction.intact);
        EXPECT_TRUE(!reduction.is_finite() || (p.routine == LapackRoutine::gehrd && p.ihi - p.ilo < n - 1));
      });
}

TYPED_TEST(Reductions, HaveTheSameBitsInEveryRun) {
  for (const int threads : {1, 2})
    this->each(100, 0, [&](const LapackProblem& p) {
      const Reduction<TypeParam> first(lapack_cpu(), p, verify::Pattern::random, threads);
      for (int repeat = 0; repeat < 20; ++repeat)
        EXPECT_TRUE(Reduction<TypeParam>(lapack_cpu(), p, verify::Pattern::random, threads).same_bits(first));
    });
}

}  // namespace
}  // namespace onepass::test
