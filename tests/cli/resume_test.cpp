// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/resume.hpp"

#include <gtest/gtest.h>

#include "results.hpp"

namespace onepass::tools {
namespace {

PointResult done(const Point& point) { return result_of(point, 1, {{"Onepass", 2}}); }

TEST(Resume, LeavesWhatHasNoResultInItsOrder) {
  const std::vector<Point> wanted = {point_of("s", Op::n, 8, 8), point_of("s", Op::t, 8, 8),
                                     point_of("s", Op::n, 8, 8, Cache::hot), point_of("d", Op::n, 8, 8)};
  const std::vector<PointResult> results = {done(wanted[2]), done(wanted[0]), done(point_of("z", Op::c, 3, 3))};
  EXPECT_EQ(remaining(wanted, results), (std::vector<Point>{wanted[1], wanted[3]}));
}

TEST(Resume, TellsBatchesFromOneAnother) {
  std::vector<Point> wanted(4, point_of("s", Op::n, 8, 8));
  lay_tight(wanted[1].problem, 0, Batching::strided, 1);
  lay_tight(wanted[2].problem, 0, Batching::pointers, 1);
  lay_tight(wanted[3].problem, 2, Batching::one, 1);
  for (const Point& point : wanted) EXPECT_EQ(remaining(wanted, std::vector{done(point)}).size(), 3u) << key(point);
}

TEST(Resume, TriesAgainWhatFailedButNotWhatWasSkipped) {
  const std::vector<Point> wanted = {point_of("s", Op::n, 8, 8), point_of("s", Op::n, 9, 9)};
  std::vector<PointResult> results = {done(wanted[0]), done(wanted[1])};
  for (PointResult& r : results) r.skipped = "a reason";
  results[1].failed = true;
  EXPECT_EQ(remaining(wanted, results), std::vector<Point>{wanted[1]});
}

TEST(Resume, GoesOnWithTheSameDeviceCommitAndSelectionAlone) {
  const Record before = record_of(Selection::mesh, {});
  EXPECT_EQ(why_not_resumable(before, before), "");
  Record now = before;
  now.commit = "def";
  EXPECT_EQ(why_not_resumable(before, now), "its commit is abc, and that of this run def");
  now = before, now.facts[0].value = "another device";
  EXPECT_EQ(why_not_resumable(before, now), "its device is a device, and that of this run another device");
  now = before, now.version = "2";
  EXPECT_NE(why_not_resumable(before, now), "");
  now = before, now.backend = "cpu";
  EXPECT_NE(why_not_resumable(before, now), "");
  now = before, now.selection = Selection::sweep;
  EXPECT_NE(why_not_resumable(before, now), "");
  now = before, now.providers = {"Onepass"};
  EXPECT_NE(why_not_resumable(before, now), "");
}

}  // namespace
}  // namespace onepass::tools
