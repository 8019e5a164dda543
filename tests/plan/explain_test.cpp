// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// An explanation names the choice, each decline with its reason, the bytes and the floor.
#include <gtest/gtest.h>

#include "plan/problems.hpp"
#include "plan/registry.hpp"

namespace onepass {
namespace {

TEST(Explain, ListsEveryOtherVariantAsDeclinedWithAReason) {
  const Plan plan = plan_on_device(test::problem("s", Op::n, Layout::column, 300, 200), h200_traits(), BackendId::sim);
  const Explanation e = explain(plan, h200_traits());
  EXPECT_EQ(e.plan, plan);
  ASSERT_EQ(e.declined.size() + 1, variants_of(Family::gemv).size());
  for (const Decline& d : e.declined) {
    EXPECT_NE(d.variant, plan.kernel.variant);
    EXPECT_FALSE(d.reason.empty());
  }
}

TEST(Explain, CountsAsCostDoes) {
  const Problem p = test::problem("d", Op::t, Layout::row, 4096, 512);
  const Explanation e = explain(plan_on_device(p, h200_traits(), BackendId::sim), h200_traits());
  EXPECT_EQ(e.cost.bytes(), cost(p).bytes());
  EXPECT_EQ(e.floor_seconds, floor_seconds(h200_traits().ceilings, cost(p).bytes()));
}

TEST(Explain, KnowsNoFloorWithoutCeilings) {
  DeviceTraits traits = h200_traits();
  traits.ceilings = {};
  const Problem p = test::problem("d", Op::t, Layout::row, 4096, 512);
  EXPECT_EQ(explain(plan_on_device(p, traits, BackendId::sim), traits).floor_seconds, 0);
}

TEST(Explain, PrintsAllOfThis) {
  const Plan plan =
      plan_on_device(test::problem("s", Op::t, Layout::column, 4096, 14336), h200_traits(), BackendId::sim);
  const std::string text = print(explain(plan, h200_traits()));
  for (const char* word : {"s T column 4096x14336", "gemv_t", "chosen    by a model of the launch, which expects ",
                           " us\n", "declined  gemv_n: ", "bytes", "floor", "sim"})
    EXPECT_NE(text.find(word), std::string::npos) << word << " is missing in:\n" << text;
}

TEST(Explain, OfAHostPlanDeclinesNothing) {
  const Plan plan{.problem = test::problem("s", Op::n, Layout::column, 3, 2), .kernel = {.variant = Variant::loops}};
  EXPECT_TRUE(explain(plan, {}).declined.empty());
  EXPECT_NE(print(explain(plan, {})).find("loops"), std::string::npos);
}

}  // namespace
}  // namespace onepass
