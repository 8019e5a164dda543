// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Which launches of a shape are tried, which of them gets an entry in a table, and that the tuner keeps its time.
#include "tune/tuner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "plan/gemv.hpp"
#include "problem/check.hpp"
#include "problem/names.hpp"
#include "tune/dry_clock.hpp"
#include "tune/scripted_clock.hpp"

namespace onepass::tools {
namespace {

using test::ScriptedClock;

Problem shape(std::int64_t m, std::int64_t n, Type type = Type::s, Op op = Op::t) {
  return problem_of_shape(type, op, Layout::column, m, n);
}

TunerResult run(LaunchClock& clock, const std::vector<Problem>& shapes, double seconds = 600) {
  return Tuner(clock, {.seconds = seconds, .most_bytes = 2.2e9}).run(shapes, [](std::size_t, const std::string&) {
    return true;
  });
}

// All launches take 2 us but one.
ScriptedClock clock_with(const Plan& favourite, double seconds) {
  ScriptedClock clock;
  clock.times = [&clock, favourite, seconds](std::size_t i, int) {
    return clock.plans[i] == favourite ? seconds : 2e-6;
  };
  return clock;
}

std::vector<std::string> names(const TuningTable& table) {
  std::vector<std::string> all;
  for (const TunedShape& entry : table.shapes) all.push_back(name_of(entry.kind) + ": " + print(entry.choice));
  return all;
}

TEST(Shape, IsThatOfTheCallWithoutGaps) {
  for (const Layout layout : {Layout::column, Layout::row})
    for (const std::int64_t m : {4096, 4095}) {
      const Problem p = problem_of_shape(Type::b, Op::n, layout, m, 1000);
      EXPECT_TRUE(check(p).ok());
      const ShapeKind kind = *kind_of_shape(p);
      EXPECT_EQ(name_of(kind), layout == Layout::row
                                   ? "b T 1000x" + std::to_string(m) + " any"
                                   : "b N " + std::to_string(m) + "x1000 " + (m == 4096 ? "aligned" : "any"));
    }
}

TEST(Candidates, AreDistinctAndTheModelsComesFirst) {
  for (const Problem& p : {shape(1000, 1000), shape(100, 100000), shape(4096, 4096, Type::b, Op::n), shape(1, 1)}) {
    const ModelledChoice best = best_choice(p, h200_traits());
    const auto candidates = candidates_of(p, h200_traits());
    EXPECT_EQ(candidates[0].choice, best.choice);
    EXPECT_LE(candidates.size(), all_candidates);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      EXPECT_EQ(candidates[i].plan, plan_of(candidates[i].choice, p, h200_traits()));
      for (std::size_t j = 0; j < i; ++j) EXPECT_NE(candidates[i].plan, candidates[j].plan);
    }
    EXPECT_EQ(candidates_of(p, h200_traits(), 2).size(), 2u);
  }
}

TEST(Candidates, BeyondTwoDozenAreAboutAsFastInTheEyesOfTheModel) {
  for (const Problem& p : {shape(1000, 1000), shape(100, 100000), shape(16, 2000000), shape(4096, 4096),
                           shape(4096, 4096, Type::b, Op::n)}) {
    const auto candidates = candidates_of(p, h200_traits());
    EXPECT_GE(candidates.size(), 24u) << describe(p);
    const auto all = all_choices(p, h200_traits());
    const auto last = std::ranges::find(all, candidates.back().choice, &ModelledChoice::choice);
    ASSERT_NE(last, all.end());
    if (candidates.size() > 24) {
      EXPECT_LE(last->seconds, 1.3 * best_choice(p, h200_traits()).seconds) << describe(p);
    }
  }
}

TEST(Tuner, FindsALaunchThatIsFasterThanTheModels) {
  const Problem p = shape(5000, 3000);
  const Candidate fast = candidates_of(p, h200_traits())[20];
  ScriptedClock clock = clock_with(fast.plan, 1.6e-6);
  const TunerResult result = run(clock, {p});
  ASSERT_TRUE(result.complete && result.shapes[0].timed());
  EXPECT_EQ(result.shapes[0].fastest, fast.choice);
  EXPECT_EQ(result.shapes[0].model, best_choice(p, h200_traits()).choice);
  TuningTable table;
  update(table, result.shapes);
  EXPECT_EQ(names(table), std::vector{"s T 5000x3000 any: " + print(fast.choice)});
  EXPECT_EQ(table.shapes[0].gain, 1.25);
}

TEST(Tuner, WritesAnEntryForMoreThanOnePercentAlone) {
  const Problem p = shape(5000, 3000);
  const Candidate fast = candidates_of(p, h200_traits())[3];
  for (const double faster : {1.0, 1.009, 1.011}) {
    ScriptedClock clock = clock_with(fast.plan, 2e-6 / faster);
    TuningTable table;
    update(table, run(clock, {p}).shapes);
    EXPECT_EQ(table.shapes.size(), faster > 1.01 ? 1u : 0u) << faster;
  }
}

// What was fast in a few rounds may have been lucky.
TEST(Tuner, BelievesTheLastRoundsAlone) {
  const Problem p = shape(5000, 3000);
  const Candidate lucky = candidates_of(p, h200_traits())[7];
  ScriptedClock clock;
  std::size_t finalists = 0;
  bool beside_the_model = true;
  clock.times = [&](std::size_t i, int) {
    if (clock.plans.size() <= 6) {
      finalists = clock.plans.size();
      beside_the_model =
          beside_the_model && clock.plans[0] == plan_of(best_choice(p, clock.device).choice, p, clock.device);
      return 2e-6;
    }
    return clock.plans[i] == lucky.plan ? 1e-6 : 2e-6;
  };
  const TunerResult result = run(clock, {p});
  EXPECT_EQ(finalists, 6u);
  EXPECT_TRUE(beside_the_model);
  EXPECT_FALSE(deserves_entry(result.shapes[0]));
}

TEST(Table, OfOtherShapesStays) {
  const Problem p = shape(5000, 3000), other = shape(64, 3000, Type::d, Op::n), third = shape(100, 9000);
  const Choice choice = candidates_of(p, h200_traits())[5].choice, old = candidates_of(p, h200_traits())[6].choice;
  TuningTable table;
  for (const Problem& before : {p, other, third}) table.shapes.push_back({*kind_of_shape(before), old, 1.5});
  const ShapeTimes faster{.problem = p, .model = old, .fastest = choice, .model_seconds = 1.1, .seconds = 1};
  const ShapeTimes untimed{.problem = third, .why_not = "a longer --budget times it"};
  update(table, {faster, untimed});
  EXPECT_EQ(names(table), (std::vector{"s T 100x9000 any: " + print(old), "s T 5000x3000 any: " + print(choice),
                                       "d N 64x3000 aligned: " + print(old)}));
  EXPECT_EQ(table.find(p)->gain, 1.1);
  TuningTable again;
  const Status status = read_table(write_table(table), "", &again);
  ASSERT_TRUE(status.ok()) << status.text;
  EXPECT_EQ(again, table);
}

TEST(Table, LosesAnEntryThatTheModelHasReached) {
  const Problem p = shape(5000, 3000);
  TuningTable table;
  table.shapes.push_back({*kind_of_shape(p), candidates_of(p, h200_traits())[6].choice, 1.5});
  ScriptedClock clock;
  clock.times = [](std::size_t, int) { return 2e-6; };
  update(table, run(clock, {p}).shapes);
  EXPECT_TRUE(table.shapes.empty());
}

TEST(Tuner, LeavesLaunchesWithWrongResultsOut) {
  const Problem p = shape(5000, 3000);
  const Candidate fast = candidates_of(p, h200_traits())[4];
  for (const bool in_the_last_rounds : {false, true}) {
    ScriptedClock clock = clock_with(fast.plan, 1e-6);
    clock.checks = [&](std::size_t i) {
      const bool wrong = clock.plans[i] == fast.plan && in_the_last_rounds == (clock.plans.size() <= 6);
      return wrong ? "y[0] is wrong" : "";
    };
    const TunerResult result = run(clock, {p});
    EXPECT_EQ(result.wrong, 1u);
    EXPECT_EQ(result.first_wrong, "y[0] is wrong");
    EXPECT_TRUE(result.shapes[0].timed());
    EXPECT_FALSE(deserves_entry(result.shapes[0]));
  }
}

TEST(Tuner, ComparesWithNoLaunchOfTheModelThatFails) {
  const Problem p = shape(5000, 3000);
  ScriptedClock clock;
  clock.times = [](std::size_t plan, int) { return plan == 0 ? std::nan("") : 1e-6; };
  const TunerResult untimed = run(clock, {p});
  EXPECT_TRUE(untimed.complete);
  EXPECT_NE(untimed.shapes[0].why_not.find("the model's launch, gemv_t"), std::string::npos);
  clock.checks = [](std::size_t plan) { return plan == 0 ? "y[0] is wrong" : ""; };
  const TunerResult wrong = run(clock, {p});
  EXPECT_EQ(wrong.wrong, 1u);
  EXPECT_FALSE(wrong.shapes[0].timed());
}

TEST(Tuner, SaysWhyAShapeWasNotTimed) {
  ScriptedClock clock;
  clock.times = [](std::size_t, int) { return 1e-6; };
  clock.refused = "needs 99.0 GB of device memory";
  const TunerResult result = run(clock, {shape(100, 100), shape(100000, 100000)});
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.shapes[0].why_not, clock.refused);
  EXPECT_NE(result.shapes[1].why_not.find("--max-bytes"), std::string::npos);
}

