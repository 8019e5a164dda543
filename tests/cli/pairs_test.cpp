// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/pairs.hpp"

#include <gtest/gtest.h>

#include "print/json.hpp"
#include "print/table.hpp"
#include "results.hpp"

namespace onepass::tools {
namespace {

PointResult timed(const Point& point, double floor, double time) {
  return result_of(point, floor, {{"Onepass", time}, {"peer", 1}});
}

// 1.25, 1.5 and 1.2 times as long, by their floors.
std::vector<PointResult> three_pairs() {
  Point further = point_of("s", Op::n, 90, 40);
  ++further.problem.lda;
  return {timed(point_of("s", Op::n, 80, 50), 1, 2), timed(point_of("s", Op::n, 81, 50), 1, 2.5),
          timed(point_of("s", Op::n, 90, 40), 1, 3), timed(further, 2, 4),
          timed(point_of("d", Op::t, 30, 20), 1, 2), timed(point_of("d", Op::t, 30, 21), 2, 4.8)};
}

TEST(Pairs, AreComparedByTheirFloors) {
  const std::vector<PairsOfGroup> groups = find_pairs(three_pairs());
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].name, "s N cold");
  EXPECT_EQ(groups[0].pairs, 2u);
  EXPECT_EQ(groups[0].uneven, 1u);
  EXPECT_DOUBLE_EQ(groups[0].worst, 1.5);
  EXPECT_EQ(groups[0].at, "s N 90x40 beside s N 90x40 lda 91");
  EXPECT_EQ(groups[1].name, "d T cold");
  EXPECT_EQ(groups[1].uneven, 0u);
  EXPECT_DOUBLE_EQ(groups[1].worst, 1.2);
  EXPECT_EQ(groups[1].at, "d T 30x21 beside d T 30x20");
}

TEST(Pairs, AreOfOneTypeOpAndCacheAndOneStepApart) {
  std::vector<PointResult> points = {
      timed(point_of("s", Op::n, 80, 50), 1, 2), timed(point_of("d", Op::n, 81, 50), 1, 2),
      timed(point_of("s", Op::t, 81, 50), 1, 2), timed(point_of("s", Op::n, 81, 50, Cache::hot), 1, 2),
      timed(point_of("s", Op::n, 81, 51), 1, 2), timed(point_of("s", Op::n, 82, 50), 1, 2)};
  EXPECT_TRUE(find_pairs(points).empty());
  PointResult skipped{.point = point_of("s", Op::n, 81, 50)};
  skipped.skipped = "a reason";
  points.push_back(skipped);
  EXPECT_TRUE(find_pairs(points).empty());
}

TEST(Pairs, AreInTheSummaryOfRandomShapes) {
  const Record record = record_of(Selection::random, three_pairs());
  const std::string text = to_table(from_json(to_json(record), "a file"), false);
  EXPECT_NE(text.find("1.50x  s N 90x40 beside s N 90x40 lda 91"), std::string::npos) << text;
  EXPECT_NE(to_json(record).find(R"({"group":"s N cold","pairs":2,"uneven":1,"worst":{"value":1.5,"at":)"),
            std::string::npos);
  const Record none = record_of(Selection::random, {three_pairs()[0]});
  EXPECT_EQ(to_table(none, false).find("pairs:"), std::string::npos);
  EXPECT_EQ(to_json(none).find("pairs"), std::string::npos);
}

}  // namespace
}  // namespace onepass::tools
