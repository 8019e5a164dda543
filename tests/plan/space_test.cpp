// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The space of launches: tables and model choose inside it, and every kernel can run what is in it.
#include "tuning/space.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "plan/gemv_canonical.hpp"
#include "plan/gemv_tuned.hpp"
#include "plan/problems.hpp"
#include "plan/registry.hpp"
#include "plan/symv_tuned.hpp"

namespace onepass {
namespace {

using test::problem;

NamedValues with(NamedValues values, const Problem& p) {
  const NamedValues more = values_of(p);
  values.insert(values.end(), more.begin(), more.end());
  return values;
}

// gemv_t_once takes over launches of gemv_t, and has no space of its own.
const KernelSpace& space_of_plan(const Plan& plan) {
  const Variant variant = plan.kernel.variant;
  return space_of(variant == Variant::gemv_t_once ? Variant::gemv_t : variant);
}

// The kernels for small matrices, for short columns, for few and long sums and for the tensor cores have no space.
bool goes_by_a_rule(const Plan& plan) {
  return plan.kernel.variant == Variant::gemv_n_small || plan.kernel.variant == Variant::gemv_t_small ||
         plan.kernel.variant == Variant::gemv_t_short || plan.kernel.variant == Variant::gemv_t_tensor ||
         plan.kernel.variant == Variant::gemv_n_wide || plan.kernel.variant == Variant::gemv_t_tall;
}

std::string why_outside(const Plan& plan) {
  const auto* flat = std::get_if<FlatParams>(&plan.params);
  const int lanes = flat != nullptr ? flat->lanes : params<GemvParams>(plan).lanes;
  const bool prefetch = flat != nullptr ? flat->prefetch : params<GemvParams>(plan).prefetch_blocks > 0;
  return space_of_plan(plan).why_outside(with({{"threads", plan.threads},
                                               {"lanes", lanes},
                                               {"groups", plan.threads / lanes},
                                               {"warps", plan.threads / 32},
                                               {"few_loads", plan.kernel.loads == Loads::few},
                                               {"prefetch", prefetch}},
                                              plan.problem));
}

Problem triangle(const char* types, Uplo uplo, std::int64_t n, std::int64_t padding = 0) {
  Problem p = problem(types, Op::n, Layout::column, n, n, padding);
  p.routine = Routine::symv;
  p.uplo = uplo;
  return p;
}

TEST(Space, NamesTheParameterOrConstraintThatKeepsAChoiceOut) {
  const KernelSpace& space = space_of(Variant::gemv_n);
  EXPECT_EQ(space.why_outside({{"threads", 256}, {"lanes", 8}}), "");
  EXPECT_EQ(space.why_outside({{"threads", 48}}), "threads = 48 is outside the space of gemv_n");
  EXPECT_EQ(space.why_outside({{"threads", 128}, {"lanes", 256}}),
            "\"lanes <= threads\" does not hold in the space of gemv_n");
  EXPECT_EQ(space.why_outside({{"lanes", 1}, {"vectors", 1}}), "");
  EXPECT_NE(space.why_outside({{"lanes", 1}, {"vectors", 2}}), "");
  EXPECT_EQ(space.why_outside({{"classes", 4}, {"groups", 8}}), "");
  EXPECT_NE(space.why_outside({{"classes", 4}, {"groups", 6}}), "");
}

TEST(Space, HasTheChoicesOfTheModelAndOfTheRuleForFlatBatches) {
  DeviceTraits traits = h200_traits();
  traits.tuning = nullptr;
  std::set<Variant> seen;
  for (const std::int64_t m : {1, 7, 16, 100, 1227, 40000, 1048576})
    for (const std::int64_t n : {1, 7, 16, 100, 1227, 30000})
      for (const char* types : all_type_names)
        for (const Op op : {Op::n, Op::t})
          for (const std::int64_t padding : {0, 1})
            for (const std::int64_t batch : {1, 5, 5000}) {
              const Problem p = test::batched(problem(types, op, Layout::column, m, n, padding), batch);
              const Plan plan = plan_on_device(p, traits, BackendId::sim);
              seen.insert(plan.kernel.variant);
              if (goes_by_a_rule(plan)) continue;
              ASSERT_EQ(why_outside(plan), "") << describe(p) << "\n" << print(plan);
            }
  // All but the canonical ones, which have a model or a rule alone.
  const auto canonical = std::ranges::count_if(variants_of(Family::gemv), is_canonical, &VariantRow::variant);
  EXPECT_EQ(seen.size() + static_cast<std::size_t>(canonical), variants_of(Family::gemv).size());
}

TEST(Space, HasTheSplitsOfTheModel) {
  DeviceTraits traits = h200_traits();
  traits.tuning = nullptr;
  for (const std::int64_t m : test::mesh())
    for (const std::int64_t n : test::mesh())
      for (const Op op : {Op::n, Op::t}) {
        const Plan plan = plan_on_device(problem("s", op, Layout::column, m, n), traits, BackendId::sim);
        if (goes_by_a_rule(plan)) continue;
        const auto& shares = space_of_plan(plan).values("split_threads");
        const std::int64_t most = *std::ranges::max_element(shares) * std::int64_t{traits.sm_count} / plan.threads;
        const auto& shape = params<GemvParams>(plan);
        ASSERT_LE(shape.splits == 1 ? 1 : shape.splits * shape.tiles, most) << print(plan);
      }
}

TEST(Space, HasNoChoiceOfGemvThatCannotRun) {
  for (const Op op : {Op::n, Op::t}) {
    const KernelSpace& space = space_of(op == Op::n ? Variant::gemv_n : Variant::gemv_t);
    std::set<std::pair<std::string, int>> used;
    for (const char* types : {"s", "d", "z", "b"})
      for (const auto& [m, n] : {std::pair{16, 1000}, {26, 94089}, {1227, 1227}, {94089, 26}, {1, 5000}, {3000, 1}})
        for (const std::int64_t padding : {0, 1}) {
          const Problem p = problem(types, op, Layout::column, m, n, padding);
          const auto choices = gemv_choices(p, h200_traits());
          ASSERT_FALSE(choices.empty()) << describe(p);
          for (const GemvChoice& choice : choices) {
            Plan plan = choice.plan;
            plan.backend = BackendId::cuda;
            ASSERT_EQ(why_illegal_on_device(plan), "") << describe(p) << " " << print(choice.tuned) << "\n"
                                                       << print(plan);
            for (const NamedValue& v : values_of(choice.tuned)) used.insert({std::string(v.name), v.value});
          }
        }
    for (const Parameter& parameter : space.parameters)
      for (const int value : parameter.values)
        EXPECT_TRUE(used.contains({parameter.name, value}) ||
                    (parameter.name == "threads" && value < 128))  // of batches
            << space.name << " " << parameter.name << " " << value;
  }
}

TEST(Space, HasNoPrefetchWhereScalarsLieOnTheDevice) {
  Problem p = problem("s", Op::n, Layout::column, 1000, 1000);
  EXPECT_TRUE(std::ranges::any_of(gemv_choices(p, h200_traits()), [](const auto& c) { return c.tuned.prefetch; }));
  p.scalars = Scalars::device;
  EXPECT_TRUE(std::ranges::none_of(gemv_choices(p, h200_traits()), [](const auto& c) { return c.tuned.prefetch; }));
}

TEST(Space, HasNoChoiceOfSymvThatCannotRun) {
  const KernelSpace& space = space_of(Variant::symv);
  std::set<std::pair<std::string, int>> used;
  for (const char* types : {"s", "d", "z", "b"})
    for (const std::int64_t n : {20, 300, 2500, 20000})
      for (const std::int64_t padding : {0, 1}) {
        const Problem p = triangle(types, Uplo::upper, n, padding);
        for (const SymvChoice& choice : symv_choices(p, h200_traits())) {
          Plan plan = choice.plan;
          plan.backend = BackendId::cuda;
          ASSERT_EQ(why_illegal_on_device(plan), "") << describe(p) << " " << print(choice.tuned);
          for (const NamedValue& v : values_of(choice.tuned)) used.insert({std::string(v.name), v.value});
        }
      }
  for (const Parameter& parameter : space.parameters)
    for (const int value : parameter.values)
      EXPECT_TRUE(used.contains({parameter.name, value})) << parameter.name << " " << value;
}

}  // namespace
}  // namespace onepass
