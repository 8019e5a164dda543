// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The command line of `onepass bench`: its options with their help.
#pragma once

#include <CLI/CLI.hpp>

#include "command/bench/bench_options.hpp"

namespace onepass::tools {

inline constexpr const char* backend_help =
    "cuda, cpu, sim or reference; default: $ONEPASS_BACKEND, else the best one here";

void add_bench(CLI::App& app, BenchOptions& o);

}  // namespace onepass::tools
