// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What must hold of every GEMV plan on every device: a legal launch that covers the problem once.
#include "plan/gemv.hpp"

#include <gtest/gtest.h>

#include "kernels/args.hpp"
#include "plan/problems.hpp"
#include "problem/check.hpp"
#include "support/element.hpp"

namespace onepass {
namespace {

using test::Device;

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0); }
bool power_of_two(std::int64_t v) { return v > 0 && (v & (v - 1)) == 0; }

bool is_flat(const Gemv& p) { return p.lda == stored(p).rows && p.lda * size_of(p.type_a) <= 256; }

// What tiles and splits of a variant divide among them.
struct Work {
  std::int64_t units, units_per_tile;  // of the outputs
  std::int64_t outputs_per_tile;       // places for sums
  std::int64_t terms;                  // of a sum, in the unit of chunks
};

Work work(const Plan& plan) {
  const Gemv& p = plan.problem;
  const Stored s = stored(p);
  const std::int64_t v = 16 / size_of(p.type_a), groups = plan.threads / plan.lanes;
  const std::int64_t bundle = kernels::gemv_t_bundle, classes = alignment_classes(p);
  switch (plan.variant) {
    case Variant::gemv_n: return {s.rows, plan.lanes * v, plan.lanes * v, s.cols};
    case Variant::gemv_t:
      return {ceil_div(s.cols, classes * bundle) * classes, groups, groups * bundle, ceil_div(s.rows + v - 1, v)};
    case Variant::gemv_flat_n: return {s.rows, s.rows, s.rows, s.cols};
    default: return {s.cols, plan.chunk, plan.chunk, 1};
  }
}

// The first thing that is wrong with a plan, or null.
const char* flaw(const Plan& plan, const Gemv& p) {
  if (plan.problem != p) return "it is for another problem";
  if (plan.backend != BackendId::sim) return "it is for another backend";
  const bool transposed = stored(p).transposed;
  const Variant wanted = is_flat(p) ? (transposed ? Variant::gemv_flat_t : Variant::gemv_flat_n)
                                    : (transposed ? Variant::gemv_t : Variant::gemv_n);
  if (plan.variant != wanted) return "the variant does not fit the problem";

  if (plan.threads < 32 || plan.threads > 1024 || plan.threads % 32 != 0) return "illegal number of threads";
  if (!power_of_two(plan.lanes) || plan.lanes > plan.threads) return "illegal lanes";
  if (plan.tiles < 1 || plan.tiles > 0x7fffffff) return "more tiles than a grid has";
  if (plan.splits < 1 || plan.splits > 65535) return "more splits than a grid has";
  if (plan.shared_bytes > 48 * 1024) return "more shared memory than a block has";

  const Work w = work(plan);
  if (plan.tiles * w.units_per_tile < w.units) return "outputs without a tile";
  if ((plan.tiles - 1) * w.units_per_tile >= w.units) return "a tile without outputs";
  if (plan.chunk < 1 || plan.splits * plan.chunk < w.terms) return "terms without a split";
  if ((plan.splits - 1) * plan.chunk >= w.terms) return "a split without terms";

  if ((plan.combine == Combine::ticket) != (plan.splits > 1)) return "the combination does not fit the splits";
  if ((plan.workspace_bytes != 0) != (plan.splits > 1)) return "the workspace does not fit the splits";
  if (plan.workspace_bytes > workspace_limit) return "more workspace than a handle has";
  if (plan.splits > 1) {
    if (plan.tiles * p.batch > max_counters) return "more tiles than counters";
    const std::int64_t partial = plan.tiles * p.batch * plan.splits * w.outputs_per_tile * size_of_sum(p.type_a);
    if (plan.workspace_bytes < counter_bytes + static_cast<std::size_t>(partial)) return "too little workspace";
  }
  return nullptr;
}

void expect_sound(const Gemv& p, const Device& device) {
  const Plan plan = plan_gemv(p, device.traits, BackendId::sim);
  const char* wrong = flaw(plan, p);
  ASSERT_EQ(why_illegal(plan), "") << describe(p) << "\n" << print(plan);
  ASSERT_EQ(wrong, nullptr) << device.name << ": " << wrong << "\n" << describe(p) << "\n" << print(plan);
}

