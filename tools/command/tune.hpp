// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// `onepass tune`: times the launches of the device at hand, and writes the table that the library then uses.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "support/failure.hpp"

namespace onepass::tools {

struct TuneOptions {
  std::string routines = "gemv,symv", types = "s,d,c,z,b", ops = "N,T", uplos = "L,U";
  std::string shapes = {}, layout = "column";  // empty: a mesh
  std::string budget = "10m";
  std::string output = {};  // empty: where the library looks
  std::string backend = {};
  std::int64_t mesh_points = 24;
  double max_bytes = 0;  // of a matrix; 0: 2.2e9, or an eighth of the memory
  bool alone = false;
  bool resume = false;
  bool dry_run = false;
  std::uint64_t seed = 1;
};

CLI::App* add_tune(CLI::App& app, TuneOptions& o);
Exit run_tune(const TuneOptions& options);

}  // namespace onepass::tools
