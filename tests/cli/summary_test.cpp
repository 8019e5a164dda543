// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/summary.hpp"

#include <gtest/gtest.h>

#include "results.hpp"

namespace onepass::tools {
namespace {

TEST(Result, HasMedianAndLeastInFourDigitsAndSpreadInTwo) {
  const Timing time = summarize({3e-6, 1e-6, 2.00004e-6, 5e-6, 4e-6});
  EXPECT_EQ(time, (Timing{.median = 3, .min = 1, .spread = 0.67, .samples = 5}));
}

TEST(Result, LeavesOutProvidersWithoutSamples) {
  const std::vector<std::string> providers = {"Onepass", "absent", "peer"};
  const std::vector<std::vector<double>> samples = {{1e-6}, {}, {2e-6}};
  const PointResult result = summarize(point_of("s", Op::n, 8, 8), providers, samples, {5e-7});
  ASSERT_EQ(result.providers.size(), 2u);
  EXPECT_EQ(result.find("absent"), nullptr);
  EXPECT_DOUBLE_EQ(result.efficiency(*result.find("peer")), 0.25);
  EXPECT_DOUBLE_EQ(result.gb_per_second(*result.find("Onepass")), (64 + 16) * 4 / 1e3);
}

TEST(Result, IsComparedWithTheFasterPeer) {
  EXPECT_DOUBLE_EQ(ratio_to_best_peer(result_of(point_of("b", Op::n, 8, 8), 1,
                                                {{"Onepass", 2}, {"slow", 9}, {"fast", 3}, {"slower", 12}})),
                   1.5);
  EXPECT_EQ(ratio_to_best_peer(result_of(point_of("b", Op::n, 8, 8), 1, {{"Onepass", 2}})), 0);
}

// sqrt(1/2 * 1/8) = 1/4; of the peer sqrt(1/4 * 1/4) = 1/4; ratios 2 and 1/2.
TEST(Summary, HasGeometricMeansAndWorstCases) {
  const std::vector<std::string> providers = {"Onepass", "peer", "absent"};
  const std::vector<PointResult> points = {result_of(point_of("s", Op::n, 8, 9), 1, {{"Onepass", 2}, {"peer", 4}}),
                                           result_of(point_of("s", Op::n, 8, 10), 1, {{"Onepass", 8}, {"peer", 4}})};
  const std::vector<GroupResult> groups = group(points, providers, Selection::mesh);
  ASSERT_EQ(groups.size(), 1u);
  const GroupResult& g = groups[0];
  EXPECT_EQ(g.name, "s N cold");
  EXPECT_EQ(g.points, 2u);
  EXPECT_DOUBLE_EQ(g.efficiency[0], 0.25);
  EXPECT_DOUBLE_EQ(g.efficiency[1], 0.25);
  EXPECT_EQ(g.efficiency[2], 0);
  EXPECT_EQ(g.worst_efficiency.value, 0.125);
  EXPECT_EQ(g.worst_efficiency.at, "s N 8x10");
  EXPECT_DOUBLE_EQ(g.ratio, 1);
  EXPECT_EQ(g.worst_ratio.value, 0.5);
  EXPECT_EQ(g.worst_ratio.at, "s N 8x10");
  EXPECT_EQ(g.slower, 1u);
  EXPECT_EQ(g.large_efficiency, 0);
}

TEST(Summary, LargePointsHaveAMeanOfTheirOwn) {
  const std::vector<std::string> providers = {"Onepass"};
  const std::vector<PointResult> points = {result_of(point_of("s", Op::n, 4000, 3900), 9, {{"Onepass", 90}}),
                                           result_of(point_of("s", Op::n, 4000, 4100), 9, {{"Onepass", 10}})};
  EXPECT_DOUBLE_EQ(group(points, providers, Selection::mesh)[0].large_efficiency, 0.9);
}

TEST(Summary, NoiseIsNotSlower) {
  const std::vector<std::string> providers = {"Onepass", "peer"};
  const std::vector<PointResult> points = {
      result_of(point_of("s", Op::n, 8, 8), 1, {{"Onepass", 100}, {"peer", 97.1}}),
      result_of(point_of("s", Op::n, 8, 9), 1, {{"Onepass", 100}, {"peer", 96.9}})};
  EXPECT_EQ(group(points, providers, Selection::mesh)[0].slower, 1u);
}

TEST(Summary, SkippedPointsDoNotCount) {
  PointResult skipped{.point = point_of("s", Op::n, 8, 8)};
  skipped.skipped = "a reason";
  EXPECT_TRUE(group(std::vector{skipped}, std::vector<std::string>{"Onepass"}, Selection::mesh).empty());
}

TEST(Summary, GroupsFollowTheSelection) {
  const std::vector<std::string> providers = {"Onepass"};
  std::vector<PointResult> points;
  for (const std::int64_t rows : {1000, 4000, 13000})
    points.push_back(result_of(point_of("b", Op::n, rows, 4096), 1, {{"Onepass", 2}}));
  EXPECT_EQ(group(points, providers, Selection::mesh).size(), 1u);
  EXPECT_EQ(group(points, providers, Selection::random)[0].name, "b N cold");
  Point triangle = point_of("s", Op::n, 1000, 1000);
  triangle.problem.routine = Routine::symv;
  EXPECT_EQ(group(std::vector{result_of(triangle, 1, {{"Onepass", 2}})}, providers, Selection::random).size(), 1u);
  EXPECT_EQ(group(points, providers, Selection::standard)[0].name, "half N cold memory");
  const std::vector<GroupResult> by_size = group(points, providers, Selection::inference);
  ASSERT_EQ(by_size.size(), 3u);
  EXPECT_EQ(by_size[0].name, "b below 28 MB");
  EXPECT_EQ(by_size[1].name, "b 28 to 100 MB");
  EXPECT_EQ(by_size[2].name, "b from 100 MB");
}

}  // namespace
}  // namespace onepass::tools