TEST(Tuner, EndsWhereItIsAskedTo) {
  const auto clock = make_dry_clock(h200_traits(), 7);
  const std::vector<Problem> shapes = {shape(100, 100), shape(200, 200), shape(300, 300)};
  const TunerResult result =
      Tuner(*clock, {}).run(shapes, [](std::size_t done, const std::string&) { return done < 2; });
  EXPECT_FALSE(result.complete);
  ASSERT_EQ(result.shapes.size(), 2u);
  EXPECT_TRUE(result.shapes[1].timed());
}

TEST(DryClock, HasTheSameTimesForASeed) {
  const Problem p = shape(5000, 3000);
  const auto times = [&](std::uint64_t seed) {
    const auto clock = make_dry_clock(h200_traits(), seed);
    return run(*clock, {p}).shapes[0];
  };
  EXPECT_EQ(times(7).fastest, times(7).fastest);
  EXPECT_EQ(times(7).seconds, times(7).seconds);
  EXPECT_NE(times(7).seconds, times(8).seconds);
  EXPECT_LE(times(7).seconds, times(7).model_seconds);
}

std::vector<Problem> many_shapes() {
  std::vector<Problem> shapes;
  for (const Type type : {Type::s, Type::d, Type::z, Type::b})
    for (const std::int64_t m : {50, 700, 9000}) shapes.push_back(shape(m, 800000 / m, type));
  return shapes;
}

