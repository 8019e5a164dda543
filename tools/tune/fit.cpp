// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tune/fit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "bench/geometric_mean.hpp"
#include "support/digits.hpp"
#include "tune/each_price.hpp"

namespace onepass::tools {
namespace {

// Launches near the fastest of their problem count most; those that are far off no more than they must. A price stays
// near what it was unless launches say otherwise.
constexpr double power_of_weight = 1.5, soft_from = 0.1, pull = 0.05;
constexpr std::size_t least_of_kernel = 60;  // launches; fewer say too little of so many prices

// A launch as the model sees it.
struct Term {
  const GemvModel* model;
  GemvLaunch launch;
  double log_seconds, weight;
};

struct Equations {
  std::vector<double> matrix, gradient;  // J^T J, J^T r
  double cost = 0;
};

// x with (A + damping diag(A)) x = -b, by Cholesky; none where that is not positive definite.
std::optional<std::vector<double>> step_of(const Equations& e, double damping) {
  const std::size_t n = e.gradient.size();
  std::vector<double> a = e.matrix, x(n);
  for (std::size_t i = 0; i < n; ++i) a[i * n + i] *= 1 + damping;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double& entry = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) entry -= a[i * n + k] * a[j * n + k];
      if (i == j && !(entry > 0)) return std::nullopt;
      entry = i == j ? std::sqrt(entry) : entry / a[j * n + j];
    }
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = -e.gradient[i];
    for (std::size_t k = 0; k < i; ++k) x[i] -= a[i * n + k] * x[k];
    x[i] /= a[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= a[k * n + i] * x[k];
    x[i] /= a[i * n + i];
  }
  return x;
}

// The prices of one kernel as logarithms, and how far they are from its launches.
class KernelFit {
 public:
  KernelFit(const std::vector<Term>& terms, const GemvPrices& start) : terms_(terms), start_(start) {
    each_price(start, [&](const std::string&, double price, const char*) {
      if (price > 0) logarithms_.push_back(std::log(price));
    });
  }

  // Levenberg and Marquardt.
  GemvPrices run() const {
    constexpr int most_steps = 50;
    constexpr double most_damping = 1e6, least_gain = 1e-5;
    std::vector<double> here = logarithms_;
    double damping = 1e-2, cost = cost_of(here);
    for (int i = 0; i < most_steps; ++i) {
      const Equations equations = equations_of(here);
      double gain = 0;
      for (; gain <= 0 && damping < most_damping; damping *= 4) {
        const auto step = step_of(equations, damping);
        if (!step) continue;
        std::vector<double> next = here;
        for (std::size_t j = 0; j < next.size(); ++j) next[j] += std::clamp((*step)[j], -1.0, 1.0);
        gain = cost - cost_of(next);
        if (gain > 0) here = next;
      }
      cost -= std::max(gain, 0.0);
      damping /= 16;
      if (gain < least_gain * cost) break;
    }
    return prices_at(here);
  }

 private:
  GemvPrices prices_at(const std::vector<double>& logarithms) const {
    GemvPrices prices = start_;
    auto next = logarithms.begin();
    each_price(prices, [&](const std::string&, double& price, const char*) {
      if (price > 0) price = std::exp(*next++);
    });
    return prices;
  }

  static double log_of(const Term& t, const GemvPrices& prices) {
    return std::log(seconds_of(*t.model, t.launch, prices));
  }
  // "Soft L1": a square near 0, and far from it no more than the distance.
  static double softened(double r) {
    return 2 * soft_from * soft_from * (std::sqrt(1 + r * r / soft_from / soft_from) - 1);
  }

  double cost_of(const std::vector<double>& at) const {
    const GemvPrices prices = prices_at(at);
    double cost = 0;
    for (const Term& t : terms_) cost += softened(t.weight * (log_of(t, prices) - t.log_seconds));
    for (std::size_t i = 0; i < at.size(); ++i) cost += softened(pull * (at[i] - logarithms_[i]));
    return cost;
  }

