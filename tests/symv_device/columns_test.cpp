// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv_columns computes the product of triangles with twice the digits, in any shape of launch, and reads them once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "backends/registry.hpp"
#include "backends/sim/counters.hpp"
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

constexpr Kind kinds_of_columns[] = {{Routine::symv, "z"}, {Routine::hemv, "z"}};

Case columns_case(const Kind& kind, Uplo uplo, std::int64_t n, const Twist& twist = {}) {
  Case c = triangle_case(kind, uplo, n, twist);
  c.problem.accumulate = Accumulate::twice;
  return c;
}
auto in_columns(int threads, std::int64_t blocks) {
  return [=](const Problem& p) {
    Plan plan = shape_columns(p, threads, blocks);
    plan.backend = BackendId::sim;
    return plan;
  };
}

class SymvColumns : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(sim, SymvColumns, testing::ValuesIn(kinds_of_columns),
                         [](const auto& info) { return kind_name(info.param); });

TEST_P(SymvColumns, ComputeEverySize) {
  int turn = 0;
  for (const std::int64_t n : {40, 64, 70, 255, 256, 257, 300, 511, 513, 600})
    for (const Uplo uplo : both)
      for (const Twist& twist : {Twist{}, Twist{.padding = 3, .incx = -2, .incy = 3}}) {
        if (!takes_turn(++turn, 5)) continue;
        const Case c = columns_case(GetParam(), uplo, n, twist);
        SCOPED_TRACE(c.name);
        ASSERT_TRUE(computes(c, {.settled_a = turn % 2 == 0,
                                 .settled_x = turn % 2 == 0,
                                 .plan = in_columns(n < 200 || turn % 4 == 0 ? 32 : 128, 2 + turn % 5)}));
        expect_one_pass(c.problem);
      }
}

TEST_P(SymvColumns, ComputeInEveryShapeOfLaunch) {
  int turn = 0;
  for (const Uplo uplo : both)
    for (const int threads : {32, 64, 128})
      for (const std::int64_t blocks : {1, 7, 1000}) {
        if (!takes_turn(turn++, 3)) continue;
        const Case c = columns_case(GetParam(), uplo, 520);
        Problem known = c.problem;
        known.alignment_a = 256;
        ASSERT_EQ(why_illegal_columns(shape_columns(known, threads, blocks)), "");
        ASSERT_TRUE(computes(c, {.again = true, .plan = in_columns(threads, blocks)})) << threads << " " << blocks;
      }
}

// Where the first blocks have one unit more: with units of one strip, of two and of three, the last of which has few
// rows or columns. Beside the launch before the sums of a first strip's rows wait for those of the next one. The
// result has the same bits in any order of blocks.
TEST_P(SymvColumns, ComputeInUnequalShares) {
  constexpr std::int64_t n = 530;
  int turn = 0;
  for (const Uplo uplo : both)
    for (const int threads : {32, 128})
      for (const std::int64_t blocks : {2, 4}) {
        if (!takes_turn(turn++, 3)) continue;
        const Case c = columns_case(GetParam(), uplo, n);
        SCOPED_TRACE(c.name + " " + std::to_string(threads) + " " + std::to_string(blocks));
        Problem known = c.problem;
        known.alignment_a = 256;
        const Plan plan = shape_columns(known, threads, blocks);
        ASSERT_EQ(why_illegal_columns(plan), "");
        ASSERT_EQ(params<SymvParams>(plan).blocks, blocks);
        ASSERT_TRUE(tiles_keep_rows(plan)) << print(plan);
        ASSERT_LT(tiles_larger(plan), blocks);
        const RunOptions settled{.settled_a = true, .settled_x = true, .plan = in_columns(threads, blocks)};
        ASSERT_TRUE(computes(c, settled));
        expect_one_pass(c.problem);
        ASSERT_TRUE(computes(c, {.again = true, .plan = in_columns(threads, blocks)}));
        expect_same_bits(c, settled);
      }
}

// Beside the launch before a block holds the sums of its first columns, as many as there is room for.
TEST_P(SymvColumns, ComputeMoreColumnsThanTheyHold) {
  int turn = 0;
  for (const Uplo uplo : both) {
    if (!takes_turn(turn++, 2)) continue;
    const Case c = columns_case(GetParam(), uplo, 2300);
    Problem known = c.problem;
    known.alignment_a = 256;
    const Plan plan = shape_columns(known, 128, 2);
    EXPECT_GT(tiles_held(plan), 0);
    EXPECT_LT(tiles_held(plan), params<SymvParams>(plan).units * tiles_unit(plan));
    EXPECT_FALSE(tiles_keep_rows(plan));
    ASSERT_TRUE(computes(c, {.settled_a = true, .settled_x = true, .plan = in_columns(128, 2)}));
  }
}

TEST_P(SymvColumns, HaveAnchorsForAllNumbers) {
  for (const Uplo uplo : both) expect_sums_of_powers(columns_case(GetParam(), uplo, 310), {.plan = in_columns(64, 3)});
}

