// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Points -> results: each provider in turn, several rounds, until the time of the point is used.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "bench/summary.hpp"
#include "measure/stage.hpp"

namespace onepass::tools {

struct Effort {
  int rounds = 7;
  double seconds_per_point = 0.5;
};

// `before` is told of each point; a false from it ends the run with what there is.
std::vector<PointResult> measure(Stage& stage, const Backend& backend, std::span<const Point> points,
                                 const Effort& effort, const std::function<bool(std::size_t, const Point&)>& before);

}  // namespace onepass::tools