  Equations equations_of(const std::vector<double>& at) const {
    constexpr double apart = 1e-4;
    const std::size_t n = at.size();
    const GemvPrices prices = prices_at(at);
    std::vector<GemvPrices> moved;
    for (std::size_t j = 0; j < n; ++j) {
      std::vector<double> beside = at;
      beside[j] += apart;
      moved.push_back(prices_at(beside));
    }
    Equations e{.matrix = std::vector<double>(n * n), .gradient = std::vector<double>(n)};
    std::vector<double> slope(n);
    const auto add = [&](double r) {
      const double of_far = 1 / std::sqrt(1 + r * r / soft_from / soft_from);
      for (std::size_t i = 0; i < n; ++i) {
        if (slope[i] == 0) continue;
        e.gradient[i] += of_far * slope[i] * r;
        for (std::size_t j = 0; j <= i; ++j) e.matrix[i * n + j] += of_far * slope[i] * slope[j];
      }
    };
    for (const Term& t : terms_) {
      const double log = log_of(t, prices);
      for (std::size_t j = 0; j < n; ++j) slope[j] = t.weight * (log_of(t, moved[j]) - log) / apart;
      add(t.weight * (log - t.log_seconds));
    }
    for (std::size_t j = 0; j < n; ++j) {
      std::ranges::fill(slope, 0);
      slope[j] = pull;
      add(pull * (at[j] - logarithms_[j]));
    }
    return e;
  }

  const std::vector<Term>& terms_;
  const GemvPrices& start_;
  std::vector<double> logarithms_ = {};  // of the start; prices of 0 are none of them
};

double fastest_of(const SurveyedProblem& p) {
  return std::ranges::min_element(p.launches, {}, &TimedLaunch::seconds)->seconds;
}

}  // namespace

Judgement judge(std::span<const SurveyedProblem> problems, const DeviceTraits& traits, const ModelPrices& prices) {
  Judgement found;
  GeometricMean mean;
  for (const SurveyedProblem& p : problems) {
    if (!p.held_out) continue;
    const GemvModel model(p.problem, traits);
    const auto modelled = [&](const TimedLaunch& launch) {
      return seconds_of(model, launch_of(model, launch.choice), prices[place_of(launch.choice.variant)]);
    };
    const double over = std::ranges::min_element(p.launches, {}, modelled)->seconds / fastest_of(p);
    mean.add(over);
    found.worst = std::max(found.worst, over);
    ++found.problems;
  }
  if (found.problems > 0) found.over_fastest = mean.value();
  return found;
}

ModelPrices fitted_prices(std::span<const SurveyedProblem> problems, const DeviceTraits& traits,
                          const ModelPrices& start) {
  std::vector<GemvModel> models;
  models.reserve(problems.size());
  std::array<std::vector<Term>, std::size(gemv_kernels)> terms;
  for (const SurveyedProblem& p : problems) {
    if (p.held_out) continue;
    const GemvModel& model = models.emplace_back(p.problem, traits);
    const double fastest = fastest_of(p);
    for (const auto& [choice, seconds] : p.launches)
      terms[place_of(choice.variant)].push_back({.model = &model,
                                                 .launch = launch_of(model, choice),
                                                 .log_seconds = std::log(seconds),
                                                 .weight = std::pow(fastest / seconds, power_of_weight)});
  }
  ModelPrices prices = start;
  for (std::size_t i = 0; i < prices.size(); ++i)
    if (terms[i].size() >= least_of_kernel) prices[i] = KernelFit(terms[i], start[i]).run();
  return prices;
}

ModelFit fit_model(std::span<const SurveyedProblem> problems, const DeviceTraits& traits) {
  const ModelPrices& start = prices_of(traits);
  ModelFit fit{.prices = fitted_prices(problems, traits, start)};
  for (GemvPrices& prices : fit.prices)
    each_price(prices, [](const std::string&, double& price, const char*) { price = four_digits(price); });
  fit.before = judge(problems, traits, start);
  fit.after = judge(problems, traits, fit.prices);
  for (const SurveyedProblem& p : problems) {
    if (p.held_out) continue;
    ++fit.problems;
    fit.launches += p.launches.size();
  }
  return fit;
}

void update(TuningTable& table, const ModelFit& fit) {
  table.prices = fit.prices;
  table.model = {.problems = static_cast<std::int64_t>(fit.problems),
                 .launches = static_cast<std::int64_t>(fit.launches),
                 .held_out = static_cast<std::int64_t>(fit.after.problems),
                 .over_fastest = four_digits(fit.after.over_fastest),
                 .worst = four_digits(fit.after.worst)};
}

}  // namespace onepass::tools
