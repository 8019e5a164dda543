// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// `onepass ladder`: from a naive product to a fast one, step by step.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "support/failure.hpp"

namespace onepass::tools {

struct LadderOptions {
  std::string shape = {};  // of the steps 4096x8192 unless given; the lineage has some of its own
  std::string backend = {}, cache = {}, json = {};
  int threads = 1;
  double seconds = 2;
  bool no_code = false, no_peers = false, check = false, seeds = false;
};

CLI::App* add_ladder(CLI::App& app, LadderOptions& options);

Exit run_ladder(const LadderOptions& options);

}  // namespace onepass::tools
