// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "compare/compare.hpp"

#include <gtest/gtest.h>

#include <random>

#include "results.hpp"

namespace onepass::tools {
namespace {

// 40 points of s N; each time is drawn around its own value with a relative deviation of `noise`.
Record noisy_record(unsigned seed, double noise) {
  std::mt19937 random(seed);
  std::normal_distribution<double> error(0, noise);
  std::vector<PointResult> points;
  for (int i = 1; i <= 40; ++i) {
    points.push_back(
        result_of(point_of("s", Op::n, 8 * i, 8), 1,
                  {{"Onepass", 10.0 * i * (1 + error(random))}, {"cuBLAS", 20.0 * i * (1 + error(random))}}));
    points.back().providers[0].time.spread = 1.35 * noise;  // distance of the quartiles of a normal distribution
  }
  return record_of(Selection::mesh, std::move(points));
}

Record slowed(Record record, std::size_t first, std::size_t count, double by) {
  for (std::size_t i = first; i < first + count; ++i) record.points[i].providers[0].time.median *= by;
  return record;
}

TEST(Compare, IsSilentOnTwoNoisyRunsOfOneBuild) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const Comparison found = compare(noisy_record(seed, 0.01), noisy_record(seed + 100, 0.01), default_threshold);
    EXPECT_FALSE(is_worse(found)) << "seed " << seed;
    EXPECT_EQ(found.common, 40u);
  }
}

TEST(Compare, FindsOnePointThatIsFivePercentSlower) {
  const Record before = noisy_record(1, 0.001);
  const Comparison found = compare(before, slowed(noisy_record(2, 0.001), 7, 1, 1.05), default_threshold);
  ASSERT_EQ(found.slower.size(), 1u);
  EXPECT_EQ(found.slower[0].name, "s N 64x8 cold");
  EXPECT_NEAR(found.slower[0].ratio, 1.05, 0.005);
  EXPECT_TRUE(is_worse(found));
}

TEST(Compare, FindsAGroupThatIsFivePercentSlowerThoughEachPointIsLostInNoise) {
  const Comparison found =
      compare(noisy_record(1, 0.03), slowed(noisy_record(2, 0.03), 0, 40, 1.05), default_threshold);
  EXPECT_LT(found.slower.size(), 5u);
  ASSERT_EQ(found.groups.size(), 1u);
  EXPECT_TRUE(is_slower(found.groups[0]));
  EXPECT_TRUE(is_worse(found));
}

TEST(Compare, APointThatMovedWithItsPeerIsTheMachine) {
  const Record before = noisy_record(1, 0.001);
  Record after = slowed(before, 7, 1, 1.08);
  EXPECT_TRUE(is_worse(compare(before, after, default_threshold)));
  after.points[7].providers[1].time.median *= 1.07;
  EXPECT_FALSE(is_worse(compare(before, after, default_threshold)));
}

// The spreads of both runs are small; what they do not show is seen in how the points of a group scatter.
TEST(Compare, AScatterFromRunToRunIsNoise) {
  const auto quiet_within = [](unsigned seed, bool peers) {
    Record record = noisy_record(seed, 0.02);
    for (PointResult& r : record.points) {
      r.providers[0].time.spread = 0.001;
      if (!peers) r.providers.pop_back();
    }
    return record;
  };
  for (const bool peers : {true, false})
    for (unsigned seed = 1; seed <= 20; ++seed) {
      const Record before = quiet_within(seed, peers), after = quiet_within(seed + 100, peers);
      EXPECT_FALSE(is_worse(compare(before, after, default_threshold))) << "seed " << seed;
      EXPECT_EQ(compare(before, slowed(after, 7, 1, 1.3), default_threshold).slower.size(), 1u) << "seed " << seed;
    }
}

TEST(Compare, FasterIsNotWorse) {
  const Comparison found =
      compare(slowed(noisy_record(1, 0.001), 0, 40, 1.3), noisy_record(2, 0.001), default_threshold);
  EXPECT_EQ(found.faster.size(), 40u);
  EXPECT_TRUE(is_faster(found.groups[0]));
  EXPECT_FALSE(is_worse(found));
}

