// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Tables of measured launches: which cell serves a problem, and which texts are no tables.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "plan/explain.hpp"
#include "plan/gemv_small_rule.hpp"
#include "plan/gemv_tuned.hpp"
#include "plan/problems.hpp"
#include "plan/registry.hpp"
#include "plan/symv_shape.hpp"
#include "tuning/lookup.hpp"

namespace onepass {
namespace {

using test::problem;

// A table of two sizes, all of whose meshes are the same, but for what is put in place of `old`.
std::string table(const std::string& old = "", const std::string& put = "") {
  std::string meshes;
  for (const char* type : {"s", "d", "c", "z", "b"})
    for (const char* op : {"N", "T"})
      for (const char* aligned : {"any", "aligned"})
        meshes += (meshes.empty() ? "\"" : ", \"") + std::string(type) + " " + op + " " + aligned +
                  R"(": ["256/8/0f 128/16/384p", "128/32/768fp -"])";
  std::string text = R"({"onepass_tuning": 3, "device": "a GPU", "arch": 90, "sm_count": 132,
    "rows": [100, 1000], "cols": [100, 10000], "gemv": {)" +
                     meshes + "}}";
  if (const std::size_t at = old.empty() ? std::string::npos : text.find(old); at != std::string::npos)
    text.replace(at, old.size(), put);
  return text;
}

Tuning read(const std::string& text) {
  Tuning tuning;
  const Status status = Tuning::parse(text, "", &tuning);
  EXPECT_TRUE(status.ok()) << status.text;
  return tuning;
}

TEST(TuningTable, GivesTheCellThatIsNearestByRatio) {
  const Tuning tuning = read(table());
  const auto cell = [&](std::int64_t m, std::int64_t n) {
    return tuning.gemv(problem("s", Op::n, Layout::column, m, n));
  };
  EXPECT_EQ(cell(100, 100).tuned, (Tuned{.threads = 256, .lanes = 8, .split_threads = 0, .few_loads = true}));
  EXPECT_EQ(cell(300, 999).tuned, cell(100, 100).tuned);
  EXPECT_EQ(cell(317, 999).rows, 1000);
  EXPECT_EQ(cell(100, 1001).tuned,
            (Tuned{.threads = 128, .lanes = 16, .split_threads = 384, .few_loads = false, .prefetch = true}));
  EXPECT_EQ(cell(1000, 100).tuned,
            (Tuned{.threads = 128, .lanes = 32, .split_threads = 768, .few_loads = true, .prefetch = true}));
}

TEST(TuningTable, GivesTheNextLongerSumWhereThatSavesATrip) {
  const Tuning tuning = read(R"({"onepass_tuning": 3, "device": "a GPU", "arch": 90, "sm_count": 132,
    "rows": [100, 200], "cols": [100, 200], "gemv": {
    "s N any": ["128/4/0f 128/4/0", "128/4/0f 128/4/0"], "s T any": ["128/32/0f 128/32/0f", "128/64/0f 128/64/0f"],
    "d N any": ["128/4/0f 128/4/0f", "128/4/0f 128/4/0f"]}})");
  const auto cell = [&](const char* type, Op op, std::int64_t m, std::int64_t n) {
    const TunedCell found = tuning.gemv(problem(type, op, Layout::column, m, n));
    return std::to_string(found.rows) + "x" + std::to_string(found.cols);
  };
  EXPECT_EQ(cell("s", Op::n, 129, 128), "100x100");  // 32 groups with four columns each
  EXPECT_EQ(cell("s", Op::n, 129, 129), "100x200");
  EXPECT_EQ(cell("s", Op::t, 125, 129), "100x100");  // 32 lanes with a vector each, at the worst alignment
  EXPECT_EQ(cell("s", Op::t, 126, 129), "200x100");
  EXPECT_EQ(cell("d", Op::n, 129, 129), "100x100");  // where it saves none
}

TEST(TuningTable, ACellThatWasNotMeasuredIsLikeItsSmallerNeighbour) {
  const Tuning tuning = read(table());
  EXPECT_EQ(tuning.gemv(problem("s", Op::n, Layout::column, 1000, 10000)).tuned,
            tuning.gemv(problem("s", Op::n, Layout::column, 1000, 100)).tuned);
}

