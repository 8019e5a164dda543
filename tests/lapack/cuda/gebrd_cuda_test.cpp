// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gebrd on a GPU, through the C interface: residuals as on the host, canaries around what lies on the device.
#include <utility>

#include "graph.hpp"
#include "reduction.hpp"

namespace onepass::test {
namespace {

template <class T>
class CudaGebrd : public testing::Test {
 protected:
  void SetUp() override {
    if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  }
  static Reduction<T> reduce(std::int64_t m, std::int64_t n, std::int64_t more,
                             verify::Pattern pattern = verify::Pattern::random) {
    return Reduction<T>(
        cuda(), {.routine = LapackRoutine::gebrd, .m = m, .n = n, .lda = std::max<std::int64_t>(1, m + more)}, pattern);
  }
};
TYPED_TEST_SUITE(CudaGebrd, Types);

// In place, as copies and as adjoints.
TYPED_TEST(CudaGebrd, OfEverySmallOrder) {
  for (std::int64_t n = 0; n <= 40; ++n)
    for (const std::int64_t m : {n, n + 1 + n / 3}) {
      this->reduce(m, n, n % 3).expect_small_residuals(lapack_cpu());
      if (m > n) this->reduce(n, m, n % 3).expect_small_residuals(lapack_cpu());
    }
}

TYPED_TEST(CudaGebrd, OfATallOrWideMatrixWithFewLines) {
  for (const std::int64_t few : {1, 2, 32, 33}) {
    this->reduce(700, few, 1).expect_small_residuals(lapack_cpu());
    this->reduce(few, 700, 0).expect_small_residuals(lapack_cpu());
  }
  // Panels, and panels with a rest on the chip.
  this->reduce(1700, 40, 1).expect_small_residuals(lapack_cpu());
  this->reduce(60, 1560, 0).expect_small_residuals(lapack_cpu());
}

TYPED_TEST(CudaGebrd, AroundTheBordersOfPlans) {
  for (const std::int64_t n : {63, 64, 65, 255, 256, 257})
    for (const std::int64_t more : {0, 1}) {
      this->reduce(n, n, more).expect_small_residuals(lapack_cpu());
      this->reduce(n + 3, n, more).expect_small_residuals(lapack_cpu());
      this->reduce(n, n + 3, more).expect_small_residuals(lapack_cpu());
    }
}

TYPED_TEST(CudaGebrd, OfSpecialMatrices) {
  for (const verify::Pattern pattern : verify::finite_patterns)
    for (const std::int64_t n : {1, 2, 7, 33, 90}) {
      SCOPED_TRACE(verify::name(pattern));
      this->reduce(n, n, 0, pattern).expect_small_residuals(lapack_cpu());
      this->reduce(n + 5, n, 1, pattern).expect_small_residuals(lapack_cpu());
      this->reduce(n, n + 5, 1, pattern).expect_small_residuals(lapack_cpu());
    }
}

TYPED_TEST(CudaGebrd, EndsWithNanAndInfinity) {
  for (const verify::Pattern pattern : verify::other_patterns)
    for (const auto& [m, n] : {std::pair{40, 40}, {300, 200}, {200, 300}}) {
      Reduction<TypeParam> reduction = this->reduce(m, n, 1, pattern);
      EXPECT_TRUE(reduction.intact);
      EXPECT_FALSE(reduction.is_finite()) << verify::name(pattern) << " " << m << " x " << n;
    }
}

TYPED_TEST(CudaGebrd, HasTheSameBitsInEveryRun) {
  for (const auto& [m, n] : {std::pair{100, 100}, {400, 300}, {300, 401}}) {
    const Reduction<TypeParam> first = this->reduce(m, n, 0);
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(first.same_bits(this->reduce(m, n, 0))) << m << " x " << n;
  }
}

// The sum of squares stays; residuals of such sizes would take minutes.
TYPED_TEST(CudaGebrd, OfLargeMatricesKeepsTheNorm) {
  for (const auto& [m, n] : {std::pair{1000, 700}, {700, 1000}, {2049, 2049}, {2500, 1100}})
    for (const std::int64_t more : {0, 1}) {
      Reduction<TypeParam> reduction = this->reduce(m, n, more);
      EXPECT_TRUE(reduction.intact);
      double squares = 0, squares_now = 0;
      for (const auto& element : reduction.original.data) squares += std::norm(element);
      const std::int64_t least = std::min(m, n);
      for (std::int64_t i = 0; i < least; ++i) {
        squares_now += static_cast<double>(reduction.d[i]) * reduction.d[i];
        if (i > 0) squares_now += static_cast<double>(reduction.e[i - 1]) * reduction.e[i - 1];
      }
      EXPECT_NEAR(squares_now, squares, verify::unit_of<TypeParam> * static_cast<double>(m + n) * squares)
          << m << " x " << n;
    }
}

TYPED_TEST(CudaGebrd, OfALargerMatrixHasSmallResiduals) {
  this->reduce(500, 420, 1).expect_small_residuals(lapack_cpu());
  this->reduce(420, 500, 0).expect_small_residuals(lapack_cpu());
}

// In a captured graph, replayed on a matrix that was put back: in place, as a copy and as its adjoint.
TEST(CudaBidiagonal, RunsInAGraph) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  struct Shape {
    std::int64_t m, n, lda;
  };
  for (const Shape& shape : {Shape{500, 300, 500}, Shape{500, 300, 501}, Shape{300, 500, 300}}) {
    const std::int64_t least = std::min(shape.m, shape.n);
    onepassLapackProblem_t problem =
        onepassLapackProblemDefault(ONEPASS_LAPACK_GEBRD, ONEPASS_TYPE_D, shape.m, shape.n);
    problem.lda = shape.lda;
    std::vector<double> original(static_cast<std::size_t>(shape.lda * shape.n)), d(static_cast<std::size_t>(least));
    for (std::size_t i = 0; i < original.size(); ++i) original[i] = static_cast<double>(i * 7919 % 1009) / 1009;
    const std::size_t a_bytes = original.size() * sizeof(double), d_bytes = d.size() * sizeof(double);
    std::vector<double> others(d);
    const OnDevice a(original.data(), a_bytes), at_d(d.data(), d_bytes), at_e(others.data(), d_bytes),
        at_tauq(others.data(), d_bytes), at_taup(others.data(), d_bytes);
    const onepassLapackOperands_t operands = {a.data(),       at_d.data(), at_e.data(), at_tauq.data(),
                                              at_taup.data(), nullptr,     nullptr,     nullptr,
                                              nullptr,        nullptr,     nullptr};
    std::vector<double> first;
    expect_run_in_a_graph(problem, operands, [&] {
      EXPECT_TRUE(at_d.back());
      if (first.empty()) first = d;
      EXPECT_EQ(d, first);
      EXPECT_EQ(cudaMemcpy(a.data(), original.data(), a_bytes, cudaMemcpyHostToDevice), cudaSuccess);
      EXPECT_EQ(cudaMemset(at_d.data(), 0xff, d_bytes), cudaSuccess);
    });
    // The first of them is the length of the first column or row.
    double squares = 0;
    for (std::int64_t i = 0; i < std::max(shape.m, shape.n); ++i) {
      const double element = original[static_cast<std::size_t>(shape.m >= shape.n ? i : i * shape.lda)];
      squares += element * element;
    }
    EXPECT_NEAR(std::abs(d[0]), std::sqrt(squares), 1e-12 * std::sqrt(squares));
  }
}

TEST(CudaBidiagonal, SaysBothSizesOfAWorkspaceThatIsTooSmall) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 100 * 104 * 8), cudaSuccess);
  auto* const a = static_cast<double*>(memory);
  std::size_t bytes = 0;
  ASSERT_EQ(onepassDgebrdBufferSize(handle(), 100, 80, 100, &bytes), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(onepassDgebrd(handle(), 100, 80, a, 100, a, a, a, a, a, bytes - 1), ONEPASS_STATUS_WORKSPACE_TOO_SMALL);
  expect_both_sizes_in_the_message(bytes);
  cudaFree(a);
}

TEST(CudaBidiagonal, SaysWhatTheLongestColumnMayBe) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  std::size_t bytes = 0;
  EXPECT_EQ(onepassDgebrdBufferSize(handle(), 32769, 10, 32769, &bytes), ONEPASS_STATUS_TOO_LARGE);
  const std::string text = onepassLapackLastErrorMessage();
  EXPECT_NE(text.find("at most 32768"), std::string::npos) << text;
}

}  // namespace
}  // namespace onepass::test
