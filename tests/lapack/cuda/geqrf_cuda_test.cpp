// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// geqrf on a GPU, through the C interface: residuals, special matrices, same bits, tall matrices, graphs.
#include <random>

#include "graph.hpp"
#include "reduction.hpp"

namespace onepass::test {
namespace {

template <class T>
class CudaGeqrf : public testing::Test {
 protected:
  void SetUp() override {
    if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  }
  static Reduction<T> factor(std::int64_t m, std::int64_t n, std::int64_t more = 0,
                             verify::Pattern pattern = verify::Pattern::random) {
    return Reduction<T>(cuda(), {.routine = LapackRoutine::geqrf, .m = m, .n = n, .lda = m + more}, pattern);
  }
};
TYPED_TEST_SUITE(CudaGeqrf, Types);

TYPED_TEST(CudaGeqrf, OfEverySmallShape) {
  for (std::int64_t n = 1; n <= 40; ++n) {
    this->factor(n, n, n % 3).expect_small_residuals(lapack_cpu());
    this->factor(n + 7, n).expect_small_residuals(lapack_cpu());
    this->factor(n, n + 9, 1).expect_small_residuals(lapack_cpu());
  }
}
// One block and several, one panel of 64 columns and several of 32, panels alone and in blocks.
TYPED_TEST(CudaGeqrf, AroundTheBordersOfPlans) {
  for (const std::int64_t m : {256, 257, 513})
    for (const std::int64_t n : {1, 32, 33, 64, 65}) this->factor(m, n, 1).expect_small_residuals(lapack_cpu());
  for (const auto& [m, n] : {std::pair<std::int64_t, std::int64_t>{1030, 97}, {520, 516}, {100, 600}})
    this->factor(m, n).expect_small_residuals(lapack_cpu());
}
TYPED_TEST(CudaGeqrf, OfSpecialMatrices) {
  for (const verify::Pattern pattern : verify::finite_patterns) {
    SCOPED_TRACE(verify::name(pattern));
    this->factor(70, 70, 0, pattern).expect_small_residuals(lapack_cpu());
    this->factor(520, 40, 0, pattern).expect_small_residuals(lapack_cpu());
  }
}
TYPED_TEST(CudaGeqrf, KeepsColumnsOfAnySize) { expect_columns_of_any_size<TypeParam>(cuda()); }
TYPED_TEST(CudaGeqrf, EndsWithNanAndInfinity) {
  for (const verify::Pattern pattern : verify::other_patterns) {
    Reduction<TypeParam> made = this->factor(1000, 70, 0, pattern);
    EXPECT_TRUE(made.intact);
    EXPECT_FALSE(made.is_finite());
  }
}
TYPED_TEST(CudaGeqrf, HasTheSameBitsInEveryRun) {
  const auto first = this->factor(1300, 300);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(this->factor(1300, 300).same_bits(first));
}

// R^H R = A^H A, in some elements: residuals of such sizes would take minutes. The last shape has more rows than shared
// memory.
TYPED_TEST(CudaGeqrf, OfLargeMatricesKeepsProductsOfColumns) {
  for (const auto& [m, n] :
       {std::pair<std::int64_t, std::int64_t>{2100, 2100}, {1500, 2500}, {20000, 100}, {120000, 40}, {500000, 20}}) {
    Reduction<TypeParam> made = this->factor(m, n, 1);
    EXPECT_TRUE(made.intact);
    using Number = verify::Exact<TypeParam>;
    std::mt19937 random(5);
    for (int sample = 0; sample < 40; ++sample) {
      const auto c = static_cast<std::int64_t>(random() % static_cast<unsigned>(n)),
                 d = sample % 2 == 0 ? c : static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
      Number wanted{}, found{};
      double squares = 0;
      for (std::int64_t i = 0; i < m; ++i) {
        wanted += lapack::conjugate(made.original(i, c)) * made.original(i, d);
        squares += std::abs(made.original(i, c)) * std::abs(made.original(i, d));
        if (i <= std::min(c, d))
          found += lapack::conjugate(static_cast<Number>(made.a(i, c))) * static_cast<Number>(made.a(i, d));
      }
      EXPECT_LT(std::abs(found - wanted),
                100 * std::sqrt(static_cast<double>(m)) * verify::unit_of<TypeParam> * squares)
          << m << " x " << n << ", columns " << c << " and " << d;
    }
  }
}

// In a captured graph, replayed on a matrix that was put back: panels, blocks of them, and one launch alone.
TEST(CudaGeqrfRun, HasTheSameBitsInAGraph) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  for (const auto& [m, n] : {std::pair<std::int64_t, std::int64_t>{1500, 700}, {3000, 64}, {100, 20}}) {
    const LapackProblem p = {.routine = LapackRoutine::geqrf, .type = Type::d, .m = m, .n = n, .lda = m};
    const onepassLapackProblem_t problem = problem_to_c(p);
    std::vector<double> original(static_cast<std::size_t>(m * n)), tau(static_cast<std::size_t>(n)), found(original);
    for (std::size_t i = 0; i < original.size(); ++i) original[i] = static_cast<double>(i * 7919 % 1009) / 1009;
    const OperandsOnDevice there(p, {.a = original.data(), .tau = tau.data()});
    const onepassLapackOperands_t operands = there.operands();
    std::vector<double> first;
    expect_run_in_a_graph(problem, operands, [&] {
      const std::size_t size = original.size() * sizeof(double);
      EXPECT_EQ(cudaMemcpy(found.data(), operands.a, size, cudaMemcpyDeviceToHost), cudaSuccess);
      if (first.empty()) first = found;
      EXPECT_EQ(found, first);
      EXPECT_EQ(cudaMemcpy(operands.a, original.data(), size, cudaMemcpyHostToDevice), cudaSuccess);
    });
    double squares = 0;
    for (std::int64_t i = 0; i < m; ++i)
      squares += original[static_cast<std::size_t>(i)] * original[static_cast<std::size_t>(i)];
    EXPECT_NEAR(std::abs(found[0]), std::sqrt(squares), 1e-12 * std::sqrt(squares));
  }
}

TEST(CudaGeqrfRun, SaysBothSizesOfAWorkspaceThatIsTooSmall) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 100 * 101 * 8), cudaSuccess);
  auto* const a = static_cast<double*>(memory);
  std::size_t bytes = 0;
  ASSERT_EQ(onepassDgeqrfBufferSize(handle(), 100, 80, 100, &bytes), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(onepassDgeqrf(handle(), 100, 80, a, 100, a, a, bytes - 1), ONEPASS_STATUS_WORKSPACE_TOO_SMALL);
  expect_both_sizes_in_the_message(bytes);
  cudaFree(memory);
}

}  // namespace
}  // namespace onepass::test