TEST(Tuner, KeepsItsTimeLongOrShort) {
  std::size_t launches = SIZE_MAX;
  for (const double seconds : {20.0, 1.0, 0.5}) {
    const auto clock = make_dry_clock(h200_traits(), 7);
    const TunerResult result = run(*clock, many_shapes(), seconds);
    EXPECT_LT(clock->elapsed(), 1.1 * seconds);
    EXPECT_LT(result.launches, launches) << seconds;
    launches = result.launches;
    EXPECT_TRUE(std::ranges::all_of(result.shapes, &ShapeTimes::timed)) << seconds;
  }
}

TEST(Tuner, LeavesShapesOutIfThereIsNoTimeForThem) {
  const auto clock = make_dry_clock(h200_traits(), 7);
  const TunerResult result = run(*clock, many_shapes(), 0.1);
  EXPECT_TRUE(result.complete);
  EXPECT_LT(clock->elapsed(), 0.15);
  const auto timed = std::ranges::count_if(result.shapes, &ShapeTimes::timed);
  EXPECT_GT(timed, 0);
  EXPECT_LT(timed, 12);
  EXPECT_NE(result.shapes.back().why_not.find("--budget"), std::string::npos);
}

TEST(Tuner, LearnsHowLongASampleTakes) {
  ScriptedClock clock;
  clock.seconds_per_sample = 0.02;
  clock.times = [](std::size_t plan, int) { return 1e-6 * static_cast<double>(plan + 1); };
  const TunerResult result = run(clock, many_shapes(), 60);
  EXPECT_TRUE(std::ranges::all_of(result.shapes, &ShapeTimes::timed));
  EXPECT_LT(clock.elapsed(), 66);
}

}  // namespace
}  // namespace onepass::tools
