// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>

#include "print/json.hpp"
#include "print/table.hpp"
#include "results.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

std::vector<PointResult> points_of_every_kind() {
  Point row = point_of("bbs", Op::t, 7, 5);
  row.problem.layout = Layout::row;
  row.threads = 2;
  lay_tight(row.problem, 3, Batching::one, 1);
  Point strided = point_of("z", Op::c, 4, 4, Cache::hot), pointers = strided, single = strided;
  lay_tight(strided.problem, 0, Batching::strided, 16);
  lay_tight(pointers.problem, 1, Batching::pointers, 16);
  lay_tight(single.problem, 0, Batching::strided, 1);
  Point triangle = point_of("c", Op::n, 9, 9);
  triangle.problem.routine = Routine::hemv;
  triangle.problem.uplo = Uplo::upper;
  lay_tight(triangle.problem, 2, Batching::strided, 3);
  std::vector<PointResult> points;
  for (const Point& point : {row, strided, pointers, single, triangle, point_of("h", Op::n, 1048576, 16)})
    points.push_back(result_of(point, 1.234, {{"Onepass", 1.5e-3}, {"cuBLAS gemm", 12340}}));
  points[0].plan = "a plan \"quoted\"";
  points[0].journey = Journey{.allocate = 1.5, .to_device = 20, .from_device = 0.25};
  points.push_back({.point = point_of("s", Op::n, 0, 5), .skipped = "the matrix is empty"});
  points.push_back({.point = point_of("s", Op::n, 5, 5), .skipped = "a call failed", .failed = true});
  return points;
}

TEST(RecordJson, ComesBackAsItWas) {
  for (const Selection selection : {Selection::standard, Selection::sweep}) {
    Record record = record_of(selection, points_of_every_kind());
    record.remarks = {"it was hot"};
    const Record back = from_json(to_json(record), "a file");
    EXPECT_EQ(back.points, record.points);
    EXPECT_EQ(back.remarks, record.remarks);
    EXPECT_EQ(to_json(back), to_json(record));
    EXPECT_EQ(to_table(back, true), to_table(record, true));
  }
}

TEST(RecordJson, HasALinePerPointAndStaysSmall) {
  std::vector<PointResult> points;
  for (std::int64_t i = 0; i < 6000; ++i)
    points.push_back(result_of(point_of("b", Op::n, 1000000 + i, 1000), 123.4,
                               {{"Onepass", 123.4}, {"cuBLAS gemm", 234.5}, {"cuBLAS gemv", 345.6}}));
  const std::string text = to_json(record_of(Selection::mesh, std::move(points)));
  EXPECT_LT(text.size(), 600'000u);
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 6000 + 30);
}

// Both forms of points say the same, so that records from before there were series stay readable.
TEST(RecordJson, PointsAndSeriesAreTheSame) {
  std::string text = to_json(record_of(Selection::standard, points_of_every_kind()));
  const std::string from = R"("selection": "standard")", to = R"("selection": "mesh")";
  ASSERT_NE(text.find(R"("points": [)"), std::string::npos);
  const Record old = from_json(text.replace(text.find(from), from.size(), to), "a file");
  EXPECT_EQ(old.points, points_of_every_kind());
  const std::string packed = to_json(old);
  EXPECT_NE(packed.find(R"("series": [)"), std::string::npos);
  EXPECT_EQ(from_json(packed, "a file").points, points_of_every_kind());
}

// The head has what all rows share; medians stay in the rows, in the order of the providers.
TEST(RecordJson, ASeriesWritesOnceWhatItsPointsShare) {
  const std::string text = to_json(
      record_of(Selection::sweep, {result_of(point_of("s", Op::n, 8, 8), 1.5, {{"Onepass", 2}, {"cuBLAS", 4}}),
                                   result_of(point_of("s", Op::n, 9, 9), 1.5, {{"Onepass", 2}, {"cuBLAS", 5}})}));
  EXPECT_NE(text.find(R"("columns":["n","bytes","Onepass median","cuBLAS median","cuBLAS least"],"rows":[
[8,320,2.0,4.0,4.0],
[9,396,2.0,5.0,5.0]])"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(R"("floor":1.5)"), std::string::npos) << text;
}

TEST(RecordJson, OtherTextIsRefusedByName) {
  const std::string good = to_json(record_of(Selection::mesh, points_of_every_kind()));
  for (const std::string& wrong :
       {std::string(), std::string("{}"), std::string("[1]"), good.substr(0, good.size() / 2)})
    try {
      from_json(wrong, "some.json");
      ADD_FAILURE() << wrong;
    } catch (const Failure& failure) {
      EXPECT_NE(std::string(failure.what()).find("some.json is no record"), std::string::npos) << failure.what();
    }
}

TEST(RecordTable, SaysWhatHasNoFigures) {
  const std::string text = to_table(record_of(Selection::mesh, points_of_every_kind()), false);
  EXPECT_NE(text.find("points without figures: 2"), std::string::npos) << text;
  EXPECT_NE(text.find("s N 5x5 cold: failed: a call failed"), std::string::npos) << text;
}

TEST(RecordJson, APlanThatIsNotThereIsRefused) {
  PointResult result = result_of(point_of("s", Op::n, 8, 8), 1, {{"Onepass", 2}});
  result.plan = "a plan of its own";
  std::string text = to_json(record_of(Selection::mesh, {result}));
  text.erase(text.find("\"a plan of its own\""), std::string("\"a plan of its own\"").size());
  try {
    from_json(text, "a file");
    ADD_FAILURE() << "it was read";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), Exit::usage);
    EXPECT_STREQ(failure.what(), "a file is no record of `onepass bench --json`: a plan of a point is missing");
  }
}

}  // namespace
}  // namespace onepass::tools
