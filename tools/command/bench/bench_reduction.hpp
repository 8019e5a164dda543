// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// `onepass bench sytrd` and the like: time of a reduction or of what is done with its Q, time per column, share of the
// byte floor, the peer beside it.
#pragma once

#include "command/bench/bench_options.hpp"
#include "support/failure.hpp"

namespace onepass::tools {

Exit run_bench_reduction(const BenchOptions& options);
// Prints a record of it as a run would have; false if the file holds one of another kind.
bool show_reduction(const std::string& path);

}  // namespace onepass::tools
