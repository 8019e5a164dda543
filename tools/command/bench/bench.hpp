// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// `onepass bench`: time, bandwidth and efficiency over a set of problems, peers beside it.
#pragma once

#include "command/bench/bench_options.hpp"
#include "support/failure.hpp"

namespace onepass::tools {

Exit run_bench(const BenchOptions& options);

}  // namespace onepass::tools
