// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// `onepass bench sytrd`: time of a reduction, time per column, share of the byte floor, cuSOLVER beside it.
#pragma once

#include "command/bench_options.hpp"
#include "support/failure.hpp"

namespace onepass::tools {

bool is_reduction(const BenchOptions& options);
Exit run_bench_reduction(const BenchOptions& options);

}  // namespace onepass::tools
