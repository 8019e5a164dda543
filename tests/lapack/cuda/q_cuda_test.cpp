// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Q of each reduction on a GPU, through the C interface: as the reference has it, with guards around what lies there.
#include "graph.hpp"
#include "q_cases.hpp"

namespace onepass::test {
namespace {

// Around one block of reflectors, and two of them: of the types they have 128, 112, 112 and 80.
constexpr std::int64_t orders[] = {0, 1, 2, 3, 7, 80, 81, 82, 113, 131}, some_orders[] = {1, 5, 40, 70, 130};
constexpr std::int64_t others[] = {0, 1, 37};

template <class T>
class CudaQ : public testing::Test {
 protected:
  void SetUp() override {
    if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  }
};
TYPED_TEST_SUITE(CudaQ, Types);

TYPED_TEST(CudaQ, OfSytrdIsGenerated) { expect_like_reference<TypeParam>(cuda(), orgtr_cases(orders)); }

TYPED_TEST(CudaQ, OfSytrdIsApplied) { expect_like_reference<TypeParam>(cuda(), ormtr_cases(orders, others)); }

TYPED_TEST(CudaQ, OfGebrdIsGenerated) { expect_like_reference<TypeParam>(cuda(), orgbr_cases(some_orders)); }

TYPED_TEST(CudaQ, OfGebrdIsApplied) { expect_like_reference<TypeParam>(cuda(), ormbr_cases(some_orders, others)); }

TYPED_TEST(CudaQ, OfGehrdIsGeneratedAndApplied) {
  expect_like_reference<TypeParam>(cuda(), hessenberg_cases(some_orders, others));
}

TYPED_TEST(CudaQ, OfGeqrfIsGeneratedAndApplied) {
  expect_like_reference<TypeParam>(cuda(), qr_cases(some_orders, others));
}

// More reflectors than a group of blocks has.
TYPED_TEST(CudaQ, OfManyReflectorsIsApplied) {
  constexpr std::int64_t large[] = {1100}, few[] = {3};
  expect_like_reference<TypeParam>(cuda(), ormtr_cases(large, few));
  expect_like_reference<TypeParam>(cuda(), ormbr_cases(large, few));
}
TYPED_TEST(CudaQ, OfManyReflectorsIsGenerated) {
  constexpr std::int64_t large[] = {600};
  expect_like_reference<TypeParam>(cuda(), orgtr_cases(large));
  expect_like_reference<TypeParam>(
      cuda(), QCase{{.routine = LapackRoutine::orgbr, .vect = Vect::p, .m = 590, .n = 600, .k = 580}, 590, 600});
}

// The operands of a ormtr with as many reflectors as two groups have, which stay on the device.
class ApplyTwoGroups {
 public:
  static constexpr std::int64_t order = 1000, others = 40;

  ApplyTwoGroups() : problem_(problem()), factor_(problem_, order, order), c_(order, others, problem_.ldc) {
    c_.set(verify::make_matrix<double>(verify::Pattern::random, order, others, false, 9));
    there_ = std::make_unique<OperandsOnDevice>(problem_, operands());
    c_problem_ = problem_to_c(problem_);
  }
  std::size_t workspace_bytes() const { return test::workspace_bytes(c_problem_); }
  onepassStatus_t run(void* workspace, std::size_t bytes) const {
    const onepassLapackOperands_t there = there_->operands();
    return onepassLapackRun(handle(), &c_problem_, &there, workspace, bytes);
  }
  // C, which becomes what it was at first again.
  std::vector<double> result() {
    const std::size_t bytes = sizeof(double) * static_cast<std::size_t>(problem_.ldc * others);
    std::vector<double> found(bytes / sizeof(double));
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(found.data(), there_->operands().c, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(there_->operands().c, c_.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    return found;
  }

 private:
  static LapackProblem problem() {
    return {.routine = LapackRoutine::ormtr, .m = order, .n = others, .lda = order + 1, .ldc = order + 3};
  }
  LapackOperands operands() { return {.a = factor_.a.data(), .tau = factor_.tau.data(), .c = c_.data()}; }

  LapackProblem problem_;
  onepassLapackProblem_t c_problem_{};
  Factor<double> factor_;
  Guarded<double> c_;
  std::unique_ptr<OperandsOnDevice> there_;
};

// Rows of padding are not numbers, and compare as bytes.
bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(CudaQRun, HasTheSameBitsAgainAndInAGraph) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  ApplyTwoGroups apply;
  ASSERT_EQ(apply.run(nullptr, 0), ONEPASS_STATUS_SUCCESS) << onepassLapackLastErrorMessage();
  const std::vector<double> first = apply.result();
  ASSERT_EQ(apply.run(nullptr, 0), ONEPASS_STATUS_SUCCESS) << onepassLapackLastErrorMessage();
  EXPECT_TRUE(same_bits(apply.result(), first));
  expect_run_in_a_graph(
      apply.workspace_bytes(), [&](void* workspace, std::size_t bytes) { return apply.run(workspace, bytes); },
      [&] { EXPECT_TRUE(same_bits(apply.result(), first)); });
}

TEST(CudaQRun, SaysBothSizesOfAWorkspaceThatIsTooSmall) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  ApplyTwoGroups apply;
  const std::size_t bytes = apply.workspace_bytes();
  std::vector<unsigned char> host(bytes);
  const OnDevice workspace(host.data(), bytes);
  const std::vector<double> before = apply.result();
  EXPECT_EQ(apply.run(workspace.data(), bytes - 1), ONEPASS_STATUS_WORKSPACE_TOO_SMALL);
  expect_both_sizes_in_the_message(bytes);
  EXPECT_TRUE(same_bits(apply.result(), before));
}

TEST(CudaQRun, IsExplained) {
  if (handle() == nullptr) GTEST_SKIP() << onepassLapackLastErrorMessage();
  onepassLapackProblem_t problem = onepassLapackProblemDefault(ONEPASS_LAPACK_ORMTR, ONEPASS_TYPE_Z, 1000, 40);
  char text[400];
  ASSERT_EQ(onepassLapackExplain(handle(), &problem, text, sizeof text, nullptr), ONEPASS_STATUS_SUCCESS);
  EXPECT_NE(std::string(text).find("zunmtr m = 1000 n = 40 on cuda"), std::string::npos) << text;
  EXPECT_NE(std::string(text).find("999 reflectors in 13 blocks of 80"), std::string::npos) << text;
}

}  // namespace
}  // namespace onepass::test
