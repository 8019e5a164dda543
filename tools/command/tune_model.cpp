// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/tune_model.hpp"

#include <fmt/format.h>

#include <cmath>

#include "support/interrupt.hpp"
#include "support/terminal.hpp"
#include "tune/each_price.hpp"
#include "tune/survey.hpp"

namespace onepass::tools {
namespace {

void report_prices(const ModelPrices& before, const ModelPrices& after) {
  fmt::print("{:<14} {:<14} {:>9} {:>9}\n", "kernel", "price", "before", "now");
  for (const Variant variant : gemv_kernels) {
    std::vector<double> old;
    each_price(before[place_of(variant)], [&](const std::string&, double price, const char*) { old.push_back(price); });
    auto was = old.begin();
    each_price(after[place_of(variant)], [&](const std::string& price, double value, const char* unit) {
      if (value != *was) fmt::print("{:<14} {:<14} {:>9.4g} {:>9.4g}  {}\n", name(variant), price, *was, value, unit);
      ++was;
    });
  }
}

void report_judgement(const char* prices, const Judgement& judgement) {
  fmt::print("{:<15} {:.3f} times as long as the fastest that was timed, {:.2f} at worst\n", prices,
             judgement.over_fastest, judgement.worst);
}

}  // namespace

Exit tune_model(LaunchClock& clock, const Axes& axes, double seconds,
                const std::function<void(const ModelFit& fit)>& keep) {
  Survey found;
  {
    Progress progress("tune", static_cast<std::size_t>(std::ceil(seconds)));
    found = survey(clock, axes, seconds, [&](double passed, const std::string& what) {
      progress.update(static_cast<std::size_t>(passed), what);
      return !interrupted();
    });
  }
  fmt::print("{} launches of {} problems timed and checked in {:.0f} s\n", found.launches, found.problems.size(),
             clock.elapsed());
  if (found.wrong > 0)
    fmt::print("{}: {} launches failed or gave wrong results and were left out; the first: {}\n",
               paint(Colour::red, "WRONG"), found.wrong, found.first_wrong);
  const Exit as_it_is = !found.complete ? Exit::interrupted : found.wrong > 0 ? Exit::failed : Exit::ok;
  if (found.launches < least_launches_of_fit) {
    fmt::print("too few for a model, which needs {}: nothing is written; a longer --budget times more\n",
               least_launches_of_fit);
    return as_it_is == Exit::ok ? Exit::failed : as_it_is;
  }
  const ModelFit fit = fit_model(found.problems, clock.traits());
  report_prices(prices_of(clock.traits()), fit.prices);
  fmt::print("\nof {} problems that no price has seen, the launch that the model likes best took\n",
             fit.after.problems);
  report_judgement("  now", fit.after);
  report_judgement("  before", fit.before);
  if (fit.better())
    keep(fit);
  else
    fmt::print("the prices are no better than those before: nothing is written\n");
  return as_it_is;
}

}  // namespace onepass::tools
