// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What must hold of every SYMV plan on every device: a legal launch whose list covers the triangle once.
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

#include "kernels/symv_args.hpp"
#include "plan/device_traits.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/problems.hpp"
#include "plan/registry.hpp"
#include "plan/symv_shape.hpp"
#include "symv_device/triangle.hpp"
#include "types/elements.hpp"

namespace onepass::test {
namespace {

Problem triangle(const Kind& kind, Uplo uplo, std::int64_t n, std::int64_t padding, std::int64_t batch) {
  Problem p = triangle_case(kind, uplo, n, {.padding = padding}).problem;
  p.batch = batch;
  p.stride_a = p.lda * n, p.stride_x = n, p.stride_y = n;
  return p;
}

class SymvPlan : public testing::TestWithParam<Device> {};
INSTANTIATE_TEST_SUITE_P(On, SymvPlan, testing::ValuesIn(devices()), [](const auto& info) { return info.param.name; });

TEST_P(SymvPlan, IsLegalForEverySizeAndBatch) {
  for (const Kind& kind : all_kinds)
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      for (std::int64_t n = 1; n < 130'000; n += 1 + n / 17)
        for (const std::int64_t padding : {0, 1, 2, 3})
          for (const std::int64_t batch : {1, 7, 1000, 100'000})
            for (const std::int64_t alignment : {0, 32}) {
              Problem p = triangle(kind, uplo, n, padding, batch);
              if (static_cast<double>(n * n * size_of(p.type_a)) > 120e9) continue;  // no device holds it
              p.alignment_a = std::max(alignment, size_of(p.type_a));
              const Plan plan = plan_on_device(p, GetParam().traits, BackendId::cuda);
              ASSERT_EQ(why_illegal_on_device(plan), "") << describe(p) << "\n" << print(plan);
              ASSERT_EQ(plan.problem, p);
              ASSERT_TRUE(plan.kernel.variant != Variant::symv || symv_products(plan) >= 1);
            }
}

// The units of the strips one by one, against the closed form.
TEST_P(SymvPlan, CountsTheUnitsOfEveryStrip) {
  for (const Uplo uplo : {Uplo::lower, Uplo::upper})
    for (std::int64_t n = 1; n < 3000; n += 7)
      for (const int threads : {32, 128, 256}) {
        const Plan plan = shape_symv(triangle(all_kinds[1], uplo, n, 0, 1), threads, 1, 5);
        const std::int64_t warps = threads / 32;
        const auto& [strip_rows, strips, blocks, units_of_block, prefetch] = params<SymvParams>(plan);
        const std::int64_t step = std::min<std::int64_t>(units_of_block, kernels::symv_columns(8));
        const std::int64_t whole = strip_rows / warps % step == 0 ? step : 1;
        std::int64_t units = 0, shortest = n;
        for (std::int64_t k = 0; k < strips; ++k) {
          const std::int64_t row0 = k * strip_rows, end = k + 1 < strips ? row0 + strip_rows : n;
          const std::int64_t columns = uplo == Uplo::lower ? end : n + symv_lead(plan.problem, threads) - row0;
          const std::int64_t of_strip = ceil_div(ceil_div(columns, warps), whole) * whole;
          shortest = std::min(shortest, of_strip);
          units += of_strip;
        }
        ASSERT_EQ(symv_list(plan).units, units) << print(plan);
        if (strips > 1) {
          ASSERT_EQ(symv_list(plan).least_units, shortest) << print(plan);
        }
      }
}

TEST(SymvPlans, OfMoreThanAnL2LetTheMatrixGoFirst) {
  const auto streams = [](const Kind& kind, Uplo uplo, std::int64_t n, std::int64_t batch) {
    return symv_streams(shape_symv(triangle(kind, uplo, n, 0, batch), 256, 2, 200));
  };
  EXPECT_FALSE(streams(all_kinds[0], Uplo::lower, 7000, 1));
  EXPECT_TRUE(streams(all_kinds[0], Uplo::lower, 8192, 1));
  EXPECT_TRUE(streams(all_kinds[3], Uplo::upper, 4096, 1));
  EXPECT_FALSE(streams(all_kinds[0], Uplo::lower, 8192, 2));
}

TEST(SymvPlans, OfTinyMatricesAndOfBatchesNeedNoMailboxes) {
  for (const Kind& kind : all_kinds) {
    Problem p = triangle(kind, Uplo::lower, 32, 0, 1);
    p.alignment_a = 32;
    EXPECT_EQ(plan_on_device(p, h200_traits(), BackendId::cuda).workspace_bytes, 0u);
    EXPECT_EQ(plan_on_device(triangle(kind, Uplo::upper, 256, 0, 1000), h200_traits(), BackendId::cuda).workspace_bytes,
              0u);
  }
}

// The device without its table.
// Up to the order at which mailboxes are faster: from there on by squares, where they serve the type.
TEST(SymvPlans, OfSmallMatricesGiveEachOutputToOneTeam) {
  for (const Kind& kind : all_kinds)
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      for (std::int64_t n = 1; n <= 1200; n += 1 + n / 40) {
        const Plan plan = plan_on_device(triangle(kind, uplo, n, 0, 1), h200_traits(), BackendId::cuda);
        const bool of_squares = why_not_squares(plan.problem) == nullptr;
        if (n > (of_squares ? 512 : 1024)) {
          ASSERT_EQ(plan.kernel.variant, of_squares ? Variant::symv_squares : Variant::symv) << print(plan);
          continue;
        }
        ASSERT_EQ(plan.kernel.variant, Variant::symv_rows) << print(plan);
        const SymvRowsParams& shape = params<SymvRowsParams>(plan);
        ASSERT_GE(shape.blocks * shape.outputs * (plan.threads / rows_team(plan)), n) << print(plan);
      }
}

using Edit = void (*)(Plan&);
void expect_refused(const Plan& plan, std::initializer_list<Edit> edits) {
  ASSERT_EQ(why_illegal_on_device(plan), "");
  int number = 0;
  for (const Edit edit : edits) {
    Plan edited = plan;
    edit(edited);
    EXPECT_NE(why_illegal_on_device(edited), "") << number << ": " << print(edited);
    ++number;
  }
}

TEST(SymvPlans, OfSmallMatricesThatAreEditedAreRefused) {
  for (const std::int64_t n : {100, 400}) {
    const Kind kind{Routine::symv, "b"};
    const Plan plan = plan_on_device(triangle(kind, Uplo::lower, n, 1, 1), h200_traits(), BackendId::cuda);
    ASSERT_EQ(plan.kernel.variant, Variant::symv_rows);
    expect_refused(plan, {
                             [](Plan& p) { p.threads = 96; },
                             [](Plan& p) { p.threads = 1024; },
                             [](Plan& p) { params<SymvRowsParams>(p).outputs = 3; },
                             [](Plan& p) { params<SymvRowsParams>(p).outputs *= 2; },
                             [](Plan& p) { params<SymvRowsParams>(p).outputs = 64; },
                             [](Plan& p) { params<SymvRowsParams>(p).blocks -= 1; },
                             [](Plan& p) { p.shared_bytes += 8; },
                             [](Plan& p) { p.workspace_bytes = 8; },
                             [](Plan& p) { p.problem.scalars = Scalars::device; },
                             [](Plan& p) { p.problem.accumulate = Accumulate::twice; },
                             [](Plan& p) { p.problem.n = p.problem.m = p.problem.lda = 3000; },
                             [](Plan& p) { p.params = SymvSquaresParams{}; },
                         });
  }
}

// One square of a block where one wave has them all, and blocks for every square.
TEST(SymvPlans, GiveBlocksRunsOfSquares) {
  for (const Kind& kind : all_kinds)
    for (std::int64_t n = 513; n <= 16'384; n += 1 + n / 30) {
      const Plan plan = plan_on_device(triangle(kind, Uplo::lower, n, 0, 1), h200_traits(), BackendId::cuda);
      if (plan.kernel.variant != Variant::symv_squares) continue;
      const SymvSquaresParams& shape = params<SymvSquaresParams>(plan);
      const std::int64_t side = plan.threads / 4, count = ceil_div(n, side);
      std::int64_t blocks = count;  // on the diagonal
      for (std::int64_t row = 0; row < count; ++row) blocks += ceil_div(row, shape.squares);
      ASSERT_EQ(shape.blocks, blocks) << print(plan);
      ASSERT_EQ(plan.workspace_bytes, static_cast<std::size_t>(count * count * side * size_of_sum(plan.problem)));
      const std::int64_t of_one = count * (count + 1) / 2, of_wave = blocks_of_wave(plan, h200_traits());
      ASSERT_EQ(shape.squares == 1, of_one <= of_wave) << print(plan);
      ASSERT_GE(blocks, std::min<std::int64_t>(of_one, 132)) << print(plan);
    }
}

TEST(SymvPlans, OfSquaresThatAreEditedAreRefused) {
  const Plan plan = plan_on_device(triangle(all_kinds[1], Uplo::lower, 4100, 1, 1), h200_traits(), BackendId::cuda);
  ASSERT_EQ(plan.kernel.variant, Variant::symv_squares);
  expect_refused(plan, {
                           [](Plan& p) { p.threads /= 2; },
                           [](Plan& p) { p.kernel.loads = Loads::few; },
                           [](Plan& p) { params<SymvSquaresParams>(p).squares = 3; },
                           [](Plan& p) { params<SymvSquaresParams>(p).squares = 0; },
                           [](Plan& p) { params<SymvSquaresParams>(p).squares *= 2; },
                           [](Plan& p) { params<SymvSquaresParams>(p).squares = std::int64_t{1} << 62; },
                           [](Plan& p) { params<SymvSquaresParams>(p).blocks -= 1; },
                           [](Plan& p) { p.shared_bytes -= 8; },
                           [](Plan& p) { p.workspace_bytes -= 8; },
                           [](Plan& p) { p.problem.scalars = Scalars::device; },
                           [](Plan& p) { p.problem.n = p.problem.m = p.problem.lda = 40'000; },
                           [](Plan& p) { p.params = SymvRowsParams{}; },
                       });
}

// A few blocks more than run at a time cost a round for themselves: n = 1000 took longer than n = 1536.
TEST(SymvPlans, HaveNoMoreBlocksThanRunAtATime) {
  for (const Kind& kind : all_kinds)
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      for (std::int64_t n = 1025; n <= 5000; n += 7) {
        const Plan plan = symv_plan(triangle(kind, uplo, n, 0, 1));
        ASSERT_LE(params<SymvParams>(plan).blocks, 2 * 132) << print(plan);
      }
}

TEST(SymvPlans, GiveNoBlockMoreThanItsShare) {
  const Plan plan = symv_plan(triangle(all_kinds[1], Uplo::lower, 8192, 0, 1));
  EXPECT_LE(params<SymvParams>(plan).blocks, 2 * 132);
  EXPECT_GE(params<SymvParams>(plan).blocks, 240);
}

TEST(SymvPlans, ThatAreEditedAreRefused) {
  const Plan plan = symv_plan(triangle(all_kinds[1], Uplo::lower, 1500, 1, 1));
  expect_refused(plan, {
                           [](Plan& p) { p.kernel.variant = Variant::gemv_n; },
                           [](Plan& p) { p.kernel.variant = Variant::symv_small; },
                           [](Plan& p) {
                             p.kernel = {Variant::symv, Form::general, Loads::many};
                           },
                           [](Plan& p) { p.threads = 96; },
                           [](Plan& p) { p.threads = 32; },
                           [](Plan& p) { params<SymvParams>(p).strip_rows += 4; },
                           [](Plan& p) { params<SymvParams>(p).strip_rows *= 2; },
                           [](Plan& p) { params<SymvParams>(p).strips += 1; },
                           [](Plan& p) { params<SymvParams>(p).blocks += 1; },
                           [](Plan& p) { params<SymvParams>(p).units += 100; },
                           [](Plan& p) { params<SymvParams>(p).units = 0; },
                           [](Plan& p) { p.params = SymvSmallParams{}; },
                           [](Plan& p) { p.params = NoParams{}; },
                           [](Plan& p) { p.shared_bytes -= 8; },
                           [](Plan& p) { p.workspace_bytes -= 8; },
                           [](Plan& p) { params<SymvParams>(p).strip_rows = INT64_MAX; },
                           [](Plan& p) { p.problem.scalars = Scalars::device; },
                           [](Plan& p) { p.problem.routine = Routine::gemv; },
                       });
}

TEST(SymvPlans, AreExplained) {
  Problem p = triangle({Routine::hemv, "c"}, Uplo::upper, 20'000, 0, 1);
  p.alignment_a = 32;
  const Plan plan = plan_on_device(p, h200_traits(), BackendId::cuda);
  const std::string text = print(explain(plan, h200_traits()));
  for (const char* word :
       {"hemv c U", "symv: ", " strips of ", "further blocks add up their partial sums in fixed order", "floor"})
    EXPECT_NE(text.find(word), std::string::npos) << word << " is missing in:\n" << text;
}

}  // namespace
}  // namespace onepass::test
