// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gehrd on a GPU, through the C interface: residuals, special matrices, same bits, graphs.
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
  for (const std::int64_t n : {65, 97, 255, 257}) this->reduce(n, 1, n, 1).expect_small_residuals(lapack_cpu());
}
TYPED_TEST(CudaGehrd, OfSpecialMatrices) {
  for (const verify::Pattern pattern : verify::finite_patterns) {
    SCOPED_TRACE(verify::name(pattern));
    this->reduce(70, 1, 70, 0, pattern).expect_small_residuals(lapack_cpu());
  }
}
TYPED_TEST(CudaGehrd, HasTheSameBitsInEveryRun) {
  const auto first = this->reduce(300, 1, 300, 0);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(this->reduce(300, 1, 300, 0).same_bits(first));
}

}  // namespace
}  // namespace onepass::test
