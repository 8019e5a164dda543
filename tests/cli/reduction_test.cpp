// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the program knows of reductions: floors, lists of problems, memory, records.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>

#include "check/reductions.hpp"
#include "lapack/check.hpp"
#include "reductions/record.hpp"
#include "reductions/rows.hpp"
#include "support/file.hpp"

namespace onepass::tools {
namespace {

TEST(ReductionRows, HaveEveryRoutineOfTheLibraryAndTheFloorsOfTheReductions) {
  std::set<LapackRoutine> routines;
  for (const ReductionRow& row : reduction_rows) {
    routines.insert(row.routine);
    EXPECT_EQ(row.floor_elements != nullptr, is_reduction(row.routine)) << row.name;
    EXPECT_EQ(check(reduction_problem(row, Type::d, 9, 9)).position, 0) << row.name;
  }
  EXPECT_EQ(routines.size(), 14u);
}

TEST(ReductionRows, FloorOfGebrdIsWhatIsLeftOfAOnceAColumn) {
  for (const auto& [m, n] : {std::pair{7, 4}, {4, 7}, {5, 5}, {1, 9}}) {
    double sum = 0;
    for (int j = 0; j < std::min(m, n); ++j) sum += static_cast<double>(m - j) * (n - j);
    EXPECT_DOUBLE_EQ(find_reduction("gebrd")->floor_elements(m, n), sum) << m << "x" << n;
  }
}

TEST(ReductionCases, OfASmallerLimitAreThoseAtTheStart) {
  for (const std::string& name : reduction_names(true)) {
    const ReductionRow& row = *find_reduction(name);
    const auto few = reduction_cases(row.routine, Type::z, 50, row.batched);
    const auto many = reduction_cases(row.routine, Type::z, 300, row.batched);
    ASSERT_LT(few.size(), many.size());
    bool has_padding = false;
    for (std::size_t i = 0; i < few.size(); ++i) {
      EXPECT_EQ(print(few[i]), print(many[i]));
      EXPECT_EQ(check(few[i].problem).position, 0) << print(few[i]);
      has_padding = has_padding || few[i].problem.lda > std::max(few[i].problem.m, few[i].problem.n);
    }
    EXPECT_TRUE(has_padding);
  }
}

TEST(HostClock, HasMemoryOnTheBoundaryOfAWorkspace) {
  const auto clock = make_host_clock(1);
  for (const std::size_t bytes : {0, 1, 1000, 100000}) {
    void* const memory = clock->memory(Room::workspace, bytes);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 256, 0u);
  }
}

TEST(ReductionRecord, IsReadAsItWasWritten) {
  const ReductionRecord written{.version = "1",
                                .commit = "c",
                                .compiler = "a \"compiler\"",
                                .date = "d",
                                .backend = "cuda",
                                .routine = "gebrd",
                                .machine = {{"device", "D"}},
                                .peer = "P",
                                .has_floor = true,
                                .rows = {{"z", 30, 20, 2, 1, 0.5, 4}}};
  const std::string path = testing::TempDir() + "/reduction.json";
  write_file(path, to_json(written));
  const std::optional<ReductionRecord> read = read_reduction_record(path);
  ASSERT_TRUE(read);
  EXPECT_EQ(to_json(*read), to_json(written));
  EXPECT_EQ(head_of(*read), head_of(written));
  EXPECT_EQ(line_of(*read, read->rows.at(0)), line_of(written, written.rows[0]));
  EXPECT_EQ(line_of(written, written.rows[0]),
            "z       30x20       2.000       1.000     100.00     0.250       4.000    2.00");
}

}  // namespace
}  // namespace onepass::tools
