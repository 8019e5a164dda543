// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/schedule.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "command/bench/bench_all.hpp"
#include "plan/registry.hpp"
#include "print/json.hpp"
#include "results.hpp"
#include "support/digits.hpp"

namespace onepass::tools {
namespace {

std::map<std::string, BenchPart> parts_on_gpu(BenchOptions all = {}) {
  all.all = true;
  all.json = "records/h200.json";
  std::map<std::string, BenchPart> parts;
  for (const BenchPart& part : parts_of(all, BackendId::cuda, 2)) parts[part.name] = part;
  return parts;
}

std::vector<Point> points_of(const BenchPart& part) { return expand(axes_of(part.options, BackendId::cuda, 2)); }

TEST(BenchAll, OnAGpuFitsIntoTenMinutes) {
  double seconds = 0;
  for (const auto& [name, part] : parts_on_gpu()) seconds += part.seconds;
  EXPECT_GT(seconds, 200);
  EXPECT_LT(seconds, 8 * 60);
}

TEST(BenchAll, HasEverySquareOfTheSweepsAndHotOnesThatFitTheCache) {
  const auto parts = parts_on_gpu();
  EXPECT_EQ(parts.at("sweep").points, 2u * 2 * 5000);
  EXPECT_EQ(parts.at("symv-sweep").points, 2u * 2 * 4937);
  for (const char* name : {"hot", "symv-hot", "sweep-hot"})
    for (const Point& point : points_of(parts.at(name))) {
      EXPECT_EQ(point.cache, Cache::hot);
      EXPECT_LE(cost(point.problem).matrix_bytes, 32e6);
    }
  EXPECT_EQ(parts.at("hot").options.json, "records/h200-hot.json");
  EXPECT_FALSE(parts.at("hot").options.no_peers);
}

TEST(BenchAll, KeepsToTheTypesOpsAndCachesThatAreAskedFor) {
  const auto parts = parts_on_gpu({.types = "s,c", .ops = "T", .cache = "cold"});
  EXPECT_FALSE(parts.contains("sweep-hot"));
  EXPECT_EQ(parts.at("hemv").options.types, "c");
  EXPECT_EQ(parts.at("symv").options.ops, "");
  EXPECT_EQ(parts.at("sweep").points, 2u * 5000);
  EXPECT_FALSE(parts_on_gpu({.types = "d"}).contains("hemv"));
}

PointResult typical(const Point& point, std::initializer_list<std::pair<const char*, double>> times) {
  PointResult result = result_of(point, 1234.5, times);
  for (ProviderResult& provider : result.providers) provider.time.spread = 0.0012;
  return result;
}

TEST(BenchAll, ItsLargestRecordsStayBelowOneMebibyte) {
  std::vector<PointResult> sweep, mesh;
  const auto parts = parts_on_gpu();
  double time = 1;
  for (const Point& point : points_of(parts.at("sweep")))
    sweep.push_back(typical(point, {{"Onepass", four_digits(time += 0.123)}}));
  for (const Point& point : points_of(parts.at("mesh"))) {
    time += 0.123;
    mesh.push_back(typical(point, {{"Onepass", four_digits(time)}, {"cuBLAS", four_digits(2 * time)}}));
    mesh.back().plan = print(plan_on_device(point.problem, h200_traits(), BackendId::cuda));
  }
  EXPECT_LT(to_json(record_of(Selection::sweep, std::move(sweep))).size(), 1u << 20);
  EXPECT_LT(to_json(record_of(Selection::mesh, std::move(mesh))).size(), 1u << 20);
}

TEST(Budget, IsSharedOutByWhatTheRunsTake) {
  const double expected[] = {10, 30};
  EXPECT_DOUBLE_EQ(affordable_effort(expected, 20), 0.5);
  EXPECT_DOUBLE_EQ(affordable_effort(expected, 100), 1);
  EXPECT_DOUBLE_EQ(affordable_effort({}, 1), 1);
}

TEST(Budget, LessEffortIsShorterAndNeverBelowThreeRounds) {
  const Effort usual{.rounds = 9, .seconds_per_point = 0.2};
  EXPECT_EQ(scaled(usual, 0.75).rounds, 9);
  EXPECT_DOUBLE_EQ(scaled(usual, 0.75).seconds_per_point, 0.15);
  EXPECT_EQ(scaled(usual, 0.01).rounds, 3);
}

TEST(Budget, IsATimeInWords) {
  EXPECT_EQ(budget_seconds({.budget = "9m"}), 540);
  EXPECT_EQ(budget_seconds({.budget = "1.5h"}), 5400);
  EXPECT_EQ(budget_seconds({.budget = "90"}), 90);
  EXPECT_EQ(budget_seconds({.budget = "90s"}), 90);
  EXPECT_EQ(budget_seconds({}), 0);
  for (const char* wrong : {"m", "9 m", "-1m", "0", "9minutes", "nan"})
    EXPECT_THROW(budget_seconds({.budget = wrong}), Failure) << wrong;
}

}  // namespace
}  // namespace onepass::tools
