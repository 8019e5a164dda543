// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// In which sectors the simulator sees a triangle read; values_test.cpp counts the elements.
#include <gtest/gtest.h>

#include <vector>

#include "backends/registry.hpp"
#include "backends/sim/counters.hpp"
#include "symv_device/triangle.hpp"

namespace onepass::test {
namespace {

sim::Counters count(const Case& c) {
  const sim::WithOptions counted({.count_instructions = true});
  const Outcome outcome = run(sim_backend(), c, lay_out_triangle(c), {.plan = squares_plan});
  EXPECT_TRUE(outcome.status.ok()) << c.name << ": " << outcome.status.text;
  return sim::last_counters();
}

class SymvSectors : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(sim, SymvSectors, testing::ValuesIn(all_kinds), kind_of);

double sectors(const Case& c) {
  const sim::Counters counters = count(c);
  return static_cast<double>(counters.matrix_sectors_requested) / static_cast<double>(counters.matrix_sectors_needed);
}

TEST_P(SymvSectors, OfAlignedColumnsAreRequestedOnce) {
  if (!thorough) GTEST_SKIP() << "takes long in this build";
  for (const Uplo uplo : both)
    for (const std::int64_t n : {256, 704}) {
      const Case c = triangle_case(GetParam(), uplo, n);
      EXPECT_LE(sectors(c), 1.05) << c.name;
    }
}

TEST_P(SymvSectors, AtTheWorstAlignmentAreRequestedSeldomTwice) {
  if (!thorough) GTEST_SKIP() << "takes long in this build";
  for (const Uplo uplo : both)
    for (const std::int64_t n : {500, 777})
      for (const Twist& twist : {Twist{.padding = 1, .offset_a = 1}, {.padding = 3}, {.offset_a = 1}}) {
        const Case c = triangle_case(GetParam(), uplo, n, twist);
        // A warp asks for 32 elements of a column at a time, and at most one sector more than they fill.
        EXPECT_LE(sectors(c), 1.01 + 1.0 / static_cast<double>(size_of(c.problem.type_a)))
            << c.name << " offset " << twist.offset_a;
      }
}

}  // namespace
}  // namespace onepass::test
