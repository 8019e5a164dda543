// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// `onepass bench --all`: the runs that make a full set of records.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "command/bench/bench_options.hpp"
#include "support/failure.hpp"

namespace onepass::tools {

struct BenchPart {
  std::string name;
  BenchOptions options;
  std::size_t points = 0;
  double seconds = 0;  // expected
};

// One run per selection, routine and cache, each with a file of its own: records/h200.json -> records/h200-mesh.json,
// ... `threads`: of this host.
std::vector<BenchPart> parts_of(const BenchOptions& all, BackendId backend, int threads);

Exit run_bench_all(const BenchOptions& all, const Backend& backend);

}  // namespace onepass::tools
