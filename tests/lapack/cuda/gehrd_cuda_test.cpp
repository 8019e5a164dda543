// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gehrd on a GPU, through the C interface: residuals, special matrices, same bits, graphs.
#include <array>
#include <tuple>
#include <type_traits>

#include "gpu.hpp"
#include "reduction.hpp"

namespace onepass::test {
namespace {

template <class T>
class CudaGehrd : public testing::Test {
 protected:
  void SetUp() override {
    if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  }
  static Reduction<T> reduce(std::int64_t n, std::int64_t ilo, std::int64_t ihi, std::int64_t more,
                             verify::Pattern pattern = verify::Pattern::random) {
    return Reduction<T>(cuda(), {.routine = LapackRoutine::gehrd, .n = n, .ilo = ilo, .ihi = ihi, .lda = n + more},
                        pattern);
  }
};
TYPED_TEST_SUITE(CudaGehrd, Types);

TYPED_TEST(CudaGehrd, OfEverySmallOrder) {
  for (std::int64_t n = 1; n <= 40; ++n) this->reduce(n, 1, n, n % 3).expect_small_residuals(lapack_cpu());
}
TYPED_TEST(CudaGehrd, OfARange) {
  this->reduce(50, 4, 45, 1).expect_small_residuals(lapack_cpu());
  this->reduce(130, 20, 20, 0).expect_small_residuals(lapack_cpu());
  this->reduce(130, 3, 129, 2).expect_small_residuals(lapack_cpu());
}
TYPED_TEST(CudaGehrd, AroundTheBordersOfPlans) {
  for (const std::int64_t n : {65, 97, 255, 256, 257, 512, 513})
    this->reduce(n, 1, n, 1).expect_small_residuals(lapack_cpu());
}
// On the chip alone, and panels before that. The sums of all eigenvalues and of their squares stay, and the sum of
// squares; residuals of such sizes would take minutes.
TYPED_TEST(CudaGehrd, OfLargeMatricesKeepsTracesAndTheNorm) {
  for (const auto& [n, ilo, ihi] : {std::array<std::int64_t, 3>{1025, 1, 1025}, {1600, 1, 1600}, {1750, 20, 1700}})
    for (const std::int64_t more : {0, 1}) {
      Reduction<TypeParam> reduction = this->reduce(n, ilo, ihi, more);
      EXPECT_TRUE(reduction.intact);
      using Number = std::decay_t<decltype(reduction.original(0, 0))>;
      const auto original = [&](std::int64_t i, std::int64_t j) { return reduction.original(i, j); };
      const auto reduced = [&](std::int64_t i, std::int64_t j) {
        return i > j + 1 ? Number{} : static_cast<Number>(reduction.a(i, j));
      };
      const auto sums = [&](const auto& matrix) {
        Number trace{}, trace_of_square{};
        double squares = 0;
        for (std::int64_t j = 0; j < n; ++j) {
          trace += matrix(j, j);
          for (std::int64_t i = 0; i < n; ++i) {
            squares += static_cast<double>(std::norm(matrix(i, j)));
            trace_of_square += matrix(i, j) * matrix(j, i);
          }
        }
        return std::tuple{trace, trace_of_square, squares};
      };
      const auto [trace, trace_of_square, squares] = sums(original);
      const auto [trace_now, trace_of_square_now, squares_now] = sums(reduced);
      const double eps = verify::unit_of<TypeParam> * static_cast<double>(n);
      EXPECT_NEAR(static_cast<double>(std::abs(trace_now - trace)), 0, eps * std::sqrt(squares)) << n;
      EXPECT_NEAR(static_cast<double>(std::abs(trace_of_square_now - trace_of_square)), 0, eps * squares) << n;
      EXPECT_NEAR(squares_now, squares, eps * squares) << n;
    }
}
TYPED_TEST(CudaGehrd, OfSpecialMatrices) {
  for (const verify::Pattern pattern : verify::finite_patterns) {
    SCOPED_TRACE(verify::name(pattern));
    this->reduce(70, 1, 70, 0, pattern).expect_small_residuals(lapack_cpu());
  }
}
TYPED_TEST(CudaGehrd, OfColumnsThatCancelInManySteps) {
  this->reduce(300, 1, 300, 0, verify::Pattern::differences).expect_small_residuals(lapack_cpu());
}
TYPED_TEST(CudaGehrd, HasTheSameBitsInEveryRun) {
  const auto first = this->reduce(300, 1, 300, 0);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(this->reduce(300, 1, 300, 0).same_bits(first));
}

}  // namespace
}  // namespace onepass::test
