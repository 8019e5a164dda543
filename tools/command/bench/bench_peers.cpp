// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/bench/bench_peers.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "bench/resume.hpp"
#include "command/bench/bench_run.hpp"
#include "print/json.hpp"
#include "support/arguments.hpp"
#include "support/file.hpp"
#include "support/interrupt.hpp"
#include "support/process.hpp"

namespace onepass::tools {
namespace {

std::vector<std::size_t> places_without_peers(const Record& record) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < record.points.size(); ++i)
    if (record.points[i].providers.size() == 1) places.push_back(i);
  return places;
}

// What the stage of the peers knows and the record does not.
void add_facts(Record& record, Stage& stage) {
  for (Fact& fact : stage.facts()) {
    const auto same = [&](const Fact& known) { return known.name == fact.name; };
    if (std::none_of(record.facts.begin(), record.facts.end(), same)) record.facts.push_back(std::move(fact));
  }
  for (Constant& constant : stage.peer_constants()) {
    const auto same = [&](const Constant& known) { return known.name == constant.name; };
    if (std::none_of(record.constants.begin(), record.constants.end(), same))
      record.constants.push_back(std::move(constant));
  }
}

void add_names(Record& record, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (std::find(record.providers.begin(), record.providers.end(), name) == record.providers.end())
      record.providers.push_back(name);
}

// A file for a record that nobody asked to keep.
class Borrowed {
 public:
  Borrowed()
      : path_((std::filesystem::temp_directory_path() / fmt::format("onepass-bench-{}.json", getpid())).string()) {}
  ~Borrowed() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

Exit run_add_peers(const BenchOptions& asked) {
  BenchOptions options = asked;
  options.json = options.add_peers;
  require_writable(options.json);
  Record record = read_record(options.json);
  const Backend& backend = require_backend(record.backend);
  const RunContext context{.label = "peers", .effort = options.effort, .seconds_left = budget_seconds(options)};
  const Effort effort = effort_of(options, record.selection, backend.id(), context);
  const std::unique_ptr<Stage> stage = open_stage(backend, effort, Who::peers);
  if (const std::string why = why_not_same_build(record, begin_record(record.selection, backend, *stage)); !why.empty())
    throw Failure(Exit::usage, fmt::format("cannot add peers to {}: {}", options.json, why));

  add_names(record, stage->providers());
  if (!record.constants.empty()) stage->adopt(record.constants);
  add_facts(record, *stage);
  const std::vector<std::size_t> places = places_without_peers(record);
  std::vector<Point> points;
  points.reserve(places.size());
  for (const std::size_t place : places) points.push_back(record.points[place].point);
  const bool complete = record.complete;
  record.complete = false;
  std::size_t done = 0;
  measure_all(record, points, options, backend, context, *stage, {}, [&](PointResult result) {
    // By place: a record may have a point twice.
    std::vector<ProviderResult>& known = record.points[places[done++]].providers;
    known.insert(known.end(), result.providers.begin(), result.providers.end());
  });
  record.complete = complete && done == points.size();
  for (std::string& remark : stage->remarks()) record.remarks.push_back("peers: " + std::move(remark));
  output(options, record);
  return done == points.size() ? Exit::ok : Exit::interrupted;
}

Record with_peers(const Record& record, const BenchOptions& options, double effort, double seconds_left) {
  const Borrowed borrowed;
  const std::string& path = to_file(options) ? options.json : borrowed.path();
  write_file(path, to_json(record));
  std::vector<std::string> arguments = {"bench", "--add-peers", path, "--effort", fmt::format("{}", effort)};
  const auto add = [&](const char* option, double value, const char* unit) {
    if (value > 0) arguments.insert(arguments.end(), {option, fmt::format("{}{}", value, unit)});
  };
  add("--time", options.seconds, "");
  add("--budget", seconds_left, "s");
  const auto code = static_cast<Exit>(run_self(arguments));
  if (code != Exit::ok && code != Exit::interrupted)
    throw Failure(code, fmt::format("`onepass {}` failed; --no-peers leaves the peers out", fmt::join(arguments, " ")));
  return read_record(path);
}

}  // namespace onepass::tools