// The table with a shape of its own in one mesh.
std::string table_with_shape(const std::string& entry) {
  return table("\"gemv\"", "\"shapes\": {\"b T aligned\": {\"100x5000000\": \"128/2/0\", " + entry + "}}, \"gemv\"");
}

TEST(TuningTable, GivesASingleShapeItsOwnEntry) {
  const Tuning tuning = read(table_with_shape(R"("4096x28672": "128/32/0fp", "96x100": "128/4/0p")"));
  const auto found = [&](const char* type, Op op, std::int64_t m, std::int64_t n, std::int64_t alignment = 32) {
    Problem p = problem(type, op, Layout::column, m, n);
    p.alignment_a = alignment;
    const TunedCell cell = tuning.gemv(p);
    return print(cell.tuned) + " of " + std::to_string(cell.rows) + "x" + std::to_string(cell.cols);
  };
  EXPECT_EQ(found("b", Op::t, 4096, 28672), "128/32/0fp of 4096x28672");  // far beyond the mesh
  EXPECT_EQ(found("b", Op::t, 96, 100), "128/4/0p of 96x100");
  EXPECT_EQ(found("h", Op::t, 96, 100), "128/4/0p of 96x100");
  Problem row_major = problem("b", Op::n, Layout::row, 100, 96);
  row_major.alignment_a = 32;
  EXPECT_EQ(tuning.gemv(row_major).cols, 100);
  EXPECT_EQ(print(tuning.gemv(row_major).tuned), "128/4/0p");
  for (const std::string& other : {found("b", Op::t, 96, 101), found("b", Op::t, 128, 100), found("b", Op::n, 96, 100),
                                   found("s", Op::t, 96, 100), found("b", Op::t, 96, 100, 2)})
    EXPECT_EQ(other, "256/8/0f of 100x100");
  EXPECT_EQ(tuning.gemv(row_major, {.rows = 1}).rows, 1000);  // beside it is the mesh
  EXPECT_EQ(tuning.gemv(row_major, {.cols = 1}).cols, 10000);
  EXPECT_EQ(tuning.gemv(row_major, {.cols = -1}).tuned.threads, 0);
  EXPECT_EQ(tuning.gemv(test::batched(row_major, 2)).tuned.threads, 0);
}

TEST(TuningTable, MayHaveSingleShapesAlone) {
  const Tuning tuning = read(R"({"onepass_tuning": 3, "device": "a GPU", "arch": 90, "sm_count": 132,
    "shapes": {"d N any": {"7x9": "128/2/0"}}})");
  EXPECT_EQ(tuning.gemv(problem("d", Op::n, Layout::column, 7, 9)).tuned.threads, 128);
  EXPECT_EQ(tuning.gemv(problem("d", Op::n, Layout::column, 7, 10)).tuned.threads, 0);
}

TEST(TuningTable, RefusesSingleShapesThatAreNone) {
  const struct {
    const char *entry, *named;
  } damages[] = {{R"("100": "128/4/0")", "\"100\""},
                 {R"("100x0": "128/4/0")", "\"100x0\""},
                 {R"("x100": "128/4/0")", "\"x100\""},
                 {R"("100x100x1": "128/4/0")", "\"100x100x1\""},
                 {R"("-1x100": "128/4/0")", "\"-1x100\""},
                 {R"("100x": "128/4/0")", "\"100x\""},
                 {R"("100x100": "128/4")", "\"128/4\""},
                 {R"("100x100": "96/4/0")", "threads = 96"},
                 {R"("99999999999999999999x1": "128/4/0")", "is no shape"}};
  for (const auto& damage : damages) {
    Tuning tuning;
    const Status status = Tuning::parse(table_with_shape(damage.entry), "", &tuning);
    EXPECT_FALSE(status.ok()) << damage.entry;
    EXPECT_NE(status.text.find(damage.named), std::string::npos) << status.text;
  }
}

TEST(TuningTable, SaysNothingBeyondItsEndsAndOfBatches) {
  const Tuning tuning = read(table());
  for (const auto& [m, n] : {std::pair{70, 100}, {100, 70}, {1300, 100}, {100, 13000}})
    EXPECT_EQ(tuning.gemv(problem("s", Op::n, Layout::column, m, n)).tuned.threads, 0) << m << "x" << n;
  EXPECT_EQ(tuning.gemv(test::batched(problem("s", Op::n, Layout::column, 100, 100), 2)).tuned.threads, 0);
}

