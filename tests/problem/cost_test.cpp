// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Bytes, flops and the time floor, by hand.
#include "problem/cost.hpp"

#include <gtest/gtest.h>

#include "problem/names.hpp"

namespace onepass {
namespace {

Problem typed(const char* types, Problem p) {
  EXPECT_TRUE(set_types(p, types));
  return p;
}

TEST(Cost, CountsTheMatrixOnceAndEachVectorOnce) {
  const Cost c = cost(typed("s", {.m = 10, .n = 4, .lda = 99}));
  EXPECT_EQ(c.matrix_bytes, 10 * 4 * 4);
  EXPECT_EQ(c.vector_bytes, 4 * 4 + 10 * 4);
  EXPECT_EQ(c.flops, 2 * 40);
  EXPECT_EQ(c.bytes(), 160 + 56);
}

TEST(Cost, ReadsYOnlyForANonzeroBeta) {
  const Problem p = typed("d", {.op = Op::t, .m = 10, .n = 4, .lda = 10});
  EXPECT_EQ(cost(p).vector_bytes, 10 * 8 + 4 * 8);
  EXPECT_EQ(cost(p, false).vector_bytes, 10 * 8 + 2 * 4 * 8);
}

TEST(Cost, CountsAComplexProductAsEightFlops) {
  EXPECT_EQ(cost(typed("z", {.m = 3, .n = 2, .lda = 3})).flops, 8 * 6);
  EXPECT_EQ(cost(typed("z", {.m = 3, .n = 2, .lda = 3})).matrix_bytes, 16 * 6);
}

TEST(Cost, CountsTheStoredTriangleOnceAndUsesItTwice) {
  const Problem p = typed("d", {.routine = Routine::symv, .m = 5, .n = 5, .lda = 9, .batch = 3});
  EXPECT_EQ(cost(p).matrix_bytes, 3 * 15 * 8);
  EXPECT_EQ(cost(p).vector_bytes, 3 * 10 * 8);
  EXPECT_EQ(cost(p).flops, 3 * 2 * 25);
  EXPECT_EQ(cost(typed("z", {.routine = Routine::hemv, .m = 4, .n = 4, .lda = 4})).flops, 8 * 16);
}

TEST(Cost, CountsAMatrixThatIsUpdatedTwice) {
  const Problem p = typed("d", {.routine = Routine::ger, .m = 5, .n = 3, .lda = 9, .batch = 2});
  EXPECT_EQ(stored_bytes(p), 2 * 15 * 8);
  EXPECT_EQ(cost(p).matrix_bytes, 2 * 2 * 15 * 8);
  EXPECT_EQ(cost(p, false).vector_bytes, 2 * 8 * 8);
}

TEST(Cost, KnowsTheWidthOfEachOperand) {
  EXPECT_EQ(cost(typed("bbs", {.m = 6, .n = 5, .lda = 6})).vector_bytes, 5 * 2 + 6 * 4);
  EXPECT_EQ(cost(typed("b", {.m = 6, .n = 5, .lda = 6})).vector_bytes, 5 * 2 + 6 * 2);
}

TEST(Cost, GrowsWithTheBatchWithoutOverflow) {
  const Problem p = typed("d", {.m = 1'000'000, .n = 1'000'000, .lda = 1'000'000, .batch = 1'000'000});
  EXPECT_DOUBLE_EQ(cost(p).matrix_bytes, 8e18);
  EXPECT_DOUBLE_EQ(cost(p).flops, 2e18);
}

TEST(Floor, IsTheLaunchAndTheBytesButNeverLessThanAnEmptyLaunch) {
  const Ceilings ceilings{.empty_seconds = 3e-6, .launch_seconds = 1e-6, .bytes_per_second = 1e12};
  EXPECT_DOUBLE_EQ(floor_seconds(ceilings, 1e9), 1e-6 + 1e-3);
  EXPECT_DOUBLE_EQ(floor_seconds(ceilings, 1000), 3e-6);
}

}  // namespace
}  // namespace onepass
