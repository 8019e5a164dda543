// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// `onepass compare`: what became slower between two records.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "compare/compare.hpp"
#include "support/failure.hpp"

namespace onepass::tools {

struct CompareOptions {
  std::string before = {}, after = {};
  double threshold = default_threshold;
  bool json = false;
};

CLI::App* add_compare(CLI::App& app, CompareOptions& options);

Exit run_compare(const CompareOptions& options);

}  // namespace onepass::tools
