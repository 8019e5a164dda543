// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Calls that are timed alone or in a chain: their arithmetic and operands, and that no record mixes them with those of
// a queue.
#include "measure/alone.hpp"

#include <gtest/gtest.h>

#include "compare/compare.hpp"
#include "measure/pool_layout.hpp"
#include "print/csv.hpp"
#include "print/json.hpp"
#include "print/table.hpp"
#include "results.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

Record record_with(Cache cache) {
  return record_of(Selection::quick,
                   {result_of(point_of("s", Op::n, 512, 512, cache), 1.7, {{"Onepass", 2.5}, {"cuBLAS", 2.7}})});
}

TEST(Alone, TheKernelBetweenTwoCallsIsTakenOff) {
  EXPECT_DOUBLE_EQ(seconds_alone(32 * (2.5e-6 + 0.5e-6), 32, 0.5e-6), 2.5e-6);
}

// The reads of an H200: 1.45 us and 4.6 bytes a picosecond.
TEST(Alone, TheFloorGoesThroughTwoReads) {
  const Ceilings found = ceilings_through(1.43e-6, {.bytes = 4e6, .seconds = 1.45e-6 + 4e6 / 4.6e12},
                                          {.bytes = 64e6, .seconds = 1.45e-6 + 64e6 / 4.6e12});
  EXPECT_NEAR(found.launch_seconds, 1.45e-6, 1e-12);
  EXPECT_NEAR(found.bytes_per_second, 4.6e12, 1e6);
  EXPECT_NEAR(floor_seconds(found, 1e6), floor_seconds(nominal_alone, 1e6), 1e-12);
  EXPECT_DOUBLE_EQ(floor_seconds(ceilings_through(2e-6, {4e6, 1.9e-6}, {8e6, 2.8e-6}), 16), 2e-6);
}

TEST(Alone, RecordsSayWhichSettingATimeIsOf) {
  EXPECT_NE(to_json(record_with(Cache::cold)).find(R"("cache":"cold","setting":"queue")"), std::string::npos);
  EXPECT_NE(to_json(record_with(Cache::hot)).find(R"("cache":"hot","setting":"queue")"), std::string::npos);
  const std::string text = to_json(record_with(Cache::alone));
  EXPECT_NE(text.find(R"("cache":"alone","setting":"alone")"), std::string::npos) << text;
  EXPECT_EQ(from_json(text, "a file").points, record_with(Cache::alone).points);
}

TEST(Alone, ASettingThatContradictsTheCacheIsRefused) {
  std::string text = to_json(record_with(Cache::cold));
  const std::string queue = R"("setting":"queue")";
  const auto with = [&](const std::string& setting) {
    return std::string(text).replace(text.find(queue) - 1, queue.size() + 1, setting);
  };
  EXPECT_EQ(from_json(with(""), "a file").points, record_with(Cache::cold).points);  // of an older record
  EXPECT_THROW(from_json(with(R"(,"setting":"alone")"), "a file"), Failure);
}

TEST(Alone, TablesSayWhichSettingATimeIsOf) {
  EXPECT_NE(to_table(record_with(Cache::cold), true).find("s N 512x512  cold queue"), std::string::npos);
  EXPECT_NE(to_table(record_with(Cache::alone), true).find("s N 512x512  cold alone"), std::string::npos);
  EXPECT_NE(to_table(record_with(Cache::alone), false).find("\nalone: another kernel"), std::string::npos);
  EXPECT_EQ(to_table(record_with(Cache::alone), false).find("\nqueue:"), std::string::npos);
  EXPECT_NE(to_csv(record_with(Cache::alone)).find(",alone,alone,0,"), std::string::npos);
  EXPECT_NE(to_csv(record_with(Cache::cold)).find(",cold,queue,0,"), std::string::npos);
}

TEST(Alone, IsNotComparedWithAQueue) {
  const Record queue = record_with(Cache::cold), alone = record_with(Cache::alone);
  EXPECT_EQ(why_not_comparable(queue, queue), "");
  EXPECT_EQ(why_not_comparable(alone, alone), "");
  const std::string why = why_not_comparable(queue, alone);
  EXPECT_NE(why.find("setting \"queue\", the second in the setting \"alone\""), std::string::npos) << why;
  EXPECT_NE(why_not_comparable(alone, queue), "");

  Record both = queue;
  both.points.push_back(alone.points[0]);
  EXPECT_EQ(why_not_comparable(both, alone), "");
  EXPECT_EQ(compare(both, alone, default_threshold).common, 1u);
  EXPECT_NE(why_not_comparable(alone, record_with(Cache::chain)), "");
}

TEST(Chain, ReadsWhatTheCallBeforeItWrites) {
  for (const std::int64_t m : {64, 1000}) {
    const Point point = point_of("s", Op::n, m, 200, Cache::chain);
    const PoolLayout layout = lay_out(point, 1 << 20, 100);
    ASSERT_GE(layout.sets, 2u);
    std::vector<std::byte> inputs(layout.input_bytes()), outputs(layout.output_bytes());
    const std::vector<Vectors> sets = operands_of(layout, inputs.data(), outputs.data());
    for (std::size_t i = 0; i < sets.size(); ++i) {
      EXPECT_EQ(sets[i].x, sets[(i + sets.size() - 1) % sets.size()].y);
      EXPECT_LE(static_cast<const std::byte*>(sets[i].x) + sizeof(float) * 200, outputs.data() + outputs.size());
      EXPECT_LE(static_cast<std::byte*>(sets[i].y) + sizeof(float) * static_cast<std::size_t>(m),
                outputs.data() + outputs.size());
      EXPECT_LE(static_cast<const std::byte*>(sets[i].a) + layout.a_bytes, inputs.data() + inputs.size());
    }
  }
  const std::string text = to_json(record_with(Cache::chain));
  EXPECT_NE(text.find(R"("cache":"chain","setting":"chain")"), std::string::npos) << text;
  EXPECT_NE(to_table(record_with(Cache::chain), true).find("s N 512x512  cold chain"), std::string::npos);
}

}  // namespace
}  // namespace onepass::tools
