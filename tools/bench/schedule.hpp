// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How long runs of the benchmark will take, and how much effort each may spend so that all fit into a budget.
#pragma once

#include <cstddef>
#include <span>

#include "bench/selection.hpp"

namespace onepass::tools {

struct Workload {
  Selection selection = Selection::standard;
  std::size_t points = 0;
  bool peers = true;
  double seconds_per_point = 0;  // that were asked for; 0: as the selection has it
};

// A guess that is good enough for a share of a budget: points times what one took where it was measured.
double expected_seconds(const Workload& work, BackendId backend);

// Of the usual effort, 1 or less: what the next of these runs may spend if all of them must end within `left` seconds.
double affordable_effort(std::span<const double> expected, double left);

// The effort for a share of its time: shorter samples first, then fewer rounds, never less than three.
Effort scaled(const Effort& effort, double share);

}  // namespace onepass::tools