class GemvPlan : public testing::TestWithParam<Device> {};

INSTANTIATE_TEST_SUITE_P(On, GemvPlan, testing::ValuesIn(test::devices()),
                         [](const auto& info) { return info.param.name; });

constexpr Layout layouts[] = {Layout::column, Layout::row};
constexpr Op ops[] = {Op::n, Op::t, Op::c};

TEST_P(GemvPlan, IsSoundOverTheMesh) {
  for (const std::int64_t m : test::mesh())
    for (const std::int64_t n : test::mesh())
      for (const char* types : test::all_type_names)
        for (const Layout layout : layouts)
          for (const Op op : ops)
            for (const std::int64_t batch : {1, 3, 70'000})
              ASSERT_NO_FATAL_FAILURE(
                  expect_sound(test::batched(test::problem(types, op, layout, m, n), batch), GetParam()));
}

TEST_P(GemvPlan, IsSoundOverEverySmallShape) {
  for (std::int64_t m = 1; m <= 80; ++m)
    for (std::int64_t n = 1; n <= 80; ++n)
      for (const char* types : {"s", "z", "b"})
        for (const Op op : {Op::n, Op::t})
          for (const std::int64_t padding : {0, 1, 2})
            ASSERT_NO_FATAL_FAILURE(expect_sound(test::problem(types, op, Layout::column, m, n, padding), GetParam()));
}

TEST_P(GemvPlan, IsSoundOverRandomProblems) {
  test::Random random(42);
  for (int i = 0; i < 100'000; ++i) {
    const auto size = [&](int bits) { return std::int64_t{1} + random.below(std::int64_t{1} << random.below(bits)); };
    Gemv p = test::problem(test::all_type_names[random.below(8)], ops[random.below(3)], layouts[random.below(2)],
                           size(34), size(26), random.below(3) == 0 ? size(20) : 0);
    if (random.below(2) == 0) p = test::batched(p, size(18));
    p.pointer_array = random.below(3) == 0;
    p.incx = random.below(7) - 3, p.incy = random.below(7) - 3;
    if (!check(p).ok()) continue;
    ASSERT_NO_FATAL_FAILURE(expect_sound(p, GetParam()));
  }
}

TEST_P(GemvPlan, IsTheSameEachTime) {
  const Gemv p = test::problem("d", Op::t, Layout::column, 12'345, 67);
  EXPECT_EQ(plan_gemv(p, GetParam().traits, BackendId::cuda), plan_gemv(p, GetParam().traits, BackendId::cuda));
}

TEST_P(GemvPlan, OfALongSumWithFewOutputsIsSplit) {
  EXPECT_GT(
      plan_gemv(test::problem("s", Op::n, Layout::column, 32, 1'000'000), GetParam().traits, BackendId::sim).splits, 1);
  EXPECT_GT(
      plan_gemv(test::problem("s", Op::t, Layout::column, 1'000'000, 8), GetParam().traits, BackendId::sim).splits, 1);
}

TEST_P(GemvPlan, OfManyOutputsIsNotSplit) {
  EXPECT_EQ(
      plan_gemv(test::problem("s", Op::n, Layout::column, 1'000'000, 512), GetParam().traits, BackendId::sim).splits,
      1);
  EXPECT_EQ(
      plan_gemv(test::problem("s", Op::t, Layout::column, 512, 1'000'000), GetParam().traits, BackendId::sim).splits,
      1);
}

TEST(AlignmentClasses, CountTheOffsetsAtWhichColumnsStart) {
  const auto classes = [](const char* types, std::int64_t lda) {
    Gemv p{.m = 1, .n = 1, .lda = lda};
    EXPECT_TRUE(set_types(p, types));
    return alignment_classes(p);
  };
  EXPECT_EQ(classes("s", 8), 1);
  EXPECT_EQ(classes("s", 6), 2);
  EXPECT_EQ(classes("s", 7), 4);
  EXPECT_EQ(classes("d", 7), 2);
  EXPECT_EQ(classes("z", 7), 1);
  EXPECT_EQ(classes("h", 1), 8);
  EXPECT_EQ(classes("h", 12), 2);
}

}  // namespace
}  // namespace onepass
