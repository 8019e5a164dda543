// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Points -> results: each provider in turn, several rounds, until the time of the point is used.
#pragma once

#include <functional>
#include <span>

#include "bench/result.hpp"
#include "bench/selection.hpp"
#include "measure/stage.hpp"

namespace onepass::tools {

struct Watcher {
  std::function<bool(std::size_t, const Point&)> before;  // false ends the run
  std::function<void(PointResult)> after;
};

struct Extras {
  bool plans = false;     // each result has the text of its plan
  bool journeys = false;  // and what its product costs around its execution
};

void measure(Stage& stage, const Backend& backend, std::span<const Point> points, const Effort& effort,
             const Extras& extras, const Watcher& watcher);

}  // namespace onepass::tools
