// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Random launches as data for the model, and prices that are fitted to them: with clocks whose prices are known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "plan/gemv.hpp"
#include "problem/check.hpp"
#include "problem/cost.hpp"
#include "problem/names.hpp"
#include "tune/dry_clock.hpp"
#include "tune/fit.hpp"
#include "tune/scripted_clock.hpp"
#include "tune/survey.hpp"

namespace onepass::tools {
namespace {

using test::ScriptedClock;

Axes axes(const std::vector<std::string>& types) {
  return {.types = types, .ops = {Op::n, Op::t}, .complex_ops = {Op::n, Op::t}, .min_bytes = 5e4, .max_bytes = 1e9};
}

Survey survey_of(LaunchClock& clock, const std::vector<std::string>& types, std::size_t problems) {
  std::size_t asked = 0;
  return survey(clock, axes(types), 1e6, [&](double, const std::string&) { return asked++ < problems; });
}

TEST(SurveyedProblem, IsLegalAndOfAllKinds) {
  int batches = 0, digits = 0, padded = 0;
  constexpr int all = 3000;
  for (std::uint64_t i = 0; i < all; ++i) {
    const Problem p = surveyed_problem(axes({"s", "d", "c", "z", "h", "b"}), i);
    ASSERT_TRUE(check(p).ok()) << describe(p) << ": " << check(p).text;
    EXPECT_NE(find_combination(p), nullptr) << describe(p);
    EXPECT_GE(cost(p).matrix_bytes, 2e4) << describe(p);
    EXPECT_LE(cost(p).matrix_bytes, 2.5e9) << describe(p);
    batches += p.batch > 1;
    digits += p.accumulate != Accumulate::standard;
    padded += p.lda != stored(p).rows;
  }
  EXPECT_NEAR(batches, all / 8, all / 40);
  EXPECT_NEAR(digits, all / 6, all / 40);
  EXPECT_GT(padded, all / 10);
}

TEST(Survey, TimesTheModelsFavouritesAndOthersOfEachProblem) {
  const auto clock = make_dry_clock(h200_traits(), 7);
  const Survey found = survey_of(*clock, {"s", "b"}, 12);
  EXPECT_FALSE(found.complete);
  ASSERT_EQ(found.problems.size(), 12u);
  std::size_t launches = 0;
  for (std::size_t i = 0; i < found.problems.size(); ++i) {
    const SurveyedProblem& p = found.problems[i];
    EXPECT_EQ(p.held_out, i % 6 == 5);
    EXPECT_LE(p.launches.size(), 25u);
    launches += p.launches.size();
    const ModelledChoice best = best_choice(p.problem, h200_traits());
    EXPECT_EQ(std::ranges::count(p.launches, best.choice, &TimedLaunch::choice), 1);
    for (const TimedLaunch& launch : p.launches) {
      const Plan plan = plan_of(launch.choice, p.problem, h200_traits());
      EXPECT_LE(modelled_seconds(plan, h200_traits()), 1.6 * best.seconds + 1e-9) << print(launch.choice);
    }
  }
  EXPECT_EQ(found.launches, launches);
  EXPECT_GT(launches, 150u);
}

TEST(Survey, KeepsItsTime) {
  const auto clock = make_dry_clock(h200_traits(), 7);
  const Survey found = survey(*clock, axes({"d"}), 0.5, [](double, const std::string&) { return true; });
  EXPECT_TRUE(found.complete);
  EXPECT_FALSE(found.problems.empty());
  EXPECT_LT(clock->elapsed(), 0.7);
}

TEST(Survey, LeavesLaunchesWithWrongResultsOut) {
  ScriptedClock clock;
  clock.times = [](std::size_t, int) { return 1e-6; };
  clock.checks = [&](std::size_t i) { return i == 2 && clock.plans.size() > 10 ? "y[0] is wrong" : ""; };
  const Survey right = survey_of(*make_dry_clock(h200_traits(), 7), {"s"}, 1), found = survey_of(clock, {"s"}, 1);
  EXPECT_GE(found.wrong, 1u);
  EXPECT_EQ(found.first_wrong, "y[0] is wrong");
  EXPECT_EQ(found.problems[0].launches.size() + found.wrong, right.problems[0].launches.size());
}

// Of what is held out, and near the fastest: what a choice depends on.
double mean_error(const Survey& found, const ModelPrices& prices) {
  double sum = 0, count = 0;
  for (const SurveyedProblem& p : found.problems) {
    const GemvModel model(p.problem, h200_traits());
    const double fastest = std::ranges::min_element(p.launches, {}, &TimedLaunch::seconds)->seconds;
    for (const auto& [choice, seconds] : p.launches) {
      if (!p.held_out || seconds > 1.2 * fastest) continue;
      sum +=
          std::abs(std::log(seconds_of(model, launch_of(model, choice), prices[place_of(choice.variant)]) / seconds));
      ++count;
    }
  }
  return sum / count;
}

TEST(Fit, FindsTheTimesAndTheFastLaunchesOfADeviceWithOtherPrices) {
  const DeviceTraits traits = h200_traits();
  const auto clock = make_dry_clock(traits, 5, hidden_prices(traits, 5));
  const Survey found = survey_of(*clock, {"s", "b"}, 72);
  const ModelFit fit = fit_model(found.problems, traits);
  EXPECT_EQ(fit.problems, 60u);
  EXPECT_EQ(fit.after.problems, 12u);
  EXPECT_GT(mean_error(found, prices_of(traits)), 0.08);
  EXPECT_LT(mean_error(found, fit.prices), 0.06);  // launches are up to 10 % off any prices
  EXPECT_TRUE(fit.better()) << fit.before.over_fastest << " " << fit.after.over_fastest;
  EXPECT_LT(fit.after.over_fastest, 1.05);
  TuningTable table, read;
  update(table, fit);
  ASSERT_TRUE(read_table(write_table(table), "", &read).ok());
  EXPECT_EQ(read, table);
  const GemvPrices &before = prices_of(traits)[place_of(Variant::gemv_n)],
                   &after = fit.prices[place_of(Variant::gemv_n)];
  EXPECT_EQ(after.cluster, 0) << "gemv_n has no clusters";
  EXPECT_EQ(after.load[static_cast<std::size_t>(ElementsId::z)], before.load[static_cast<std::size_t>(ElementsId::z)]);
}

TEST(Fit, IsRefusedWhereTheModelIsRightAlready) {
  ScriptedClock clock;
  clock.times = [&](std::size_t plan, int) { return modelled_seconds(clock.plans[plan], clock.device); };
  const Survey found = survey_of(clock, {"d"}, 24);
  const ModelFit fit = fit_model(found.problems, clock.device);
  EXPECT_EQ(fit.before.over_fastest, 1);
  EXPECT_FALSE(fit.better());
  EXPECT_FALSE(fit_model({}, clock.device).better());
}

}  // namespace
}  // namespace onepass::tools
