// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tune/dry_clock.hpp"

#include <cmath>

#include "tune/each_price.hpp"

namespace onepass::tools {
namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t value) {
  h = (h ^ value) * 0x9e3779b97f4a7c15u;
  return h ^ (h >> 29);
}

// From 0 to 1.
double fraction(std::uint64_t h) { return static_cast<double>(mix(h, 1) >> 11) * 0x1p-53; }

std::uint64_t geometry(const Plan& plan) {
  std::uint64_t h = 7;
  const auto add = [&](const char*, auto value) { h = mix(h, static_cast<std::uint64_t>(value)); };
  add("variant", plan.kernel.variant);
  add("loads", plan.kernel.loads);
  add("threads", plan.threads);
  std::visit([&]<class P>(const P& params) { P::fields(params, add); }, plan.params);
  return h;
}

class DryClock final : public LaunchClock {
 public:
  DryClock(const DeviceTraits& traits, std::uint64_t seed, const ModelPrices& prices)
      : traits_(traits), seed_(seed), prices_(prices) {}

  const DeviceTraits& traits() const override { return traits_; }
  std::vector<Fact> facts() const override {
    return {{"device", traits_.name}, {"driver", "none"}, {"toolkit", "none"}};
  }

  std::string prepare(const Problem& p, std::span<const Plan> plans) override {
    plans_.assign(plans.begin(), plans.end());
    slow_ = false;
    state_ = seed_;
    for (const std::int64_t v : {p.m, p.n, p.lda, static_cast<std::int64_t>(p.type_a)})
      state_ = mix(state_, static_cast<std::uint64_t>(v));
    return "";
  }
  std::string check(std::size_t) override {
    ++ticks_;
    return "";
  }
  double sample(std::size_t plan) override {
    const double seconds = truth(plans_[plan]) * noise() * (slow_ ? 1.2 : 1);
    ++ticks_;
    return seconds;
  }
  // A round in eight has a clock that dropped.
  double ruler() override {
    const double seconds = slow_ ? 1.2e-5 : 1e-5;
    slow_ = fraction(state_ = mix(state_, 3)) < 0.125;
    return seconds;
  }
  double elapsed() const override { return 0x1p-11 * static_cast<double>(ticks_); }

 private:
  // Up to 10 % off the model, by the shape of the launch alone.
  double truth(const Plan& plan) const {
    const GemvModel model(plan.problem, traits_);
    return seconds_of(model, launch_of(model, choice_of(plan)), prices_[place_of(plan.kernel.variant)]) *
           (1 + 0.1 * fraction(mix(seed_, geometry(plan))));
  }
  double noise() { return 1 + 0.01 * fraction(state_ = mix(state_, 5)); }

  DeviceTraits traits_;
  std::uint64_t seed_, state_ = 0;
  ModelPrices prices_;
  std::vector<Plan> plans_;
  bool slow_ = false;
  std::int64_t ticks_ = 0;  // of a time that is exact in sums
};

}  // namespace

std::unique_ptr<LaunchClock> make_dry_clock(const DeviceTraits& traits, std::uint64_t seed) {
  return make_dry_clock(traits, seed, prices_of(traits));
}

std::unique_ptr<LaunchClock> make_dry_clock(const DeviceTraits& traits, std::uint64_t seed, const ModelPrices& hidden) {
  return std::make_unique<DryClock>(traits, seed, hidden);
}

ModelPrices hidden_prices(const DeviceTraits& traits, std::uint64_t seed) {
  ModelPrices prices = prices_of(traits);
  std::uint64_t h = seed;
  for (GemvPrices& of_kernel : prices)
    each_price(of_kernel, [&](const std::string&, double& price, const char*) {
      price *= std::exp2(2 * fraction(h = mix(h, 11)) - 1);
    });
  return prices;
}

}  // namespace onepass::tools
