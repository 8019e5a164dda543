// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a run of the ladder found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backends/cuda/compiled.hpp"
#include "bench/result.hpp"
#include "ladder/steps.hpp"
#include "measure/stage.hpp"
#include "support/arguments.hpp"

namespace onepass::tools::ladder {

// Of one simulated launch, counted by warps.
struct Traffic {
  std::int64_t sectors_requested = 0, sectors_needed = 0;  // of A, 32 bytes each
  std::int64_t loads = 0, shared_accesses = 0, bank_conflicts = 0, barriers = 0, shuffles = 0;

  double sectors_per_needed() const {
    return static_cast<double>(sectors_requested) / static_cast<double>(sectors_needed);
  }
};

struct StepResult {
  Step step;
  std::optional<Timing> time = {};
  std::optional<Traffic> traffic = {};
  std::optional<cuda::Compiled> compiled = {};
};

struct Result {
  std::string backend;
  std::vector<Fact> facts = {};
  std::vector<std::string> remarks = {};
  Shape shape = {}, counted = {};  // counted: what was simulated
  Point point = {};
  double bytes = 0, flops = 0;
  double floor = 0;  // microseconds; 0 where nothing was timed
  std::vector<StepResult> steps = {};
  std::vector<ProviderResult> peers = {};
  bool checked = false;  // every step ran once and was right; there are no figures
};

}  // namespace onepass::tools::ladder
