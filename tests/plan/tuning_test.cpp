// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A user's table: which problems an entry serves, and which texts are no tables.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "plan/gemv.hpp"
#include "plan/problems.hpp"
#include "plan/registry.hpp"
#include "plan/tuning_table.hpp"

namespace onepass {
namespace {

using test::problem;

constexpr const char* entry = R"("s N 1000x4000 any": {"launch": "gemv_n many 256/16/3", "gain": 1.25})";

// A table of one shape, but for what is put in place of `old`.
std::string table(const std::string& old = "", const std::string& put = "") {
  std::string text = R"({"onepass_tuning": 4, "device": "a GPU", "arch": 90, "sm_count": 132, "shapes": {)" +
                     std::string(entry) + "}}";
  if (const std::size_t at = old.empty() ? std::string::npos : text.find(old); at != std::string::npos)
    text.replace(at, old.size(), put);
  return text;
}

TuningTable read(const std::string& text) {
  TuningTable read;
  const Status status = read_table(text, "", &read);
  EXPECT_TRUE(status.ok()) << status.text;
  return read;
}

std::string refusal(const std::string& text) {
  TuningTable table;
  return read_table(text, "", &table).text;
}

Plan plan_with(const TuningTables& tables, const Problem& p) {
  DeviceTraits traits = h200_traits();
  traits.tuning = &tables;
  return plan_on_device(p, traits, BackendId::sim);
}

TEST(TuningTable, DecidesOfTheVeryShapeAlone) {
  const TuningTables tables{.user = read(table())};
  const Problem p = problem("s", Op::n, Layout::column, 1000, 4000);
  const Plan plan = plan_with(tables, p);
  EXPECT_EQ(print(choice_of(plan)), "gemv_n many 256/16/3");
  DeviceTraits traits = h200_traits();
  traits.tuning = &tables;
  EXPECT_EQ(explain(plan, traits).chooser, "the table of a GPU, shape s N 1000x4000 any");

  Problem row_major = problem("s", Op::t, Layout::row, 4000, 1000);
  EXPECT_EQ(print(choice_of(plan_with(tables, row_major))), "gemv_n many 256/16/3");
  const auto is_left = [&](const Problem& other) {
    return plan_with(tables, other) == plan_on_device(other, h200_traits(), BackendId::sim);
  };
  EXPECT_FALSE(is_left(p));
  EXPECT_TRUE(is_left(problem("s", Op::n, Layout::column, 1000, 4001)));
  EXPECT_TRUE(is_left(problem("s", Op::n, Layout::column, 1001, 4000)));
  EXPECT_TRUE(is_left(problem("s", Op::t, Layout::column, 1000, 4000)));
  EXPECT_TRUE(is_left(problem("d", Op::n, Layout::column, 1000, 4000)));
  EXPECT_TRUE(is_left(test::batched(p, 2)));
  Problem other = p;
  other.lda = 1008;
  other.alignment_a = 64;
  EXPECT_TRUE(is_left(other)) << "columns that start on lines have entries of their own";
  other = p;
  other.accumulate = Accumulate::twice;
  EXPECT_TRUE(is_left(other));
  other = p;
  other.order = Order::canonical;
  EXPECT_TRUE(is_left(other));
}

// The entry is for plain products of one alignment; others with its shape need not be able to run its launch.
TEST(TuningTable, IsPassedOverWhereItsKernelCannotServe) {
  const TuningTables tables{.user = read(table("gemv_n many 256/16/3", "gemv_n_small few 256/16/1"))};
  Problem p = problem("s", Op::n, Layout::column, 1000, 4000);
  EXPECT_EQ(plan_with(tables, p).kernel.variant, Variant::gemv_n_small);
  p.scalars = Scalars::device;
  EXPECT_EQ(plan_with(tables, p), plan_on_device(p, h200_traits(), BackendId::sim));
  const TuningTables odd{.user = read(table("256/16/3", "256/128/1"))};
  p = problem("s", Op::n, Layout::column, 1000, 4000);
  EXPECT_EQ(params<GemvParams>(plan_with(odd, p)).lanes, 128);
  p.lda = 1001;  // two groups of lanes cannot keep four alignments apart
  EXPECT_EQ(plan_with(odd, p), plan_on_device(p, h200_traits(), BackendId::sim));
}

TEST(TuningTable, IsWrittenAsItIsRead) {
  TuningTable one = read(table());
  one.how = "by \"hand\"";
  one.commit = "abc";
  one.shapes.push_back({.kind = {.type = Type::b, .across = true, .aligned = true, .rows = 4096, .cols = 28672},
                        .choice = {.variant = Variant::gemv_t_tensor, .threads = 256, .lanes = 256, .share = 8},
                        .gain = 1.0625});
  std::ranges::sort(one.shapes, {}, &TunedShape::kind);
  EXPECT_EQ(read(write_table(one)), one) << write_table(one);
  EXPECT_NE(
      write_table(one).find(R"("b T 4096x28672 aligned": {"launch": "gemv_t_tensor many 256/256/8", "gain": 1.0625})"),
      std::string::npos)
      << write_table(one);
  one.shapes.clear();
  EXPECT_EQ(read(write_table(one)), one) << write_table(one);
}

// One with the prices of the model and without shapes.
TuningTable priced() {
  TuningTable table = read(R"({"onepass_tuning": 4, "device": "a GPU", "arch": 90, "sm_count": 132})");
  table.prices = prices_of(h200_traits());
  (*table.prices)[place_of(Variant::gemv_n)].launch = 1.25;
  table.model = {.problems = 500, .launches = 12000, .held_out = 100, .over_fastest = 1.023, .worst = 1.28};
  return table;
}

TEST(TuningTable, HasPricesThatAreWrittenAsTheyAreRead) {
  TuningTable one = priced();
  EXPECT_EQ(read(write_table(one)), one) << write_table(one);
  one.shapes = read(table()).shapes;
  (*one.prices)[place_of(Variant::gemv_t)].load[7] = 0.3125;
  EXPECT_EQ(read(write_table(one)), one) << write_table(one);
}

TEST(TuningTable, HasPricesThatPlansFollow) {
  TuningTables tables{.user = priced()};
  DeviceTraits traits = h200_traits();
  traits.tuning = &tables;
  const Problem p = problem("s", Op::n, Layout::column, 1000, 4000);
  const Plan before = plan_on_device(p, h200_traits(), BackendId::sim);
  EXPECT_EQ(plan_with(tables, p), before);
  EXPECT_TRUE(
      explain(before, traits).chooser.starts_with("a model of the launch with the prices of the table of a GPU,"))
      << explain(before, traits).chooser;
  (*tables.user->prices)[place_of(before.kernel.variant)].launch = 100;
  EXPECT_NE(plan_with(tables, p).kernel.variant, before.kernel.variant);
  for (const double price : {0.0, 1e308})
    for (const char* type : {"s", "b"}) {
      for (GemvPrices& of_kernel : *tables.user->prices)
        GemvPrices::fields(of_kernel, [&](const char*, auto& value, auto...) {
          if constexpr (requires { value.size(); })
            value.fill(price);
          else
            value = price;
        });
      const Problem any = problem(type, Op::t, Layout::column, 300, 900);
      EXPECT_EQ(why_illegal_on_device(plan_with(tables, any)), "") << price;
    }
}

TEST(TuningTable, RefusesPricesThatAreNone) {
  const std::string text = write_table(priced());
  const struct {
    const char *old, *put, *named;
  } damages[] = {
      {"\"gemv_n\": {", "\"gemv_x\": {", "prices has no \"gemv_n\""},
      {"\"prices\": {", "\"prices\": {\"symv\": {}, ", "prices has an unknown key \"symv\""},
      {"\"prices\": {", "\"prices\": [], \"gemv\": {", "\"gemv\""},
      {"\"gemv_n\": {\"launch\": 1.25", "\"gemv_n\": {\"launch\": -1", "launch = -1 in gemv_n is no number from 0 on"},
      {"\"gemv_n\": {\"launch\": 1.25", "\"gemv_n\": {\"launch\": \"1\"", "launch = \"1\""},
      {"\"gemv_n\": {\"launch\": 1.25", "\"gemv_n\": {\"launch\": 1e999", "number overflow"},
      {"\"gemv_n\": {\"launch\": 1.25, ", "\"gemv_n\": {", "gemv_n has no \"launch\""},
      {"\"gemv_n\": {", "\"gemv_n\": {\"speed\": 1, ", "gemv_n has an unknown key \"speed\""},
      {"\"s wider\"", "\"s tails\"", "load of gemv_flat has no \"s wider\""},
      {"\"load\": {", "\"load\": {\"q\": 1, ", "load of gemv_flat has an unknown key \"q\""},
      {"\"load\": {\"s\": ", "\"load\": {\"s\": -", "in load of gemv_flat is no number"},
      {"\"problems\": 500", "\"problems\": 0.5", "problems = 0.5"},
      {"\"problems\": 500", "\"problems\": -5", "problems = -5"},
      {"\"worst\": 1.28", "\"worst\": null", "worst = null"},
      {"\"worst\"", "\"best\"", "model has no \"worst\""},
  };
  for (const auto& damage : damages) {
    std::string other = text;
    ASSERT_NE(other.find(damage.old), std::string::npos) << damage.old;
    const std::string refused =
        refusal(other.replace(other.find(damage.old), std::string(damage.old).size(), damage.put));
    EXPECT_NE(refused.find(damage.named), std::string::npos) << damage.old << " -> " << damage.put << ": " << refused;
  }
}

TEST(TuningTable, RefusesWhatIsNoTable) {
  const struct {
    const char *old, *put, *named;
  } damages[] = {
      {"\"onepass_tuning\": 4", "\"onepass_tuning\": 3", "run `onepass tune` again"},
      {"\"onepass_tuning\": 4", "\"onepass_tuning\": 5", "this library is older and reads version 4"},
      {"\"onepass_tuning\": 4", "\"onepass_tuning\": \"4\"", "is no version such as 4"},
      {"\"onepass_tuning\": 4, ", "", "onepass_tuning"},
      {"\"device\": \"a GPU\", ", "", "it has no \"device\""},
      {"\"device\": \"a GPU\"", "\"device\": 7", "device = 7"},
      {"\"device\"", "\"speed\": 1, \"device\"", "\"speed\""},
      {"\"shapes\"", "\"rows\": [1], \"shapes\"", "\"rows\""},
      {"{\"s N", "[{\"s N", "parse error"},
      {"s N 1000x4000 any", "s N 1000x4000", "a name like"},
      {"s N 1000x4000 any", "s N 1000x4000 all", "a name like"},
      {"s N 1000x4000 any", "s N 01000x4000 any", "a name like"},
      {"s N 1000x4000 any", "s N 1000x-4000 any", "a name like"},
      {"s N 1000x4000 any", "s N 1000x0 any", "a name like"},
      {"s N 1000x4000 any", "s N 1000 any", "a name like"},
      {"s N 1000x4000 any", "s N 99999999999999999999x1 any", "a name like"},
      {"s N 1000x4000 any", "s L 1000x4000 any", "a name like"},
      {"s N 1000x4000 any", "q N 1000x4000 any", "a name like"},
      {"s N 1000x4000 any", "x", "a name like"},
      {"gemv_n many", "gemv_n_wide many", "or of a kernel that this version does not have: run `onepass tune` again"},
      {"gemv_n many", "symv many", "is no launch"},
      {"gemv_n many", "gemv_n some", "is no launch"},
      {"256/16/3", "256/16", "is no launch"},
      {"256/16/3", "256/16/3/1", "is no launch"},
      {"256/16/3", "256/16/0", "is no launch"},
      {"256/16/3", "256/-16/3", "is no launch"},
      {"256/16/3", "256/16/3x", "is no launch"},
      {"256/16/3", "999999999999/16/3", "is no launch"},
      {"\"gain\": 1.25", "\"gain\": 0", "gain = 0"},
      {"\"gain\": 1.25", "\"gain\": \"1\"", "gain = "},
      {", \"gain\": 1.25", "", "it has no \"gain\""},
      {"\"gain\"", "\"won\": 1, \"gain\"", "\"won\""},
      {entry, "\"s N 1000x4000 any\": 7", "is no object"},
  };
  for (const auto& damage : damages) {
    const std::string refused = refusal(table(damage.old, damage.put));
    EXPECT_NE(refused.find(damage.named), std::string::npos) << damage.old << " -> " << damage.put << ": " << refused;
  }
}

// Text that is nested without end fills no stack, wherever it stands.
TEST(TuningTable, RefusesDeepNesting) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  for (const std::string& text : {deep, "{\"onepass_tuning\": " + deep + "}", table("\"gemv_n many 256/16/3\"", deep)})
    EXPECT_NE(refusal(text).find("nested deeper than"), std::string::npos);
}

TEST(TuningTable, RefusesBytesThatAreNoUtf8AndSaysWhere) {
  for (const char* bytes : {"\xff", "\xc3", "\xe2\x82", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80"})
    EXPECT_EQ(refusal(table("a GPU", bytes)),
              "it is not valid UTF-8: byte " + std::to_string(table().find("a GPU") + 1));
  EXPECT_EQ(refusal(table("a GPU", "\xc3\xa9")), "");
  const std::string outside = refusal(table("\"shapes\"", "\xc3\xa9 \"shapes\""));
  EXPECT_NE(outside, "");
  EXPECT_NO_THROW((void)nlohmann::json(outside).dump());
}

// Numbers that no integer holds.
TEST(TuningTable, RefusesNumbersOutOfRange) {
  for (const char* number : {"1e300", "-1e300", "90.5", "true", "4294967386", "18446744073709551615", "\"90\"", "[]"})
    EXPECT_NE(refusal(table("\"arch\": 90", "\"arch\": " + std::string(number))).find("arch"), std::string::npos)
        << number;
}

TEST(AChoice, IsPrintedAsItIsRead) {
  for (const char* types : {"s", "b"})
    for (const Op op : {Op::n, Op::t})
      for (const ModelledChoice& c : all_choices(problem(types, op, Layout::column, 900, 700), h200_traits()))
        ASSERT_EQ(parse_choice(print(c.choice)), c.choice) << print(c.choice);
  EXPECT_EQ(parse_choice(""), std::nullopt);
  EXPECT_EQ(parse_choice("gemv_n"), std::nullopt);
  EXPECT_EQ(parse_choice("gemv_n many 256/16/4 "), std::nullopt);
}

}  // namespace
}  // namespace onepass