// Infinities and NaN stay in their rows and columns.
TEST_P(SymvColumns, KeepWhatIsNotFinite) {
  constexpr std::int64_t n = 96;
  for (const double special : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    for (const bool of_x : {false, true}) {
      const Case c = columns_case(GetParam(), Uplo::lower, n);
      HostOperands o = lay_out_triangle(c);
      for (std::int64_t k = 0; k < n; ++k) o.x.set(0, index_x(c.problem, k), 0x1p-100);
      if (of_x)
        o.x.set(0, index_x(c.problem, 40), special);
      else
        o.a.set(0, index_a(c.problem, 70, 20), special);
      const Outcome outcome = run(sim_backend(), c, o, {.plan = in_columns(128, 3)});
      ASSERT_TRUE(outcome.status.ok()) << outcome.status.text;
      for (std::int64_t i = 0; i < n; ++i) {
        const double y = get(c.problem.type_y, outcome.output.data(), o.y.place(0, index_y(c.problem, i))).real();
        EXPECT_EQ(std::isfinite(y), !of_x && i != 70 && i != 20) << i << " " << y;
      }
    }
}

// Each unit belongs to one block, in the order of the list.
TEST(SymvColumnsPlans, ShareAllUnits) {
  Problem p = columns_case(kinds_of_columns[0], Uplo::lower, 700).problem;
  p.alignment_a = 256;
  for (const int threads : {32, 128})
    for (std::int64_t blocks = 1; blocks < 150; ++blocks) {
      const Plan plan = shape_columns(p, threads, blocks);
      const std::int64_t units = tiles_list(plan).units;
      ASSERT_EQ(params<SymvParams>(plan).blocks, std::min(blocks, units));
      kernels::SymvArgs g;
      g.chunk = params<SymvParams>(plan).units;
      g.splits = static_cast<int>(params<SymvParams>(plan).blocks);
      g.units = static_cast<int>(units);
      g.larger = static_cast<int>(tiles_larger(plan));
      ASSERT_GT(g.larger, 0);
      ASSERT_LE(g.larger, g.splits);
      int unit = 0;
      for (int block = 0; block < g.splits; ++block) {
        ASSERT_EQ(kernels::EvenShares::first(g, block), unit);
        ASSERT_GT(kernels::EvenShares::count(g, block), 0);
        for (const int end = unit + kernels::EvenShares::count(g, block); unit < end; ++unit)
          ASSERT_EQ(kernels::EvenShares::block_of(g, unit), block);
      }
      ASSERT_EQ(unit, g.units);
    }
}

TEST(SymvColumnsPlans, AreChosenForLargeTriangles) {
  for (const Kind& kind : kinds_of_columns)
    for (const Uplo uplo : both)
      for (const std::int64_t n : {2601, 3072, 4096, 8192, 16'384, 20'000}) {
        Problem p = columns_case(kind, uplo, n).problem;
        p.alignment_a = 256;
        const Plan plan = plan_on_device(p, h200_traits(), BackendId::cuda);
        ASSERT_EQ(why_illegal_on_device(plan), "") << print(plan);
        ASSERT_EQ(plan.kernel.variant, Variant::symv_columns) << print(plan);
      }
}

// All blocks that multiply have a place at once.
TEST(SymvColumnsPlans, OfOneWaveHavePlacesOfAnyDevice) {
  DeviceTraits traits = h200_traits();
  for (const int sms : {64, 132, 160}) {
    traits.sm_count = sms;
    for (const std::int64_t n : {2700, 3072, 3584, 4096, 4500}) {
      Problem p = columns_case(kinds_of_columns[0], Uplo::lower, n).problem;
      p.alignment_a = 256;
      const Plan plan = plan_columns(p, traits);
      ASSERT_EQ(why_illegal_columns(plan), "") << print(plan);
      EXPECT_LE(params<SymvParams>(plan).blocks, 2 * sms);
      EXPECT_GE(params<SymvParams>(plan).units, 2);
    }
  }
  Problem p = columns_case(kinds_of_columns[0], Uplo::lower, 4096).problem;
  p.alignment_a = 256;
  const Plan plan = plan_columns(p, h200_traits());
  EXPECT_EQ(params<SymvParams>(plan).blocks, 250);
  EXPECT_EQ(params<SymvParams>(plan).units, 5);
  EXPECT_EQ(tiles_larger(plan), 88);
  const std::string text = print(explain(plan_on_device(p, h200_traits(), BackendId::cuda), h200_traits()));
  EXPECT_NE(text.find("40 columns of all these rows in the first 88 blocks and 32 in the others"), std::string::npos)
      << text;
}

TEST(SymvColumnsPlans, ThatAreEditedAreRefused) {
  Problem p = columns_case(kinds_of_columns[0], Uplo::lower, 1024).problem;
  p.alignment_a = 256;
  const Plan plan = shape_columns(p, 128, 20);
  ASSERT_EQ(why_illegal_on_device(plan), "");
  void (*const changes[])(Plan&) = {
      [](Plan& q) { q.threads = 96; },
      [](Plan& q) { q.threads = 512; },
      [](Plan& q) { params<SymvParams>(q).strip_rows = 128; },
      [](Plan& q) { params<SymvParams>(q).blocks += 1; },
      [](Plan& q) { params<SymvParams>(q).prefetch = true; },
      [](Plan& q) { q.shared_bytes += 16; },
      [](Plan& q) { q.problem.alignment_a = 8; },
      [](Plan& q) { q.params = SymvRowsParams{}; },
  };
  int number = 0;
  for (const auto change : changes) {
    Plan edited = plan;
    change(edited);
    EXPECT_NE(why_illegal_on_device(edited), "") << number++ << ": " << print(edited);
  }
  // Of 80 units, as a list that is shared as evenly as it can be.
  struct Shares {
    std::int64_t blocks, units;
  };
  for (const auto [blocks, units] : {Shares{20, 5}, {20, 3}, {20, 0}, {0, 4}, {19, 4}, {27, 4}, {81, 1}, {-20, -4}}) {
    Plan edited = plan;
    params<SymvParams>(edited).blocks = blocks;
    params<SymvParams>(edited).units = units;
    EXPECT_NE(why_illegal_columns(edited), "") << print(edited);
  }
  set_types(p, "d");
  EXPECT_NE(why_illegal_columns(shape_columns(p, 128, 20)), "");
}

}  // namespace
}  // namespace onepass::test
