// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The whole tuner with the clock of a dry run: it finds launches close to the best of all, in its time.
#include "tune/tuner.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>

#include "tune/dry_clock.hpp"
#include "tune/scripted_clock.hpp"
#include "tune/table.hpp"
#include "tuning/lookup.hpp"
#include "tuning/write.hpp"

namespace onepass::tools {
namespace {

class TunerTest : public testing::Test {
 protected:
  TunerResult run(LaunchClock& clock, const std::vector<Mesh>& meshes, double seconds) {
    Journal journal(path_, "test", false);
    TunerResult result = Tuner(clock, journal, {.seconds = seconds, .most_bytes = 2.2e9})
                             .run(meshes, [](std::size_t, std::size_t, const std::string&) { return true; });
    spent_ = journal.spent();
    journal.remove();
    return result;
  }
  std::string path_ =
      testing::TempDir() + "onepass-" + testing::UnitTest::GetInstance()->current_test_info()->name() + ".journal";
  double spent_ = 0;
};

Mesh mesh_of(bool transposed, std::int64_t points) {
  const auto axis = logarithmic(16, 1048576, points);
  return {.type = Type::d, .second = transposed, .aligned = false, .rows = axis, .cols = axis};
}

// Noise and jumps of the clock left out as far as they can be.
double seconds_of(LaunchClock& clock, const Problem& p, const Launch& launch) {
  const std::vector<Plan> plans = {*plan_of(launch, p, clock.traits())};
  clock.prepare(p, plans);
  return Sampler(clock).sample_all(1, 5).seconds[0];
}

TEST_F(TunerTest, FindsLaunchesCloseToTheBestOfAll) {
  const std::unique_ptr<LaunchClock> clock = make_dry_clock(h200_traits(), 7);
  for (const bool transposed : {false, true}) {
    const Mesh mesh = mesh_of(transposed, 12);
    const TunerResult result = run(*clock, {mesh}, 600);
    ASSERT_TRUE(result.complete);
    EXPECT_EQ(result.untimed, 0u);
    const auto chosen = winners(mesh, result.meshes[0].cells);
    double sum = 0, worst = 0;
    int count = 0;
    for (std::size_t i = 0; i < mesh.size(); i += 7) {
      if (!chosen[i]) continue;
      const Problem p = problem_at(mesh, i / 12, i % 12);
      double best = 1;
      for (const Launch& launch : ranked_launches(p, clock->traits()))
        best = std::min(best, seconds_of(*clock, p, launch));
      const double ratio = seconds_of(*clock, p, *chosen[i]) / best;
      sum += std::log(ratio), worst = std::max(worst, ratio), ++count;
    }
    EXPECT_GT(count, 10);
    EXPECT_LT(std::exp(sum / count), 1.02);
    EXPECT_LT(worst, 1.10);
  }
}

// The launch that the model likes best is fast at one distance of the columns alone.
TEST_F(TunerTest, TimesTheFastestAtASecondDistanceOfLongColumns) {
  for (const std::int64_t rows : {4096, 256}) {
    const Mesh mesh{.type = Type::s, .second = true, .aligned = true, .rows = {rows}, .cols = {4096}};
    const Problem p = problem_at(mesh, 0, 0);
    const Launch favourite = ranked_launches(p, h200_traits()).front();
    const Plan fast = *plan_of(favourite, p, h200_traits());
    test::ScriptedClock clock;
    clock.times = [&](std::size_t i, int) {
      Plan plan = clock.plans[i];
      const bool first_distance = plan.problem.lda == p.lda;
      plan.problem = p;
      return plan != fast ? 1.2 : first_distance ? 1.0 : 2.0;
    };
    const TunerResult result = run(clock, {mesh}, 600);
    const auto chosen = winners(mesh, result.meshes[0].cells);
    ASSERT_TRUE(chosen[0]);
    EXPECT_EQ(chosen[0] == favourite, rows == 256);
  }
}

TEST_F(TunerTest, TriesManyLaunchesOfASingleShape) {
  const Mesh mesh = exact_mesh(Type::s, true, 5000, 3000);
  const Problem p = problem_at(mesh, 0, 0);
  const std::vector<Launch> ranked = ranked_launches(p, h200_traits());
  ASSERT_GT(ranked.size(), 110u);
  test::ScriptedClock clock;
  const Plan fast = *plan_of(ranked[100], p, clock.traits());
  clock.times = [&](std::size_t i, int) { return clock.plans[i] == fast ? 1e-6 : 2e-6; };
  const TunerResult result = run(clock, {mesh}, 600);
  ASSERT_EQ(result.timed, 1u);
  EXPECT_EQ(result.meshes[0].cells[0].scored[0].launch, ranked[100]);
}

TEST_F(TunerTest, TimesWhatASingleShapeHadBefore) {
  const std::unique_ptr<LaunchClock> clock = make_dry_clock(h200_traits(), 7);
  for (const std::int64_t cols : {100, 3000, 200000}) {
    const Mesh mesh = exact_mesh(Type::b, true, 1024, cols);
    const TunedCell before = find_gemv(clock->traits(), problem_at(mesh, 0, 0));
    ASSERT_GT(before.tuned.threads, 0);
    const TunerResult result = run(*clock, {mesh}, 0.01);  // no time for more than a few
    const std::vector<Scored>& scored = result.meshes[0].cells[0].scored;
    EXPECT_LT(scored.size(), 20u);
    EXPECT_EQ(std::ranges::count(scored, Launch(before.tuned), &Scored::launch), 1) << cols;
  }
}

TEST_F(TunerTest, KeepsItsTimeLongOrShort) {
  const Mesh mesh = mesh_of(false, 16);
  std::size_t launches = SIZE_MAX;
  for (const double seconds : {60.0, 3.0, 1.0}) {
    const std::unique_ptr<LaunchClock> clock = make_dry_clock(h200_traits(), 7);
    const TunerResult result = run(*clock, {mesh}, seconds);
    EXPECT_TRUE(result.complete);
    EXPECT_LT(spent_, 1.2 * seconds);
    EXPECT_LT(result.launches, launches) << seconds;
    launches = result.launches;
    EXPECT_EQ(result.untimed, 0u) << seconds;
    const auto chosen = winners(mesh, result.meshes[0].cells);
    for (std::size_t i = 0; i < mesh.size(); ++i) EXPECT_EQ(chosen[i].has_value(), result.meshes[0].cells[i].fits);
  }
}

TEST_F(TunerTest, LeavesShapesOutIfThereIsNoTimeForThem) {
  const std::unique_ptr<LaunchClock> clock = make_dry_clock(h200_traits(), 7);
  const Mesh mesh = mesh_of(false, 16);
  const TunerResult result = run(*clock, {mesh}, 0.3);
  EXPECT_TRUE(result.complete);
  EXPECT_GT(result.untimed, 0u);
  EXPECT_LT(spent_, 0.4);
  const TableHead head{.library = "", .commit = "", .date = "", .how = "", .facts = clock->facts()};
  Tuning table;
  ASSERT_TRUE(Tuning::parse(write_table(table_of(result, head, clock->traits())), "", &table).ok());
  for (std::size_t i = 0; i < mesh.size(); ++i) {
    const Cell& cell = result.meshes[0].cells[i];
    if (!cell.fits) continue;
    EXPECT_EQ(table.gemv(problem_at(mesh, i / 16, i % 16)).tuned.threads == 0, cell.scored.empty()) << i;
  }
}

TEST_F(TunerTest, LearnsHowLongASampleTakes) {
  test::ScriptedClock clock;
  clock.seconds_per_sample = 0.02;
  clock.times = [](std::size_t plan, int) { return 1e-6 * static_cast<double>(plan + 1); };
  const TunerResult result = run(clock, {mesh_of(true, 12)}, 60);
  EXPECT_EQ(result.untimed, 0u);
  EXPECT_LT(spent_, 66);
}

TEST_F(TunerTest, MakesATableThatTheLibraryReads) {
  Mesh triangles{.routine = Routine::symv, .type = Type::s, .second = true, .aligned = true};
  triangles.rows = logarithmic(32, 65536, 6);
  triangles.cols = {1};
  const Mesh mesh = mesh_of(true, 6);
  const std::unique_ptr<LaunchClock> clock = make_dry_clock(h200_traits(), 3);
  const TunerResult result = run(*clock, {mesh, triangles}, 60);
  const TableHead head{
      .library = "1.2.3", .commit = "abc", .date = "today", .how = "a \"test\"", .facts = clock->facts()};
  Tuning table;
  const Status status = Tuning::parse(write_table(table_of(result, head, clock->traits())), "", &table);
  ASSERT_TRUE(status.ok()) << status.text;
  EXPECT_TRUE(table.serves(h200_traits()));
  const auto gemv = winners(mesh, result.meshes[0].cells);
  EXPECT_EQ(Launch(table.gemv(problem_at(mesh, 2, 3)).tuned), gemv[2 * 6 + 3]);
  EXPECT_EQ(table.gemv(problem_at(mesh_of(false, 6), 2, 3)).tuned.threads, 0);
  const auto symv = winners(triangles, result.meshes[1].cells);
  for (std::size_t i = 0; i < symv.size(); ++i) {
    if (!result.meshes[1].cells[i].fits) continue;
    const TunedSymv tuned = table.symv(problem_at(triangles, i, 0)).tuned;
    EXPECT_EQ(tuned.threads == 0 ? std::nullopt : std::optional(Launch(tuned)), symv[i]);
  }
  const std::string scores = scores_text(result, head);
  EXPECT_NE(scores.find("\"gemv d T any\": ["), std::string::npos);
  EXPECT_NE(scores.find("[16,16,\""), std::string::npos);
}

TEST_F(TunerTest, LeavesLaunchesWithWrongResultsOut) {
  test::ScriptedClock clock;
  clock.times = [](std::size_t plan, int) { return plan == 0 ? 1e-6 : 2e-6; };
  clock.checks = [](std::size_t plan) { return plan == 0 ? "y[0] is wrong" : ""; };
  const TunerResult result = run(clock, {{.rows = {1000}, .cols = {1000}}}, 60);
  EXPECT_EQ(result.wrong, 1u);
  EXPECT_EQ(result.first_wrong, "y[0] is wrong");
  ASSERT_FALSE(result.meshes[0].cells[0].scored.empty());
  EXPECT_EQ(result.meshes[0].cells[0].scored[0].seconds, 2e-6);
}

}  // namespace
}  // namespace onepass::tools
