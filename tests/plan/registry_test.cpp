// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The registry of kernels: its lists agree, and a plan of every variant is saved, loaded and checked by its own kind.
#include "plan/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "backends/cpu/plan.hpp"
#include "launch/launch.hpp"
#include "plan/plan.hpp"
#include "plan/problems.hpp"
#include "plan/symv_shape.hpp"

namespace onepass {
namespace {

Problem triangle(const char* types, std::int64_t n) {
  Problem p = test::problem(types, Op::n, Layout::column, n, n);
  p.routine = Routine::symv;
  return p;
}

Problem update(std::int64_t m, std::int64_t lda) {
  Problem p = test::problem("d", Op::n, Layout::column, m, 200);
  p.routine = Routine::ger;
  p.lda = lda;
  return p;
}

Problem aligned(Problem p) {
  p.alignment_a = 256;
  return p;
}

Problem canonical(Problem p) {
  p.order = Order::canonical;
  return p;
}

Problem twice(Problem p) {
  p.accumulate = Accumulate::twice;
  p.alignment_a = 256;
  return p;
}

// A problem that is planned for each device variant.
const std::map<Variant, Problem>& examples() {
  static const std::map<Variant, Problem> list = {
      {Variant::gemv_flat, test::batched(test::problem("s", Op::n, Layout::column, 4, 4), 5000)},
      {Variant::gemv_n, test::problem("d", Op::t, Layout::row, 30'000, 200)},
      {Variant::gemv_n_small, test::problem("d", Op::t, Layout::row, 300, 200)},
      {Variant::gemv_t_small, test::problem("d", Op::t, Layout::column, 200, 300)},
      {Variant::gemv_t, test::problem("s", Op::t, Layout::column, 40'000, 3000)},
      {Variant::gemv_t_short, test::problem("b", Op::t, Layout::column, 100, 100'000)},
      {Variant::gemv_t_tensor, test::problem("b", Op::t, Layout::column, 4096, 500)},
      {Variant::gemv_t_once, test::problem("b", Op::t, Layout::column, 70, 3000)},
      {Variant::gemv_n_canonical, canonical(test::problem("d", Op::t, Layout::row, 5000, 200))},
      {Variant::gemv_n_small_canonical, canonical(test::problem("d", Op::t, Layout::row, 300, 200))},
      {Variant::gemv_t_small_canonical, canonical(test::problem("d", Op::t, Layout::column, 700, 100))},
      {Variant::gemv_t_canonical, canonical(test::problem("z", Op::t, Layout::column, 20'000, 50))},
      {Variant::symv_squares, triangle("c", 1500)},
      {Variant::symv_canonical, canonical(triangle("c", 1600))},
      {Variant::symv_rows_canonical, canonical(triangle("c", 500))},
      {Variant::symv_small, test::batched(triangle("s", 65), 1000)},
      {Variant::symv_rows, triangle("c", 500)},
      {Variant::symv_tiles, twice(triangle("z", 2000))},
      {Variant::ger_aligned, aligned(update(300, 304))},
      {Variant::ger_flat, update(300, 300)},
      {Variant::ger, update(300, 304)},
  };
  return list;
}

std::vector<Plan> plans_of_every_variant() {
  std::vector<Plan> plans;
  for (const auto& [variant, p] : examples()) plans.push_back(plan_on_device(p, h200_traits(), BackendId::sim));
  return plans;
}

TEST(KernelRows, AreAllDifferent) {
  for (std::size_t i = 0; i < kernel_rows.size(); ++i) {
    EXPECT_EQ(find_kernel(kernel_rows[i].id), &kernel_rows[i]) << name(kernel_rows[i].id.variant) << " stands twice";
  }
}

TEST(KernelRows, AreOfVariantsThatTheirFamilyPlans) {
  for (const KernelRow& kernel : kernel_rows)
    EXPECT_EQ(std::ranges::count(variants_of(kernel.family), kernel.id.variant, &VariantRow::variant), 1)
        << name(kernel.id.variant);
  for (const Family family : all_families)
    for (const VariantRow& row : variants_of(family))
      EXPECT_TRUE(std::ranges::any_of(
          kernel_rows, [&](const KernelRow& k) { return k.family == family && k.id.variant == row.variant; }))
          << name(row.variant) << " has no kernel";
}

// Whether there is such a kernel for a type that its family takes.
bool is_compiled(const KernelId& id, Type type) {
  const Variant variant = id.variant;
  const bool half = size_of(type) == 2, double_double = type == Type::w;
  if (std::string_view(name(variant)).ends_with("_canonical")) return !half && !double_double;
  if (variant == Variant::symv_squares && id.loads == Loads::many) return !double_double;
  if (variant == Variant::symv_squares && id.form == Form::plain) return type != Type::d && type != Type::c;
  if (variant == Variant::symv_tiles) return double_double;              // and sums with more digits
  if (variant == Variant::gemv_t_small) return !half && !double_double;  // two-byte elements are loaded in vectors only
  if (variant == Variant::gemv_t_short) return !double_double;
  if (variant == Variant::gemv_t_tensor) return half;
  if (variant == Variant::gemv_n || variant == Variant::gemv_t || variant == Variant::gemv_t_once)
    return !(double_double && id.loads == Loads::few);  // launches as those of sums with more digits
  return !(variant == Variant::gemv_n_small && double_double);
}

TEST(KernelRows, HaveTheRegistersOfEveryType) {
  for (const KernelRow& kernel : kernel_rows)
    for (const Type type : all_types) {
      bool taken = false;
      for (const RoutineRow& r : routines)
        taken = taken || (r.family == kernel.family && r.types.find(name(type)) != std::string_view::npos);
      taken = taken && is_compiled(kernel.id, type);
      const int registers = kernel.registers[static_cast<std::size_t>(elements_of({.type_a = type, .type_x = type}))];
      EXPECT_EQ(registers >= 1, taken) << name(kernel.id.variant) << " " << name(type);
      EXPECT_LE(registers, 255) << name(kernel.id.variant) << " " << name(type);
    }
}

TEST(KernelRows, AreVisitedOnceByFamily) {
  std::size_t visited = 0;
  const auto visit = [&]<Family family>() {
    const auto see = [&]<KernelId id>() {
      ++visited;
      EXPECT_EQ(find_kernel(id)->family, family) << name(id.variant);
    };
    for_each_kernel<family, ElementsId::s>(see);
    // Those of more digits alone, of two bytes alone, and of the largest elements alone.
    const auto see_other = [&]<KernelId id>() {
      if (!find_kernel(id)->serves(ElementsId::s)) see.template operator()<id>();
    };
    for_each_kernel<family, ElementsId::z_twice>(see_other);
    for_each_kernel<family, ElementsId::b>(see_other);
    const auto see_largest = [&]<KernelId id>() {
      const KernelRow& row = *find_kernel(id);
      if (!row.serves(ElementsId::z_twice) && !row.serves(ElementsId::b)) see_other.template operator()<id>();
    };
    for_each_kernel<family, ElementsId::z>(see_largest);
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) { (visit.template operator()<all_families[i]>(), ...); }
  (std::make_index_sequence<all_families.size()>{});
  EXPECT_EQ(visited, kernel_rows.size());
}

// Their mailboxes may take twice the workspace of other plans.
TEST(Triangles, SummedTwiceHaveTilesUpToALargerWorkspace) {
  for (const std::int64_t n : {2048, 8192, 16384}) {
    const Plan plan = plan_on_device(twice(triangle("z", n)), h200_traits(), BackendId::cuda);
    EXPECT_EQ(plan.kernel.variant, Variant::symv_tiles) << n;
    EXPECT_EQ(plan.workspace_bytes > workspace_limit, n == 16384) << n;
    EXPECT_EQ(why_illegal_on_device(plan), "") << n;
    Plan of_plain_sums = plan;
    of_plain_sums.problem.accumulate = Accumulate::standard;
    EXPECT_NE(why_illegal_on_device(of_plain_sums), "") << n;
  }
}

// Short columns in more blocks than start at once cost more than blocks with more of them.
TEST(CanonicalOrder, HasFewBlocksOfShortColumns) {
  for (const auto& [m, n] : {std::pair(26, 8443), std::pair(16, 13674), std::pair(42, 5213), std::pair(16, 3219)}) {
    const Plan plan =
        plan_on_device(canonical(test::problem("s", Op::t, Layout::column, m, n)), h200_traits(), BackendId::cuda);
    ASSERT_EQ(plan.kernel.variant, Variant::gemv_t_canonical) << m << "x" << n;
    EXPECT_LE(params<GemvParams>(plan).tiles, 400) << m << "x" << n;
  }
}

// A sum has no more splits than a block can add up, and a workspace room for.
TEST(CanonicalOrder, HasALegalLaunchOfVeryLongSums) {
  for (const char* types : {"s", "z"})
    for (const Layout layout : {Layout::column, Layout::row})
      for (const auto& [outputs, terms] : {std::pair<std::int64_t, std::int64_t>{1, 400'000'000},
                                           {28, 200'000'000},
                                           {340, 40'000'000},
                                           {4143, 1'400'000}}) {
        const Problem p = canonical(test::problem(types, Op::n, layout, outputs, terms));
        const Plan plan = plan_on_device(p, h200_traits(), BackendId::cuda);
        EXPECT_EQ(why_illegal_on_device(plan), "") << print(plan);
      }
}

TEST(Variants, AreEachPlannedForTheirExample) {
  for (const Family family : all_families)
    for (const VariantRow& row : variants_of(family)) {
      ASSERT_TRUE(examples().contains(row.variant)) << "no example of " << name(row.variant);
      const Problem& p = examples().at(row.variant);
      const Plan plan = plan_on_device(p, h200_traits(), BackendId::sim);
      EXPECT_STREQ(name(plan.kernel.variant), name(row.variant)) << describe(p);
      EXPECT_EQ(row.decline(p, h200_traits()), nullptr) << name(row.variant);
      EXPECT_EQ(&variant_of(plan), &row);
      EXPECT_EQ(plan.backend, BackendId::sim);
      EXPECT_EQ(plan.problem, p);
    }
}

TEST(Variants, PlanTheKindOfParametersThatTheyHave) {
  for (const Plan& plan : plans_of_every_variant()) {
    EXPECT_EQ(plan.params.index(), parameters_of(plan.kernel.variant).index()) << print(plan);
    EXPECT_NE(find_kernel(plan.kernel), nullptr) << print(plan);
    EXPECT_EQ(why_illegal_on_device(plan), "") << print(plan);
  }
}

TEST(Variants, OfEveryKindOfParametersAreSavedAndLoaded) {
  std::vector<Plan> plans = plans_of_every_variant();
  plans.push_back(cpu::plan_gemv(test::problem("s", Op::n, Layout::column, 2000, 3000), 3));
  plans.push_back({.problem = test::problem("s", Op::n, Layout::column, 3, 2)});
  std::set<std::size_t> kinds;
  for (const Plan& plan : plans) {
    Plan back;
    const Status status = from_json(to_json(plan), &back);
    ASSERT_TRUE(status.ok()) << status.text << "\n" << to_json(plan);
    EXPECT_EQ(back, plan) << to_json(plan);
    kinds.insert(plan.params.index());
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<Params>) << "a kind of parameters has no plan here";
}

TEST(Variants, RefuseTheParametersOfAnother) {
  const Params all[] = {NoParams{},        HostParams{},     GemvParams{},        FlatParams{},    SymvParams{},
                        SymvSmallParams{}, SymvRowsParams{}, SymvSquaresParams{}, GerFlatParams{}, GerParams{}};
  static_assert(std::size(all) == std::variant_size_v<Params>);
  for (const Plan& plan : plans_of_every_variant())
    for (const Params& other : all) {
      if (other.index() == plan.params.index()) continue;
      Plan edited = plan;
      edited.params = other;
      EXPECT_EQ(why_illegal_on_device(edited), "the parameters are those of another variant") << print(edited);
    }
}

TEST(Variants, RefuseKernelsThatNobodyCompiled) {
  for (const Plan& plan : plans_of_every_variant())
    for (int v = 0; v <= static_cast<int>(last_variant); ++v)
      for (const Form form : {Form::plain, Form::general})
        for (const Loads loads : {Loads::few, Loads::many}) {
          Plan edited = plan;
          edited.kernel = {static_cast<Variant>(v), form, loads};
          const KernelRow* const row = find_kernel(edited.kernel);
          if (row != nullptr && row->family == family(plan.problem)) continue;
          EXPECT_NE(why_illegal_on_device(edited), "") << print(edited);
        }
}

}  // namespace
}  // namespace onepass
