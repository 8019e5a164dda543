// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Prices of the model from launches that were timed, and what they are worth on problems that no price has seen.
#pragma once

#include <span>

#include "plan/device_traits.hpp"
#include "plan/gemv_model.hpp"
#include "plan/tuning_table.hpp"
#include "tune/survey.hpp"

namespace onepass::tools {

// Of each problem that was held out, of the launches that were timed: the one that the model likes best over the
// fastest.
struct Judgement {
  std::size_t problems = 0;
  double over_fastest = 1, worst = 1;  // geometric mean, largest
};
Judgement judge(std::span<const SurveyedProblem> problems, const DeviceTraits& traits, const ModelPrices& prices);

// Starts from these prices; those that are 0, or that no launch of the other problems depends on, stay as they are.
ModelPrices fitted_prices(std::span<const SurveyedProblem> problems, const DeviceTraits& traits,
                          const ModelPrices& start);

struct ModelFit {
  ModelPrices prices = {};                 // with four digits, as a file holds them
  Judgement before = {}, after = {};       // of the device's prices, and of these
  std::size_t problems = 0, launches = 0;  // that they were fitted to

  bool better() const { return after.problems > 0 && after.over_fastest < before.over_fastest; }
};
// Fewer launches than this make no model.
inline constexpr std::size_t least_launches_of_fit = 500;
ModelFit fit_model(std::span<const SurveyedProblem> problems, const DeviceTraits& traits);

// A better model in a table.
void update(TuningTable& table, const ModelFit& fit);

}  // namespace onepass::tools
