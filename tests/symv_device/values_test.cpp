// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv_squares and symv_rows compute the product of every kind of triangle, at any alignment, in any shape of launch.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "backends/registry.hpp"
#include "plan/registry.hpp"
#include "plan/symv_shape.hpp"
#include "support/family/one_pass.hpp"
#include "symv_device/triangle.hpp"

namespace onepass::test {
namespace {

constexpr std::int64_t sizes[] = {1,  2,  3,   4,   5,   6,   7,   8,   9,   15,  16,  17,  31,  33, 63,
                                  64, 65, 100, 120, 121, 127, 128, 129, 130, 200, 241, 256, 257, 385};
constexpr Twist twists[] = {{},
                            {.padding = 1},
                            {.padding = 3, .offset_a = 2},
                            {.padding = 4, .offset_a = 1},
                            {.offset_a = 3},
                            {.padding = 5, .offset_a = 7, .incx = -2, .incy = 3}};

Plan in_squares(const Problem& p, Loads loads, std::int64_t tiles, std::int64_t squares) {
  Plan shaped = shape_squares(p, loads, tiles, squares);
  shaped.backend = BackendId::sim;
  return shaped;
}

class SymvValues : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(sim, SymvValues, testing::ValuesIn(all_kinds), kind_of);

// One pass, too: the stored triangle is read exactly once, and none of the other; by symv_rows, which a plan chooses
// here, once for the row and once for the column of an element. Each size at each alignment in one of the triangles, by
// one of the kernels and with A, both A and x, or none of them settled, by turns.
TEST_P(SymvValues, OfEverySizeAndAlignment) {
  int turn = 0;
  for (const std::int64_t n : sizes) {
    ++turn;
    for (const Twist& twist : twists) {
      if (!takes_turn(++turn, 5)) continue;
      const Case c = triangle_case(GetParam(), both[turn % 2], n, twist);
      SCOPED_TRACE(c.name);
      RunOptions options{.settled_a = turn % 3 != 0, .settled_x = turn % 3 == 1};
      if (turn / 2 % 2 == 0) {
        ASSERT_TRUE(computes(c, options));
        const Plan plan = plan_on_device(c.problem, h200_traits(), BackendId::sim);
        expect_one_pass(c.problem, plan.kernel.variant == Variant::symv_rows ? n * (n - 1) / 2 : 0);
      } else {
        options.plan = squares_plan;
        ASSERT_TRUE(computes(c, options));
        expect_one_pass(c.problem);
      }
    }
  }
}

TEST_P(SymvValues, OfRowMajorMatrices) {
  for (const Uplo uplo : both)
    for (const std::int64_t n : {1, 5, 33, 130, 260}) {
      Case c = triangle_case(GetParam(), uplo, n, {.padding = 1});
      c.problem.layout = Layout::row;
      ASSERT_TRUE(computes(c));
    }
}

// Squares that are whole, that stick out below, one alone, and many; of several tiles and runs of them; A, x and what
// the launch ahead writes by turns.
TEST_P(SymvValues, OfSquares) {
  int turn = 0;
  for (const Uplo uplo : both)
    for (const std::int64_t n : {1, 2, 31, 32, 33, 63, 64, 65, 96, 129, 200, 300})
      for (const Twist& twist : twists) {
        if (!takes_turn(turn++, 5)) continue;
        const Case c = triangle_case(GetParam(), uplo, n, twist);
        const std::int64_t squares = std::int64_t{1} << (turn % 3), tiles = std::int64_t{1} << (turn / 3 % 3);
        const auto plan = [&](Loads loads) {
          return [=](const Problem& p) { return in_squares(p, loads, tiles, squares); };
        };
        const auto is_legal = [&](Loads loads) { return why_illegal_on_device(plan(loads)(c.problem)).empty(); };
        const Loads loads = turn % 2 == 0 || !is_legal(Loads::many) ? Loads::few : Loads::many;
        if (!is_legal(loads)) continue;  // d and c in the plain form
        const RunOptions options{
            .again = true, .settled_a = turn % 3 != 0, .settled_x = turn % 3 == 1, .plan = plan(loads)};
        ASSERT_TRUE(computes(c, options));
        expect_one_pass(c.problem);
      }
}

// Sums with more digits, in squares of any number of tiles.
TEST_P(SymvValues, OfSquaresWithMoreDigits) {
  int turn = 0;
  for (const Uplo uplo : both)
    for (const std::int64_t n : {1, 33, 65, 130, 290})
      for (const std::int64_t tiles : {1, 2, 3, 90})
        for (const Accumulate accumulate : {Accumulate::wider, Accumulate::twice}) {
          Case c = triangle_case(GetParam(), uplo, n, twists[static_cast<std::size_t>(turn) % std::size(twists)]);
          c.problem.accumulate = accumulate;
          if (!check(c.problem).ok() || !takes_turn(turn++, 3)) continue;
          const auto plan = [&](const Problem& p) { return in_squares(p, Loads::few, tiles, 1 + turn % 2); };
          ASSERT_EQ(why_illegal_on_device(plan(c.problem)), "") << print(plan(c.problem));
          ASSERT_TRUE(computes(c, {.again = true, .settled_a = true, .settled_x = turn % 2 == 0, .plan = plan}));
          expect_one_pass(c.problem);
        }
}

// Teams of warps and of blocks, beyond what a plan would choose.
TEST_P(SymvValues, OfEveryShapeOfTeam) {
  int turn = 0;
  for (const Uplo uplo : both)
    for (const std::int64_t n : {1, 37, 96})
      for (const Loads loads : {Loads::few, Loads::many})
        for (const int threads : {32, 64, 256, 512})
          for (const std::int64_t outputs : {1, 2, 8, 32}) {
            if (!takes_turn(turn++, 17)) continue;
            const Case c = triangle_case(GetParam(), uplo, n, {.padding = 1, .incx = 2, .incy = -1});
            const auto plan = [&](const Problem& p) {
              Plan shaped = shape_rows(p, loads, threads, outputs);
              shaped.backend = BackendId::sim;
              return shaped;
            };
            ASSERT_EQ(why_illegal_on_device(plan(c.problem)), "") << print(plan(c.problem));
            ASSERT_TRUE(computes(c, {.plan = plan}));
          }
}

TEST_P(SymvValues, OfBatches) {
  for (const Uplo uplo : both)
    for (const std::int64_t n : {3, 32, 150})
      for (const bool pointers : {false, true})
        for (const std::int64_t batch : {1, 3}) {
          Case c = triangle_case(GetParam(), uplo, n, {.incx = -1, .incy = 2});
          Problem& p = c.problem;
          p.batch = batch;
          p.pointer_array = pointers;
          if (!pointers) p.stride_a = p.lda * n + 1, p.stride_x = n, p.stride_y = 2 * n;
          ASSERT_TRUE(computes(c, {.plan = [](const Problem& problem) { return small_squares_plan(problem); }}));
        }
}

// More products than a grid has room for: two launches, the second from the middle of the batch.
TEST(SymvBatch, LargerThanAGridIsComplete) {
  if (!thorough) GTEST_SKIP() << "takes long in this build";
  if (!takes_turn(0, 4)) GTEST_SKIP() << "has its turn another day";
  Case c = triangle_case(all_kinds[0], Uplo::upper, 2);
  c.problem.batch = 65'600;
  c.problem.stride_a = 4, c.problem.stride_x = 2, c.problem.stride_y = 2;
  ASSERT_TRUE(computes(c, {.plan = [](const Problem& problem) { return small_squares_plan(problem); }}));
}

// Mailboxes of more products than the workspace has room for.
TEST(SymvBatch, WithMoreMailboxesThanTheWorkspaceIsComplete) {
  Case c = triangle_case(all_kinds[1], Uplo::lower, 70);
  c.problem.batch = 5;
  c.problem.stride_a = 70 * 70, c.problem.stride_x = 70, c.problem.stride_y = 70;
  const auto plan = [](const Problem& problem) {
    Plan shaped = small_squares_plan(problem);
    shaped.workspace_bytes = shaped.workspace_bytes / 5 * 2;
    EXPECT_EQ(squares_products(shaped), 2);
    return shaped;
  };
  ASSERT_TRUE(computes(c, {.plan = plan}));
  c.problem.pointer_array = true;
  ASSERT_TRUE(computes(c, {.plan = plan}));
}

TEST_P(SymvValues, WithScalarsOnTheDevice) {
  for (const Uplo uplo : both) {
    Case c = triangle_case(GetParam(), uplo, 140, {.padding = 1});
    c.problem.scalars = Scalars::device;
    ASSERT_TRUE(computes(c));
    c.alpha = 0;
    ASSERT_TRUE(computes(c));
  }
}

TEST_P(SymvValues, OfAlphaAndBetaZero) {
  for (const std::int64_t n : {9, 300}) {
    Case c = triangle_case(GetParam(), Uplo::lower, n);
    c.beta = 0;
    ASSERT_TRUE(computes(c));
    c.alpha = 0;
    ASSERT_TRUE(computes(c, {.null_inputs = true}));
    c.beta = 2;
    ASSERT_TRUE(computes(c, {.null_inputs = true}));
  }
}

// Vectors hold elements of other rows and of the other triangle, and zero times infinity is not zero: an infinity
// goes where its own products go, and nowhere else.
// Increments and alignments, one after the other.
const Twist& for_infinities(int turn) {
  return twists[std::array{0, 1, 4}[static_cast<std::size_t>((turn + turn / 6) % 3)]];
}

TEST(SymvInfinity, OfAReachesTwoOutputs) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  int turn = 0;
  for (const char* types : {"s", "d", "h", "b"})
    for (const Uplo uplo : both)
      for (const auto& [high, low] : {std::pair{0, 0}, {299, 299}, {121, 119}, {120, 7}, {290, 250}, {129, 128}}) {
        if (!takes_turn(turn++, 7)) continue;
        Case c = triangle_case({Routine::symv, types}, uplo, 300, for_infinities(turn));
        c.beta = 0;
        HostOperands o = lay_out_triangle(c);
        const int row = uplo == Uplo::lower ? high : low, column = uplo == Uplo::lower ? low : high;
        o.a.set(0, index_a(c.problem, row, column), infinity);
        for (std::int64_t k = 0; k < 300; ++k) o.x.set(0, index_x(c.problem, k), 1.0);
        const Outcome outcome = run(sim_backend(), c, o);
        ASSERT_TRUE(outcome.status.ok()) << outcome.status.text;
        for (std::int64_t i = 0; i < 300; ++i) {
          const double y = get(c.problem.type_y, outcome.output.data(), index_y(c.problem, i)).real();
          ASSERT_EQ(y == infinity, i == row || i == column) << c.name << " y(" << i << ") = " << y;
          ASSERT_FALSE(std::isnan(y)) << c.name << " y(" << i << ")";
        }
      }
}

TEST(SymvInfinity, OfXMakesNoNan) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  int turn = 0;
  for (const char* types : {"s", "d", "h", "b"})
    for (const Uplo uplo : both)
      for (const std::int64_t k : {0, 7, 119, 120, 128, 299}) {
        if (!takes_turn(turn++, 7)) continue;
        Case c = triangle_case({Routine::symv, types}, uplo, 300, for_infinities(turn));
        c.beta = 0;
        HostOperands o = lay_out_triangle(c);
        for (std::int64_t column = 0; column < 300; ++column)
          for (std::int64_t row = 0; row < 300; ++row)
            if (uplo == Uplo::lower ? row >= column : row <= column) o.a.set(0, index_a(c.problem, row, column), 1.0);
        o.x.set(0, index_x(c.problem, k), infinity);
        const Outcome outcome = run(sim_backend(), c, o);
        ASSERT_TRUE(outcome.status.ok()) << outcome.status.text;
        for (std::int64_t i = 0; i < 300; ++i)
          ASSERT_EQ(get(c.problem.type_y, outcome.output.data(), index_y(c.problem, i)).real(), infinity)
              << c.name << " x(" << k << ") y(" << i << ")";
      }
}

}  // namespace
}  // namespace onepass::test
