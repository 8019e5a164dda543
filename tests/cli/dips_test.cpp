// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/dips.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "results.hpp"

namespace onepass::tools {
namespace {

std::vector<PointResult> sweep(std::int64_t last, const std::function<double(std::int64_t)>& time) {
  std::vector<PointResult> points;
  for (std::int64_t n = 1; n <= last; ++n)
    points.push_back(result_of(point_of("s", Op::n, n, n), 1, {{"Onepass", time(n)}, {"peer", 1}}));
  return points;
}

TEST(Dips, AreSlowerThanBothNeighbours) {
  const auto groups = find_dips(sweep(300, [](std::int64_t n) { return n == 100 ? 12.0 : 10.0; }));
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].name, "s N cold");
  EXPECT_EQ(groups[0].dips, (std::vector<Dip>{{.size = 100, .slowdown = 1.2}}));
}

TEST(Dips, NeedMoreThanTenPercent) {
  EXPECT_TRUE(find_dips(sweep(300, [](std::int64_t n) { return n == 100 ? 10.99 : 10.0; }))[0].dips.empty());
}

TEST(Dips, AreMeasuredByTheSlowerNeighbour) {
  const auto step = [](std::int64_t n) { return n < 150 ? 10.0 : 20.0; };
  EXPECT_TRUE(find_dips(sweep(300, step))[0].dips.empty());
}

TEST(Dips, NeedBothNeighbours) {
  const auto groups = find_dips(sweep(200, [](std::int64_t n) { return n <= 64 || n > 136 ? 99.0 : 1.0; }));
  EXPECT_TRUE(groups[0].dips.empty());
  EXPECT_EQ(groups[0].sizes, 200u - 2 * 64);
}

TEST(Dips, OfOtherTypesOpsAndCachesAreApart) {
  std::vector<PointResult> points = sweep(129, [](std::int64_t) { return 1.0; });
  points.push_back(result_of(point_of("s", Op::n, 65, 65, Cache::hot), 1, {{"Onepass", 9}}));
  points.push_back(result_of(point_of("d", Op::n, 65, 65), 1, {{"Onepass", 9}}));
  const auto groups = find_dips(points);
  ASSERT_EQ(groups.size(), 3u);
  for (const DipsOfGroup& group : groups) EXPECT_TRUE(group.dips.empty()) << group.name;
  EXPECT_EQ(groups[0].sizes, 1u);
}

}  // namespace
}  // namespace onepass::tools
