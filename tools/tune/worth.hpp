// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What each kernel is worth: random problems that are planned for it, timed with it and with the best of the others.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/axes.hpp"
#include "measure/launch_clock.hpp"
#include "plan/kernel_id.hpp"

namespace onepass::tools {

struct KernelWorth {
  Variant variant;
  std::size_t problems = 0;       // planned for it
  std::vector<double> gain = {};  // seconds of the best other kernel over its own, where another serves the problem
};

// Problems of one kind in turns, until the time is up: products, triangles, batches, sums with more digits, the
// canonical order. Kernels in the order of their variants. before(seconds, what) is asked before each problem; false
// ends it.
std::vector<KernelWorth> kernel_worth(LaunchClock& clock, const Axes& axes, double seconds,
                                      const std::function<bool(double, const std::string&)>& before);

}  // namespace onepass::tools