TEST(Compare, CountsWhatOnlyOneRecordHas) {
  const Record before = record_of(Selection::mesh, {result_of(point_of("s", Op::n, 8, 8), 1, {{"Onepass", 2}}),
                                                    result_of(point_of("s", Op::t, 8, 8), 1, {{"Onepass", 2}})});
  const Record after = record_of(Selection::mesh, {result_of(point_of("s", Op::n, 8, 8), 1, {{"Onepass", 2}}),
                                                   result_of(point_of("d", Op::n, 8, 8), 1, {{"Onepass", 2}}),
                                                   result_of(point_of("d", Op::n, 9, 8), 1, {{"Onepass", 2}})});
  const Comparison found = compare(before, after, default_threshold);
  EXPECT_EQ(found.common, 1u);
  EXPECT_EQ(found.only_before, 1u);
  EXPECT_EQ(found.only_after, 2u);
}

TEST(Compare, APointThatFailsNowIsWorse) {
  const Record before = noisy_record(1, 0.001);
  Record after = before;
  after.points[3].skipped = "a reason";
  EXPECT_FALSE(is_worse(compare(before, after, default_threshold)));
  after.points[3].failed = true;
  const Comparison found = compare(before, after, default_threshold);
  EXPECT_TRUE(is_worse(found));
  EXPECT_EQ(found.failed, std::vector<std::string>{"s N 32x8 cold: a reason"});
}

ReductionRecord reduction_record() {
  return {.version = "1",
          .commit = "c",
          .compiler = "a compiler",
          .date = "d",
          .backend = "cuda",
          .routine = "gesvd-batched",
          .machine = {{"device", "a device"}},
          .peer = "a peer",
          .rows = {{"d", 8, 8, 2, 1.98, 0, 4, 100}, {"d", 8, 8, 3, 2.97, 0, 6, 200}, {"s", 9, 7, 1, 0.99, 0, 0, 100}}};
}

TEST(Compare, FindsAReductionThatIsSlowerThoughItsPeerIsNot) {
  const ReductionRecord before = reduction_record();
  EXPECT_FALSE(is_worse(compare(before, before, default_threshold)));
  ReductionRecord after = before;
  after.rows[1].ms *= 1.1, after.rows[1].least *= 1.1;
  const Comparison found = compare(before, after, default_threshold);
  ASSERT_EQ(found.slower.size(), 1u);
  EXPECT_EQ(found.slower[0].name, "gesvd-batched d 8, 200 of them");
  EXPECT_NEAR(found.slower[0].after, 3300, 1e-6);
  EXPECT_TRUE(is_worse(found));
  after.rows[1].peer *= 1.1;
  EXPECT_FALSE(is_worse(compare(before, after, default_threshold)));
}

TEST(Compare, ALeastTimeFarFromTheMedianIsNoiseOfAReduction) {
  ReductionRecord after = reduction_record();
  after.rows[1].ms *= 1.1;
  EXPECT_FALSE(is_worse(compare(reduction_record(), after, default_threshold)));
}

TEST(Compare, ReductionsOfOtherSizesAndMachinesAreNamed) {
  ReductionRecord after = reduction_record();
  after.rows.pop_back();
  after.rows[0].matrices = 101;
  after.machine[0].second = "another device";
  const Comparison found = compare(reduction_record(), after, default_threshold);
  EXPECT_EQ(found.common, 1u);
  EXPECT_EQ(found.only_before, 2u);
  EXPECT_EQ(found.only_after, 1u);
  EXPECT_EQ(found.differences, std::vector<std::string>{"device: a device, then another device"});
}

TEST(Compare, TellsThePeersAndTheDevices) {
  const Record before = noisy_record(1, 0);
  Record after = before;
  for (PointResult& r : after.points) r.providers[1].time.median *= 1.5;
  after.facts[0].value = "another device";
  const Comparison found = compare(before, after, default_threshold);
  EXPECT_NEAR(found.groups[0].peers, 1.5, 1e-9);
  EXPECT_EQ(found.differences, std::vector<std::string>{"device: a device, then another device"});
  EXPECT_FALSE(is_worse(found));
}

}  // namespace
}  // namespace onepass::tools
