// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Peers that are timed behind Onepass, by a process of their own: `onepass bench --add-peers`, and a run that starts
// it.
#pragma once

#include "bench/record.hpp"
#include "command/bench/bench_options.hpp"
#include "support/failure.hpp"

namespace onepass::tools {

// Times the peers at the points of a record that have none yet, and puts their times into it.
Exit run_add_peers(const BenchOptions& options);

// What that leaves of a record, by another process. `seconds_left`: after which it ends with what there is; 0: never.
Record with_peers(const Record& record, const BenchOptions& options, double effort, double seconds_left);

}  // namespace onepass::tools
