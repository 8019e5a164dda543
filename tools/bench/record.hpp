// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// All that one run of the benchmark found, as the printers read it.
#pragma once

#include <string>
#include <vector>

#include "bench/result.hpp"
#include "bench/selection.hpp"
#include "measure/stage.hpp"

namespace onepass::tools {

struct Record {
  std::string backend;
  std::string version, commit, compiler;
  std::string date;  // UTC, ISO 8601
  Selection selection = Selection::standard;
  bool complete = true;
  std::vector<Fact> facts;
  std::vector<Constant> constants;
  std::vector<std::string> remarks = {};  // what was wrong with the machine meanwhile
  std::vector<std::string> providers;
  std::vector<PointResult> points;
};

}  // namespace onepass::tools
