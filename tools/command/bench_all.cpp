// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/bench_all.hpp"

#include <fmt/format.h>

#include <functional>

#include "support/arguments.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

struct PartOfAll {
  const char* name;
  const char* routine;
  std::function<void(BenchOptions&)> select;
};

// The sweep comes last: it is the longest, and the first to be cut off where time is short.
std::vector<PartOfAll> parts(bool device) {
  return {
      {"ceilings", "gemv", [](BenchOptions& o) { o.ceilings = true; }},
      {"gemv", "gemv", [](BenchOptions&) {}},
      {"inference", "gemv", [](BenchOptions& o) { o.inference = true; }},
      {"symv", "symv", [](BenchOptions&) {}},
      {"hemv", "hemv", [](BenchOptions&) {}},
      {"batched", "gemv", [](BenchOptions& o) { o.batched = true; }},
      {"symv-batched", "symv", [](BenchOptions& o) { o.batched = true; }},
      {"mesh", "gemv", [](BenchOptions& o) { o.mesh = true; }},
      {"sweep", "gemv",
       [device](BenchOptions& o) {
         o.sweep = device ? "1:5000:1" : "32:2080:32";
         o.no_peers = true;
       }},
  };
}

// hemv has no real types.
std::string complex_types_of(const std::string& types) {
  std::string kept;
  for (const std::string& type : parse_type_names(types))
    if (type == "c" || type == "z") kept += (kept.empty() ? "" : ",") + type;
  return kept;
}

std::string file_of(const std::string& base, const char* part) {
  if (base.empty()) return "";
  const std::size_t end = base.ends_with(".json") ? base.size() - 5 : base.size();
  return fmt::format("{}-{}.json", base.substr(0, end), part);
}

void require_no_selection(const BenchOptions& o) {
  if (selection_of(o) != Selection::standard || o.ceilings)
    throw Failure(Exit::usage, "--all has every selection: leave the others out, or leave out --all");
  if (o.json == "-") throw Failure(Exit::usage, "--all writes several records: name a file, --json records/NAME.json");
}

}  // namespace

std::vector<BenchOptions> parts_of(const BenchOptions& all, BackendId backend) {
  require_no_selection(all);
  const bool device = backend == BackendId::cuda;
  if (!device && backend != BackendId::cpu)
    throw Failure(Exit::usage, fmt::format("--all would take days on {}: it is for cuda and cpu", name(backend)));
  std::vector<BenchOptions> runs;
  for (const PartOfAll& part : parts(device)) {
    BenchOptions run = all;
    run.all = false;
    run.routine = part.routine;
    run.json = file_of(all.json, part.name);
    // A processor takes a hundred times as long for a point as a GPU does.
    if (!device) {
      run.mesh_points = std::min<std::int64_t>(all.mesh_points, 8);
      if (all.max_bytes == 0) run.max_bytes = 64e6;
    }
    part.select(run);
    if (run.routine == "hemv" && !all.types.empty()) {
      run.types = complex_types_of(all.types);
      if (run.types.empty()) continue;
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace onepass::tools
