// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv_ring computes the product of every kind of triangle, in any shape of launch, and reads it once.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "backends/registry.hpp"
#include "plan/problems.hpp"
#include "plan/registry.hpp"
#include "plan/symv_ring.hpp"
#include "support/family/one_pass.hpp"
#include "symv_device/triangle.hpp"

namespace onepass::test {
namespace {

constexpr Kind kinds_of_ring[] = {{Routine::symv, "s"}, {Routine::symv, "d"}, {Routine::symv, "c"},
                                  {Routine::symv, "z"}, {Routine::hemv, "c"}, {Routine::hemv, "z"}};

auto by_ring(Loads loads, int threads, std::int64_t blocks) {
  return [=](const Problem& p) {
    Plan plan = shape_ring(p, loads, threads, blocks);
    plan.backend = BackendId::sim;
    return plan;
  };
}

class SymvRing : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(sim, SymvRing, testing::ValuesIn(kinds_of_ring), kind_of);

// Strips of 64 to 512 rows: below them, at their ends, and beyond; aligned columns, odd ones, and those of a part of a
// larger matrix.
TEST_P(SymvRing, ComputesEverySize) {
  int turn = 0;
  for (const std::int64_t n : {65, 129, 200, 255, 256, 257, 300, 383, 512, 520, 641})
    for (const Uplo uplo : both)
      for (const Twist& twist :
           {Twist{}, Twist{.padding = 3, .offset_a = 1, .incx = -2, .incy = 3}, Twist{.padding = 1, .offset_a = 2}}) {
        if (++turn % 3 != 0 && !thorough) continue;
        const Case c = triangle_case(GetParam(), uplo, n, twist);
        SCOPED_TRACE(c.name);
        ASSERT_TRUE(computes(c, {.settled_a = turn % 2 == 0,
                                 .settled_x = turn % 2 == 0,
                                 .plan = by_ring(turn % 4 < 2 ? Loads::few : Loads::many, 256, 2 + turn % 7)}));
        expect_one_pass(c.problem);
      }
}

// Every number of warps and blocks that is legal, beyond what a plan would choose.
TEST_P(SymvRing, ComputesInEveryShapeOfLaunch) {
  int turn = 0, legal = 0;
  for (const Uplo uplo : both)
    for (const int threads : {32, 64, 128, 256})
      for (const std::int64_t blocks : {2, 7, 1000})
        for (const std::int64_t n : {292, 293}) {
          const Case c = triangle_case(GetParam(), uplo, n);
          Problem known = c.problem;
          known.alignment_a = 256;
          const Loads loads = ++turn % 2 == 0 ? Loads::few : Loads::many;
          if (!why_illegal_ring(shape_ring(known, loads, threads, blocks)).empty()) continue;
          if (turn % 5 != 0 && !thorough) continue;
          ++legal;
          ASSERT_TRUE(computes(c, {.again = true, .plan = by_ring(loads, threads, blocks)}))
              << threads << " " << blocks << " " << n;
        }
  EXPECT_GT(legal, 2);
}

// Zeros of the ring times infinities of x: they stay in their rows and columns.
TEST_P(SymvRing, KeepsWhatIsNotFinite) {
  for (const double special : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    for (const Uplo uplo : both) {
      const Case c = triangle_case(GetParam(), uplo, 301);
      HostOperands o = lay_out_triangle(c);
      for (std::int64_t k = 0; k < 301; ++k) o.x.set(0, verify::index_x(c.problem, k), 1.0);
      o.a.set(0, uplo == Uplo::lower ? verify::index_a(c.problem, 270, 20) : verify::index_a(c.problem, 20, 270),
              special);
      const Outcome outcome = verify::run(sim_backend(), c, o, {.plan = by_ring(Loads::few, 256, 3)});
      ASSERT_TRUE(outcome.status.ok()) << outcome.status.text;
      for (std::int64_t i = 0; i < 301; ++i) {
        const double y =
            verify::get(c.problem.type_y, outcome.output.data(), o.y.place(0, verify::index_y(c.problem, i))).real();
        EXPECT_EQ(std::isfinite(y), i != 270 && i != 20) << i << " " << y;
      }
    }
}

TEST(SymvRingPlans, AreChosenForLargeTriangles) {
  for (const Kind& kind : kinds_of_ring)
    for (const Uplo uplo : both)
      for (std::int64_t n = 2049; n < 24'000; n += 61 + n / 16) {
        Problem p = triangle_case(kind, uplo, n).problem;
        p.alignment_a = 256;
        const Plan plan = plan_on_device(p, h200_traits(), BackendId::cuda);
        ASSERT_EQ(why_illegal_on_device(plan), "") << print(plan);
        ASSERT_EQ(plan.kernel.variant, Variant::symv_ring) << print(plan);
      }
}

TEST(SymvRingPlans, ThatAreEditedAreRefused) {
  Problem p = triangle_case(kinds_of_ring[1], Uplo::lower, 3001).problem;
  p.alignment_a = 256;
  const Plan plan = shape_ring(p, Loads::few, 256, 132);
  ASSERT_EQ(why_illegal_on_device(plan), "");
  void (*const changes[])(Plan&) = {
      [](Plan& q) { q.threads = 96; },
      [](Plan& q) { q.threads = 512; },
      [](Plan& q) { q.threads = 32; },
      [](Plan& q) { q.kernel.loads = Loads::many; },
      [](Plan& q) { params<SymvParams>(q).strip_rows = 64; },
      [](Plan& q) { params<SymvParams>(q).strips -= 1; },
      [](Plan& q) { params<SymvParams>(q).units += 1; },
      [](Plan& q) { params<SymvParams>(q).blocks -= 1; },
      [](Plan& q) { q.shared_bytes += 16; },
      [](Plan& q) { q.workspace_bytes = 8; },
      [](Plan& q) { q.problem.scalars = Scalars::device; },
      [](Plan& q) { q.problem.accumulate = Accumulate::twice; },
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
