// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a run of the lineage found: each rung at each of some products.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/result.hpp"
#include "ladder/seeds/simulate.hpp"
#include "measure/stage.hpp"

namespace onepass::tools::ladder {

struct SeedResult {
  std::string name;
  const Seed* seed = nullptr;  // null: Onepass or a peer
  std::optional<Timing> time = {};
  std::optional<SeedTraffic> traffic = {};
};

struct SeedPoint {
  Problem problem;
  double bytes = 0, floor = 0;           // microseconds; 0 where nothing was timed
  std::vector<SeedResult> results = {};  // rungs, Onepass, peers
};

struct SeedsResult {
  std::string backend;
  std::vector<Fact> facts = {};
  std::vector<std::string> remarks = {};
  Cache cache = Cache::cold;
  std::vector<SeedPoint> points = {};
  bool checked = false;  // every rung ran once and was right; there are no figures
};

}  // namespace onepass::tools::ladder
