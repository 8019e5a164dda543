// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// `onepass tune`: times launches of single shapes, or of random ones for the prices of the model, and writes the table
// that the library then uses.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "support/failure.hpp"

namespace onepass::tools {

struct TuneOptions {
  std::string shapes = {}, types = "s,d,c,z,h,b", ops = "N,T", layout = "column";
  std::string budget = "10m";
  std::string output = {};  // empty: where the library looks
  std::string backend = {};
  double max_bytes = 0;  // of a matrix; 0: 2.2e9, or an eighth of the memory
  bool alone = false;
  bool model = false, kernels = false;  // in place of shapes
  bool dry_run = false;
  std::uint64_t seed = 1;
};

CLI::App* add_tune(CLI::App& app, TuneOptions& o);
Exit run_tune(const TuneOptions& options);

}  // namespace onepass::tools
