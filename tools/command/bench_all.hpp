// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// `onepass bench --all`: the runs that make a full set of records.
#pragma once

#include <vector>

#include "command/bench_options.hpp"

namespace onepass::tools {

// One run per selection and routine, each with a file of its own: records/h200.json -> records/h200-mesh.json, ...
std::vector<BenchOptions> parts_of(const BenchOptions& all, BackendId backend);

}  // namespace onepass::tools
