// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// One pass: every element of the stored triangle is read exactly once, none of the other, in few sectors.
#include <gtest/gtest.h>

#include <vector>

#include "backends/registry.hpp"
#include "backends/sim/counters.hpp"
#include "symv_device/triangle.hpp"

namespace onepass::test {
namespace {

constexpr Uplo both[] = {Uplo::lower, Uplo::upper};

sim::Counters count(const Case& c) {
  const Outcome outcome = run(sim_backend(), c, lay_out_triangle(c));
  EXPECT_TRUE(outcome.status.ok()) << c.name << ": " << outcome.status.text;
  return sim::last_counters();
}

class SymvOnePass : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(sim, SymvOnePass, testing::ValuesIn(all_kinds), kind_of);

TEST_P(SymvOnePass, ReadsTheStoredTriangleExactlyOnce) {
  for (const Uplo uplo : both)
    for (const std::int64_t n : {1, 2, 3, 6, 8, 17, 64, 100, 128, 129, 250, 400})
      for (const Twist& twist : {Twist{}, {.padding = 1, .offset_a = 1}, {.padding = 3}, {.offset_a = 5}}) {
        if (!thorough && n > 64 && n % 2 == 0) continue;
        const Case c = triangle_case(GetParam(), uplo, n, twist);
        const sim::Counters counters = count(c);
        ASSERT_EQ(counters.matrix_elements_needed, n * (n + 1) / 2) << c.name;
        ASSERT_EQ(counters.matrix_elements_again, 0) << c.name;
        ASSERT_EQ(counters.matrix_elements_never, 0) << c.name;
        ASSERT_EQ(counters.matrix_elements_unneeded, 0) << c.name;
        ASSERT_EQ(counters.outputs_never, 0) << c.name;
        ASSERT_EQ(counters.hazards, 0) << c.name;
      }
}

double sectors(const Case& c) {
  const sim::Counters counters = count(c);
  return static_cast<double>(counters.matrix_sectors_requested) / static_cast<double>(counters.matrix_sectors_needed);
}

TEST_P(SymvOnePass, RequestsSectorsOfAlignedColumnsOnce) {
  if (!thorough) GTEST_SKIP() << "takes long in this build";
  for (const Uplo uplo : both)
    for (const std::int64_t n : {256, 704}) {
      const Case c = triangle_case(GetParam(), uplo, n);
      EXPECT_LE(sectors(c), 1.05) << c.name;
    }
}

TEST_P(SymvOnePass, RequestsSectorsAtTheWorstAlignmentSeldomTwice) {
  if (!thorough) GTEST_SKIP() << "takes long in this build";
  for (const Uplo uplo : both)
    for (const std::int64_t n : {500, 777})
      for (const Twist& twist : {Twist{.padding = 1, .offset_a = 1}, {.padding = 3}, {.offset_a = 1}}) {
        const Case c = triangle_case(GetParam(), uplo, n, twist);
        EXPECT_LE(sectors(c), 1.25) << c.name << " offset " << twist.offset_a;
      }
}

}  // namespace
}  // namespace onepass::test
