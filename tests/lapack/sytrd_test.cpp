// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Tridiagonal reduction: residuals as LAPACK's testers have them, nothing written beside the outputs, the same bits.
#include <gtest/gtest.h>

#include "guarded.hpp"
#include "types.hpp"
#include "verify/lapack_residual.hpp"

namespace onepass::test {
namespace {

template <class T>
struct Reduced {
  using R = lapack::Real<T>;
  LapackProblem problem;
  verify::Dense<verify::Exact<T>> original;
  Guarded<T> a;
  Guarded<R> d, e;
  Guarded<T> tau;
  bool intact = false;

  bool stored(std::int64_t r, std::int64_t c) const { return problem.uplo == Uplo::lower ? r >= c : r <= c; }

  Reduced(const LapackBackend& backend, verify::Pattern pattern, Uplo uplo, std::int64_t n, std::int64_t lda,
          int threads)
      : problem{.routine = LapackRoutine::sytrd, .type = type_of<T>, .uplo = uplo, .n = n, .lda = lda},
        original(verify::make_matrix<T>(pattern, n, n, true, 17 + static_cast<std::uint64_t>(n))),
        a(n, n, lda),
        d(n),
        e(std::max<std::int64_t>(0, n - 1)),
        tau(std::max<std::int64_t>(0, n - 1)) {
    const auto keep = [&](std::int64_t r, std::int64_t c) { return stored(r, c); };
    a.set(original, keep);
    intact = run(backend, problem, {.a = a.data(), .d = d.data(), .e = e.data(), .tau = tau.data()}, threads) &&
             a.intact(keep) && d.intact() && e.intact() && tau.intact();
  }

  verify::Dense<verify::Exact<T>> tridiagonal() {
    verify::Dense<verify::Exact<T>> t(problem.n, problem.n);
    for (std::int64_t i = 0; i < problem.n; ++i) {
      t(i, i) = d[i];
      if (i + 1 < problem.n) t(i + 1, i) = t(i, i + 1) = e[i];
    }
    return t;
  }
  // Q by the reference backend: the truth of what the reflectors mean.
  verify::Dense<verify::Exact<T>> q() {
    LapackProblem generate = problem;
    generate.routine = LapackRoutine::orgtr;
    Guarded<T> whole = a;
    run(lapack_reference(), generate, {.a = whole.data(), .tau = tau.data()});
    return whole.values();
  }
};

template <class T>
void expect_small_residuals(const LapackBackend& backend, verify::Pattern pattern, Uplo uplo, std::int64_t n,
                            std::int64_t lda, int threads = 1) {
  SCOPED_TRACE(std::string(verify::name(pattern)) + (uplo == Uplo::lower ? " L" : " U") + " n = " + std::to_string(n) +
               " lda = " + std::to_string(lda));
  Reduced<T> reduced(backend, pattern, uplo, n, lda, threads);
  EXPECT_TRUE(reduced.intact);
  const auto q = reduced.q();
  const double eps = verify::unit_of<T>;
  EXPECT_LT(verify::reduction_residual(reduced.original, q, reduced.tridiagonal(), verify::adjoint(q), eps),
            verify::residual_limit);
  EXPECT_LT(verify::orthogonality_residual(q, eps), verify::residual_limit);
}

template <class T>
class Sytrd : public testing::Test {};
TYPED_TEST_SUITE(Sytrd, Types);

TYPED_TEST(Sytrd, HasSmallResidualsForSmallOrders) {
  for (const Uplo uplo : {Uplo::lower, Uplo::upper})
    for (std::int64_t n = 0; n <= 40; ++n)
      expect_small_residuals<TypeParam>(lapack_cpu(), verify::Pattern::random, uplo, n, std::max<std::int64_t>(1, n));
}

TYPED_TEST(Sytrd, HasSmallResidualsAroundTheBordersOfPanels) {
  for (const Uplo uplo : {Uplo::lower, Uplo::upper})
    for (const std::int64_t n : {63, 64, 65, 97, 128, 150})
      expect_small_residuals<TypeParam>(lapack_cpu(), verify::Pattern::random, uplo, n, n + 3);
}

TYPED_TEST(Sytrd, HasSmallResidualsForEveryPattern) {
  for (const Uplo uplo : {Uplo::lower, Uplo::upper})
    for (const verify::Pattern pattern : verify::finite_patterns)
      for (const std::int64_t n : {2, 9, 40, 75})
        expect_small_residuals<TypeParam>(lapack_cpu(), pattern, uplo, n, n + 1);
}

TYPED_TEST(Sytrd, OfTheReferenceHasSmallResiduals) {
  for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
    for (std::int64_t n = 0; n <= 12; ++n)
      expect_small_residuals<TypeParam>(lapack_reference(), verify::Pattern::random, uplo, n, n + 1);
    for (const verify::Pattern pattern : verify::finite_patterns)
      expect_small_residuals<TypeParam>(lapack_reference(), pattern, uplo, 25, 25);
  }
}

TYPED_TEST(Sytrd, HasSmallResidualsWithThreads) {
  for (const Uplo uplo : {Uplo::lower, Uplo::upper})
    expect_small_residuals<TypeParam>(lapack_cpu(), verify::Pattern::random, uplo, 300, 301, 3);
}

TYPED_TEST(Sytrd, EndsWhereThereAreNanAndInfinity) {
  for (const Uplo uplo : {Uplo::lower, Uplo::upper})
    for (const verify::Pattern pattern : verify::other_patterns)
      for (const std::int64_t n : {3, 70}) {
        Reduced<TypeParam> reduced(lapack_cpu(), pattern, uplo, n, n + 1, 1);
        EXPECT_TRUE(reduced.intact);
        bool finite = true;
        for (std::int64_t i = 0; i < n; ++i) finite = finite && std::isfinite(reduced.d[i]);
        EXPECT_FALSE(finite);
      }
}

TYPED_TEST(Sytrd, HasTheSameBitsInEveryRun) {
  for (const int threads : {1, 2}) {
    Reduced<TypeParam> first(lapack_cpu(), verify::Pattern::random, Uplo::lower, 200, 200, threads);
    for (int repeat = 0; repeat < 5; ++repeat) {
      Reduced<TypeParam> again(lapack_cpu(), verify::Pattern::random, Uplo::lower, 200, 200, threads);
      EXPECT_EQ(again.a.bytes(), first.a.bytes());
      EXPECT_EQ(again.d.bytes(), first.d.bytes());
    }
  }
}

}  // namespace
}  // namespace onepass::test