TEST(TuningTable, TellsOrientationsAlignmentsAndTypes) {
  const auto changed = [](const char* mesh, const Problem& p) {
    const std::string old = std::string("\"") + mesh + "\": [\"256/8/0f";
    const Tuning tuning = read(table(old, std::string("\"") + mesh + "\": [\"128/8/0"));
    return tuning.gemv(p).tuned.threads == 128;
  };
  Problem p = problem("d", Op::t, Layout::column, 104, 100);
  p.alignment_a = 32;
  EXPECT_TRUE(changed("d T aligned", p));
  EXPECT_FALSE(changed("d T any", p));
  EXPECT_FALSE(changed("d N aligned", p));
  EXPECT_FALSE(changed("s T aligned", p));
  p.alignment_a = 8;
  EXPECT_TRUE(changed("d T any", p));
  p = problem("h", Op::n, Layout::row, 100, 101);
  EXPECT_TRUE(changed("b T any", p));  // fp16 as bf16, and row major as the transpose
}

TEST(TuningTable, RefusesWhatIsNoTable) {
  const struct {
    const char *old, *put, *named;
  } damages[] = {
      {"\"onepass_tuning\": 3", "\"onepass_tuning\": 1", "made for version 1"},
      {"\"onepass_tuning\": 3", "\"onepass_tuning\": 2, \"space\": 2", "made for version 2 of the tables"},
      {"\"onepass_tuning\": 3", "\"onepass_tuning\": 2", "run `onepass tune` again"},
      {"\"onepass_tuning\": 3", "\"onepass_tuning\": 4", "this library is older and reads version 3"},
      {"\"onepass_tuning\": 3", "\"onepass_tuning\": \"3\"", "is no version such as 3"},
      {"\"onepass_tuning\": 3, ", "", "onepass_tuning"},
      {"\"device\": \"a GPU\", ", "", "it has no \"device\""},
      {"\"device\": \"a GPU\"", "\"device\": 7", "device = 7"},
      {"\"onepass_tuning\": 3", "\"onepass_tuning\": 3, \"speed\": 1", "\"speed\""},
      {"\"onepass_tuning\": 3", "\"onepass_tuning\": 3, \"space\": 2", "\"space\""},
      {"\"s N any\"", "\"s N all\"", "a name like"},
      {"256/8/0f", "96/8/0", "threads = 96"},
      {"256/8/0f", "128/256/0", "lanes <= threads"},
      {"256/8/0f", "256/8/100", "split_threads = 100"},
      {"256/8/0f", "256/8", "\"256/8\""},
      {"256/8/0f", "256/8/0x", "\"256/8/0x\""},
      {"256/8/0f", "256/8/0s", "\"256/8/0s\""},
      {"256/8/0f", "0/8/0", "\"0/8/0\""},
      {"256/8/0f", "256/0/0", "\"256/0/0\""},
      {"256/8/0f", "256/-8/0", "\"256/-8/0\""},
      {"256/8/0f", "99999/8/0", "\"99999/8/0\""},
      {"128/16/384p", "", "1 entries"},
      {", \"128/32/768fp -\"", "", "1 lines"},
      {"[100, 1000]", "[1000, 100]", "axis"},
      {"[100, 1000]", "[0, 1000]", "axis"},
      {"[100, 1000]", "[]", "axis"},
  };
  for (const auto& damage : damages) {
    Tuning tuning;
    const Status status = Tuning::parse(table(damage.old, damage.put), "", &tuning);
    EXPECT_FALSE(status.ok()) << damage.old << " -> " << damage.put;
    EXPECT_NE(status.text.find(damage.named), std::string::npos) << status.text;
  }
}

std::string refusal(const std::string& text) {
  Tuning tuning;
  return Tuning::parse(text, "", &tuning).text;
}

