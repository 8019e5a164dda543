// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Batches of small triangles: what symv_small computes and reads, and which plans it gets.
#include <gtest/gtest.h>

#include <limits>

#include "backends/registry.hpp"
#include "backends/sim/counters.hpp"
#include "plan/plan.hpp"
#include "plan/registry.hpp"
#include "plan/symv_shape.hpp"
#include "problem/elements.hpp"
#include "symv_device/triangle.hpp"

namespace onepass::test {
namespace {

constexpr Twist twists[] = {{},
                            {.padding = 1, .offset_a = 1},
                            {.padding = 3, .incx = 2},
                            {.padding = 4, .offset_a = 3, .incx = -2, .incy = 3},
                            {.offset_a = 5, .incy = -1}};

Case batch_case(const Kind& kind, Uplo uplo, std::int64_t n, std::int64_t batch, const Twist& twist = {}) {
  Case c = triangle_case(kind, uplo, n, twist);
  Problem& p = c.problem;
  p.batch = batch;
  p.stride_a = p.lda * n + 1, p.stride_x = n * std::abs(p.incx), p.stride_y = n * std::abs(p.incy) + 2;
  return c;
}

Plan planned(const Problem& p) { return plan_on_device(p, h200_traits(), BackendId::sim); }

const SymvSmallParams& small(const Plan& plan) { return params<SymvSmallParams>(plan); }

RunOptions shaped(std::int64_t warps, std::int64_t products) {
  return {.plan = [=](const Problem& p) {
    Plan plan = shape_small(p, warps, products);
    plan.backend = BackendId::sim;
    EXPECT_EQ(why_illegal_on_device(plan), "") << print(plan);
    return plan;
  }};
}

class SymvSmall : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(sim, SymvSmall, testing::ValuesIn(all_kinds), kind_of);

TEST_P(SymvSmall, ComputesEverySizeAndAlignment) {
  int number = 0;
  std::size_t turn = 0;
  for (const Uplo uplo : both)
    for (const std::int64_t n : {1, 2, 5, 8, 16, 31, 32, 33, 63, 64, 65, 96, 100, 127, 128, 160, 223, 256}) {
      if (!takes_turn(number++, 3)) continue;
      Case c = batch_case(GetParam(), uplo, n, 2, twists[turn++ % std::size(twists)]);
      c.problem.layout = turn % 2 == 0 ? Layout::row : Layout::column;
      c.problem.pointer_array = turn % 3 == 0;
      c.problem.scalars = turn % 4 == 0 ? Scalars::device : Scalars::host;
      // As a large batch would be planned.
      RunOptions options = shaped(small_warps(planned(batch_case(GetParam(), uplo, n, 1000).problem)), 1);
      options.settled_a = options.settled_x = !c.problem.pointer_array && turn % 2 == 0;
      ASSERT_TRUE(computes(c, options));
    }
}

// Each way to share pieces among warps and products among blocks, the last of which may be short of products.
TEST_P(SymvSmall, ComputesInEveryShapeOfLaunch) {
  for (const Uplo uplo : both) {
    for (const std::int64_t products : {1, 2, 4, 8})
      ASSERT_TRUE(computes(batch_case(GetParam(), uplo, 27, 5, {.padding = 2}), shaped(1, products)));
    for (const std::int64_t warps : {2, 3})
      for (const bool pointers : {false, true}) {
        Case c = batch_case(GetParam(), uplo, 50, 3, {.padding = 1, .incx = -1});
        c.problem.pointer_array = pointers;
        ASSERT_TRUE(computes(c, shaped(warps, 2)));
      }
    for (const std::int64_t warps : {4, 5})
      ASSERT_TRUE(computes(batch_case(GetParam(), uplo, 120, 1), shaped(warps, 1)));
  }
}

// Of the launch before: each element of the triangles was loaded once, and no other.
void expect_each_read_once(const Case& c) {
  const Problem& p = c.problem;
  const sim::Counters counters = sim::last_counters();
  ASSERT_EQ(counters.matrix_elements_needed, p.batch * p.n * (p.n + 1) / 2) << c.name;
  ASSERT_EQ(counters.matrix_elements_again, 0) << c.name;
  ASSERT_EQ(counters.matrix_elements_never, 0) << c.name;
  ASSERT_EQ(counters.matrix_elements_unneeded, 0) << c.name;
  ASSERT_EQ(counters.outputs_never, 0) << c.name;
  ASSERT_EQ(counters.hazards, 0) << c.name;
  ASSERT_EQ(counters.bank_conflicts, 0) << c.name;
}

TEST_P(SymvSmall, ReadsNothingThatAlphaAndBetaExclude) {
  for (const Uplo uplo : both)
    for (const Scalars scalars : {Scalars::host, Scalars::device}) {
      Case c = batch_case(GetParam(), uplo, 40, 3, {.incy = 2});
      c.problem.scalars = scalars;
      c.beta = 0;
      ASSERT_TRUE(computes(c));
      c.alpha = 0;
      ASSERT_TRUE(computes(c, {.null_inputs = scalars == Scalars::host}));
      c.beta = 2;
      ASSERT_TRUE(computes(c, {.null_inputs = scalars == Scalars::host}));
    }
}

TEST_P(SymvSmall, ReadsTheStoredTriangleExactlyOnce) {
  const sim::WithOptions counted({.count_instructions = true});
  for (const Uplo uplo : both)
    for (const std::int64_t n : {1, 7, 32, 45, 64, 110})
      for (const Twist& twist : {twists[0], twists[1]}) {
        const Case c = batch_case(GetParam(), uplo, n, 3, twist);
        const Outcome outcome = run(sim_backend(), c, lay_out_triangle(c));
        ASSERT_TRUE(outcome.status.ok()) << outcome.status.text;
        ASSERT_EQ(outcome.plan->kernel.variant, Variant::symv_small);
        ASSERT_NO_FATAL_FAILURE(expect_each_read_once(c));
      }
}

// The diagonal is asked for a second time, element by element, and found in the L1: a sector in each of 32 columns.
TEST_P(SymvSmall, RequestsSectorsOfAlignedColumnsOnceButForTheDiagonal) {
  const sim::WithOptions counted({.count_instructions = true});
  for (const Uplo uplo : both) {
    const std::int64_t n = 128;
    Case c = batch_case(GetParam(), uplo, n, 1);
    ASSERT_TRUE(run(sim_backend(), c, lay_out_triangle(c), shaped(5, 1)).status.ok());
    const sim::Counters counters = sim::last_counters();
    const auto needed = static_cast<double>(counters.matrix_sectors_needed);
    EXPECT_LE(static_cast<double>(counters.matrix_sectors_requested - n), 1.01 * needed) << c.name;
  }
}

TEST_P(SymvSmall, AddsInAnOrderThatIsFixed) {
  Case c = batch_case(GetParam(), Uplo::lower, 100, 3, {.padding = 1});
  c.fill = Fill::reals;
  const HostOperands operands = lay_out_triangle(c);
  const Outcome first = run(sim_backend(), c, operands, shaped(5, 1));
  ASSERT_TRUE(first.status.ok()) << first.status.text;
  sim::options() = {.block_order = sim::BlockOrder::shuffled, .seed = 7, .reverse_threads = true};
  const Outcome again = run(sim_backend(), c, operands, shaped(5, 1));
  sim::options() = {};
  EXPECT_TRUE(again.status.ok()) << again.status.text;
  EXPECT_EQ(again.output, first.output);
}

// Elements that a lane does not have are zero, and zero times infinity is not.
TEST(SymvSmallInfinity, GoesWhereItBelongs) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::int64_t n = 70;
  for (const char* types : {"s", "d", "b"})
    for (const Uplo uplo : both)
      for (const auto& [high, low] : {std::pair{0, 0}, {69, 69}, {40, 33}, {65, 3}, {33, 31}}) {
        Case c = batch_case({Routine::symv, types}, uplo, n, 2);
        c.beta = 0;
        HostOperands o = lay_out_triangle(c);
        const int row = uplo == Uplo::lower ? high : low, column = uplo == Uplo::lower ? low : high;
        for (std::int64_t k = 0; k < n; ++k) o.x.set(1, index_x(c.problem, k), 1.0);
        o.a.set(1, index_a(c.problem, row, column), infinity);
        const Outcome of_a = run(sim_backend(), c, o);
        ASSERT_TRUE(of_a.status.ok()) << of_a.status.text;
        for (std::int64_t j = 0; j < n; ++j)
          for (std::int64_t i = 0; i < n; ++i)
            if (is_stored(c.problem, i, j)) o.a.set(1, index_a(c.problem, i, j), 1.0);
        o.x.set(1, index_x(c.problem, high), infinity);
        const Outcome of_x = run(sim_backend(), c, o);
        ASSERT_TRUE(of_x.status.ok()) << of_x.status.text;
        const auto y = [&](const Outcome& outcome, std::int64_t i) {
          return get(c.problem.type_y, outcome.output.data(), o.y.start[1] + index_y(c.problem, i)).real();
        };
        for (std::int64_t i = 0; i < n; ++i) {
          ASSERT_EQ(y(of_a, i) == infinity, i == row || i == column) << c.name << " y(" << i << ") = " << y(of_a, i);
          ASSERT_EQ(y(of_x, i), infinity) << c.name << " y(" << i << ")";
        }
      }
}

struct Region {
  std::int64_t n, batch;
  std::int64_t warps[3], products[3];  // by the bytes of a sum: 4, 8, 16; no warps: the other kernel
};
constexpr Region regions[] = {
    {1, 2, {1, 2, 4}, {1, 1, 1}},
    {32, 131, {1, 2, 4}, {1, 1, 1}},
    {32, 264, {1, 2, 4}, {2, 2, 2}},
    {32, 1000, {1, 1, 4}, {4, 4, 2}},
    {32, 100000, {1, 1, 2}, {8, 8, 4}},
    {33, 1000, {2, 2, 6}, {4, 4, 1}},
    {64, 200, {2, 6, 6}, {1, 1, 1}},
    {64, 1000, {2, 2, 6}, {4, 4, 1}},
    {64, 2000, {2, 2, 6}, {4, 4, 1}},
    {96, 1000, {3, 3, 8}, {2, 2, 1}},
    {128, 2, {5, 7, 8}, {1, 1, 1}},
    {128, 1000, {5, 5, 8}, {1, 1, 1}},
    {129, 32, {8, 8, 9}, {1, 1, 1}},
    {192, 1000, {7, 7, 9}, {1, 1, 1}},
    {224, 1000, {7, 8, 9}, {1, 1, 1}},
    {256, 32, {9, 8, 9}, {1, 1, 1}},
    {256, 1000, {9, 8, 9}, {1, 1, 1}},
    {32, 1, {}, {}},
    {129, 15, {}, {}},
    {256, 15, {}, {}},
    {257, 1000, {}, {}},
    {1000, 1000, {}, {}},
};

TEST_P(SymvSmall, IsPlannedByRegion) {
  for (const Uplo uplo : both)
    for (const Region& r : regions) {
      const Plan plan = planned(batch_case(GetParam(), uplo, r.n, r.batch).problem);
      ASSERT_EQ(why_illegal_on_device(plan), "") << print(plan);
      ASSERT_EQ(plan.kernel.variant, r.warps[0] > 0 ? Variant::symv_small
                                     : r.batch == 1 ? Variant::symv_rows
                                                    : Variant::symv_squares)
          << print(plan);
      if (r.warps[0] == 0) continue;
      const std::int64_t size = size_of_sum(plan.problem), kind = size == 16 ? 2 : size == 8 ? 1 : 0;
      EXPECT_EQ(small_warps(plan), r.warps[kind]) << print(plan);
      EXPECT_EQ(small(plan).products, r.products[kind]) << print(plan);
    }
}

TEST(SymvSmallPlans, PrefetchOnlyWhatIsKnown) {
  Problem p = batch_case(all_kinds[0], Uplo::lower, 64, 1000).problem;
  EXPECT_TRUE(small(planned(p)).prefetch);
  p.pointer_array = true;
  EXPECT_FALSE(small(planned(p)).prefetch);
  p.pointer_array = false, p.scalars = Scalars::device;
  EXPECT_FALSE(small(planned(p)).prefetch);
  EXPECT_FALSE(small(planned(batch_case(all_kinds[0], Uplo::lower, 128, 1000).problem)).prefetch);
}

TEST(SymvSmallPlans, LeaveColumnsThatLieFarApartToOthers) {
  Problem p = batch_case(all_kinds[0], Uplo::lower, 64, 1000).problem;
  p.lda = INT32_MAX / 4 + 1;
  EXPECT_EQ(planned(p).kernel.variant, Variant::symv_squares);
}

SymvSmallParams& edit(Plan& plan) { return params<SymvSmallParams>(plan); }

TEST(SymvSmallPlans, ThatAreEditedAreRefused) {
  Problem p = batch_case(all_kinds[1], Uplo::upper, 60, 1001).problem;
  p.pointer_array = true;
  const Plan plan = planned(p);
  ASSERT_EQ(why_illegal_on_device(plan), "");
  void (*const changes[])(Plan&) = {
      [](Plan& e) { e.threads = 64; },
      [](Plan& e) { e.threads += 32; },
      [](Plan& e) { e.threads = 100; },
      [](Plan& e) { e.threads = 128, edit(e).pieces = 3; },
      [](Plan& e) { e.threads = 384, edit(e).pieces = 1; },
      [](Plan& e) {
        edit(e) = {1, 1001, 1, false}, e.threads = 128, e.shared_bytes = 5 * 64 * 8;
      },
      [](Plan& e) { edit(e).products = 0; },
      [](Plan& e) { edit(e).products += 1; },
      [](Plan& e) { edit(e).products = 3; },
      [](Plan& e) { edit(e).products *= 2; },
      [](Plan& e) { edit(e).blocks += 1; },
      [](Plan& e) { edit(e).blocks = 0; },
      [](Plan& e) { edit(e).pieces += 1; },
      [](Plan& e) { edit(e).pieces = 0; },
      [](Plan& e) { edit(e).prefetch = true; },
      [](Plan& e) { e.params = SymvParams{}; },
      [](Plan& e) { e.kernel.form = Form::plain; },
      [](Plan& e) { e.kernel.loads = Loads::few; },
      [](Plan& e) { e.kernel.variant = Variant::symv_squares; },
      [](Plan& e) { e.shared_bytes -= 8; },
      [](Plan& e) { e.workspace_bytes = 8; },
      [](Plan& e) { e.problem.n = e.problem.m = e.problem.lda = 300; },
  };
  for (const auto change : changes) {
    Plan edited = plan;
    change(edited);
    EXPECT_NE(why_illegal_on_device(edited), "") << print(edited);
  }
}

TEST(SymvSmallPlans, AreExplainedAndSaved) {
  const Plan plan = planned(batch_case(all_kinds[0], Uplo::lower, 64, 1000).problem);
  const std::string text = print(explain(plan, h200_traits()));
  for (const char* words : {"symv_small: 250 blocks of 4 products, each with 2 warps and up to 2 pieces to a warp",
                            "the rule for batches of small matrices", "declined  symv_squares: "})
    EXPECT_NE(text.find(words), std::string::npos) << words << " is missing in:\n" << text;
  Plan read;
  ASSERT_TRUE(from_json(to_json(plan), &read).ok());
  EXPECT_EQ(read, plan);
  const Plan other = planned(batch_case(all_kinds[0], Uplo::lower, 300, 1000).problem);
  EXPECT_NE(print(explain(other, h200_traits())).find("declined  symv_small: the matrices are too large"),
            std::string::npos);
}

}  // namespace
}  // namespace onepass::test
