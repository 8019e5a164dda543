// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the ladder on the simulator: what they ask of memory, and their results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ladder/problem.hpp"
#include "ladder/result.hpp"

namespace onepass::tools::ladder {

// A smaller matrix with the same alignment of rows, on which a simulation takes no more than a moment.
Shape simulated_shape(Shape shape);

struct Simulated {
  Traffic traffic;
  std::vector<float> y;
};

// y = A x of the problem by a step, or by Onepass; nothing in builds without the simulator.
std::optional<Simulated> simulate(Rung rung, Shape shape, const Floats& a, const Floats& x);
std::optional<Simulated> simulate_onepass(Shape shape, const Floats& a, const Floats& x);

}  // namespace onepass::tools::ladder
