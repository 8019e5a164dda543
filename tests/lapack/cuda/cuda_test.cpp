// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// sytrd and hetrd on a GPU, through the C interface: residuals as on the host, canaries around what lies on the device.
#include "graph.hpp"
#include "lapack/cuda/device.hpp"
#include "reduction.hpp"

namespace onepass::test {
namespace {

template <class T>
class CudaReductions : public testing::Test {
 protected:
  void SetUp() override {
    if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  }
  static LapackProblem problem(Uplo uplo, std::int64_t n, std::int64_t more = 0) {
    return {.routine = LapackRoutine::sytrd, .uplo = uplo, .n = n, .lda = std::max<std::int64_t>(1, n + more)};
  }
};
TYPED_TEST_SUITE(CudaReductions, Types);

TYPED_TEST(CudaReductions, OfEverySmallOrder) {
  for (std::int64_t n = 0; n <= 40; ++n)
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      Reduction<TypeParam>(cuda(), this->problem(uplo, n, n % 3), verify::Pattern::random).expect_small_residuals();
}

TYPED_TEST(CudaReductions, AroundTheBordersOfPlans) {
  for (const std::int64_t n : {63, 64, 65, 100, 255, 256, 257, 258, 300})
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      Reduction<TypeParam>(cuda(), this->problem(uplo, n, 1), verify::Pattern::random).expect_small_residuals();
}

TYPED_TEST(CudaReductions, OfSpecialMatrices) {
  for (const verify::Pattern pattern : verify::finite_patterns)
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      for (const std::int64_t n : {1, 2, 7, 33, 90}) {
        SCOPED_TRACE(verify::name(pattern));
        Reduction<TypeParam>(cuda(), this->problem(uplo, n), pattern).expect_small_residuals();
      }
}

TYPED_TEST(CudaReductions, OfColumnsThatCancelInManySteps) {
  for (const std::int64_t n : {120, 300, 700})
    Reduction<TypeParam>(cuda(), this->problem(Uplo::lower, n), verify::Pattern::differences)
        .expect_small_residuals(lapack_cpu());
}

TYPED_TEST(CudaReductions, EndWithNanAndInfinity) {
  for (const verify::Pattern pattern : verify::other_patterns)
    for (const std::int64_t n : {40, 300}) {
      Reduction<TypeParam> reduction(cuda(), this->problem(Uplo::lower, n), pattern);
      EXPECT_TRUE(reduction.intact);
      EXPECT_FALSE(reduction.is_finite()) << verify::name(pattern) << " n = " << n;
    }
}

TYPED_TEST(CudaReductions, HaveTheSameBitsAgain) {
  for (const std::int64_t n : {100, 700}) {
    const Reduction<TypeParam> first(cuda(), this->problem(Uplo::lower, n), verify::Pattern::random);
    for (int i = 0; i < 5; ++i)
      EXPECT_TRUE(
          first.same_bits(Reduction<TypeParam>(cuda(), this->problem(Uplo::lower, n), verify::Pattern::random)));
  }
}

// Panels, with the rest on the chip. The trace and the sum of squares stay; residuals would take minutes.
TYPED_TEST(CudaReductions, OfLargeMatricesKeepTraceAndNorm) {
  for (const std::int64_t n : {1300, 2100, 2305})
    for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
      Reduction<TypeParam> reduction(cuda(), this->problem(uplo, n, 1), verify::Pattern::random);
      EXPECT_TRUE(reduction.intact);
      double trace = 0, squares = 0, trace_now = 0, squares_now = 0;
      for (std::int64_t c = 0; c < n; ++c) {
        trace += std::real(reduction.original(c, c));
        trace_now += reduction.d[c];
        squares_now += static_cast<double>(reduction.d[c]) * reduction.d[c];
        if (c > 0) squares_now += 2 * static_cast<double>(reduction.e[c - 1]) * reduction.e[c - 1];
        for (std::int64_t r = 0; r < n; ++r) squares += std::norm(reduction.original(r, c));
      }
      const double eps = verify::unit_of<TypeParam> * static_cast<double>(n);
      EXPECT_NEAR(trace_now, trace, eps * std::sqrt(squares)) << n;
      EXPECT_NEAR(squares_now, squares, eps * squares) << n;
    }
}

// In a captured graph, replayed on a matrix that was put back.
TEST(CudaReduction, RunsInAGraph) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  constexpr std::int64_t n = 2200;
  const onepassLapackProblem_t problem = onepassLapackProblemDefault(ONEPASS_LAPACK_SYTRD, ONEPASS_TYPE_D, n, n);
  std::vector<double> original(n * n, 0.25), d(n), e(n - 1), tau(n - 1);
  for (std::int64_t i = 0; i < n; ++i) original[i + i * n] = static_cast<double>(i % 17);
  const OnDevice a(original.data(), original.size() * 8), at_d(d.data(), n * 8), at_e(e.data(), (n - 1) * 8),
      at_tau(tau.data(), (n - 1) * 8);
  const onepassLapackOperands_t operands = {a.data(), at_d.data(), at_e.data(), at_tau.data(), nullptr, nullptr,
                                            nullptr,  nullptr,     nullptr,     nullptr,       nullptr};
  std::vector<double> first;
  expect_run_in_a_graph(problem, operands, [&] {
    EXPECT_TRUE(at_d.back());
    if (first.empty()) first = d;
    EXPECT_EQ(d, first);
    EXPECT_EQ(cudaMemcpy(a.data(), original.data(), original.size() * 8, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemset(at_d.data(), 0xff, n * 8), cudaSuccess);
  });
  double trace = 0, trace_now = 0;
  for (std::int64_t i = 0; i < n; ++i) trace += static_cast<double>(i % 17), trace_now += d[i];
  EXPECT_NEAR(trace_now, trace, 1e-9);
}

// Plans of another device than this one are tested elsewhere: here, that this one has said all that they ask.
TEST(CudaReduction, KnowsItsDevice) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  std::unique_ptr<lapack::CudaDevice> device;
  ASSERT_TRUE(lapack::CudaDevice::open(&device).ok());
  const DeviceTraits& traits = device->traits();
  EXPECT_FALSE(traits.name.empty());
  EXPECT_GE(traits.arch, 80);
  EXPECT_GT(traits.sm_count, 0);
  EXPECT_GT(traits.max_threads_per_sm, 0);
  EXPECT_GT(traits.max_blocks_per_sm, 0);
  EXPECT_GT(traits.registers_per_sm, 0);
  EXPECT_GT(traits.shared_bytes_per_sm, 0);
  EXPECT_GT(traits.l2_bytes, 1 << 20);
  EXPECT_GT(traits.memory_bytes, 1 << 30);
  EXPECT_EQ(traits.clusters_of_four > 0, traits.arch >= 90);
  EXPECT_LE(4 * traits.clusters_of_four, traits.sm_count);
}

TEST(CudaReduction, SaysBothSizesOfAWorkspaceThatIsTooSmall) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 100 * 103 * 8), cudaSuccess);
  auto* const a = static_cast<double*>(memory);
  std::size_t bytes = 0;
  ASSERT_EQ(onepassDsytrdBufferSize(handle(), ONEPASS_FILL_MODE_LOWER, 100, 100, &bytes), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(onepassDsytrd(handle(), ONEPASS_FILL_MODE_LOWER, 100, a, 100, a, a, a, a, bytes - 1),
            ONEPASS_STATUS_WORKSPACE_TOO_SMALL);
  expect_both_sizes_in_the_message(bytes);
  cudaFree(a);
}

}  // namespace
}  // namespace onepass::test
