// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The ladder on a backend: each step is checked against sums in double precision, then timed or simulated.
#pragma once

#include "backends/backend.hpp"
#include "ladder/result.hpp"

namespace onepass::tools::ladder {

struct RunOptions {
  Shape shape = {4096, 8192};
  Cache cache = Cache::cold;
  int threads = 0;  // of the cpu backend: 1 or more
  double seconds = 2;
  bool peers = true;
  bool check = false;  // each step once, compared with sums in double precision, and nothing else
};

Result run(const Backend& backend, const RunOptions& options);

}  // namespace onepass::tools::ladder
