// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The tridiagonalisation by one block: no hazard in any order of threads, small residuals.
#include "schedule.hpp"

namespace onepass::test {
namespace {

template <class T>
struct OneBlock : testing::Test {};
TYPED_TEST_SUITE(OneBlock, Types);

// Fewer columns than warps, fewer rows than lanes, and whole groups of columns and rows that are done.
TYPED_TEST(OneBlock, Orders) {
  const auto all = orders();
  for (const int n : {1, 2, 3, 4, 7, 8, 9, 31, 32, 33, 40, 64})
    for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
      if (n > 33 && uplo == Uplo::upper) continue;
      reduce<TypeParam>(uplo, n, {.one_block = true}, all[static_cast<std::size_t>(n) % all.size()])
          .expect_small_residuals();
    }
}

TYPED_TEST(OneBlock, TheLargest) {
  constexpr int n = kernels::one_block_most_rows(sizeof(TypeParam));
  reduce<TypeParam>(Uplo::lower, n - 1, {.one_block = true}, {}).expect_small_residuals();
}

// Norms of columns come from sums of the step before, whose errors must not grow from step to step.
TYPED_TEST(OneBlock, ColumnsThatCancelInManySteps) {
  constexpr int n = kernels::one_block_most_rows(sizeof(TypeParam));
  reduce<TypeParam>(Uplo::lower, n - 1, {.one_block = true}, {}, verify::Pattern::differences).expect_small_residuals();
}

TYPED_TEST(OneBlock, WhatOthersLeave) {
  reduce<TypeParam>(Uplo::upper, 23, {.blocks = 3, .steps = {7, 1}, .one_block = true}, {}).expect_small_residuals();
  reduce<TypeParam>(Uplo::lower, 40, {.blocks = 2, .panels = {4}, .one_block = true}, {}).expect_small_residuals();
}

TYPED_TEST(OneBlock, ColumnsWithNothingToReduce) {
  for (const verify::Pattern pattern : {verify::Pattern::zero, verify::Pattern::identity, verify::Pattern::reduced})
    reduce<TypeParam>(Uplo::lower, 9, {.one_block = true}, {}, pattern).expect_small_residuals();
}

// So far down that squares underflow.
TYPED_TEST(OneBlock, ScaledMatrix) {
  const double scale = std::is_same_v<lapack::Real<TypeParam>, double> ? 0x1p-600 : 0x1p-70;
  reduce<TypeParam>(Uplo::upper, 14, {.one_block = true, .scale = scale}, {}).expect_small_residuals();
}

TYPED_TEST(OneBlock, SameBitsInEveryOrder) {
  const auto all = orders();
  const auto first = reduce<TypeParam>(Uplo::lower, 35, {.one_block = true}, all[0]);
  for (std::size_t i = 1; i < all.size(); ++i)
    EXPECT_TRUE(reduce<TypeParam>(Uplo::lower, 35, {.one_block = true}, all[i]).same_bits(first));
}

}  // namespace
}  // namespace onepass::test