// Text that is nested without end fills no stack, wherever it stands.
TEST(TuningTable, RefusesDeepNesting) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  for (const std::string& text : {deep, "{\"onepass_tuning\": " + deep + "}", table("\"256/8/0f 128/16/384p\"", deep)})
    EXPECT_NE(refusal(text).find("nested deeper than"), std::string::npos);
}

TEST(TuningTable, RefusesBytesThatAreNoUtf8AndSaysWhere) {
  for (const char* bytes : {"\xff", "\xc3", "\xe2\x82", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80"})
    EXPECT_EQ(refusal(table("a GPU", bytes)),
              "it is not valid UTF-8: byte " + std::to_string(table().find("a GPU") + 1));
  EXPECT_EQ(refusal(table("a GPU", "\xc3\xa9")), "");
  const std::string outside = refusal(table("\"rows\"", "\xc3\xa9 \"rows\""));
  EXPECT_NE(outside, "");
  EXPECT_NO_THROW((void)nlohmann::json(outside).dump());
}

// Numbers that no integer holds.
TEST(TuningTable, RefusesNumbersOutOfRange) {
  for (const char* number : {"1e300", "-1e300", "90.5", "true", "4294967386", "18446744073709551615", "\"90\"", "[]"}) {
    EXPECT_NE(refusal(table("\"arch\": 90", "\"arch\": " + std::string(number))).find("arch"), std::string::npos)
        << number;
    EXPECT_NE(refusal(table("[100, 1000]", "[100, " + std::string(number) + "]")), "") << number;
  }
}

TEST(TuningTable, NeedNotHaveEveryMesh) {
  const Tuning tuning = read(R"({"onepass_tuning": 3, "device": "a GPU", "arch": 90, "sm_count": 132,
    "rows": [100], "cols": [100], "gemv": {"d N any": ["256/8/0"]}})");
  EXPECT_EQ(tuning.gemv(problem("d", Op::n, Layout::column, 100, 100)).tuned.threads, 256);
  EXPECT_EQ(tuning.gemv(problem("s", Op::n, Layout::column, 100, 100)).tuned.threads, 0);
  EXPECT_EQ(tuning.symv(problem("d", Op::n, Layout::column, 100, 100)).tuned.threads, 0);
}

constexpr const char* of_triangles = R"({"onepass_tuning": 3, "device": "a GPU", "arch": 90,
  "sm_count": 132, "n": [100, 1000, 10000], "symv": {"d L any": "128/1/c2 256/4/512 -"}})";

Problem triangle(const char* types, Uplo uplo, std::int64_t n) {
  Problem p = problem(types, Op::n, Layout::column, n, n);
  p.routine = Routine::symv;
  p.uplo = uplo;
  return p;
}

TEST(TuningTable, OfTrianglesHasOneAxis) {
  const Tuning tuning = read(of_triangles);
  EXPECT_EQ(tuning.symv(triangle("d", Uplo::lower, 101)).tuned, (TunedSymv{.threads = 128, .panels = 1, .columns = 2}));
  EXPECT_EQ(tuning.symv(triangle("d", Uplo::lower, 900)).tuned,
            (TunedSymv{.threads = 256, .panels = 4, .split_threads = 512}));
  EXPECT_EQ(tuning.symv(triangle("d", Uplo::lower, 9000)).n, 10000);
  EXPECT_EQ(tuning.symv(triangle("d", Uplo::lower, 9000)).tuned.panels, 4);
  EXPECT_EQ(tuning.symv(triangle("d", Uplo::upper, 900)).tuned.threads, 0);
  Problem mirrored = triangle("d", Uplo::upper, 900);
  mirrored.layout = Layout::row;
  EXPECT_EQ(tuning.symv(mirrored).tuned.panels, 4);
}

TEST(TuningTable, OfTrianglesDecides) {
  const TuningTables tables{.user = read(of_triangles)};
  DeviceTraits traits = h200_traits();
  traits.tuning = &tables;
  const Problem p = triangle("d", Uplo::lower, 901);
  const Plan plan = plan_on_device(p, traits, BackendId::sim);
  EXPECT_EQ(symv_list(plan).panels, 4);
  EXPECT_NEAR(static_cast<double>(params<SymvParams>(plan).blocks), 2 * 132, 132);
  EXPECT_EQ(explain(plan, traits).chooser, "the table of a GPU, cell 1000");
  EXPECT_EQ(explain(plan_on_device(p, h200_traits(), BackendId::sim), h200_traits()).chooser,
            "the rule for small matrices");
}

