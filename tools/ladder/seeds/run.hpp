// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The lineage on a backend: each rung is checked against sums in double precision, then timed or simulated.
#pragma once

#include <optional>

#include "backends/backend.hpp"
#include "ladder/seeds/result.hpp"
#include "support/arguments.hpp"

namespace onepass::tools::ladder {

struct SeedsOptions {
  std::optional<Shape> shape = {};  // else squares, a tall and a wide one
  Cache cache = Cache::cold;
  double seconds = 2;  // of measuring, in all
  bool peers = true;
  bool check = false;
};

SeedsResult run_seeds(const Backend& backend, const SeedsOptions& options);

}  // namespace onepass::tools::ladder
