// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv_tiles computes the product of every kind of triangle with more digits, in any shape of launch, and reads it
// once.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "backends/registry.hpp"
#include "backends/sim/launcher.hpp"
#include "kernels/blocks/strips.hpp"
#include "plan/problems.hpp"
#include "plan/registry.hpp"
#include "plan/symv_shape.hpp"
#include "support/family/one_pass.hpp"
#include "symv_device/sums_twice.hpp"
#include "symv_device/triangle.hpp"

namespace onepass::test {
namespace {

struct Digits {
  Kind kind;
  Accumulate accumulate;
};
constexpr Digits all_digits[] = {
    {{Routine::symv, "d"}, Accumulate::twice}, {{Routine::symv, "z"}, Accumulate::twice},
    {{Routine::hemv, "z"}, Accumulate::twice}, {{Routine::symv, "c"}, Accumulate::wider},
    {{Routine::hemv, "c"}, Accumulate::wider}, {{Routine::symv, "w"}, Accumulate::standard}};

Case case_of(const Digits& digits, Uplo uplo, std::int64_t n, const Twist& twist = {}) {
  Case c = triangle_case(digits.kind, uplo, n, twist);
  c.problem.accumulate = digits.accumulate;
  return c;
}
auto in_tiles(int threads, std::int64_t strip_rows, std::int64_t blocks) {
  return [=](const Problem& p) {
    Plan plan = shape_tiles(p, threads, strip_rows, blocks);
    plan.backend = BackendId::sim;
    return plan;
  };
}

class SymvTiles : public testing::TestWithParam<Digits> {};
INSTANTIATE_TEST_SUITE_P(sim, SymvTiles, testing::ValuesIn(all_digits),
                         [](const auto& info) { return kind_name(info.param.kind); });

TEST_P(SymvTiles, ComputeEverySize) {
  int turn = 0;
  for (const std::int64_t n : {18, 30, 32, 34, 64, 66, 96, 128, 130, 200, 258, 300})
    for (const Uplo uplo : both)
      for (const Twist& twist : {Twist{}, Twist{.padding = 4, .incx = -2, .incy = 3}}) {
        if (!takes_turn(++turn, 5)) continue;
        const Case c = case_of(GetParam(), uplo, n, twist);
        SCOPED_TRACE(c.name);
        ASSERT_TRUE(computes(c, {.settled_a = turn % 2 == 0,
                                 .settled_x = turn % 2 == 0,
                                 .plan = in_tiles(n < 64 || turn % 4 == 0 ? 64 : 128, 64, 2 + turn % 5)}));
        expect_one_pass(c.problem);
      }
}

// Every number of warps, rows and blocks that is legal, beyond what a plan would choose.
TEST_P(SymvTiles, ComputeInEveryShapeOfLaunch) {
  int turn = 0, legal = 0;
  for (const Uplo uplo : both)
    for (const int threads : {32, 64, 256, 512})
      for (const std::int64_t strip_rows : {32, 64, 128, 256})
        for (const std::int64_t blocks : {1, 2, 7, 1000}) {
          const Case c = case_of(GetParam(), uplo, 290);
          Problem known = c.problem;
          known.alignment_a = 256;
          if (!why_illegal_tiles(shape_tiles(known, threads, strip_rows, blocks)).empty()) continue;
          if (!takes_turn(++turn, 7)) continue;
          ++legal;
          ASSERT_TRUE(computes(c, {.again = true, .plan = in_tiles(threads, strip_rows, blocks)}))
              << threads << " " << strip_rows << " " << blocks;
        }
  EXPECT_GT(legal, 2);
}

// Where the first blocks have one unit more, of one strip or of two: beside the launch before the sums of a first
// strip's rows wait for those of the next one.
TEST_P(SymvTiles, ComputeInUnequalShares) {
  for (const Uplo uplo : both)
    for (const std::int64_t blocks : {32, 52}) {
      const Case c = case_of(GetParam(), uplo, 530);
      SCOPED_TRACE(c.name + " " + std::to_string(blocks));
      Problem known = c.problem;
      known.alignment_a = 256;
      const Plan plan = shape_tiles(known, 64, 128, blocks);
      ASSERT_EQ(why_illegal_tiles(plan), "");
      ASSERT_EQ(params<SymvParams>(plan).blocks, blocks);
      ASSERT_TRUE(tiles_keep_rows(plan)) << print(plan);
      ASSERT_LT(tiles_larger(plan), blocks);
      const RunOptions settled{.settled_a = true, .settled_x = true, .plan = in_tiles(64, 128, blocks)};
      ASSERT_TRUE(computes(c, settled));
      expect_one_pass(c.problem);
      expect_same_bits(c, settled);
    }
}

TEST_P(SymvTiles, HaveAnchorsForAllNumbers) {
  if (GetParam().accumulate != Accumulate::twice) GTEST_SKIP() << "its sums have none";
  for (const Uplo uplo : both) expect_sums_of_powers(case_of(GetParam(), uplo, 310), {.plan = in_tiles(64, 64, 3)});
}

// Beside the launch before a block holds the sums of its first columns, as many as there is room for.
TEST_P(SymvTiles, ComputeMoreColumnsThanTheyHold) {
  for (const Uplo uplo : both) {
    const Case c = case_of(GetParam(), uplo, 640);
    Problem known = c.problem;
    known.alignment_a = 256;
    const Plan plan = shape_tiles(known, 256, 128, 2);
    EXPECT_GT(tiles_held(plan), 0);
    if (c.problem.type_a == Type::z) {
      EXPECT_LT(tiles_held(plan), params<SymvParams>(plan).units * tiles_unit(plan));
    }
    ASSERT_TRUE(computes(c, {.settled_a = true, .settled_x = true, .plan = in_tiles(256, 128, 2)}));
  }
}

// Around an anchor or not: infinities and NaN stay in their rows and columns.
TEST_P(SymvTiles, KeepWhatIsNotFinite) {
  for (const double special : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    for (const double of_x : {1.0, 0x1p-100}) {
      const Case c = case_of(GetParam(), Uplo::lower, 96);
      HostOperands o = lay_out_triangle(c);
      for (std::int64_t k = 0; k < 96; ++k) o.x.set(0, verify::index_x(c.problem, k), of_x);
      o.a.set(0, verify::index_a(c.problem, 70, 20), special);
      const Outcome outcome = verify::run(sim_backend(), c, o, {.plan = in_tiles(128, 64, 3)});
      ASSERT_TRUE(outcome.status.ok()) << outcome.status.text;
      for (std::int64_t i = 0; i < 96; ++i) {
        const double y =
            verify::get(c.problem.type_y, outcome.output.data(), o.y.place(0, verify::index_y(c.problem, i))).real();
        EXPECT_EQ(std::isfinite(y), i != 70 && i != 20) << i << " " << y;
      }
    }
}

TEST(SymvTilesPlans, AreChosenForMoreDigits) {
  for (const Digits& digits : all_digits)
    for (const Uplo uplo : both)
      for (std::int64_t n = 896; n < 30'000; n += 64 + n / 64 * 8) {
        Problem p = case_of(digits, uplo, n).problem;
        p.alignment_a = 256;
        const Plan plan = plan_on_device(p, h200_traits(), BackendId::cuda);
        ASSERT_EQ(why_illegal_on_device(plan), "") << print(plan);
        if (digits.kind.types[0] == 'z' && n >= 1000 && n <= 20'000) {
          ASSERT_EQ(plan.kernel.variant, Variant::symv_tiles) << print(plan);
        }
        p.accumulate = Accumulate::standard;
        if (p.type_a != Type::w) {
          ASSERT_NE(plan_on_device(p, h200_traits(), BackendId::cuda).kernel.variant, Variant::symv_tiles);
        }
      }
}

// Each unit belongs to one block, in the order of the list.
TEST(SymvTilesPlans, ShareAllUnits) {
  Problem p = case_of(all_digits[1], Uplo::lower, 700).problem;
  p.alignment_a = 256;
  for (const int threads : {32, 128})
    for (std::int64_t blocks = 1; blocks < 150; ++blocks) {
      const Plan plan = shape_tiles(p, threads, 128, blocks);
      const std::int64_t units = tiles_list(plan).units;
      ASSERT_EQ(params<SymvParams>(plan).blocks, std::min(blocks, units));
      kernels::SymvTilesArgs g;
      g.chunk = params<SymvParams>(plan).units;
      g.splits = static_cast<int>(params<SymvParams>(plan).blocks);
      g.units = static_cast<int>(units);
      g.larger = static_cast<int>(tiles_larger(plan));
      ASSERT_GT(g.larger, 0);
      ASSERT_LE(g.larger, g.splits);
      int unit = 0;
      for (int block = 0; block < g.splits; ++block) {
        ASSERT_EQ(kernels::Shares::first(g, block), unit);
        ASSERT_GT(kernels::Shares::count(g, block), 0);
        for (const int end = unit + kernels::Shares::count(g, block); unit < end; ++unit)
          ASSERT_EQ(kernels::Shares::block_of(g, unit), block);
      }
      ASSERT_EQ(unit, g.units);
    }
}

TEST(SymvTilesPlans, ThatAreEditedAreRefused) {
  Problem p = case_of(all_digits[0], Uplo::lower, 1024).problem;
  p.alignment_a = 256;
  const Plan plan = shape_tiles(p, 256, 128, 100);
  ASSERT_EQ(why_illegal_on_device(plan), "");
  void (*const changes[])(Plan&) = {
      [](Plan& q) { q.threads = 96; },
      [](Plan& q) { q.threads = 1024; },
      [](Plan& q) { params<SymvParams>(q).strip_rows = 96; },
      [](Plan& q) { params<SymvParams>(q).strips -= 1; },
      [](Plan& q) { params<SymvParams>(q).units += 1; },
      [](Plan& q) { params<SymvParams>(q).blocks -= 1; },
      [](Plan& q) { q.shared_bytes += 16; },
      [](Plan& q) { q.workspace_bytes = 8; },
      [](Plan& q) { q.problem.scalars = Scalars::device; },
      [](Plan& q) { q.problem.accumulate = Accumulate::standard; },
      [](Plan& q) { q.problem.alignment_a = 8; },
      [](Plan& q) { q.params = SymvRowsParams{}; },
  };
  int number = 0;
  for (const auto change : changes) {
    Plan edited = plan;
    change(edited);
    EXPECT_NE(why_illegal_on_device(edited), "") << number++ << ": " << print(edited);
  }
}

}  // namespace
}  // namespace onepass::test
