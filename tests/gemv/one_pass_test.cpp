// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// In which sectors the simulator sees A read, and what is prefetched; support/family counts the elements.
#include <gtest/gtest.h>

#include "backends/registry.hpp"
#include "backends/sim/counters.hpp"
#include "plan/gemv_shape.hpp"
#include "support/compare.hpp"
#include "support/family/on_backend.hpp"
#include "support/thorough.hpp"

namespace onepass::test {
namespace {

#ifdef ONEPASS_WITH_SIM

sim::Counters count(const Case& c) {
  const sim::WithOptions counted({.count_instructions = true});
  const Outcome outcome = run(sim_backend(), c, lay_out(c));
  EXPECT_TRUE(outcome.status.ok()) << c.name << ": " << outcome.status.text;
  return sim::last_counters();
}

// Later blocks find the launch before at its end, and would only ask twice.
TEST(Prefetch, IsForTheBlocksThatTheDeviceHolds) {
  for (const Op op : {Op::n, Op::t}) {
    Problem p{.op = op, .m = 256, .n = 256, .lda = 256};
    set_types(p, "s");
    const Case c{.name = describe(p), .problem = p};
    const auto prefetched = [&](std::int64_t blocks) {
      Plan plan = shape_gemv(p, op == Op::n ? Choice{Variant::gemv_n, Loads::many, 256, 16}
                                            : Choice{Variant::gemv_t, Loads::many, 128, 32});
      plan.backend = BackendId::sim;
      params<GemvParams>(plan).prefetch_blocks = blocks;
      EXPECT_TRUE(run(sim_backend(), c, lay_out(c), {.plan = [&](const Problem&) { return plan; }}).status.ok());
      return sim::last_counters().prefetches;
    };
    EXPECT_EQ(prefetched(0), 0);
    EXPECT_GT(prefetched(1), 0);
    EXPECT_EQ(prefetched(2), 2 * prefetched(1));
    EXPECT_GE(prefetched(1000), 4 * prefetched(1));
  }
}

// Shapes from the middle of what each variant is chosen for: split and not, tall, square and wide. From 8 MB
// and columns of 2 KB on the bus is what counts, and no sector is asked for twice where it can be helped;
// below, narrow tiles that ask the L2 again are faster than blocks too few for the device.
struct Extent {
  std::int64_t rows, cols;
};
constexpr Extent extents[] = {{1024, 128}, {512, 512}, {4096, 24}, {256, 1024}, {8192, 8}};
constexpr Extent large_extents[] = {{1500, 1500}, {20'000, 120}, {3000, 800}, {1100, 2200}};
constexpr Extent short_extents[] = {{16, 4096}, {24, 3000}, {9, 5000}};

Case case_of(const char* types, Op op, Extent extent, std::int64_t padding, int offset) {
  Problem p{.op = op, .m = extent.rows, .n = extent.cols, .lda = extent.rows + padding};
  set_types(p, types);
  return {.name = describe(p), .problem = p, .beta = 0.0, .offset_a = offset};
}

double sectors(const Case& c) {
  const sim::Counters counters = count(c);
  return static_cast<double>(counters.matrix_sectors_requested) / static_cast<double>(counters.matrix_sectors_needed);
}

// Counts of large matrices take long: of each type one op a day, and none under a sanitizer, where they are no others.
class Sectors : public testing::TestWithParam<std::tuple<const char*, Op>> {
 protected:
  void SetUp() override {
    if (slow_build()) GTEST_SKIP() << "takes long in this build";
    const auto [types, op] = GetParam();
    if (!takes_turn(types[0] / 2 + (op == Op::n ? 0 : 1), 2)) GTEST_SKIP() << "has its turn another day";
  }
};
INSTANTIATE_TEST_SUITE_P(sim, Sectors,
                         testing::Combine(testing::Values("s", "d", "c", "z", "h"), testing::Values(Op::n, Op::t)),
                         [](const auto& info) {
                           return std::string("sim_") + std::get<0>(info.param) + "_" + name(std::get<1>(info.param));
                         });

TEST_P(Sectors, OfAlignedRowsAreRequestedOnce) {
  const auto [types, op] = GetParam();
  EXPECT_LE(sectors(case_of(types, op, {2048, 2048}, 0, 0)), 1.05);
  // Of small ones lanes for half a sector are faster where all SMs have some.
  for (const Extent& extent : extents) EXPECT_LE(sectors(case_of(types, op, extent, 0, 0)), 2.05) << extent.rows;
}

TEST_P(Sectors, OfLargeMatricesAtTheWorstAlignmentAreRequestedSeldomTwice) {
  const auto [types, op] = GetParam();
  // By turns, so that every extent has every alignment in some type: gaps of one element, larger ones, and none.
  constexpr std::pair<int, int> alignments[] = {{1, 1}, {3, 0}, {0, 1}};
  std::size_t turn = static_cast<std::size_t>(types[0]) + static_cast<std::size_t>(op);
  for (Extent extent : large_extents) {
    const Case c = case_of(types, op, extent, 0, 0);
    extent.cols = extent.cols * 4 / size_of(c.problem.type_a);
    const auto [padding, offset] = alignments[turn++ % std::size(alignments)];
    EXPECT_LE(sectors(case_of(types, op, extent, padding, offset)), 1.3)  // 128 bytes in five sectors, and the ends
        << extent.rows << "x" << extent.cols << " padding " << padding << " offset " << offset;
  }
}

TEST_P(Sectors, OfSmallMatricesAtTheWorstAlignmentAreBounded) {
  const auto [types, op] = GetParam();
  for (const Extent& extent : extents)
    for (const auto& [padding, offset] : {std::pair{1, 1}, {3, 0}, {0, 7}})
      EXPECT_LE(sectors(case_of(types, op, extent, padding, offset)), 3.05)
          << extent.rows << "x" << extent.cols << " padding " << padding << " offset " << offset;
}

// Columns of at most eight sectors, where a lane or two to a column are faster than lanes that have nothing to do.
TEST_P(Sectors, OfShortColumnsAreBounded) {
  const auto [types, op] = GetParam();
  for (const Extent& extent : short_extents)
    for (const auto& [padding, offset] : {std::pair{0, 0}, {0, 1}, {0, 7}, {1, 0}, {1, 3}})
      EXPECT_LE(sectors(case_of(types, op, extent, padding, offset)), 5.05)
          << extent.rows << "x" << extent.cols << " padding " << padding << " offset " << offset;
}

#endif

}  // namespace
}  // namespace onepass::test
