// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Plans survive JSON unchanged; damaged, foreign and impossible ones are refused with the reason.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "backends/cpu/plan.hpp"
#include "plan/plan.hpp"
#include "plan/problems.hpp"
#include "plan/registry.hpp"
#include "verify/random.hpp"

namespace onepass {
namespace {

using nlohmann::json;

Plan split_plan() {
  return plan_on_device(test::problem("s", Op::t, Layout::column, 1'000'000, 8), h200_traits(), BackendId::cuda);
}

// As a handle for a GPU does: the text is a plan, and its numbers fit together.
Status load(std::string_view text, Plan* plan) {
  Status status = from_json(text, plan);
  if (!status.ok()) return status;
  if (plan->backend != BackendId::cuda) return {ONEPASS_STATUS_INVALID_PLAN, "this plan is for another backend"};
  return {why_illegal_on_device(*plan).empty() ? ONEPASS_STATUS_SUCCESS : ONEPASS_STATUS_INVALID_PLAN,
          why_illegal_on_device(*plan)};
}

TEST(PlanJson, OfAPlanThatWasSavedIsLoaded) {
  Plan plan;
  const Status status = load(to_json(split_plan()), &plan);
  EXPECT_TRUE(status.ok()) << status.text;
  EXPECT_EQ(plan, split_plan());
}

TEST(PlanJson, RoundTripsEveryField) {
  verify::Random random(7);
  for (const char* types : all_type_names)
    for (const Op op : {Op::n, Op::t, Op::c})
      for (const Layout layout : {Layout::column, Layout::row}) {
        Problem p =
            test::problem(types, op, layout, 1 + random.below(100'000), 1 + random.below(3000), random.below(4));
        p = test::batched(p, 1 + random.below(3));
        p.incx = -2, p.incy = 3;
        p.pointer_array = random.below(2) == 0;
        p.scalars = random.below(2) == 0 ? Scalars::host : Scalars::device;
        const Plan plan = plan_on_device(p, h200_traits(), BackendId::sim);

        Plan back;
        const Status status = from_json(to_json(plan), &back);

        ASSERT_TRUE(status.ok()) << status.text << "\n" << to_json(plan);
        EXPECT_EQ(back, plan) << to_json(plan);
      }
}

TEST(PlanJson, RoundTripsHeadsAndTails) {
  for (const char* types : {"s", "d", "c", "z"})
    for (const Tails tails : {Tails::x, Tails::xy}) {
      Problem p = test::problem(types, Op::n, Layout::column, 300, 200);
      p.accumulate = Accumulate::twice;
      p.tails = tails;
      const Plan plan = plan_on_device(p, h200_traits(), BackendId::cuda);
      Plan back;
      const Status status = from_json(to_json(plan), &back);
      ASSERT_TRUE(status.ok()) << status.text;
      EXPECT_EQ(back, plan) << to_json(plan);
    }
}

TEST(PlanJson, RoundTripsHostPlans) {
  for (const Plan& plan :
       {cpu::plan_gemv(test::problem("z", Op::n, Layout::column, 500, 300), 2),
        cpu::plan_symv({.routine = Routine::symv, .uplo = Uplo::upper, .m = 400, .n = 400, .lda = 405}, 2),
        Plan{.problem = test::problem("b", Op::t, Layout::row, 5, 3),
        .backend = BackendId::reference,
        .kernel = {.variant = Variant::loops}}}) {
    Plan back;
    const Status status = from_json(to_json(plan), &back);
    ASSERT_TRUE(status.ok()) << status.text;
    EXPECT_EQ(back, plan);
  }
}

TEST(PlanJson, RefusesEveryTruncationAndLeavesTheResultAlone) {
  const std::string text = to_json(split_plan());
  const Plan before{.problem = {.m = 77}};
  for (std::size_t length = 0; length < text.size(); ++length) {
    Plan plan = before;
    const Status status = from_json(std::string_view(text).substr(0, length), &plan);
    ASSERT_EQ(status.code, ONEPASS_STATUS_INVALID_PLAN) << length;
    ASSERT_FALSE(status.text.empty());
    ASSERT_EQ(plan, before);
  }
}

TEST(PlanJson, RefusesForeignTexts) {
  for (const char* text : {"", "null", "[]", "{}", "17", "\"plan\"", "hello", "{\"onepass_plan\": 1}",
                           "{\"onepass_plan\": 4}", "{\"onepass_plan\": 5, \"problem\": {}}", "\xff\xfe", "[[[[[[[["}) {
    Plan plan;
    EXPECT_EQ(from_json(text, &plan).code, ONEPASS_STATUS_INVALID_PLAN) << text;
  }
}

// Text that is nested without end fills no stack, wherever it stands.
TEST(PlanJson, RefusesDeepNesting) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  std::string threads = to_json(split_plan());
  const std::size_t at = threads.find("\"threads\": ") + 11;
  threads.replace(at, threads.find(',', at) - at, deep);
  for (const std::string& text : {deep, "{\"onepass_plan\": " + deep + "}", threads}) {
    Plan plan;
    const Status status = from_json(text, &plan);
    EXPECT_EQ(status.code, ONEPASS_STATUS_INVALID_PLAN);
    EXPECT_NE(status.text.find("nested deeper than"), std::string::npos) << status.text.substr(0, 200);
  }
}

// What is said of a text can itself be written as JSON, and is no longer than a line.
TEST(PlanJson, SaysWhyInShortValidTexts) {
  const std::string whole = to_json(split_plan());
  for (const char* bytes : {"\xff", "\xc3", "\xe2\x82", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xc3\xa9"})
    for (std::string text : {bytes + whole, whole + bytes, std::string(bytes)}) {
      Plan plan;
      const Status status = from_json(text, &plan);
      EXPECT_EQ(status.code, ONEPASS_STATUS_INVALID_PLAN);
      EXPECT_NO_THROW((void)json(status.text).dump()) << text;
    }
  json object = json::parse(whole);
  for (const char* key : {"backend", "threads"}) {
    json damaged = object;
    damaged[key] = std::string(100'000, 'x');
    Plan plan;
    const Status status = from_json(damaged.dump(), &plan);
    EXPECT_EQ(status.code, ONEPASS_STATUS_INVALID_PLAN);
    EXPECT_LT(status.text.size(), 200u);
  }
}

TEST(PlanJson, RefusesAPlanThatLacksAnyField) {
  const json whole = json::parse(to_json(split_plan()));
  for (const auto& [key, value] : whole.items()) {
    json damaged = whole;
    damaged.erase(key);
    Plan plan;
    const Status status = from_json(damaged.dump(), &plan);
    EXPECT_EQ(status.code, ONEPASS_STATUS_INVALID_PLAN) << key;
    EXPECT_NE(status.text.find(key), std::string::npos) << status.text;
  }
  for (const char* part : {"problem", "gemv"})
    for (const auto& [key, value] : whole[part].items()) {
      json damaged = whole;
      damaged[part].erase(key);
      Plan plan;
      const Status status = from_json(damaged.dump(), &plan);
      EXPECT_EQ(status.code, ONEPASS_STATUS_INVALID_PLAN) << key;
      EXPECT_NE(status.text.find(key), std::string::npos) << status.text;
    }
}

TEST(PlanJson, SaysWhatToDoAboutAKernelThatIsGone) {
  json saved = json::parse(to_json(split_plan()));
  saved["variant"] = "gemv_n_rows_canonical";
  Plan plan;
  const Status status = from_json(saved.dump(), &plan);
  EXPECT_NE(status.text.find("gemv_n_rows_canonical"), std::string::npos) << status.text;
  EXPECT_NE(status.text.find("made and saved again"), std::string::npos) << status.text;
}

struct Edit {
  const char* pointer;
  json value;
};

class PlanJsonRefuses : public testing::TestWithParam<Edit> {};

TEST_P(PlanJsonRefuses, AnImpossibleValue) {
  json object = json::parse(to_json(split_plan()));
  ASSERT_TRUE(object.contains(json::json_pointer(GetParam().pointer)));
  object[json::json_pointer(GetParam().pointer)] = GetParam().value;

  Plan plan;
  const Status status = load(object.dump(), &plan);

  EXPECT_EQ(status.code, ONEPASS_STATUS_INVALID_PLAN) << GetParam().pointer << " = " << GetParam().value;
  EXPECT_FALSE(status.text.empty());
}

void PrintTo(const Edit& edit, std::ostream* out) { *out << edit.pointer << " = " << edit.value; }

INSTANTIATE_TEST_SUITE_P(Field, PlanJsonRefuses,
                         testing::ValuesIn(std::vector<Edit>{
                             {"/onepass_plan", 4},
                             {"/onepass_plan", 6},
                             {"/onepass_plan", "5"},
                             {"/backend", "gpu"},
                             {"/backend", 3},
                             {"/backend", "reference"},
                             {"/variant", "gemm"},
                             {"/variant", "gemv_n"},
                             {"/variant", "cpu_t"},
                             {"/variant", "gemv_t_once"},
                             {"/variant", "gemv_flat"},
                             {"/variant", "symv"},
                             {"/form", "both"},
                             {"/form", 1},
                             {"/loads", "some"},
                             {"/loads", true},
                             {"/gemv", json::array()},
                             {"/gemv", 1},
                             {"/threads", 0},
                             {"/threads", -256},
                             {"/threads", 31},
                             {"/threads", 2048},
                             {"/threads", 4294967552},
                             {"/threads", "256"},
                             {"/threads", 256.5},
                             {"/gemv/lanes", 0},
                             {"/gemv/lanes", 3},
                             {"/gemv/lanes", 512},
                             {"/gemv/tiles", 0},
                             {"/gemv/tiles", -1},
                             {"/gemv/tiles", 1.5},
                             {"/gemv/splits", 0},
                             {"/gemv/splits", 1},
                             {"/gemv/splits", 65536},
                             {"/gemv/chunk", 0},
                             {"/gemv/chunk", -64},
                             {"/gemv/chunk", 1},
                             {"/gemv/tile", 0},
                             {"/gemv/tile", 33},
                             {"/gemv/prefetch_vectors", -1},
                             {"/gemv/prefetch_vectors", 33},
                             {"/gemv/products_per_block", 0},
                             {"/gemv/products_per_block", 2},
                             {"/gemv/prefetch_blocks", -1},
                             {"/gemv/prefetch_blocks", std::int64_t{1} << 40},
                             {"/shared_bytes", 0},
                             {"/shared_bytes", 1 << 20},
                             {"/shared_bytes", -1},
                             {"/workspace_bytes", 0},
                             {"/workspace_bytes", 65536},
                             {"/workspace_bytes", std::int64_t{1} << 40},
                             {"/workspace_bytes", -1},
                             {"/problem", json::array()},
                             {"/problem/routine", "gemm"},
                             {"/problem/types", "q"},
                             {"/problem/types", "ssd"},
                             {"/problem/op", "H"},
                             {"/problem/layout", "diagonal"},
                             {"/problem/scalars", "both"},
                             {"/problem/m", -1},
                             {"/problem/m", 1e30},
                             {"/problem/n", 800'000'000},
                             {"/problem/lda", 10},
                             {"/problem/incx", 0},
                             {"/problem/incy", nullptr},
                             {"/problem/batch", -1},
                             {"/problem/pointer_array", 2},
                         }));

TEST(TraitsJson, IsAnObjectWithTheTraits) {
  const json object = json::parse(to_json(h200_traits()));
  EXPECT_EQ(object.at("name"), h200_traits().name);
  EXPECT_EQ(object.at("sm_count"), 132);
  EXPECT_EQ(object.at("arch"), 90);
}

}  // namespace
}  // namespace onepass
