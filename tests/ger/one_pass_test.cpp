// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// In which sectors the simulator sees A updated, and what is prefetched; support/family counts the elements.
#include <gtest/gtest.h>

#include "backends/registry.hpp"
#include "backends/sim/counters.hpp"
#include "plan/registry.hpp"
#include "support/family/on_backend.hpp"

namespace onepass::test {
namespace {

#ifdef ONEPASS_WITH_SIM

struct Extent {
  std::int64_t rows, cols;
};
constexpr Extent extents[] = {{512, 128}, {4096, 12}, {100, 500}, {33, 1000}, {20'000, 3}, {3, 20'000}};
// Columns of 4 KB and more, in all types: what the ends of columns share with others is little.
constexpr Extent large_extents[] = {{1024, 40}, {1500, 60}, {20'000, 4}};

double sectors(const char* types, Layout layout, const Extent& extent, std::int64_t padding, int offset) {
  const bool row_major = layout == Layout::row;
  Case c{.problem = sized({.routine = Routine::ger, .layout = layout}, types, row_major ? extent.cols : extent.rows,
                          row_major ? extent.rows : extent.cols),
         .offset_a = offset};
  c.problem.lda += padding;
  const sim::WithOptions counted({.count_instructions = true});
  const Outcome outcome = run(sim_backend(), c, lay_out(c));
  EXPECT_TRUE(outcome.status.ok()) << outcome.status.text;
  const sim::Counters counters = sim::last_counters();
  EXPECT_GT(counters.matrix_sectors_needed, 0);
  return static_cast<double>(counters.matrix_sectors_requested) / static_cast<double>(counters.matrix_sectors_needed);
}

// Counts of large matrices take long, and are no others under a sanitizer.
class Sectors : public testing::TestWithParam<std::tuple<const char*, Layout>> {
 protected:
  void SetUp() override {
    if (slow_build()) GTEST_SKIP() << "takes long in this build";
  }
};
INSTANTIATE_TEST_SUITE_P(sim, Sectors,
                         testing::Combine(testing::Values("s", "d", "c", "z"),
                                          testing::Values(Layout::column, Layout::row)),
                         [](const auto& info) {
                           return std::string("sim_") + std::get<0>(info.param) + "_" + name(std::get<1>(info.param));
                         });

TEST_P(Sectors, OfAMatrixWithoutGapsAreRequestedOnce) {
  const auto [types, layout] = GetParam();
  for (const Extent& extent : extents)
    EXPECT_LE(sectors(types, layout, extent, 0, 0), 1.05) << extent.rows << "x" << extent.cols;
}

TEST_P(Sectors, OfLargeMatricesAtAnyAlignmentAreRequestedSeldomTwice) {
  const auto [types, layout] = GetParam();
  for (const Extent& extent : large_extents)
    for (const auto& [padding, offset] : {std::pair{0, 1}, {1, 0}, {1, 1}, {3, 0}, {32, 5}})
      EXPECT_LE(sectors(types, layout, extent, padding, offset), 1.25)
          << extent.rows << "x" << extent.cols << " padding " << padding << " offset " << offset;
}

TEST(Prefetch, IsOfSmallPlainUpdates) {
  const auto prefetches = [](Problem p, bool wanted) {
    const Case c{.problem = p};
    Plan plan = shape_ger_flat(p);
    plan.backend = BackendId::sim;
    params<GerFlatParams>(plan).prefetch = wanted;
    EXPECT_TRUE(run(sim_backend(), c, lay_out(c), {.plan = [&](const Problem&) { return plan; }}).status.ok());
    return sim::last_counters().prefetches;
  };
  const Problem p = sized({.routine = Routine::ger}, "s", 256, 16);
  EXPECT_TRUE(params<GerFlatParams>(shape_ger_flat(p)).prefetch);
  EXPECT_FALSE(params<GerFlatParams>(shape_ger_flat(sized(p, "d", 4096, 4096))).prefetch);
  EXPECT_EQ(prefetches(p, false), 0);
  EXPECT_EQ(prefetches(p, true), 256 * 16 / 2 / 4) << "of a slot in four";
}

#endif

}  // namespace
}  // namespace onepass::test
