// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "bench/schedule.hpp"
#include "command/bench/bench_all.hpp"
#include "problem/check.hpp"
#include "problem/names.hpp"
#include "support/arguments.hpp"

namespace onepass::tools {
namespace {

// Squares that a hot run finds in the L2 of the largest GPUs.
constexpr double hot_bytes = 32e6;

struct PartOfAll {
  const char* name;
  const char* routine;
  std::function<void(BenchOptions&)> select;
  const char* cache = "";  // nothing: as the selection has it
};

void sweep(BenchOptions& o, const char* range) {
  o.sweep = range;
  o.no_peers = true;
}

// A column of sizes beside the peers, in every type.
void hot_squares(BenchOptions& o, const char* types) {
  o.sweep = "64:4096:64";
  if (o.types.empty()) o.types = types;
}

// What a reader asks for first comes first: the end of the list is what a short budget cuts off.
std::vector<PartOfAll> parts(bool device) {
  const char* every = device ? "1:5000:1" : "32:2080:32";
  const char* every_order = device ? "64:5000:1" : "32:2080:32";
  std::vector<PartOfAll> list = {
      {"ceilings", "gemv", [](BenchOptions& o) { o.ceilings = true; }},
      {"gemv", "gemv", [](BenchOptions&) {}},
      {"inference", "gemv", [](BenchOptions& o) { o.inference = true; }},
      {"symv", "symv",
       [device](BenchOptions& o) {
         if (device && o.types.empty()) o.types = "all";
       }},
      {"hemv", "hemv", [](BenchOptions&) {}},
      {"ger", "ger", [](BenchOptions&) {}},
      {"gerc", "gerc", [](BenchOptions&) {}},
      {"batched", "gemv", [](BenchOptions& o) { o.batched = true; }},
      {"symv-batched", "symv", [](BenchOptions& o) { o.batched = true; }},
      {"ger-batched", "ger", [](BenchOptions& o) { o.batched = true; }},
      {"mesh", "gemv", [](BenchOptions& o) { o.mesh = true; }},
  };
  if (device) {
    list.push_back({"alone", "gemv", [](BenchOptions&) {}, "alone"});
    list.push_back({"symv-alone", "symv", [](BenchOptions&) {}, "alone"});
    list.push_back({"hot", "gemv", [](BenchOptions& o) { hot_squares(o, "s,d,c,z,h,b"); }, "hot"});
    list.push_back({"symv-hot", "symv", [](BenchOptions& o) { hot_squares(o, "s,d,c,z"); }, "hot"});
  }
  list.push_back({"sweep", "gemv", [every](BenchOptions& o) { sweep(o, every); }, "cold"});
  list.push_back({"symv-sweep", "symv", [every_order](BenchOptions& o) { sweep(o, every_order); }, "cold"});
  list.push_back({"sweep-hot", "gemv", [every](BenchOptions& o) { sweep(o, every); }, "hot"});
  return list;
}

// Those of the types that the routine takes.
std::string types_of(const RoutineRow& routine, const std::string& types) {
  std::string kept;
  for (const std::string& type : parse_type_names(types)) {
    Problem p{.routine = routine.routine};
    set_types(p, type);
    if (check(p).code != ONEPASS_STATUS_INVALID_TYPES) kept += (kept.empty() ? "" : ",") + type;
  }
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

// The options of a part; `all` says what it leaves open.
BenchOptions options_of(const BenchOptions& all, const PartOfAll& part, bool device) {
  BenchOptions run = all;
  run.all = false;
  run.routine = part.routine;
  run.json = file_of(all.json, part.name);
  const RoutineRow& routine = row(parse_routines(part.routine).at(0));
  if (routine.selector != Selector::uplo) run.uplos.clear();
  if (routine.selector != Selector::op) run.ops.clear();
  if (!all.types.empty()) run.types = types_of(routine, all.types);
  // A processor takes a hundred times as long for a point as a GPU does.
  if (!device) {
    run.mesh_points = std::min<std::int64_t>(all.mesh_points, 8);
    if (all.max_bytes == 0) run.max_bytes = 64e6;
  }
  part.select(run);
  if (*part.cache == '\0') return run;
  run.cache = part.cache;
  if (run.cache == "hot") run.max_bytes = all.max_bytes > 0 ? std::min(all.max_bytes, hot_bytes) : hot_bytes;
  return run;
}

bool is_wanted(const BenchOptions& all, const PartOfAll& part, const BenchOptions& run) {
  if (!all.types.empty() && run.types.empty()) return false;
  return *part.cache == '\0' || all.cache.empty() || all.cache == "both" || all.cache == part.cache;
}

}  // namespace

std::vector<BenchPart> parts_of(const BenchOptions& all, BackendId backend, int threads) {
  require_no_selection(all);
  const bool device = backend == BackendId::cuda;
  if (!device && backend != BackendId::cpu)
    throw Failure(Exit::usage, fmt::format("--all would take days on {}: it is for cuda and cpu", name(backend)));
  std::vector<BenchPart> runs;
  for (const PartOfAll& part : parts(device)) {
    const BenchOptions run = options_of(all, part, device);
    if (!is_wanted(all, part, run)) continue;
    const std::size_t points = run.ceilings ? 0 : expand(axes_of(run, backend, threads)).size();
    const Workload work{
        .selection = selection_of(run), .points = points, .peers = !run.no_peers, .seconds_per_point = run.seconds};
    runs.push_back({.name = part.name, .options = run, .points = points, .seconds = expected_seconds(work, backend)});
  }
  return runs;
}

}  // namespace onepass::tools
