// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bits of y depend on the shape alone: not on the order of blocks and threads, not on earlier launches.
#include <gtest/gtest.h>

#include "backends/registry.hpp"
#include "backends/sim/counters.hpp"
#include "symv_device/triangle.hpp"

namespace onepass::test {
namespace {

class SymvOrder : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(sim, SymvOrder, testing::ValuesIn(all_kinds), kind_of);

TEST_P(SymvOrder, OfBlocksAndThreadsDoesNotChangeABit) {
  for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
    Case c = triangle_case(GetParam(), uplo, 500, {.padding = 1});
    c.fill = Fill::reals;
    const HostOperands operands = lay_out_triangle(c);
    const auto plan = [](const Problem& p) { return small_squares_plan(p, 2); };
    const Outcome first = run(sim_backend(), c, operands, {.plan = plan});
    ASSERT_TRUE(first.status.ok()) << first.status.text;
    ASSERT_GT(params<SymvSquaresParams>(*first.plan).blocks, 20);
    for (const auto order : {sim::BlockOrder::descending, sim::BlockOrder::shuffled}) {
      sim::options() = {.block_order = order, .seed = 7, .reverse_threads = true};
      const Outcome again = run(sim_backend(), c, operands, {.plan = plan});
      sim::options() = {};
      EXPECT_TRUE(again.status.ok()) << again.status.text;
      EXPECT_EQ(again.output, first.output);
      EXPECT_TRUE(again.damage.empty()) << again.damage;
    }
  }
}

}  // namespace
}  // namespace onepass::test
