// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The search for the launch of a GEMV: all that it looks at can run, the model counts what a launch has, and what is
// found is hardly slower than the best.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "plan/device_fixtures.hpp"
#include "plan/device_traits.hpp"
#include "plan/gemv.hpp"
#include "plan/gemv_model.hpp"
#include "plan/problems.hpp"
#include "plan/registry.hpp"
#include "support/thorough.hpp"
#include "verify/random.hpp"

namespace onepass {
namespace {

// Any type, op, alignment, digits, with batches.
Problem any_problem(verify::Random& random) {
  const auto size = [&](double most) {
    return std::int64_t{1} + static_cast<std::int64_t>(std::exp(random.unit() * std::log(most)));
  };
  const char* const types = all_type_names[random.below(std::ssize(all_type_names))];
  const std::int64_t m = size(1e5), n = size(std::min(1e5, 5e7 / static_cast<double>(m)));
  Problem p = test::problem(types, random.one_in(2) ? Op::n : Op::t, Layout::column, m, n,
                            random.one_in(3) ? random.below(20) : 0);
  if (random.one_in(8)) p.m = size(20), p.n = size(20), p.lda = p.m;
  if (random.one_in(4)) p = test::batched(p, size(std::min(2e4, 1e8 / static_cast<double>(p.m * p.n))));
  p.alignment_a = random.one_in(2) ? 256 : 0;
  if (random.one_in(4) && p.type_a == p.type_y && size_of(p.type_a) > 2 && p.type_a != Type::w)
    p.accumulate = Accumulate::twice;
  return p;
}

double planned_blocks(const Plan& plan) {
  if (plan.kernel.variant == Variant::gemv_flat) return static_cast<double>(params<FlatParams>(plan).blocks);
  const GemvParams& g = params<GemvParams>(plan);
  return static_cast<double>(g.tiles * g.splits * plan.problem.batch);
}

TEST(Search, LooksAtLaunchesThatCanRunAndCountsThem) {
  verify::Random random(7);
  std::set<Variant> seen;
  const DeviceTraits traits = h200_traits();
  for (int i = 0; i < (test::thorough ? 600 : 60); ++i) {
    const Problem p = any_problem(random);
    const GemvModel model(p, traits);
    for (const ModelledChoice& c : all_choices(p, traits)) {
      Plan plan = plan_of(c.choice, p, traits);
      plan.backend = BackendId::cuda;
      ASSERT_EQ(why_illegal_on_device(plan), "") << describe(p) << " " << print(c.choice) << "\n" << print(plan);
      const GemvLaunch launch = launch_of(model, c.choice);
      ASSERT_EQ(launch.blocks, planned_blocks(plan)) << describe(p) << " " << print(c.choice) << "\n" << print(plan);
      ASSERT_EQ(resident_blocks(launch.warps, plan.threads, plan.shared_bytes, traits), resident_blocks(plan, traits))
          << describe(p) << " " << print(plan);
      ASSERT_NEAR(modelled_seconds(plan, traits), c.seconds, 1e-9 * c.seconds) << describe(p) << " " << print(plan);
      seen.insert(c.choice.variant);
    }
  }
  EXPECT_EQ(seen.size(), std::size(gemv_kernels));
}

TEST(Search, FindsNearlyTheBestOfAll) {
  verify::Random random(8);
  double sum = 0, worst = 0;
  constexpr int problems = test::thorough ? 3000 : 300;
  for (int i = 0; i < problems; ++i) {
    const Problem p = any_problem(random);
    const double found = best_choice(p, h200_traits()).seconds, best = all_choices(p, h200_traits()).front().seconds;
    ASSERT_GE(found, best) << describe(p);
    sum += found / best - 1;
    worst = std::max(worst, found / best - 1);
  }
  EXPECT_LT(sum / problems, 0.01);
  EXPECT_LT(worst, 0.35);
}

TEST(Search, IsOfOneKernelWhereThatIsAskedFor) {
  const Problem p = test::problem("b", Op::t, Layout::column, 70, 3000);
  for (const Variant variant : gemv_kernels) {
    const std::optional<ModelledChoice> best = best_choice(variant, p, h200_traits());
    EXPECT_EQ(best.has_value(), why_not_served(variant, p, h200_traits()) == nullptr) << name(variant);
    if (!best) continue;
    EXPECT_EQ(best->choice.variant, variant);
    EXPECT_GE(best->seconds, best_choice(p, h200_traits()).seconds);
  }
}

}  // namespace
}  // namespace onepass