TEST(TuningTable, PrintsItsEntries) {
  EXPECT_EQ(print(Tuned{.threads = 256, .lanes = 16, .split_threads = 384, .few_loads = true, .prefetch = true}),
            "256/16/384fp");
  EXPECT_EQ(print(TunedSymv{.threads = 256, .panels = 1, .columns = 2}), "256/1/c2");
  EXPECT_EQ(print(TunedSymv{.threads = 256, .panels = 4, .split_threads = 512}), "256/4/512");
}

TEST(TuningTable, OfTheH200IsBuiltInAndDecides) {
  EXPECT_EQ(h200_traits().tuning->built_in->title(), "the table of NVIDIA H200");
  int decided = 0, cells = 0;
  for (const std::int64_t m : test::mesh())
    for (const std::int64_t n : test::mesh()) {
      const Problem p = problem("s", Op::n, Layout::column, m, n);
      const Tuned cell = find_gemv(h200_traits(), p).tuned;
      ASSERT_GT(cell.threads, 0) << m << "x" << n;
      if (why_no_small_gemv(p, h200_traits()) == nullptr) continue;
      const Plan plan = plan_on_device(p, h200_traits(), BackendId::cuda);
      ++cells;
      if (plan.threads == cell.threads && (plan.kernel.loads == Loads::few) == cell.few_loads) ++decided;
    }
  EXPECT_GT(decided, cells / 2);  // the others are declined, or served by a rule
}

// The rule for small matrices was measured beside the table of the library, and steps back behind that of a user.
TEST(TuningTable, OfAUserDecidesSmallMatricesToo) {
  const TuningTables tables{.user = read(R"({"onepass_tuning": 3, "device": "a GPU", "arch": 90, "sm_count": 132,
    "rows": [100], "cols": [100], "gemv": {"s N any": ["128/8/0"]}})")};
  const Problem p = problem("s", Op::n, Layout::column, 100, 100);
  DeviceTraits traits = h200_traits();
  EXPECT_EQ(plan_on_device(p, traits, BackendId::sim).kernel.variant, Variant::gemv_n_small);
  traits.tuning = &tables;
  EXPECT_EQ(plan_on_device(p, traits, BackendId::sim).kernel.variant, Variant::gemv_n);
}

// Two lanes of a column that starts anywhere would ask for most sectors twice.
TEST(TuningTable, ServesOddColumnsByTheNextRowWhereItsLaunchSuitsEvenOnesOnly) {
  Tuning tuning = read(R"({"onepass_tuning": 3, "device": "a GPU", "arch": 90, "sm_count": 132,
    "rows": [700, 1000, 1400], "cols": [1000], "gemv": {"s N any": ["128/8/0", "256/2/0", "256/16/384"]}})");
  const TuningTables tables{.user = tuning};
  DeviceTraits traits = h200_traits();
  traits.tuning = &tables;
  const auto lanes = [&](std::int64_t m, std::int64_t lda) {
    Problem p = problem("s", Op::n, Layout::column, m, 1000);
    p.lda = lda;
    p.alignment_a = 32;
    return params<GemvParams>(plan_on_device(p, traits, BackendId::sim)).lanes;
  };
  EXPECT_EQ(lanes(1000, 1000), 2);
  EXPECT_EQ(lanes(1000, 1001), 16);
  EXPECT_EQ(lanes(700, 701), 8);
}

