// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv with many loads, whose steps have twice the columns: what it computes in blocks of up to 512 threads, and when a
// plan chooses it.
#include <gtest/gtest.h>

#include "plan/occupancy.hpp"
#include "plan/registry.hpp"
#include "plan/symv_many_loads.hpp"
#include "plan/symv_shape.hpp"
#include "support/family/one_pass.hpp"
#include "symv_device/triangle.hpp"

namespace onepass::test {
namespace {

constexpr Kind kinds[] = {{Routine::symv, "s"}, {Routine::symv, "d"}, {Routine::symv, "c"},
                          {Routine::symv, "z"}, {Routine::hemv, "c"}, {Routine::hemv, "z"}};
constexpr Twist twists[] = {{},
                            {.padding = 1},
                            {.padding = 3, .offset_a = 2},
                            {.offset_a = 1, .incx = 2},
                            {.padding = 4, .offset_a = 3, .incy = -1},
                            {.padding = 5, .offset_a = 7, .incx = -2, .incy = 3}};
// Around multiples of vectors, units, steps and panels.
constexpr std::int64_t sizes[] = {1, 9, 17, 127, 128, 129, 255, 257, 300, 385, 514, 641, 700};

auto shaped(int threads, std::int64_t panels, std::int64_t blocks) {
  return [=](const Problem& p) {
    Plan plan = shape_symv(p, threads, panels, blocks, Loads::many);
    plan.backend = BackendId::sim;
    return plan;
  };
}

class SymvManyLoads : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(sim, SymvManyLoads, testing::ValuesIn(kinds), kind_of);

// Of each size at each alignment in a few launches, with A, both A and x, or none of them settled, by turns. Each
// stored element is read once, and none of the other triangle.
TEST_P(SymvManyLoads, ComputeEveryTriangleInOnePass) {
  int turn = 0, runs = 0, of_512 = 0;
  for (const Uplo uplo : both)
    for (const std::int64_t n : sizes)
      for (const Twist& twist : twists)
        for (const int threads : {64, 256, 512})
          for (const std::int64_t panels : {1, 2, 3, 5})
            for (const std::int64_t blocks : {1, 2, 5, 11, 40}) {
              if (!takes_turn(++turn, 197)) continue;
              const Case c = triangle_case(GetParam(), uplo, n, twist);
              const auto plan = shaped(threads, panels, blocks);
              if (!why_illegal_on_device(plan(c.problem)).empty()) continue;
              SCOPED_TRACE(c.name);
              const bool settled = runs % 3 != 0;
              ASSERT_TRUE(
                  computes(c, {.again = runs % 2 == 0, .settled_a = settled, .settled_x = runs % 3 == 1, .plan = plan}))
                  << print(plan(c.problem));
              expect_one_pass(c.problem);
              ++runs;
              of_512 += threads == 512 ? 1 : 0;
            }
  EXPECT_GT(runs, 5);
  EXPECT_GT(of_512, 0);
}

// Sums of rows and columns of several strips, in shared memory until the wait.
TEST_P(SymvManyLoads, KeepSumsOfSeveralStripsBeforeTheWait) {
  for (const Uplo uplo : both)
    for (const Twist& twist : {twists[0], twists[1]})
      for (const int threads : {256, 512}) {
        const Case c = triangle_case(GetParam(), uplo, 601, twist);
        const auto plan = shaped(threads, 1, 3);
        ASSERT_EQ(why_illegal_on_device(plan(c.problem)), "");
        ASSERT_GT(symv_held(plan(c.problem)), 0);
        ASSERT_TRUE(computes(c, {.again = true, .settled_a = true, .settled_x = true, .plan = plan}));
      }
}

// Where columns start anywhere, 16 warps have those that start alike in runs of a whole line.
TEST(SymvManyLoadsOf512Threads, HaveRunsOfUpToALine) {
  const auto odd = [](const char* types) { return triangle_case({Routine::symv, types}, Uplo::lower, 10007).problem; };
  EXPECT_EQ(symv_run(odd("s"), 512), 16);
  EXPECT_EQ(symv_run(odd("d"), 512), 16);
  EXPECT_EQ(symv_run(odd("c"), 512), 16);
  EXPECT_EQ(symv_run(odd("z"), 512), 8);
  EXPECT_EQ(symv_run(odd("d"), 256), 8);
}

// As planned: strips that begin with whole lines.
TEST(SymvManyLoadsOf512Threads, ComputeALargeTriangle) {
  if (!thorough) GTEST_SKIP() << "takes long in this build";
  if (!takes_turn(2, 4)) GTEST_SKIP() << "has its turn another day";
  const Case c = triangle_case({Routine::symv, "d"}, Uplo::upper, 4901, {.padding = 2, .offset_a = 3, .incx = -1});
  const Plan plan = symv_plan(c.problem);
  ASSERT_EQ(plan.threads, 512) << print(plan);
  ASSERT_TRUE(computes(c, {.settled_a = true, .settled_x = true}));
  expect_one_pass(c.problem);
}

Plan planned(const char* types, std::int64_t n, std::int64_t padding = 0) {
  Problem p = triangle_case({Routine::symv, types}, Uplo::lower, n, {.padding = padding}).problem;
  p.alignment_a = 256;
  return plan_on_device(p, h200_traits(), BackendId::cuda);
}

// The launches that were timed.
TEST(SymvManyLoadsPlans, AreThoseThatWereBest) {
  struct Best {
    const char* types;
    std::int64_t n;
    int threads;
    std::int64_t strip_rows, blocks, units, gathering;
  };
  constexpr Best all[] = {{"s", 16384, 256, 512, 264, 128, 64},  {"d", 16384, 256, 512, 264, 128, 128},
                          {"c", 16384, 256, 512, 264, 128, 128}, {"z", 8192, 256, 256, 264, 64, 64},
                          {"z", 10007, 512, 384, 252, 36, 85},   {"z", 16384, 512, 384, 132, 172, 128}};
  for (const Best& best : all) {
    const Plan plan = planned(best.types, best.n);
    SCOPED_TRACE(print(plan));
    EXPECT_EQ(plan.kernel, (KernelId{Variant::symv, Form::plain, Loads::many}));
    EXPECT_EQ(plan.threads, best.threads);
    EXPECT_EQ(params<SymvParams>(plan).strip_rows, best.strip_rows);
    EXPECT_EQ(params<SymvParams>(plan).blocks, best.blocks);
    EXPECT_EQ(params<SymvParams>(plan).units, best.units);
    EXPECT_EQ(symv_gathering_blocks(plan), best.gathering);
    EXPECT_TRUE(symv_streams(plan));
  }
}

// Blocks of 512 threads have an SM each, and others share it two by two; a block has two steps or more.
TEST(SymvManyLoadsPlans, FillTheirSms) {
  for (const char* types : {"s", "d", "c", "z"})
    for (const std::int64_t padding : {0, 1})
      for (std::int64_t n = 12'289; n < 30'000; n += 1 + n / 50) {
        const Plan plan = planned(types, n, padding);
        ASSERT_EQ(why_illegal_on_device(plan), "") << print(plan);
        if (plan.kernel.loads != Loads::many) continue;
        ASSERT_EQ(resident_blocks(plan, h200_traits()) * plan.threads, 512) << print(plan);
        ASSERT_LE(params<SymvParams>(plan).blocks, 264) << print(plan);
        ASSERT_GE(params<SymvParams>(plan).units, 2 * symv_columns(plan.problem, Loads::many)) << print(plan);
      }
}

TEST(SymvManyLoadsPlans, AreForOnesThatGain) {
  for (const auto& [types, n] : {std::pair("s", 4096), {"d", 8192}, {"c", 2500}, {"z", 5001}})
    EXPECT_EQ(planned(types, n).kernel.variant, Variant::symv_squares) << types << " " << n;
  EXPECT_EQ(planned("s", 13'001).kernel.loads, Loads::few);
  for (const char* types : {"h", "b", "w"})
    EXPECT_NE(planned(types, 5001).kernel.variant == Variant::symv && planned(types, 5001).kernel.loads == Loads::many,
              true);
  Problem p = planned("d", 16'384).problem;
  ASSERT_TRUE(with_many_loads(p, h200_traits()));
  DeviceTraits small = h200_traits();
  small.shared_bytes_per_sm = 164 << 10;
  EXPECT_FALSE(with_many_loads(p, small)) << "two blocks do not fit an SM";
  p.scalars = Scalars::device;
  EXPECT_FALSE(with_many_loads(p, h200_traits())) << "not plain";
}

TEST(SymvManyLoadsPlans, ThatAreEditedAreRefused) {
  const Plan plan = planned("c", 13'001);
  ASSERT_EQ(plan.threads, 512);
  void (*const changes[])(Plan&) = {
      [](Plan& p) { p.kernel.loads = Loads::few; },
      [](Plan& p) { p.kernel.form = Form::general; },
      [](Plan& p) { p.threads = 1024; },
      [](Plan& p) { p.threads = 256; },
      [](Plan& p) { params<SymvParams>(p).strip_rows += 8; },
      [](Plan& p) { params<SymvParams>(p).units -= 8; },
      [](Plan& p) { p.shared_bytes -= 16; },
      [](Plan& p) { p.problem.type_a = p.problem.type_x = p.problem.type_y = Type::h; },
      [](Plan& p) { p.problem.scalars = Scalars::device; },
  };
  for (const auto change : changes) {
    Plan edited = plan;
    change(edited);
    EXPECT_NE(why_illegal_on_device(edited), "") << print(edited);
  }
}

}  // namespace
}  // namespace onepass::test
