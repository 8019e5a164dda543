// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What must hold of every SYMV plan on every device: a legal launch whose list covers the triangle once.
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

#include "kernels/symv/symv_args.hpp"
#include "plan/device_traits.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/problems.hpp"
#include "plan/registry.hpp"
#include "plan/symv_shape.hpp"
#include "problem/elements.hpp"
#include "symv_device/triangle.hpp"

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
              ASSERT_TRUE(plan.kernel.variant != Variant::symv_squares || squares_products(plan) >= 1);
            }
}

// Those of every accuracy, and every form, up to what a device holds.
TEST(SymvPlans, OfAnyOrderHaveMailboxesThatFit) {
  for (const Kind& kind : all_kinds)
    for (const Accumulate accumulate : {Accumulate::standard, Accumulate::wider, Accumulate::twice})
      for (std::int64_t n = 1000; n < 245'000; n += n / 5)
        for (const bool pointers : {false, true}) {
          Problem p = triangle(kind, Uplo::upper, n, 1, 1);
          p.accumulate = accumulate;
          p.pointer_array = pointers;
          if (!check(p).ok() || static_cast<double>(n * n * size_of(p.type_a)) > 120e9) continue;
          const Plan plan = plan_on_device(p, h200_traits(), BackendId::cuda);
          ASSERT_EQ(why_illegal_on_device(plan), "") << describe(p) << "\n" << print(plan);
        }
}

TEST(SymvPlans, OfMoreThanAnL2LetTheMatrixGoFirst) {
  const auto streams = [](const Kind& kind, Uplo uplo, std::int64_t n) {
    return tiles_stream(shape_tiles(triangle(kind, uplo, n, 0, 1), 256, 256, 200));
  };
  EXPECT_FALSE(streams(all_kinds[1], Uplo::lower, 5000));
  EXPECT_TRUE(streams(all_kinds[1], Uplo::lower, 6000));
  EXPECT_TRUE(streams(all_kinds[3], Uplo::upper, 4096));
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
        if (n > (plan.problem.type_a == Type::w ? 1024 : 512)) {
          ASSERT_EQ(plan.kernel.variant, Variant::symv_squares) << print(plan);
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
      const std::int64_t side = squares_tile(plan.problem, plan.kernel.loads) * shape.tiles, count = ceil_div(n, side);
      std::int64_t blocks = count;  // on the diagonal
      for (std::int64_t row = 0; row < count; ++row) blocks += ceil_div(row, shape.squares);
      ASSERT_EQ(shape.blocks, blocks) << print(plan);
      const std::int64_t mailboxes = (count * (count - 1) / 2 + blocks - count) * side;
      ASSERT_EQ(plan.workspace_bytes, static_cast<std::size_t>(mailboxes * size_of_sum(plan.problem)));
      if (plan.kernel.form == Form::general) continue;
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
                           [](Plan& p) { params<SymvSquaresParams>(p).tiles = 2; },
                           [](Plan& p) { params<SymvSquaresParams>(p).tiles = 0; },
                           [](Plan& p) { params<SymvSquaresParams>(p).tiles = std::int64_t{1} << 40; },
                           [](Plan& p) { params<SymvSquaresParams>(p).blocks -= 1; },
                           [](Plan& p) { p.shared_bytes -= 8; },
                           [](Plan& p) { p.workspace_bytes -= 8; },
                           [](Plan& p) { p.problem.scalars = Scalars::device; },
                           [](Plan& p) { p.problem.n = p.problem.m = p.problem.lda = 40'000; },
                           [](Plan& p) { p.params = SymvRowsParams{}; },
                       });
}

// Of a matrix whose mailboxes need larger squares.
TEST(SymvPlans, OfSquaresOfTilesThatAreEditedAreRefused) {
  const Plan plan = plan_on_device(triangle(all_kinds[3], Uplo::upper, 20'000, 1, 1), h200_traits(), BackendId::cuda);
  ASSERT_GT(params<SymvSquaresParams>(plan).tiles, 1);
  expect_refused(plan, {
                           [](Plan& p) { p.kernel.variant = Variant::gemv_n; },
                           [](Plan& p) { p.kernel.variant = Variant::symv_small; },
                           [](Plan& p) { p.kernel.form = Form::plain; },
                           [](Plan& p) { p.kernel.loads = Loads::many; },
                           [](Plan& p) { p.threads /= 2; },
                           [](Plan& p) { params<SymvSquaresParams>(p).tiles /= 2; },
                           [](Plan& p) { params<SymvSquaresParams>(p).prefetch = true; },
                           [](Plan& p) { p.params = SymvSmallParams{}; },
                           [](Plan& p) { p.params = NoParams{}; },
                           [](Plan& p) { p.shared_bytes -= 8; },
                           [](Plan& p) { p.workspace_bytes -= 8; },
                           [](Plan& p) { p.problem.routine = Routine::gemv; },
                       });
}

TEST(SymvPlans, AreExplained) {
  Problem p = triangle({Routine::hemv, "c"}, Uplo::upper, 20'000, 0, 1);
  p.alignment_a = 32;
  const Plan plan = plan_on_device(p, h200_traits(), BackendId::cuda);
  const std::string text = print(explain(plan, h200_traits()));
  for (const char* word : {"hemv c U", "symv_squares: ", " squares of ",
                           "those on the diagonal add up the partial sums in fixed order", "floor"})
    EXPECT_NE(text.find(word), std::string::npos) << word << " is missing in:\n" << text;
}

}  // namespace
}  // namespace onepass::test