// 396 blocks of 256 threads fit on the device, and half of them leave room for the next launch.
TEST(TuningTable, ServesOutputsThatWouldCrowdTheDeviceByTheNextCell) {
  const auto threads = [](Op op, std::int64_t m, std::int64_t n, const std::string& prefetch) {
    const TuningTables tables{.user = read(R"({"onepass_tuning": 3, "device": "a GPU", "arch": 90,
      "sm_count": 132, "rows": [500, 760, 960], "cols": [500, 760, 960], "gemv": {
      "d T any": ["- - -", "- 256/256/0)" + prefetch +
                                           R"( 128/128/0", "- - -"],
      "d N any": ["- - -", "- 256/2/0)" + prefetch +
                                           R"( -", "- 128/2/0 -"]}})")};
    DeviceTraits traits = h200_traits();
    traits.tuning = &tables;
    Problem p = problem("d", op, Layout::column, m, n);
    p.alignment_a = 32;
    return plan_on_device(p, traits, BackendId::sim).threads;
  };
  EXPECT_EQ(threads(Op::t, 801, 792, "p"), 256);  // 198 blocks
  EXPECT_EQ(threads(Op::t, 801, 793, "p"), 128);  // 199
  EXPECT_EQ(threads(Op::t, 801, 793, ""), 256);   // which do not prefetch
  EXPECT_EQ(threads(Op::t, 851, 600, "p"), 256);  // longer sums take no more blocks
  EXPECT_EQ(threads(Op::n, 788, 801, "p"), 256);  // four rows a block
  EXPECT_EQ(threads(Op::n, 796, 801, "p"), 128);
}

// Columns that all start on 16 bytes, but not on lines, take the launches of odd ones: in lanes of whole columns, of
// which a block has more outputs than threads, no sum can be split.
TEST(TuningTable, OfTheH200SplitsTheSumsOfEvenColumnsLikeThoseOfOddOnes) {
  const struct {
    const char* type;
    std::int64_t m, n;
  } cases[] = {{"s", 7000, 3660}, {"s", 9000, 3660}, {"s", 14244, 3660}, {"c", 6702, 2576},
               {"b", 5688, 6220}, {"b", 5692, 6220}, {"d", 20604, 3637}};
  for (const auto& c : cases) {
    const auto blocks = [&](std::int64_t m) {
      Problem p = problem(c.type, Op::n, Layout::column, m, c.n);
      p.alignment_a = 256;
      const Plan plan = tuned_gemv(p, h200_traits()).value().plan;
      return static_cast<double>(params<GemvParams>(plan).tiles * params<GemvParams>(plan).splits);
    };
    EXPECT_NEAR(blocks(c.m) / blocks(c.m + 1), 1, 0.1) << c.type << " " << c.m << "x" << c.n;
  }
}

// In place of the table of the library, one whose only launch has one block here.
TEST(TuningTable, OfTheLibraryIsDeclinedWhereTheModelKnowsALaunchTwiceAsFast) {
  const Tuning tuning = read(R"({"onepass_tuning": 3, "device": "a GPU", "arch": 90, "sm_count": 132,
    "rows": [1000], "cols": [4000], "gemv": {"s N any": ["256/256/0"]}})");
  const TuningTables built_in{.built_in = &tuning}, of_user{.user = tuning};
  Problem p = problem("s", Op::n, Layout::column, 1000, 4000);
  p.alignment_a = 256;
  const auto explained = [&](const TuningTables& tables) {
    DeviceTraits traits = h200_traits();
    traits.tuning = &tables;
    return explain(plan_on_device(p, traits, BackendId::sim), traits);
  };
  EXPECT_GT(params<GemvParams>(explained(built_in).plan).tiles * params<GemvParams>(explained(built_in).plan).splits,
            132);
  const std::string words = explained(built_in).chooser;
  EXPECT_EQ(words.find("a model of the launch, which expects that of the table of a GPU, cell 1000x4000, to take "), 0U)
      << words;
  EXPECT_TRUE(words.ends_with(" times as long")) << words;
  EXPECT_EQ(params<GemvParams>(explained(of_user).plan).tiles, 1);
  EXPECT_EQ(params<GemvParams>(explained(of_user).plan).splits, 1);
  EXPECT_EQ(explained(of_user).chooser, "the table of a GPU, cell 1000x4000");
}

TEST(TuningTable, OfAnotherDeviceIsNotUsed) {
  const Problem p = problem("s", Op::n, Layout::column, 1000, 1000);
  DeviceTraits traits = h200_traits();
  EXPECT_GT(find_gemv(traits, p).tuned.threads, 0);
  traits.sm_count = 131;
  EXPECT_EQ(find_gemv(traits, p).tuned.threads, 0);
  traits.sm_count = 132;
  traits.arch = 80;
  EXPECT_EQ(find_gemv(traits, p).tuned.threads, 0);
}

}  // namespace
}  // namespace onepass
