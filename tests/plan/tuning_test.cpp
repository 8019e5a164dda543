// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Tables of measured launches: which cell serves a problem, and which texts are no tables.
#include "plan/tuning.hpp"

#include <gtest/gtest.h>

#include <string>

#include "plan/gemv.hpp"
#include "plan/problems.hpp"

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
                  R"(": ["256/8/0s 128/16/384p", "128/32/768sp -"])";
  std::string text = R"({"onepass_tuning": 1, "device": "a GPU", "arch": 90, "sm_count": 132,
    "rows": [100, 1000], "cols": [100, 10000], "gemv": {)" +
                     meshes + "}}";
  if (const std::size_t at = old.empty() ? std::string::npos : text.find(old); at != std::string::npos)
    text.replace(at, old.size(), put);
  return text;
}

Tuning read(const std::string& text) {
  Tuning tuning;
  const Status status = Tuning::parse(text, &tuning);
  EXPECT_TRUE(status.ok()) << status.text;
  return tuning;
}

TEST(TuningTable, GivesTheCellThatIsNearestByRatio) {
  const Tuning tuning = read(table());
  const auto cell = [&](std::int64_t m, std::int64_t n) {
    return tuning.gemv(problem("s", Op::n, Layout::column, m, n));
  };
  EXPECT_EQ(cell(100, 100).tuned, (Tuned{.threads = 256, .lanes = 8, .split_threads = 0, .shallow = true}));
  EXPECT_EQ(cell(300, 999).tuned, cell(100, 100).tuned);
  EXPECT_EQ(cell(317, 999).rows, 1000);
  EXPECT_EQ(cell(100, 1001).tuned,
            (Tuned{.threads = 128, .lanes = 16, .split_threads = 384, .shallow = false, .prefetch = true}));
  EXPECT_EQ(cell(1000, 100).tuned,
            (Tuned{.threads = 128, .lanes = 32, .split_threads = 768, .shallow = true, .prefetch = true}));
}

TEST(TuningTable, ACellThatWasNotMeasuredIsLikeItsSmallerNeighbour) {
  const Tuning tuning = read(table());
  EXPECT_EQ(tuning.gemv(problem("s", Op::n, Layout::column, 1000, 10000)).tuned,
            tuning.gemv(problem("s", Op::n, Layout::column, 1000, 100)).tuned);
}

TEST(TuningTable, SaysNothingBeyondItsEndsAndOfBatches) {
  const Tuning tuning = read(table());
  for (const auto& [m, n] : {std::pair{70, 100}, {100, 70}, {1300, 100}, {100, 13000}})
    EXPECT_EQ(tuning.gemv(problem("s", Op::n, Layout::column, m, n)).tuned.threads, 0) << m << "x" << n;
  EXPECT_EQ(tuning.gemv(test::batched(problem("s", Op::n, Layout::column, 100, 100), 2)).tuned.threads, 0);
}

TEST(TuningTable, TellsOrientationsAlignmentsAndTypes) {
  const auto changed = [](const char* mesh, const Problem& p) {
    const std::string old = std::string("\"") + mesh + "\": [\"256/8/0s";
    const Tuning tuning = read(table(old, std::string("\"") + mesh + "\": [\"64/8/0"));
    return tuning.gemv(p).tuned.threads == 64;
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
      {"\"onepass_tuning\": 1", "\"onepass_tuning\": 2", "version"},
      {"\"onepass_tuning\": 1, ", "", "onepass_tuning"},
      {"\"s N any\"", "\"s N all\"", "s N any"},
      {"256/8/0s", "256/8", "\"256/8\""},
      {"256/8/0s", "256/8/0x", "\"256/8/0x\""},
      {"256/8/0s", "0/8/0", "\"0/8/0\""},
      {"256/8/0s", "256/-8/0", "\"256/-8/0\""},
      {"256/8/0s", "99999/8/0", "\"99999/8/0\""},
      {"128/16/384p", "", "1 entries"},
      {", \"128/32/768sp -\"", "", "1 lines"},
      {"[100, 1000]", "[1000, 100]", "axis"},
      {"[100, 1000]", "[0, 1000]", "axis"},
      {"[100, 1000]", "[]", "axis"},
  };
  for (const auto& damage : damages) {
    Tuning tuning;
    const Status status = Tuning::parse(table(damage.old, damage.put), &tuning);
    EXPECT_FALSE(status.ok()) << damage.old << " -> " << damage.put;
    EXPECT_NE(status.text.find(damage.named), std::string::npos) << status.text;
  }
}

TEST(TuningTable, OfTheH200IsBuiltInAndDecides) {
  const Tuning* const tuning = tuning_of(h200_traits());
  ASSERT_NE(tuning, nullptr);
  EXPECT_EQ(tuning->device(), "NVIDIA H200");
  int decided = 0, cells = 0;
  for (const std::int64_t m : test::mesh())
    for (const std::int64_t n : test::mesh()) {
      const Problem p = problem("s", Op::n, Layout::column, m, n);
      const Tuned cell = tuning->gemv(p).tuned;
      ASSERT_GT(cell.threads, 0) << m << "x" << n;
      const Plan plan = plan_gemv(p, h200_traits(), BackendId::cuda);
      ++cells;
      if (plan.threads == cell.threads && plan.shallow == cell.shallow) ++decided;
    }
  EXPECT_GT(decided, cells * 95 / 100);
}

TEST(TuningTable, OfAnotherDeviceIsNotUsed) {
  DeviceTraits traits = h200_traits();
  traits.sm_count = 131;
  EXPECT_EQ(tuning_of(traits), nullptr);
  traits.sm_count = 132;
  traits.arch = 80;
  EXPECT_EQ(tuning_of(traits), nullptr);
}

}  // namespace
}  // namespace onepass
